"""Cases: runs of a scenario, and the check that they make."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
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
    `resolution` are relative unless `absolute`. A case with `same_runs` is another number of the
    runs of the case before it.
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
    same_runs: bool = False
    explained: str = ""


def jobs_of(cases: Sequence[Case], seed: int = 1) -> list[Job]:
    """Return the runs of all cases; those of the i-th with runs of its own have the seed `seed` + i."""
    own = [case for case in cases if not case.same_runs]
    return [
        Job(text=case.text, file=f"{case.name}.toml", seed=seed + place, replication=r)
        for place, case in enumerate(own)
        for r in range(case.replications)
    ]


def judge(
    cases: Sequence[Case],
    threads: int | None = None,
    seed: int = 1,
    fraction: Callable[[float], None] | None = None,
) -> list[Check]:
    """Run all cases together and judge each."""
    results = iter(run_jobs(jobs_of(cases, seed), threads=threads, fraction=fraction))
    checks = []
    runs: list[Mapping[str, Any] | None] = []
    for case in cases:
        if not case.same_runs:
            runs = [next(results) for _ in range(case.replications)]
        checks.append(judge_row(case, runs))
    return checks


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
        explained=case.explained,
    )
