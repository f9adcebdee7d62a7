"""Closed forms and fixed points that the engine is judged by, written apart from it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy import linalg, optimize

from lasthop_validation.dcf_monte_carlo import Rules


def one_station(rules: Rules) -> float:
    """Return frames a second of one saturated station: DIFS, mean backoff and exchange."""
    top = rules.cw_min if rules.inclusive else rules.cw_min - 1
    return 1e9 / (rules.difs + rules.slot * top / 2 + rules.success)


def bianchi(
    rules: Rules, stations: int, data: int, ack: int, sifs: int, *, again: bool = True
) -> float:
    """Return frames a second by Bianchi's model (2000), retries without limit. Times in ns.

    With the correction for freezing of the reference tables: whoever has just sent is the only
    one who can draw 0 and send again at once, with probability B = 1/(CWmin + 1), so that a
    success lasts 1/(1 - B) exchanges and carries as many frames. Without `again` nobody can: an
    EDCAF counts no slot before the space after its own frame has ended either.
    """
    window = rules.cw_min + 1
    stages = round(math.log2((rules.cw_max + 1) / window))

    def attempt(p: float) -> float:
        growth = p * window * sum((2 * p) ** i for i in range(stages))
        return 2 / (1 + window + growth)

    def surplus(p: float) -> float:
        return p - 1 + (1 - attempt(p)) ** (stations - 1)

    p = float(optimize.brentq(surplus, 0.0, 0.999)) if stations > 1 else 0.0
    tau = attempt(p)
    busy = 1 - (1 - tau) ** stations
    success = stations * tau * (1 - tau) ** (stations - 1)
    repeats = 1 / (1 - 1 / window) if again else 1.0
    good = (data + sifs + ack + rules.difs) * repeats + rules.slot
    bad = data + rules.bystander_wait + rules.slot
    mean = (1 - busy) * rules.slot + success * good + (busy - success) * bad
    return 1e9 * success * repeats / mean


def chain_loss(
    size: int,
    rate: float,
    means: Sequence[float],
    bers: Sequence[float],
    following: Sequence[Sequence[float]],
) -> float:
    """Return the probability that a frame of `size` bytes at `rate` bit/s has a bit error.

    The channel is met in its stationary state. By state: mean sojourn in seconds, bit error rate, and
    the probability that each state follows. 1 - pi exp((Q - L) d) 1, with the generator Q of the
    state and the hazards L of a bit error a second on the diagonal.
    """
    leave = 1 / np.array(means)
    generator = leave[:, None] * np.array(following) - np.diag(leave)
    hazard = -rate * np.log1p(-np.array(bers))
    stationary = linalg.null_space(generator.T)[:, 0]
    stationary = stationary / stationary.sum()
    survive = linalg.expm((generator - np.diag(hazard)) * (size * 8 / rate))
    return float(1 - stationary @ survive @ np.ones(len(means)))


def gilbert_elliott_loss(
    size: int,
    rate: float,
    *,
    mean_good: float = 0.1,
    mean_bad: float = 0.0333,
    ber_good: float = 1e-6,
    ber_bad: float = 1e-2,
) -> float:
    """Return :func:`chain_loss` of a good and a bad state; sojourns in seconds."""
    alternating = [[0, 1], [1, 0]]
    return chain_loss(size, rate, [mean_good, mean_bad], [ber_good, ber_bad], alternating)


def gilbert_elliott_sampled(
    size: int,
    *,
    mean_good: float = 0.1,
    mean_bad: float = 0.0333,
    ber_good: float = 1e-6,
    ber_bad: float = 1e-2,
) -> float:
    """Return the same when the state at the start holds for the whole frame (ns-2)."""
    bad = mean_bad / (mean_good + mean_bad)
    lost = [-math.expm1(size * 8 * math.log1p(-ber)) for ber in (ber_good, ber_bad)]
    return (1 - bad) * lost[0] + bad * lost[1]


def _symbol_errors(n: int, symbol: float) -> list[float]:
    """Return the probabilities of 0..n symbol errors in a block."""
    return [math.comb(n, i) * symbol**i * (1 - symbol) ** (n - i) for i in range(n + 1)]


def reed_solomon(n: int, k: int, symbol_bits: int, ber: float) -> tuple[float, float]:
    """Return (probability that a block cannot be corrected, bit error rate after decoding).

    Bounded-distance decoding of (n - k)/2 symbols; a block beyond that keeps its errors.
    """
    correct = (n - k) // 2
    symbol = -math.expm1(symbol_bits * math.log1p(-ber))
    counts = _symbol_errors(n, symbol)
    block = math.fsum(counts[correct + 1 :])
    left = math.fsum(i / n * counts[i] for i in range(correct + 1, n + 1))
    return block, left * 2 ** (symbol_bits - 1) / (2**symbol_bits - 1)


def heusse(
    stations: int,
    frame_bits: int,
    fast: float,
    slow: float,
    *,
    overhead: float = 50e-6 + 192e-6 + 10e-6 + 304e-6,
    slot: float = 20e-6,
    window: int = 31,
) -> float:
    """Return the throughput (bits of frames/s) of each station where one is slow.

    Heusse, Rousseau, Berger-Sabbatel, Duda, "Performance anomaly of 802.11b", INFOCOM 2003,
    equations 2 to 9. Rates in bit/s, times in seconds; `overhead` is DIFS, two preambles, SIFS and
    ACK, here of 802.11b with the ACK at 1 Mbit/s.
    """
    collide = 1 - (1 - 1 / window) ** (stations - 1)
    contend = slot * (1 + collide) / (2 * stations) * window / 2
    lasts = [overhead + frame_bits / rate + contend for rate in (fast, slow)]
    jam = 2 / stations * lasts[1] + (1 - 2 / stations) * lasts[0]
    cycle = (stations - 1) * lasts[0] + lasts[1] + collide * jam * stations
    return frame_bits / cycle


def shadowed_share(
    distance_m: float,
    transmit_w: float,
    receive_w: float,
    frequency_hz: float,
    exponent: float,
    sigma_db: float,
) -> float:
    """Return the share of frames at or above `receive_w` behind log-normal shadowing.

    Free space to 1 m at ns-2's 3e8 m/s, then 10 `exponent` dB a decade.
    """
    at_1_m = transmit_w * (3e8 / frequency_hz / (4 * math.pi)) ** 2
    margin_db = 10 * math.log10(at_1_m / receive_w) - 10 * exponent * math.log10(distance_m)
    return 0.5 * math.erfc(-margin_db / (sigma_db * math.sqrt(2)))
