"""Cases: runs of a scenario, and the check that they make."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lasthop import stats
from lasthop.jobs import Job, run_jobs
from lasthop.validation.checking import Check

Measure = Callable[[Mapping[str, Any]], float]
"""Takes one number out of a run document."""


@dataclass(frozen=True)
class Case:
    """Runs of a scenario, what is measured in them, and what it should be; see `Check`.

    Chance is the half widths of both sides' intervals, added in quadrature; `level` is that of
    the simulated side's interval. `bound`, `reference_ci95` (in the unit of `reference`) and
    `resolution` are relative unless `absolute`. `probes` are those that the measure reads.
    """

    group: str
    name: str
    text: str
    measure: Measure
    reference: float
    bound: float
    reason: str
    reference_ci95: float = 0.0
    replications: int = 10
    level: float = stats.CONFIDENCE
    resolution: float | None = None
    absolute: bool = False
    probes: tuple[str, ...] = ()


PROBE_STEP = "100 ms"
"""How often probes write."""

PORTION = 200
"""How many runs' results are in memory at a time; with probes each is a megabyte."""


def jobs_of(cases: Sequence[Case], seed: int = 1) -> dict[str, list[Job]]:
    """Return the runs of all cases by their texts, which cases of the same text share.

    The seed is `seed` + i where the i-th case is the first of its text.
    """
    jobs: dict[str, list[Job]] = {}
    for place, case in enumerate(cases):
        runs = jobs.setdefault(case.text, [])
        first = runs[0].seed if runs else seed + place
        runs += [
            Job(text=case.text, file=f"{case.name}.toml", seed=first, replication=r)
            for r in range(len(runs), case.replications)
        ]
    return jobs


def judge(
    cases: Sequence[Case],
    threads: int | None = None,
    seed: int = 1,
    fraction: Callable[[float], None] | None = None,
) -> list[Check]:
    """Run all cases together and judge each."""
    jobs = jobs_of(cases, seed)
    everything = sum(len(runs) for runs in jobs.values())
    probes = sorted({probe for case in cases for probe in case.probes})
    checks: dict[int, Check] = {}
    done = 0
    for texts in _portions(jobs):
        portion = [job for text in texts for job in jobs[text]]
        ran = run_jobs(
            portion,
            threads=threads,
            fraction=_scaled(fraction, done / everything, len(portion) / everything),
            probes=probes,
            probe_step=PROBE_STEP if probes else None,
        )
        done += len(portion)
        results = iter(ran)
        runs = {text: [next(results) for _ in jobs[text]] for text in texts}
        checks |= {
            place: judge_row(case, runs[case.text][: case.replications])
            for place, case in enumerate(cases)
            if case.text in runs
        }
    return [checks[place] for place in range(len(cases))]


def _portions(jobs: Mapping[str, Sequence[Job]]) -> Iterator[list[str]]:
    """Yield the texts in portions of `PORTION` jobs or a few more."""
    portion: list[str] = []
    for text in jobs:
        portion.append(text)
        if sum(len(jobs[each]) for each in portion) >= PORTION:
            yield portion
            portion = []
    if portion:
        yield portion


def _scaled(
    fraction: Callable[[float], None] | None, begin: float, share: float
) -> Callable[[float], None] | None:
    if fraction is None:
        return None
    return lambda done: fraction(begin + share * done)


def judge_row(case: Case, runs: Sequence[Mapping[str, Any] | None]) -> Check:
    """Judge a case by its runs."""
    values = [case.measure(run) for run in runs if run is not None]
    half = stats.half_width(values, case.level) or 0.0
    chance = math.hypot(half, case.reference_ci95)
    return Check(
        case.group,
        case.name,
        stats.estimate(values).mean,
        case.reference,
        case.bound,
        case.reason,
        absolute=case.absolute,
        chance=chance if case.absolute else chance / abs(case.reference),
        resolution=case.resolution,
    )
