"""Runs of the simulator in parallel: the one way by which studies, papers and the command line reach the core.

A job names everything that its result depends on, so a job's result is the same for any number of threads, in
any order, today and next year.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, SupportsIndex

from lasthop.errors import InternalError, UsageError, nearest

if TYPE_CHECKING:
    from lasthop import _core
    from lasthop.captures import Captures
    from lasthop.law import LawFactory

#: How long to wait for results before looking again whether the user pressed Ctrl-C, s.
POLL_S = 0.1

#: Seeds and numbers of replications are 64 bits wide.
LARGEST = 2**64 - 1

#: More replications than anybody means.
MOST_REPLICATIONS = 1_000_000

#: More threads than anybody has cores; asking for more is asking for these.
MOST_THREADS = 1024


Handed = tuple[str, str | None, str]
"""A file that a scenario names: its name there, its text or None, and why it cannot be read."""


@dataclass(frozen=True, slots=True)
class Job:
    """One run, or several that differ in the replication only.

    Attributes:
        text: The scenario, as TOML.
        file: What error messages call it.
        overrides: Changes to the text, each ``key=value`` with a dotted key, such as ``tcp.variant=bic``.
        seed: The root of the run's random numbers; ``None``: the scenario's own.
        replication: Which of the independent runs of this seed, from 0: the first of them.
        files: The files that the text names, as :func:`lasthop.source.files_of` reads them.
        count: How many replications, from that one on.
    """

    text: str
    file: str
    overrides: tuple[str, ...] = ()
    seed: int | None = 1
    replication: int = 0
    files: tuple[Handed, ...] = ()
    count: int = 1


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
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    *,
    fraction: Callable[[float], None] | None = None,
    laws: Mapping[str, LawFactory] | None = None,
    law: str | None = None,
    probes: Sequence[str] = (),
    probe_every: str | None = None,
    captures: Captures | None = None,
) -> list[dict[str, Any] | None]:
    """Runs all jobs and returns their results in the order of the jobs.

    Args:
        jobs: What to run.
        threads: How many at a time; by default one for each core.
        progress: Told (finished, all) whenever some have finished, on the calling thread.
        fraction: Told how much of all simulated time is done, 0 to 1, ten times a second.
        laws: Laws in Python that `tcp.law` may name. With them runs go one after the other on this thread.
        law: The one of `laws` that every TCP flow uses where a scenario names none of them.
        probes: Which time series to keep: ``tcp``, ``cuts``, ``queue``, ``flows``, ``packets``. They change
            no result.
        probe_every: At most one row of a flow or queue in each step of so long, with its unit: ``10 ms``.
        captures: What to capture of each job, and where it goes. They change no result.

    Returns:
        For each job the dictionary that ``lasthop run --json`` prints for a single run. Every entry is a
        dictionary when the function returns; ``None`` occurs only in :attr:`Interrupted.results`.

    Raises:
        UsageError: A seed, a replication or the number of threads is out of range, or there is no such probe.
        ScenarioError: A scenario is wrong. Said before anything runs.
        LawError: A law in Python went wrong.
        CaptureError: A capture could not be written.
        InternalError: A defect of lasthop ended a run; it carries the results of the others.
        Interrupted: Ctrl-C; it carries what had finished.
    """
    results: list[dict[str, Any] | None] = [None] * sum(job.count for job in jobs)

    def keep(place: int, document: dict[str, Any]) -> None:
        results[place] = document

    try:
        run_each(
            jobs,
            keep,
            threads,
            progress,
            fraction=fraction,
            laws=laws,
            law=law,
            probes=probes,
            probe_every=probe_every,
            captures=captures,
        )
    except KeyboardInterrupt:
        raise Interrupted(results) from None
    except InternalError as error:
        error.results = results
        raise
    return results


def run_each(
    jobs: Sequence[Job],
    each: Callable[[int, dict[str, Any]], None],
    threads: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    *,
    fraction: Callable[[float], None] | None = None,
    laws: Mapping[str, LawFactory] | None = None,
    law: str | None = None,
    probes: Sequence[str] = (),
    probe_every: str | None = None,
    captures: Captures | None = None,
) -> None:
    """Run all jobs and hand each result on, with its place among all runs, as it comes; nothing is kept.

    Arguments and errors are those of :func:`run_jobs`, but that Ctrl-C is a plain KeyboardInterrupt: whatever
    ends it, all that had finished has been handed on before.
    """
    _refuse_strange_numbers(jobs, threads)
    count = sum(job.count for job in jobs)
    batch = _batch(
        jobs,
        min(threads or 0, MOST_THREADS),
        (laws or {}, law),
        (list(probes), probe_every),
        captures,
    )
    finished: list[tuple[int, str]] = []
    defect: InternalError | None = None
    done = 0

    def hand_on() -> None:
        while finished:
            place, text = finished[-1]
            each(place, json.loads(text))
            finished.pop()  # after it: Ctrl-C may come between the two

    try:
        while done < count:
            try:
                finished = batch.poll(POLL_S)[::-1]
                done += len(finished)
            except InternalError as error:
                defect = defect or error
                done += 1
            told = bool(finished)
            hand_on()
            if fraction is not None:
                fraction(batch.fraction())
            if told and progress is not None:
                progress(done, count)
    except KeyboardInterrupt:
        batch.cancel()
        hand_on()
        for rest in _rest(batch):
            finished = rest
            hand_on()
        raise
    except BaseException:
        batch.cancel()
        raise
    if defect is not None:
        raise defect


def _batch(
    jobs: Sequence[Job],
    threads: int,
    laws: tuple[Mapping[str, LawFactory], str | None],
    probes: tuple[list[str], str | None],
    captures: Captures | None,
) -> _core.Batch | _core.LawBatch:
    from lasthop import _core

    handed = {id(job.files): job.files for job in jobs if job.files}
    files = {key: _core.Files(list(those)) for key, those in handed.items()}
    requests = [
        (
            job.text,
            job.file,
            list(job.overrides),
            job.seed,
            job.replication,
            job.count,
            files.get(id(job.files)),
        )
        for job in jobs
    ]
    there, everywhere = laws
    if not there and everywhere is None:
        return _core.Batch(requests, threads, probes, _capture_request(captures, jobs))
    place = place_of(there, everywhere)
    return _core.LawBatch(
        requests, list(there.items()), place, probes, _capture_request(captures, jobs)
    )


def _capture_request(
    captures: Captures | None, jobs: Sequence[Job]
) -> tuple[list[str], list[str], int | None] | None:
    """Make the directories, and say of the captures what the core wants to know."""
    if captures is None:
        return None
    return captures.prepare(sum(job.count for job in jobs)), list(captures.only), captures.snap


def place_of(laws: Mapping[str, LawFactory], law: str | None) -> int | None:
    """Return the place of `law` among `laws`, whose names must be free; raises UsageError."""
    from lasthop import _core

    own = {row["name"] for row in json.loads(_core.catalogue())["laws"]}
    if taken := own & laws.keys():
        raise UsageError(f"a law {min(taken)!r} is there already; give it another name")
    if law is None:
        return None
    if law not in laws:
        there = ", ".join(laws) or "none"
        raise UsageError(f"no law {law!r} in laws; there is: {there}{nearest(law, laws)}")
    return list(laws).index(law)


def _rest(batch: _core.Batch | _core.LawBatch) -> Iterator[list[tuple[int, str]]]:
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
    seed: int | None, replications: int | None, threads: int | None, dashes: str = ""
) -> None:
    """Raise UsageError for numbers that no run can have; `dashes` stand before the names in messages."""
    for name, number in (("seed", seed), ("replications", replications), ("threads", threads)):
        if number is not None and not isinstance(number, SupportsIndex):
            raise UsageError(f"{dashes}{name} must be a whole number, not {number!r}")
    if replications is not None and not 1 <= replications <= MOST_REPLICATIONS:
        allowed = "at least 1" if replications < 1 else f"at most {MOST_REPLICATIONS:,}"
        raise UsageError(f"{dashes}replications must be {allowed}, not {replications}")
    _refuse_strange_numbers([Job("", "", seed=seed)], threads)


def _refuse_strange_numbers(jobs: Sequence[Job], threads: int | None) -> None:
    if threads is not None and threads < 0:
        raise UsageError(f"threads must be at least 1 (or 0 for one a core), not {threads}")
    for job in jobs:
        last = job.replication + job.count - 1
        for name, number in (
            ("seed", job.seed),
            ("replication", job.replication),
            ("replication", last),
        ):
            if number is not None and not 0 <= number <= LARGEST:
                raise UsageError(f"{name} must be from 0 to {LARGEST}, not {number}")
