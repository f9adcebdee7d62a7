"""Tasks into numbers, on this machine: the same for a sweep here and for a worker of a cluster."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from lasthop import machine
from lasthop.core.how import Watching
from lasthop.core.job import Job
from lasthop.core.jobs import FETCH_S, Runner
from lasthop.core.metrics import Metrics
from lasthop.core.metrics.leaves import Array
from lasthop.errors import InternalError, LasthopError
from lasthop.study.batches import Part
from lasthop.study.cells import Cell, scenario_of
from lasthop.study.plan import Task
from lasthop.study.spec import Study

if TYPE_CHECKING:
    from lasthop.core.engine import Batch

#: Runs that are handed to the core at once: enough that its threads seldom wait for us, few enough for memory.
HANDED = 16_384

#: Seconds of work after which a batch is written, the first sooner, so that results can be seen early.
FIRST_BATCH_S = 2.0
BATCH_S = 30.0


@dataclass
class _Open:
    """A task at work: its numbers so far, and the rows that have none yet."""

    task: Task
    metrics: Metrics
    leaves: Array
    left: set[int]


class Computing:
    """Runs tasks with threads of the core.

    Args:
        study: The study.
        cells: Its cells, by number.
        workers: How many; 0: one a core.
    """

    def __init__(self, study: Study, cells: Mapping[int, Cell], workers: int = 0) -> None:
        self.study, self.cells, self.workers = study, cells, workers
        self.done = 0
        """Replications that have finished."""
        self.runner = Runner(Watching(workers=workers))
        self._scenarios: dict[int, Job] = {}
        self._metrics: dict[tuple[int, tuple[str, ...]], Metrics] = {}

    @property
    def cores(self) -> int:
        """The number of runs that are simulated at a time."""
        return self.workers or machine.cores()

    def run(
        self,
        tasks: Sequence[Task],
        write: Callable[[list[Part]], None],
        tick: Callable[[int], bool] = lambda done: True,
    ) -> None:
        """Compute tasks and write them in batches.

        What has finished is written whatever ends this, Ctrl-C or a defect; a task at work is then lost.

        Args:
            tasks: What to compute.
            write: Writes a batch, all of it or nothing.
            tick: Told some times a second how many replications have finished; ends the work by False.
        """
        rows = _Rows(self, write, tick)
        try:
            for some in _handfuls(tasks):
                jobs = rows.begin(some)
                self.runner.run(jobs, rows, rows.metrics)
                if rows.ended:
                    return
        finally:
            rows.flush()

    def start(self, cell: Cell) -> Batch:
        """Start one replication of a cell, of which nothing is kept: to see how long it takes."""
        return self.runner.start([self.job(cell, 0, 1)], [self.measured(cell, ())])

    def job(self, cell: Cell, first: int, count: int) -> Job:
        """Return `count` replications of a cell, from that one on."""
        if cell.number not in self._scenarios:
            self._scenarios[cell.number] = scenario_of(self.study, cell)
        return self._scenarios[cell.number].runs(first, count)

    def measured(self, cell: Cell, names: tuple[str, ...]) -> Metrics:
        """Return those of a cell's metrics; cells of one shape share one object."""
        key = id(cell.metrics), names
        if key not in self._metrics:
            self._metrics[key] = Metrics(tuple(m for m in cell.metrics.all if m.name in names))
        return self._metrics[key]


class _Rows:
    """Takes the numbers of runs as rows of their tasks, and writes whole tasks in batches."""

    def __init__(
        self,
        computing: Computing,
        write: Callable[[list[Part]], None],
        tick: Callable[[int], bool],
    ) -> None:
        self.computing, self.write, self.told = computing, write, tick
        self.ended = False
        self._open: list[_Open] = []
        self._places: list[tuple[int, int]] = []
        self._finished: dict[Task, Part] = {}
        self._wait_s, self._since, self._ticked = FIRST_BATCH_S, time.monotonic(), 0.0

    @property
    def metrics(self) -> list[Metrics]:
        """The metrics, task by task."""
        return [each.metrics for each in self._open]

    def begin(self, tasks: Sequence[Task]) -> list[Job]:
        """Make the jobs of the next tasks; those before have been taken."""
        self._open, self._places, jobs = [], [], []
        for number, task in enumerate(tasks):
            cell, count = self.computing.cells[task.cell], task.replications
            metrics = self.computing.measured(cell, task.metrics)
            numbers = np.empty((count, len(metrics.leaves)))
            self._open.append(_Open(task, metrics, numbers, set(range(count))))
            self._places += [(number, row) for row in range(count)]
            jobs.append(self.computing.job(cell, task.start, count))
        return jobs

    def take(self, place: int, result: Any) -> None:
        """Take a run's numbers; a second time, after Ctrl-C, changes nothing."""
        number, row = self._places[place]
        task = self._open[number]
        if row not in task.left:
            return
        task.leaves[row] = result
        if len(task.left) == 1:
            self._finished[task.task] = self._part(task)
        task.left.remove(row)
        self.computing.done += 1
        if not task.left and time.monotonic() - self._since >= self._wait_s:
            self.flush()
            self._wait_s, self._since = min(2 * self._wait_s, BATCH_S), time.monotonic()

    def broken(self, error: InternalError) -> None:
        """End the work."""
        raise LasthopError(f"study {self.computing.study.name}: {error}") from None

    def tick(self, _done: int, _fraction: Callable[[], float]) -> bool:
        """Tell how far it is."""
        now = time.monotonic()
        if now - self._ticked >= FETCH_S:
            self._ticked = now
            self.ended = not self.told(self.computing.done)
        return not self.ended

    def flush(self) -> None:
        """Write what has finished."""
        batch, self._finished = list(self._finished.values()), {}
        if batch:
            self.write(batch)

    def _part(self, done: _Open) -> Part:
        key = self.computing.cells[done.task.cell].key
        return Part(key, done.task.start, done.task.metrics, done.metrics.evaluate(done.leaves))


def _handfuls(tasks: Sequence[Task]) -> Iterator[list[Task]]:
    """Cut tasks into lists of about `HANDED` runs."""
    some: list[Task] = []
    count = 0
    for task in tasks:
        some.append(task)
        count += task.replications
        if count >= HANDED:
            yield some
            some, count = [], 0
    if some:
        yield some
