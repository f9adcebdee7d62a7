"""The two-hop path of the wired reference runs, their tables, and what is measured on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from lasthop_validation import oracles
from lasthop_validation.judging import Case

GOODPUT_BOUND = 0.02
SPREAD_BOUND = 0.05
"""Rows in which the reference's own runs scatter by more than `GOODPUT_BOUND` (standard deviation)."""
WINDOW_BOUND = 0.25
RESENT_BOUND = 0.5
REPLICATIONS = 100
"""Of runs with random loss: ten times what the references have, so that theirs is the chance."""

SCENARIO = """
name = "wired"
duration = "{duration} s"
warmup = "{warmup} s"
conventions = "{conventions}"

[[link]]
ends = ["s", "r"]
rate = "100 Mbps"
delay = "{access} ms"
queue = "100000 packets"

[[link]]
ends = ["r", "d"]
rate = "10 Mbps"
delay = "{bottleneck} ms"
queue = "{queue} packets"
loss = {loss}
loss_at = "leaving"
loss_direction = "forward"

[tcp]
{tcp}

[[flow]]
name = "bulk"
from = "s"
to = "d"
transport = "tcp"
app = "bulk"
"""


@dataclass(frozen=True)
class Reference:
    """One configuration of a reference table: settings, runs, and (mean, deviation) by metric."""

    settings: oracles.Row
    runs: int
    metrics: oracles.Metrics
    scale: float = 1.0
    """The factor of the table's means and deviations."""

    def mean(self, metric: str) -> float:
        """Return the mean over the runs."""
        return self.scale * self.metrics[metric].number("mean")

    def ci95(self, metric: str) -> float:
        """Return the half width of the mean's 95 % interval; 0 for a single, deterministic run."""
        return self.scale * self.metrics[metric].ci95()

    def spread(self, metric: str) -> float:
        """Return the runs' standard deviation, relative to their mean."""
        row = self.metrics[metric]
        return row.number("std") / row.reference()


def reference(metrics: oracles.Metrics) -> Reference:
    """Return a configuration as a reference."""
    settings = metrics.settings
    return Reference(settings, settings.whole("n_seeds", least=1), metrics)


@dataclass(frozen=True)
class Goodput:
    """The goodput in bit/s, times `scale` where the reference counts other bytes."""

    scale: float = 1.0

    def __call__(self, run: Mapping[str, Any]) -> float:
        """Return the goodput."""
        (flow,) = run["flows"]
        return self.scale * float(flow["goodput_bps"])


def resent(run: Mapping[str, Any]) -> float:
    """Return the segments sent again in the measured time."""
    (flow,) = run["flows"]
    return float(flow["retransmits"])


def mean_window(run: Mapping[str, Any]) -> float:
    """Return the time average of cwnd over the measured time, segments."""
    rows = run["probes"]["tcp"]
    begin, end = run["duration_s"] - run["measured_s"], run["duration_s"]
    area, since, window = 0.0, 0.0, 0.0
    for time, cwnd in zip((*rows["time_s"], end), (*rows["snd_cwnd"], 0.0), strict=True):
        area += window * max(0.0, time - max(since, begin))
        since, window = time, cwnd
    return float(area / (end - begin))


def goodput_case(group: str, name: str, text: str, ref: Reference, metric: str) -> Case:
    """Return the case of a reference goodput, in bit/s."""
    wide = ref.runs > 1 and ref.spread(metric) > GOODPUT_BOUND
    own = "the same prescriptions; the order of events at equal times and timers' ticks are free"
    return Case(
        group,
        name,
        text,
        Goodput(),
        _not_zero(ref, metric),
        SPREAD_BOUND if wide else GOODPUT_BOUND,
        f"{own}; 5 % where the reference's own runs scatter by more than 2 %",
        reference_ci95=ref.ci95(metric),
        replications=REPLICATIONS if ref.runs > 1 else 1,
    )


def _not_zero(ref: Reference, metric: str) -> float:
    return ref.scale * ref.metrics[metric].reference()


def window_case(case: Case, ref: Reference, metric: str) -> Case:
    """Return the case of the mean window in the runs of `case`."""
    return replace(
        case,
        group=f"{case.group}: mean window",
        name=f"{case.name}: mean window",
        measure=mean_window,
        reference=_not_zero(ref, metric),
        bound=WINDOW_BOUND,
        reason="of the same order: each shows the window of a recovery in its own way",
        reference_ci95=ref.ci95(metric),
        probes=("tcp",),
    )


def resent_case(case: Case, ref: Reference, metric: str) -> Case:
    """Return the case of the segments sent again in the runs of `case`."""
    none = ref.mean(metric) == 0
    return replace(
        case,
        group=f"{case.group}: sent again",
        name=f"{case.name}: sent again",
        measure=resent,
        reference=ref.mean(metric),
        bound=1.0 if none else RESENT_BOUND,
        reason="of the same order; none where the reference has none",
        reference_ci95=ref.ci95(metric),
        absolute=none,
    )
