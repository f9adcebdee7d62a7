"""Forecasts the duration of a sweep from short timing runs."""

from __future__ import annotations

import math
import time
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from lasthop.study.cells import Cell
from lasthop.study.computing import Computing
from lasthop.study.spec import Study

#: Cells that are timed at most; the others are taken for as costly as the timed ones beside them.
TIMED = 6

#: Time for all timing runs together, s.
TIMING_S = 1.5

#: Runs on each core after which the time that they took counts as much as the forecast.
SURE_RUNS = 4

#: A forecast that was wrong by this factor is repeated, where this much time is left, s.
FAR = 1.5
WORTH_TELLING_S = 5.0

#: Runs of a cell that is timed, at most.
MOST_RUNS = 8


@dataclass(frozen=True)
class Forecast:
    """The cost of a sweep.

    Attributes:
        costs: Processor time of a replication of each cell, s.
        timed: How many cells were timed.
        unit: What computes: a core, or a job or worker of a cluster.
    """

    costs: tuple[float, ...]
    timed: int
    unit: str = "core"

    def seconds(self, replications: Sequence[int], cores: int) -> float:
        """Return the time that `counts` replications of each cell take on `cores` cores."""
        work = sum(cost * count for cost, count in zip(self.costs, replications, strict=True))
        return work / max(1, min(cores, sum(replications)))


def forecast(study: Study, cells: Sequence[Cell], wanted: Sequence[int]) -> Forecast:
    """Time some cells of those of which any replication is wanted, from the first to the last of them."""
    numbers = [cell.number for cell in cells if wanted[cell.number]] or [0]
    steps = min(TIMED, len(numbers))
    chosen = sorted(
        {numbers[round(k * (len(numbers) - 1) / max(1, steps - 1))] for k in range(steps)}
    )
    computing = Computing(study, dict(enumerate(cells)), 1)
    timed = {number: _cost(computing, cells[number], TIMING_S / len(chosen)) for number in chosen}
    costs = [
        timed[min(chosen, key=lambda other: abs(other - number))] for number in range(len(cells))
    ]
    return Forecast(tuple(costs), len(chosen))


class Pace:
    """The duration of a round: as forecast, corrected more by its own runs the more of these have
    finished."""

    def __init__(self, runs: Sequence[int], seconds: Sequence[float], cores: int) -> None:
        """Take the tasks in the order in which they finish: runs, and processor time as forecast, s."""
        self.cores = max(1, cores)
        self.ends = list(accumulate(runs))
        self.seconds = seconds
        self.work = list(accumulate(seconds))
        self.told_s = self.forecast_s = (self.work[-1] if self.work else 0.0) / self.cores

    def whole_s(self, done: int, spent_s: float) -> float:
        """Return the duration of the whole round, s, from its finished runs and their time."""
        weight = done / (done + SURE_RUNS * self.cores)
        times = (1 - weight) + weight * self.ratio(done, spent_s)
        return max(times * self.forecast_s, spent_s)

    def ratio(self, done: int, spent_s: float) -> float:
        """Return how many times as long as forecast the runs that have finished took."""
        forecast_s = self._work(done) / self.cores
        return spent_s / forecast_s if forecast_s > 0 else 1.0

    def is_news(self, done: int, spent_s: float) -> bool:
        """Return whether the whole time is far from the last forecast, and enough time is left to say so; it
        is then reported."""
        whole = self.whole_s(done, spent_s)
        is_far = max(whole, self.told_s) > FAR * min(whole, self.told_s)
        if done < SURE_RUNS * self.cores or not is_far or whole - spent_s < WORTH_TELLING_S:
            return False
        self.told_s = whole
        return True

    def _work(self, done: int) -> float:
        """Return the processor time of `done` runs as forecast, s."""
        at = bisect_right(self.ends, done)
        before = self.work[at - 1] if at else 0.0
        if at == len(self.ends):
            return before
        begin = self.ends[at - 1] if at else 0
        return before + self.seconds[at] * (done - begin) / (self.ends[at] - begin)


def _cost(computing: Computing, cell: Cell, limit_s: float) -> float:
    """Return the time of one replication, s: the shortest of a few, for the first one finds everything cold."""
    shortest, end = math.inf, time.perf_counter() + limit_s
    for _ in range(MOST_RUNS):
        shortest = min(shortest, _run(computing, cell, limit_s))
        if time.perf_counter() >= end:
            break
    return shortest


def _run(computing: Computing, cell: Cell, limit_s: float) -> float:
    """Return the time of one replication, s: of the part of it that is simulated in `limit_s`."""
    batch = computing.start(cell)
    started = time.perf_counter()
    while not batch.poll(0.002):
        spent = time.perf_counter() - started
        if spent >= limit_s and batch.fraction() > 0:
            part = batch.fraction()
            batch.cancel()
            return spent / part
    return time.perf_counter() - started


def words(seconds: float) -> str:
    """Return a time as a person says it: about 4 min, about 2 h 10 min."""
    if seconds < 1.5:
        return "about a second"
    if seconds < 90:
        return f"about {seconds:.0f} s"
    if seconds < 90 * 60:
        return f"about {seconds / 60:.0f} min"
    hours, minutes = divmod(round(seconds / 60), 60)
    if hours < 48:
        return f"about {hours} h {minutes} min" if minutes else f"about {hours} h"
    return f"about {seconds / 86400:.0f} days"
