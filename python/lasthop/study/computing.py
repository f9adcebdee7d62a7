"""Tasks into numbers, on this machine: the same for a sweep here and for a worker of a cluster."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lasthop import _core
from lasthop.errors import InternalError, LasthopError
from lasthop.jobs import Handed, place_of
from lasthop.metrics import Metrics
from lasthop.metrics.leaves import Array
from lasthop.study.batches import Part
from lasthop.study.cells import Cell, files_of
from lasthop.study.plan import Task
from lasthop.study.spec import Study

#: Runs that are handed to the core at once: enough that its threads seldom wait for us, few enough for memory.
HANDED = 16_384

#: How often finished runs are fetched, s. Rarely, since this thread shares the cores with those that simulate.
FETCH_S = 0.05

#: A batch is written after so many seconds of work, the first sooner, so that something is there to see.
FIRST_BATCH_S = 2.0
BATCH_S = 30.0

Files = tuple[Handed, ...]


@dataclass
class _Open:
    """A task at work: its numbers so far."""

    task: Task
    metrics: Metrics
    leaves: Array
    left: int


class Computing:
    """Runs tasks with threads of the core.

    Args:
        study: The study.
        cells: Its cells, by number.
        threads: How many; 0: one a core.
    """

    def __init__(self, study: Study, cells: Mapping[int, Cell], threads: int = 0) -> None:
        self.study, self.cells, self.threads = study, cells, threads
        self.done = 0
        """Replications that have finished."""
        self._base = _core.Files(list(study.files)) if study.files else None
        self._files: dict[int, _core.Files | None] = {}
        self._numbers: dict[tuple[int, tuple[str, ...]], tuple[Metrics, _core.Numbers]] = {}

    @property
    def cores(self) -> int:
        """How many runs are simulated at a time."""
        return self.threads or len(os.sched_getaffinity(0))

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
        finished: list[Part] = []

        def flush() -> None:
            batch, finished[:] = finished[:], []
            if batch:
                write(batch)

        wait, since = FIRST_BATCH_S, time.monotonic()
        try:
            for part in self._parts(tasks, tick):
                finished.append(part)
                if time.monotonic() - since >= wait:
                    flush()
                    wait, since = min(2 * wait, BATCH_S), time.monotonic()
        finally:
            flush()

    def _parts(self, tasks: Sequence[Task], tick: Callable[[int], bool]) -> Iterator[Part]:
        for some in _handfuls(tasks):
            for part in self._run(some):
                if part is not None:
                    yield part
                elif not tick(self.done):
                    return

    def start(self, cell: Cell) -> _core.Batch | _core.LawBatch:
        """Start one replication of a cell, of which nothing is kept: to see how long it takes."""
        request = self._request(cell, 0, 1)
        if self.study.laws:
            return self._law_batch([request])
        _, wanted = self._wanted(cell, ())
        return _core.Batch([request], 1, numbers=[wanted])

    def _law_batch(self, requests: list[_core._Request]) -> _core.LawBatch:
        study = self.study
        return _core.LawBatch(requests, list(study.laws.items()), place_of(study.laws, study.law))

    def _run(self, tasks: Sequence[Task]) -> Iterator[Part | None]:
        """Yield what has finished, and None some times a second."""
        at_work, places, requests, numbers = self._requests(tasks)
        batch = (
            _LawNumbers(self._law_batch(requests), at_work, places)
            if self.study.laws
            else _Numbers(_core.Batch(requests, self.threads, numbers=numbers))
        )
        del requests, numbers
        left = len(places)
        try:
            while left:
                for place, values in batch.poll():
                    left -= 1
                    self.done += 1
                    number, row = places[place]
                    task = at_work[number]
                    task.leaves[row] = values
                    task.left -= 1
                    if not task.left:
                        yield self._part(task)
                yield None
        except InternalError as error:
            raise LasthopError(f"study {self.study.name}: {error}") from None
        finally:
            batch.cancel()

    def _requests(
        self, tasks: Sequence[Task]
    ) -> tuple[list[_Open], list[tuple[int, int]], list[_core._Request], list[_core.Numbers]]:
        at_work, places, requests, numbers = [], [], [], []
        for number, task in enumerate(tasks):
            cell = self.cells[task.cell]
            metrics, wanted = self._wanted(cell, task.metrics)
            count = task.replications
            at_work.append(_Open(task, metrics, np.empty((count, len(metrics.leaves))), count))
            places += [(number, row) for row in range(count)]
            numbers.append(wanted)
            requests.append(self._request(cell, task.start, count))
        return at_work, places, requests, numbers

    def _request(self, cell: Cell, first: int, count: int) -> _core._Request:
        study, files = self.study, self._files_of(cell)
        return study.scenario, study.file, list(cell.overrides), cell.seed, first, count, files

    def _part(self, done: _Open) -> Part:
        key = self.cells[done.task.cell].key
        return Part(key, done.task.start, done.task.metrics, done.metrics.evaluate(done.leaves))

    def _wanted(self, cell: Cell, names: tuple[str, ...]) -> tuple[Metrics, _core.Numbers]:
        # Cells of one shape share one Metrics object.
        known = self._numbers.get((id(cell.metrics), names))
        if known is None:
            metrics = Metrics(tuple(m for m in cell.metrics.all if m.name in names))
            wanted = _core.Numbers([(leaf.path, leaf.reduce) for leaf in metrics.leaves])
            known = self._numbers[id(cell.metrics), names] = metrics, wanted
        return known

    def _files_of(self, cell: Cell) -> _core.Files | None:
        if cell.number not in self._files:
            own = files_of(self.study, cell.overrides)
            self._files[cell.number] = _core.Files(list(own)) if own else self._base
        return self._files[cell.number]


class _Numbers:
    """Runs of the core's threads, which hand over numbers."""

    def __init__(self, batch: _core.Batch) -> None:
        self._batch, self.cancel = batch, batch.cancel

    def poll(self) -> Iterable[tuple[int, Any]]:
        """Wait a little; return what has finished, as (place, numbers)."""
        time.sleep(FETCH_S)
        return self._batch.poll(FETCH_S)


class _LawNumbers:
    """Runs with laws in Python, which hand over documents."""

    def __init__(
        self, batch: _core.LawBatch, tasks: Sequence[_Open], places: Sequence[tuple[int, int]]
    ) -> None:
        self._batch, self.cancel = batch, batch.cancel
        self._tasks, self._places = tasks, places

    def poll(self) -> Iterable[tuple[int, Any]]:
        """Simulate a little; return what has finished, as (place, numbers)."""
        until = time.monotonic() + FETCH_S
        while time.monotonic() < until:
            for place, text in self._batch.poll(0.0):
                document = json.loads(text)
                leaves = self._tasks[self._places[place][0]].metrics.leaves
                yield place, [leaf.of(document) for leaf in leaves]


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
