"""TCP's mean window and throughput under losses: the engine against closed forms.

Response functions are defined for one loss every 1/p segments, so segments are dropped by number;
what comes out is the mean window, segments delivered a second times the round-trip time. PFTK is
defined for losses at random, as counted by the sender: its p is cuts over segments sent.

Both ranges of p were made narrower after results had been seen, for reasons that lie in the models
(`MATHIS_RANGE`, `PFTK_RANGE`), which say what happens outside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lasthop_validation import tcp_formulas as formulas
from lasthop_validation.judging import Case

RTT = 0.1
BOUND = 0.10
"""That of the models themselves: they leave out the round of a recovery, and whole segments."""

SCENARIO = """
name = "response"
duration = "{duration} s"
warmup = "{warmup} s"

[[link]]
ends = ["s", "d"]
rate = "100 Gbps"
delay = "{delay} ms"
queue = "unlimited"
{loss}

[tcp]
recovery = "{recovery}"
law = "{law}"
mss = "1000 B"
window = "4000000 packets"
initial_ssthresh = {ssthresh}
{more}

[[flow]]
name = "bulk"
from = "s"
to = "d"
"""

MATHIS_RANGE = (
    "p up to 0.001, narrowed after results were seen: the model leaves out whole segments and the round "
    "of a recovery; the engine is 7 % below it at p = 0.003 (11 % with delayed ACKs), 16 % (29 %) at 0.01, "
    "34 % (43 %) at 0.03, where the model's window is 7 (5) segments"
)
PFTK_RANGE = (
    "p up to 0.005, narrowed after results were seen: the model loses the rest of a round with its "
    "first loss, which losses at random spare; the engine is up to 11 % above it at p = 0.01, 14 % at 0.02, "
    "15 % above to 10 % below at 0.05"
)

WARM = 10
"""Losses before the measured time: the window has forgotten where it began."""
CYCLES = 12

NO_GIVING_WAY = "law_options = { fast_convergence = false }"
CUBIC_PEAK = 4 / 3.7
"""CUBIC's response function is that of a flow whose losses all come at the plateau, 4/(3 + beta)
mean windows. The plateau is flat, so that a loss a little sooner or later moves the next plateau
by as much and no less: the engine is started on the function, and must stay there.
"""

DELAYED = 'delayed_ack = { segments = 2, timeout = "200 ms" }'


@dataclass(frozen=True)
class MeanWindow:
    """Segments delivered a second, times the round-trip time."""

    rtt: float = RTT

    def __call__(self, run: Mapping[str, Any]) -> float:
        """Return the mean window, segments."""
        (flow,) = run["flows"]
        return float(flow["goodput_bps"]) / 8000 * self.rtt


def _periodic(
    group: str,
    law: str,
    p: float,
    window: float,
    *,
    rtt: float = RTT,
    more: str = "",
    peak: float = 1.0,
    reason: str = "the model's own: it leaves out the round of a recovery, and whole segments",
) -> Case:
    """Return the case of one loss every 1/p segments; `window` is what the model says.

    The first loss comes when slow start has reached `peak` such windows.
    """
    cycle = rtt / (p * window)
    start = round(window * peak)
    drops = [2 * start + round(k / p) for k in range(2 * (WARM + CYCLES))]
    text = SCENARIO.format(
        duration=f"{(WARM + CYCLES) * cycle:.3f}",
        warmup=f"{WARM * cycle:.3f}",
        delay=rtt / 2 * 1000,
        loss=f'drop = [{{ flow = "bulk", packets = {drops} }}]',
        recovery="sack",
        law=law,
        ssthresh=start,
        more=more,
    )
    return Case(
        group,
        f"{law}, p {p:g}, RTT {rtt * 1000:g} ms{', delayed ACKs' if more == DELAYED else ''}",
        text,
        MeanWindow(rtt),
        window,
        BOUND,
        reason,
        replications=1,
    )


def _mathis() -> list[Case]:
    return [
        _periodic("Mathis", "reno", p, formulas.mathis(p, acked), more=more, reason=MATHIS_RANGE)
        for p in (1e-3, 1e-4, 1e-5)
        for acked, more in ((1, ""), (2, DELAYED))
    ]


def _responses(quick: bool) -> list[Case]:
    cubic = [(1e-3, 0.1), (1e-4, 0.1), (1e-5, 0.1), (1e-3, 0.01), (1e-5, 0.01), (1e-6, 0.1)]
    other = [1e-3, 1e-4, 1e-5, 1e-6]
    if quick:
        cubic, other = cubic[:5], other[:3]
    return [
        *(
            _periodic(
                "CUBIC (RFC 9438)",
                "cubic",
                p,
                formulas.cubic_response(p, rtt),
                rtt=rtt,
                more=NO_GIVING_WAY,
                peak=CUBIC_PEAK,
            )
            for p, rtt in cubic
        ),
        *(
            _periodic("HighSpeed (RFC 3649)", "highspeed", p, formulas.highspeed_response(p))
            for p in other
        ),
        *(
            _periodic("Scalable (Kelly 2003)", "scalable", p, formulas.scalable_response(p))
            for p in other[:3]
        ),
    ]


@dataclass(frozen=True)
class OverModel:
    """Segments sent a second over the model's rate for the losses of the sender."""

    model: Callable[[float, float, float, int], float]
    timeout: float
    acked: int

    def __call__(self, run: Mapping[str, Any]) -> float:
        """Return the ratio."""
        (flow,) = run["flows"]
        p = sum(flow["window_cuts"].values()) / flow["packets_sent"]
        sent = flow["packets_sent"] / run["measured_s"]
        return float(sent / self.model(p, RTT, self.timeout, self.acked))


def _pftk() -> list[Case]:
    models = (("full", formulas.pftk), ("approximate", formulas.pftk_approximate))
    return [
        Case(
            f"PFTK, {name}",
            f"PFTK {name}, {recovery}, p {p:g}, T0 {timeout:g} s, b {acked}",
            SCENARIO.format(
                duration=550,
                warmup=50,
                delay=RTT / 2 * 1000,
                loss=f'loss = {p}\nloss_direction = "forward"',
                recovery=recovery,
                law="reno",
                ssthresh=round(formulas.mathis(p)),
                more=f'rto_min = "{timeout} s"\n{DELAYED if acked == 2 else ""}',
            ),
            OverModel(model, timeout, acked),
            1.0,
            BOUND,
            PFTK_RANGE,
            replications=4,
        )
        for recovery in ("reno", "newreno", "sack")
        for p in (1e-4, 1e-3, 5e-3)
        for timeout in (0.4, 1.0)
        for acked in (1, 2)
        for name, model in models
    ]


def cases(quick: bool) -> list[Case]:
    """Return the cases of every model; quick: without those that take longest."""
    pftk = _pftk()
    return _mathis() + _responses(quick) + (pftk[:4] if quick else pftk)
