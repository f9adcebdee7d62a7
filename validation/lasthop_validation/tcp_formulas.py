"""Closed forms of TCP's throughput and windows; windows in segments, times in seconds."""

from __future__ import annotations

import math


def mathis(p: float, acked: int = 1) -> float:
    """Return the mean window with one loss every 1/p segments (Mathis et al., CCR 27(3), 1997).

    `acked` segments share an acknowledgement: sqrt(3/2) without delayed ones, sqrt(3/4) with.
    """
    return math.sqrt(3 / (2 * acked * p))


def pftk_approximate(p: float, rtt: float, timeout: float, acked: int = 1) -> float:
    """Return segments sent a second (Padhye et al., ToN 8(2), 2000, equation 30), no window limit."""
    retransmit = min(1.0, 3 * math.sqrt(3 * acked * p / 8)) * p * (1 + 32 * p * p)
    return 1 / (rtt * math.sqrt(2 * acked * p / 3) + timeout * retransmit)


def pftk(p: float, rtt: float, timeout: float, acked: int = 1) -> float:
    """Return segments sent a second by the full model (equations 13, 24, 28), no window limit."""
    b = acked
    offset = (2 + b) / (3 * b)
    window = offset + math.sqrt(8 * (1 - p) / (3 * b * p) + offset * offset)
    q = 1 - p
    by_timeout = min(1.0, (1 - q**3) * (1 + q**3 * (1 - q ** (window - 3))) / (1 - q**window))
    waits = 1 + p + 2 * p**2 + 4 * p**3 + 8 * p**4 + 16 * p**5 + 32 * p**6
    sent = q / p + window + by_timeout / q
    return float(sent / (rtt * (b / 2 * window + 1) + by_timeout * timeout * waits / q))


def reno_response(p: float) -> float:
    """Return RFC 3649's and RFC 9438's mean window of Reno."""
    return 1.2 / math.sqrt(p)


def cubic_response(p: float, rtt: float, c: float = 0.4, beta: float = 0.7) -> float:
    """Return CUBIC's mean window (RFC 9438 section 5.1, equation 5), or Reno's where that is more."""
    cubic = (c * (3 + beta) / (4 * (1 - beta))) ** 0.25 * (rtt / p) ** 0.75
    return float(max(cubic, reno_response(p)))


def highspeed_response(p: float) -> float:
    """Return HighSpeed TCP's mean window (RFC 3649 section 5), or Reno's at p above 1.5e-3."""
    return 0.12 / p**0.835 if p < 1.5e-3 else reno_response(p)


def scalable_response(p: float, a: float = 0.01, b: float = 0.125) -> float:
    """Return Scalable TCP's mean window (Kelly, CCR 33(2), 2003): a an acknowledgement, b off a loss.

    Between losses the window grows from (1 - b) W to W by a factor 1 + a a round: b W/a segments in
    ln(1/(1 - b))/ln(1 + a) rounds, which are the 1/p segments of a cycle.
    """
    return math.log1p(a) / -math.log1p(-b) / p


def sawtooth_utilisation(buffer: float) -> float:
    """Return the utilisation by one Reno flow; the buffer in bandwidth-delay products, 0 to 1.

    Fluid, one loss a cycle, the window halves (after Lakshman and Madhow, ToN 5(3), 1997). In
    units of the product: up to 1 a round lasts a round trip, beyond it as long as its segments.
    """
    below = (1 - buffer) / 2
    above = buffer * (1 + buffer / 2)
    return (below * (3 + buffer) / 4 + above) / (below + above)
