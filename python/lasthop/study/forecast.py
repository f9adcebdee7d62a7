"""How long a sweep will take, from short timing runs."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass

from lasthop.study.cells import Cell
from lasthop.study.computing import Computing
from lasthop.study.spec import Study

#: Cells that are timed at most; the others are taken for as costly as the timed ones beside them.
TIMED = 6

#: Time for all timing runs together, s.
TIMING_S = 1.5

#: Runs of a cell that is timed, at most.
MOST_RUNS = 8


@dataclass(frozen=True)
class Forecast:
    """What a sweep will cost.

    Attributes:
        costs: Processor time of a replication of each cell, s.
        timed: How many cells were timed.
    """

    costs: tuple[float, ...]
    timed: int

    def seconds(self, replications: Sequence[int], cores: int) -> float:
        """Return how long so many replications of each cell take on so many cores."""
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
