"""The remaining work, in tasks.

The replications of a task are dyadic, k 2^j to (k + 1) 2^j. Two such ranges are apart or one is within
the other: however two coordinators cut the same work, what they both did they did in whole tasks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

Range = tuple[int, int]
"""Replications from the first to before the second."""

#: Replications of a task at most: its numbers are in memory until it is whole.
LARGEST = 4096


@dataclass(frozen=True, order=True)
class Task:
    """Some replications of one cell, and which metrics of them are wanted.

    Attributes:
        start: The first replication.
        stop: The one after the last.
        cell: The cell's number.
        metrics: Names, in the study's order.
    """

    start: int
    stop: int
    cell: int
    metrics: tuple[str, ...]

    @property
    def replications(self) -> int:
        """The number of replications."""
        return self.stop - self.start


Coverage = Mapping[tuple[str, str], Sequence[Range]]
"""By (key of a cell, metric): the replications that are there, ascending and apart."""


def merged(ranges: Iterable[Range]) -> list[Range]:
    """Return ranges ascending and apart that cover the same."""
    result: list[Range] = []
    for start, stop in sorted(ranges):
        if result and start <= result[-1][1]:
            result[-1] = result[-1][0], max(result[-1][1], stop)
        else:
            result.append((start, stop))
    return result


def first_range(ranges: Sequence[Range]) -> int:
    """Return how many replications there are from 0 on without a gap, of ranges ascending and apart."""
    return ranges[0][1] if ranges and ranges[0][0] == 0 else 0


def without(wanted: Range, there: Sequence[Range]) -> list[Range]:
    """Return what of `wanted` is not in `there`, which is ascending and apart."""
    left = []
    at, end = wanted
    for start, stop in there:
        if stop <= at:
            continue
        if start >= end:
            break
        if start > at:
            left.append((at, start))
        at = max(at, stop)
    if at < end:
        left.append((at, end))
    return left


def left(tasks: Sequence[Task], keys: Mapping[int, str], there: Coverage) -> list[Task]:
    """Return what of `tasks` is not there, in the same order; `keys` are those of the cells, by number."""
    found = []
    for task in tasks:
        wanted, key = (task.start, task.stop), keys[task.cell]
        ranges = (
            range_
            for name in task.metrics
            for range_ in without(wanted, there.get((key, name), ()))
        )
        found += [Task(start, stop, task.cell, task.metrics) for start, stop in merged(ranges)]
    return found


def dyadic(range_: Range, largest: int) -> Iterator[Range]:
    """Cut a range into dyadic ones of at most `largest`, a power of two."""
    at, end = range_
    while at < end:
        size = largest
        while at % size or at + size > end:
            size //= 2
        yield at, at + size
        at += size


def power_below(number: float) -> int:
    """Return the largest power of two that is not above `number` and LARGEST; at least 1."""
    size = 1
    while size * 2 <= min(number, LARGEST):
        size *= 2
    return size


def missing(
    keys: Sequence[str],
    names: Sequence[Sequence[str]],
    targets: Sequence[int],
    there: Coverage,
    sizes: Sequence[int],
) -> list[Task]:
    """Return the tasks that are not there yet, the first replications of all cells first.

    An interrupted study has then the same replications of nearly every cell, and comparisons stay paired.

    Args:
        keys: Of each cell, its key.
        names: Of each cell, its metrics.
        targets: Of each cell, how many replications are wanted.
        there: What has been computed.
        sizes: Of each cell, the most replications of a task, a power of two.
    """
    tasks = []
    first = {key: cell for cell, key in reversed(list(enumerate(keys)))}
    for key, cell in first.items():
        needed: dict[Range, list[str]] = {}
        edges = {0, targets[cell]}
        left = {
            name: without((0, targets[cell]), there.get((key, name), ())) for name in names[cell]
        }
        for ranges in left.values():
            edges |= {edge for range_ in ranges for edge in range_}
        steps = sorted(edges)
        for name, ranges in left.items():
            for start, stop in ranges:
                for low, high in pairwise(steps):
                    if start <= low and high <= stop:
                        needed.setdefault((low, high), []).append(name)
        for range_, wanted in needed.items():
            for start, stop in dyadic(range_, sizes[cell]):
                tasks.append(Task(start, stop, cell, tuple(wanted)))
    return sorted(tasks)
