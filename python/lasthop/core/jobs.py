"""Runs of the simulator in parallel: the one way by which studies, papers and the command line reach the core.

A job names everything that its result depends on, so a job's result is the same for any number of threads, in
any order, today and next year.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, SupportsIndex

from lasthop.core.engine import check_probes
from lasthop.core.how import Running, Watching
from lasthop.core.job import Handed, Job, place_of
from lasthop.core.law_library import all_compiled
from lasthop.core.listeners import Count, Fraction
from lasthop.errors import InternalError, UsageError

if TYPE_CHECKING:
    from lasthop import _core
    from lasthop.core.captures import Captures
    from lasthop.core.metrics import Metrics
    from lasthop.core.python_law import LawFactory

#: Interval between checks for Ctrl-C while waiting for results, s.
POLL_S = 0.1

#: Interval between fetches of numbers, s, and the number of runs that are fetched sooner. Both are large, since
#: this thread shares the cores with those that simulate.
FETCH_S = 0.05
FETCH = 512

#: Seeds and numbers of replications are 64 bits wide.
LARGEST = 2**64 - 1

#: More replications than anybody means.
MOST_REPLICATIONS = 1_000_000

#: More threads than anybody has cores; asking for more is asking for these.
MOST_THREADS = 1024


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during :func:`run_jobs`.

    Attributes:
        results: What had finished, in the order of the jobs; ``None`` for the others.
    """

    def __init__(self, results: list[dict[str, Any] | None]) -> None:
        super().__init__("interrupted")
        self.results = results


def run_jobs(
    jobs: Sequence[Job],
    workers: int | None = None,
    progress: Count | None = None,
    *,
    fraction: Fraction | None = None,
    laws: Mapping[str, LawFactory] | None = None,
    law: str | None = None,
    probes: Sequence[str] = (),
    probe_every: str | None = None,
    captures: Captures | None = None,
    panels: int | None = None,
    read: Callable[[str], dict[str, Any]] = json.loads,
) -> list[dict[str, Any] | None]:
    """Run all jobs and return their results in the order of the jobs.

    Args:
        jobs: What to run.
        workers: How many threads; by default one for each core. Those without a run of their own help large ones.
        progress: Told (finished, all) whenever some have finished, on the calling thread.
        fraction: Told how much of all simulated time is done, 0 to 1, ten times a second.
        laws: Laws in Python that `tcp.law` may name; by default those of the jobs. With them runs go one after
            the other on this thread.
        law: The one of `laws` that every TCP flow uses where a scenario names none of them.
        probes: Which time series to keep: ``tcp``, ``cuts``, ``queue``, ``flows``, ``packets``. They change
            no result.
        probe_every: At most one row of a flow or queue in each step of this length, with its unit: ``10 ms``.
        captures: What to capture of each job, and where it goes. They change no result.
        panels: Have in each result the panels of a page, over this number of steps, in place of its probes.
        read: Makes a document of the JSON text of a result; it may keep a part of it.

    Returns:
        For each job the dictionary that ``lasthop run --json`` prints for a single run. Every entry
        is a dictionary when the function returns; ``None`` occurs only in :attr:`Interrupted.results`.

    Raises:
        UsageError: A seed, a replication or the number of workers is out of range, or there is no such probe.
        ScenarioError: A scenario is wrong. Said before anything runs.
        LawError: A law of your own went wrong.
        CaptureError: A capture could not be written.
        InternalError: A defect of lasthop ended a run; it carries the results of the others.
        Interrupted: Ctrl-C; it carries what had finished.
    """
    if laws or law is not None:
        jobs = [replace(job, laws=laws or {}, law=law) for job in jobs]
    how = Watching(
        workers=workers,
        fraction=fraction,
        progress=progress,
        probes=probes,
        probe_every_s=check_probes((), probe_every),
        panels=panels,
        pcap=None if captures is None else captures.directory,
        pcap_only=() if captures is None else captures.only,
        pcap_snap=None if captures is None else captures.snap,
    )
    return documents_of(jobs, how, read)


def documents_of(
    jobs: Sequence[Job], how: Running, read: Callable[[str], dict[str, Any]] = json.loads
) -> list[dict[str, Any] | None]:
    """Run all jobs and keep their documents; see :func:`run_jobs`."""
    results: list[dict[str, Any] | None] = [None] * sum(job.count for job in jobs)
    try:
        run_each(jobs, results.__setitem__, how, read)
    except KeyboardInterrupt:
        raise Interrupted(results) from None
    except InternalError as error:
        error.results = results
        raise
    return results


