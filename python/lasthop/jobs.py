"""Runs of the simulator in parallel: the one way by which studies, papers and the command line reach the core.

A job names everything that its result depends on, so a job's result is the same for any number of threads, in
any order, today and next year.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from lasthop.errors import UsageError

#: How long to wait for results before looking again whether the user pressed Ctrl-C, s.
POLL_S = 0.1

#: Seeds and numbers of replications are 64 bits wide.
LARGEST = 2**64 - 1


@dataclass(frozen=True, slots=True)
class Job:
    """One run.

    Attributes:
        text: The scenario, as TOML.
        file: What error messages call it.
        overrides: Changes to the text, each ``key=value`` with a dotted key, such as ``tcp.variant=bic``.
        seed: The root of the run's random numbers; ``None``: the scenario's own.
        replication: Which of the independent runs of this seed, from 0.
    """

    text: str
    file: str
    overrides: tuple[str, ...] = ()
    seed: int | None = 1
    replication: int = 0


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
    probes: Sequence[str] = (),
    probe_step: str | None = None,
) -> list[dict[str, Any] | None]:
    """Runs all jobs and returns their results in the order of the jobs.

    Args:
        jobs: What to run.
        threads: How many at a time; by default one for each core.
        progress: Told (finished, all) whenever some have finished, on the calling thread.
        fraction: Told how much of all simulated time is done, 0 to 1, ten times a second.
        probes: Which time series to keep: ``tcp``, ``cuts``, ``queue``. They change no result.
        probe_step: At most one row of a flow or queue in each step of so long, with its unit: ``10 ms``.

    Returns:
        For each job the dictionary that ``lasthop run --json`` prints for a single run. Every entry is a
        dictionary when the function returns; ``None`` occurs only in :attr:`Interrupted.results`.

    Raises:
        UsageError: A seed, a replication or the number of threads is out of range, or there is no such probe.
        ScenarioError: A scenario is wrong. Said before anything runs.
        InternalError: A defect of lasthop ended a run.
        Interrupted: Ctrl-C; it carries what had finished.
    """
    from lasthop import _core

    _refuse_strange_numbers(jobs, threads)
    batch = _core.Batch(
        [(job.text, job.file, list(job.overrides), job.seed, job.replication) for job in jobs],
        threads or 0,
        list(probes),
        probe_step,
    )
    results: list[dict[str, Any] | None] = [None] * len(jobs)
    done = 0
    try:
        while done < len(jobs):
            finished = batch.poll(POLL_S)
            if fraction is not None:
                fraction(batch.fraction())
            for index, text in finished:
                results[index] = json.loads(text)
            done += len(finished)
            if finished and progress is not None:
                progress(done, len(jobs))
    except KeyboardInterrupt:
        batch.cancel()
        raise Interrupted(results) from None
    except BaseException:
        batch.cancel()
        raise
    return results


def _refuse_strange_numbers(jobs: Sequence[Job], threads: int | None) -> None:
    if threads is not None and threads < 0:
        raise UsageError(f"threads must be at least 1 (or 0 for one a core), not {threads}")
    for job in jobs:
        for name, number in (("seed", job.seed), ("replication", job.replication)):
            if number is not None and not 0 <= number <= LARGEST:
                raise UsageError(f"{name} must be from 0 to {LARGEST}, not {number}")
