"""Small simulated studies whose truth is a closed form, for `coverage`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from lasthop.core import metrics
from lasthop.core.job import Job
from lasthop.core.jobs import run_jobs
from lasthop.numbers import stats
from lasthop.study.claims.verdicts import PairedVerdict, compare
from lasthop_validation import dcf, saturated, theory
from lasthop_validation.checking import Check
from lasthop_validation.dcf_monte_carlo import Timing

Array = npt.NDArray[np.float64]
Promised = Callable[..., Check]

SIZE = 10
"""Replications of a study."""

LOSS, CHANGE = 0.2, 0.02
"""Frame loss, and a change of it as large as what matters."""

PAYLOAD = 100
"""Bytes of the saturated station: 700 frames in the warm-up, after which the phase of the next is forgotten."""

PORTION = 2000
"""Runs whose results are in memory at a time."""

LOSSY = """
duration = "1 s"
[[cell]]
name = "cell"
access_point = "ap"
stations = 1
[phy]
standard = "802.11"
rate = "2 Mbps"
[mac]
rts = "never"
short_retry_limit = 1
long_retry_limit = 1
[channel]
model = "bernoulli"
frame_loss = {loss}
control_frames = false
[[flow]]
name = "spaced"
from = "sta1"
to = "ap"
transport = "udp"
app = {{ kind = "cbr", payload = "100 B", rate = "80 kbps" }}
"""


def checks(studies: int, promised: Promised) -> list[Check]:
    """Return the checks of intervals and verdicts over a number of simulated studies of each kind."""
    group = "simulated"
    few = _runs(LOSSY.format(loss=LOSS), "loss", studies * SIZE)
    more = _runs(LOSSY.format(loss=LOSS * (1 + CHANGE)), "loss", studies * SIZE)
    rules = Timing(2e6, 1e6).rules(PAYLOAD + dcf.PSDU - dcf.PAYLOAD)
    rate = theory.one_station(rules) * 8 * PAYLOAD
    text = saturated.scenario(
        stations=1,
        standard="802.11",
        rate=2,
        payload=PAYLOAD,
        duration=2,
        warmup=1,
        phy='control_rate = "1 Mbps"',
    )
    busy = _runs(text, "goodput", studies * SIZE)
    return [
        promised(group, "frame loss 0.2, 10", _covers(few, LOSS), exact=True),
        promised(group, "frame loss 0.2, 5 % at 95 %", _precise(few, LOSS)),
        promised(group, "one saturated station, 10", _covers(busy, rate), exact=True),
        promised(group, "verdict on losses 2 % apart", _compared(more, few)),
        promised(group, "the same, stopped at the first verdict", _first(more, few)),
    ]


def _runs(text: str, metric: str, count: int) -> Array:
    """Return a metric of several replications."""
    found: list[Array] = []
    for begin in range(0, count, PORTION):
        replications = range(begin, min(count, begin + PORTION))
        runs = run_jobs([Job(text, "coverage.toml", replication=r) for r in replications])
        documents: list[Mapping[str, Any]] = [run for run in runs if run]
        resolved = metrics.resolve([metric], documents[0])
        found.append(resolved.over(documents)[:, 0])
    return np.concatenate(found)


def _split(values: Array, size: int) -> Iterator[list[float]]:
    for begin in range(0, len(values) - size + 1, size):
        yield values[begin : begin + size].tolist()


def _covers(values: Array, true: float) -> Iterator[bool]:
    for study in _split(values, SIZE):
        yield stats.mean_interval(study).contains(true)


def _precise(values: Array, true: float) -> Iterator[bool]:
    """Stop each study at 5 %; the next begins where it ended."""
    wanted, begin = stats.Precision(0.05), 0
    while True:
        for n in stats.looks(most=500):
            if begin + n > len(values):
                return
            found = wanted.look(values[begin : begin + n].tolist())
            if found.reached:
                break
        begin += n
        yield abs(found.estimate.mean - true) <= (found.estimate.ci95 or 0)


OPEN = (PairedVerdict.CANNOT_TELL, PairedVerdict.IDENTICAL)
"""Words that say nothing of the truth: that the runs so far are the same is no reason to stop."""


def _right(word: PairedVerdict) -> bool:
    """Return whether a verdict on losses exactly 2 % apart is right: any but these is wrong."""
    return word is PairedVerdict.BETTER or word in OPEN


def _compared(more: Array, few: Array) -> Iterator[bool]:
    for a, b in zip(_split(more, SIZE), _split(few, SIZE), strict=True):
        yield _right(compare(a, b).word)


def _first(more: Array, few: Array) -> Iterator[bool]:
    at = stats.looks(5, 50, 1.5)
    rule = stats.Spending(at)
    for a, b in zip(_split(more, at[-1]), _split(few, at[-1]), strict=True):
        words = [compare(a[:n], b[:n], level=rule.level_at(look)).word for look, n in enumerate(at)]
        decided = [word for word in words if word not in OPEN]
        yield not decided or _right(decided[0])