def run_each(
    jobs: Sequence[Job],
    each: Callable[[int, dict[str, Any]], None],
    how: Running | None = None,
    read: Callable[[str], dict[str, Any]] = json.loads,
) -> None:
    """Run all jobs and hand each result on, with its place among all runs, as it comes; nothing is kept.

    Errors are those of :func:`run_jobs`, but that Ctrl-C is a plain KeyboardInterrupt: whatever ends it, all
    that had finished has been handed on before.
    """
    how = how or Running()
    documents = _Documents(each, how, sum(job.count for job in jobs))
    Runner(how, read).run(jobs, documents)
    if documents.defect is not None:
        raise documents.defect


class Sink(Protocol):
    """The receiver of a :class:`Runner`'s results."""

    def take(self, place: int, result: Any) -> None:
        """Take the result of the run at this place; Ctrl-C may come in the midst, it is then handed on again."""

    def broken(self, error: InternalError) -> None:
        """Hear that a defect ended a run: the others go on unless this raises."""

    def tick(self, done: int, fraction: Callable[[], float]) -> bool:
        """Hear some times a second how many runs are done; return whether to go on."""


@dataclass
class _Documents:
    """Hands documents on, and tells how far it is."""

    each: Callable[[int, dict[str, Any]], None]
    how: Running
    count: int
    defect: InternalError | None = None
    some: bool = False

    def take(self, place: int, result: Any) -> None:
        self.some = True
        self.each(place, result)

    def broken(self, error: InternalError) -> None:
        self.defect = self.defect or error

    def tick(self, done: int, fraction: Callable[[], float]) -> bool:
        if self.how.fraction is not None:
            self.how.fraction(fraction())
        if self.some:
            self.how.finished(done, self.count)
        self.some = False
        return True


class Watched(NamedTuple):
    """What is kept of runs beside results: probes, captures, and over how many steps the panels of a page."""

    probes: tuple[list[str], str | None]
    captures: tuple[list[str], list[str], int | None] | None
    panels: int | None
    first_only: bool


class Libraries(NamedTuple):
    """Laws of libraries by name, and the place of the one that all flows use."""

    laws: list[tuple[str, Any]]
    everywhere: int | None


class Runner:
    """Runs jobs in the core: for documents, or for the numbers of metrics only."""

    def __init__(self, how: Running, read: Callable[[str], dict[str, Any]] = json.loads) -> None:
        self.how, self.read = how, read
        self._files: dict[int, tuple[tuple[Handed, ...], _core.Files]] = {}
        self._numbers: dict[int, tuple[Metrics, _core.Numbers]] = {}

    def start(
        self, jobs: Sequence[Job], metrics: Sequence[Metrics] = ()
    ) -> _core.Batch | _core.LawBatch:
        """Check every job and begin; `metrics`, one for each job, are then all that is kept of it."""
        from lasthop import _core

        _refuse_strange_numbers(jobs, self.how.workers)
        requests: list[_core._Request] = [
            (job.text, job.file, list(job.overrides), job.seed, job.replication, job.count, files)
            for job in jobs
            for files in (self._files_of(job),)
        ]
        laws, law = laws_of(jobs)
        captures = self._capture_request(jobs)
        watched = Watched(
            self.how.probed(), captures, self.how.panel_steps(), self.how.only_first()
        )
        named, place = list(laws.items()), place_of(laws, law) if laws or law is not None else None
        if not all_compiled(laws):
            return _core.LawBatch(requests, named, place, watched)
        threads = min(self.how.workers or 0, MOST_THREADS)
        numbers = [self._numbers_of(each) for each in metrics]
        return _core.Batch(requests, threads, watched, numbers, Libraries(named, place))

    def run(self, jobs: Sequence[Job], sink: Sink, metrics: Sequence[Metrics] = ()) -> None:
        """Run all jobs and hand each result on as it comes: a document, or the numbers of its metrics.

        Whatever ends it, all that had finished has been handed on before.
        """
        count = sum(job.count for job in jobs)
        batch = self.start(jobs, metrics)
        read = self._reader(jobs, metrics)
        wait = (FETCH_S, FETCH) if metrics else (POLL_S, 1)
        finished: list[tuple[int, Any]] = []
        done = 0

        def hand_on() -> None:
            while finished:
                place, result = finished[-1]
                sink.take(place, read(place, result))
                finished.pop()  # after it: Ctrl-C may come between the two

        try:
            while done < count:
                try:
                    finished = batch.poll(*wait)[::-1]
                    done += len(finished)
                except InternalError as error:
                    done += 1
                    sink.broken(error)
                hand_on()
                if not sink.tick(done, batch.fraction):
                    return
        except KeyboardInterrupt:
            batch.cancel()
            hand_on()
            for rest in _rest(batch):
                finished = rest
                hand_on()
            raise
        finally:
            batch.cancel()

    def _reader(self, jobs: Sequence[Job], metrics: Sequence[Metrics]) -> Callable[[int, Any], Any]:
        """Return what makes a result of what the core hands over: with a law in Python a document, as text."""
        if not metrics:
            return lambda place, text: self.read(text)
        if all_compiled(laws_of(jobs)[0]):
            return lambda place, numbers: numbers
        leaves = [
            each.leaves for job, each in zip(jobs, metrics, strict=True) for _ in range(job.count)
        ]

        def numbers_in(place: int, text: str) -> list[float]:
            document = json.loads(text)
            return [leaf.of(document) for leaf in leaves[place]]

        return numbers_in

    # What jobs share is made once, also for later jobs. Kept beside it is what its identity is of.
    def _files_of(self, job: Job) -> _core.Files | None:
        from lasthop import _core

        if job.files and id(job.files) not in self._files:
            self._files[id(job.files)] = job.files, _core.Files(list(job.files))
        return self._files[id(job.files)][1] if job.files else None

    def _numbers_of(self, metrics: Metrics) -> _core.Numbers:
        from lasthop import _core

        if id(metrics) not in self._numbers:
            numbers = _core.Numbers([(leaf.path, leaf.reduce) for leaf in metrics.leaves])
            self._numbers[id(metrics)] = metrics, numbers
        return self._numbers[id(metrics)][1]

    def _capture_request(
        self, jobs: Sequence[Job]
    ) -> tuple[list[str], list[str], int | None] | None:
        """Make the directories, and return the captures in the core's form."""
        captures = self.how.captures
        if captures is None:
            return None
        return captures.prepare(sum(job.count for job in jobs)), list(captures.only), captures.snap


def laws_of(jobs: Sequence[Job]) -> tuple[Mapping[str, LawFactory], str | None]:
    """Return the laws in Python of jobs that run together; raises UsageError where they differ."""
    first = jobs[0] if jobs else Job("", "")
    if any(job.law != first.law or job.laws != first.laws for job in jobs):
        raise UsageError("jobs that run together must have the same laws in Python")
    return first.laws, first.law


def _rest(batch: _core.Batch | _core.LawBatch) -> Iterator[list[tuple[int, Any]]]:
    """Yield what had finished and was not yet asked for."""
    while True:
        try:
            finished = batch.poll(0.0)
        except InternalError:
            continue  # told once each; after Ctrl-C what counts is the rest
        if not finished:
            return
        yield finished[::-1]


def refuse_strange_numbers(
    seed: int | None, replications: int | None, workers: int | None, dashes: str = ""
) -> None:
    """Raise UsageError for impossible numbers; `dashes` precede the names in messages."""
    for name, number in (("seed", seed), ("replications", replications), ("workers", workers)):
        if number is not None and not isinstance(number, SupportsIndex):
            raise UsageError(f"{dashes}{name} must be a whole number, not {number!r}")
    if replications is not None and not 1 <= replications <= MOST_REPLICATIONS:
        allowed = "at least 1" if replications < 1 else f"at most {MOST_REPLICATIONS:,}"
        raise UsageError(f"{dashes}replications must be {allowed}, not {replications}")
    _refuse_strange_numbers([Job("", "", seed=seed)], workers)


def _refuse_strange_numbers(jobs: Sequence[Job], workers: int | None) -> None:
    if workers is not None and workers < 0:
        raise UsageError(f"workers must be at least 1 (or 0 for one a core), not {workers}")
    for job in jobs:
        last = job.replication + job.count - 1
        for name, number in (
            ("seed", job.seed),
            ("replication", job.replication),
            ("replication", last),
        ):
            if number is not None and not 0 <= number <= LARGEST:
                raise UsageError(f"{name} must be from 0 to {LARGEST}, not {number}")
