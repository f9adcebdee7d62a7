"""Cases: runs of a scenario, and the check that they make."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lasthop.core.job import Job
from lasthop.core.jobs import run_jobs
from lasthop.numbers import stats
from lasthop_validation.checking import Check

Measure = Callable[[Mapping[str, Any]], float]
"""Takes one number out of a run document."""


@dataclass(frozen=True)
class Case:
    """Runs of a scenario, what is measured in them, and what it should be; see `Check`.

    Chance is the half widths of both sides' intervals, added in quadrature; `level` is that of
    the simulated side's interval. `bound`, `reference_ci95` (in the unit of `reference`) and
    `resolution` are relative unless `absolute`. `probes` are those that the measure reads. Cases of
    one scenario that stand together share its runs.
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


@dataclass(frozen=True)
class Deferred:
    """Cases of one scenario whose references take long to work out, such as those of a Monte Carlo.

    Attributes:
        name: What errors call the runs.
        text: The scenario of all of these cases.
        replications: The number of runs that all of these cases share.
        make: Works out the references and returns the cases; it is called only if the cases are judged.
    """

    name: str
    text: str
    replications: int
    make: Callable[[], Iterable[Case]]


PROBE_STEP = "100 ms"
"""The interval of probes."""

PORTION = 200
"""The number of runs whose results are in memory at a time; with probes each is a megabyte."""


@dataclass(frozen=True)
class Shared:
    """Cases that share runs, and the runs."""

    cases: list[Case]
    jobs: list[Job]
    deferred: Deferred | None = None

    def are_runs_of(self, case: Case | Deferred) -> bool:
        """Tell whether a case asks for these runs."""
        return (case.text, case.replications) == (self.jobs[0].text, len(self.jobs))

    def make(self) -> None:
        """Make the cases that were deferred."""
        if self.deferred is not None:
            self.cases.extend(self.deferred.make())
            assert self.cases
            assert all(map(self.are_runs_of, self.cases))


def shared_of(
    cases: Iterable[Case | Deferred], seed: int = 1, tenth: int | None = None
) -> list[Shared]:
    """Return the cases with their runs; the i-th case with runs of its own has the seed `seed` + i.

    With `tenth` only every tenth of these is returned, from that one on: with the seed that it has among all.
    """
    found: list[Shared] = []
    for case in cases:
        if isinstance(case, Case) and found and found[-1].cases and found[-1].are_runs_of(case):
            found[-1].cases.append(case)
            continue
        jobs = [
            Job(text=case.text, file=f"{case.name}.toml", seed=seed + len(found), replication=r)
            for r in range(case.replications)
        ]
        found.append(Shared([case], jobs) if isinstance(case, Case) else Shared([], jobs, case))
    kept = found if tenth is None else found[tenth::10]
    for each in kept:
        each.make()
    return kept


def judge(
    cases: Iterable[Case | Deferred],
    workers: int | None = None,
    seed: int = 1,
    fraction: Callable[[float], None] | None = None,
    tenth: int | None = None,
) -> list[Check]:
    """Run all cases together, or a tenth of them (0 to 9), and judge each."""
    everything = shared_of(cases, seed, tenth)
    all_jobs = sum(len(each.jobs) for each in everything)
    checks: list[Check] = []
    done = 0
    for portion in _portions(everything):
        jobs = [job for each in portion for job in each.jobs]
        probes = sorted({name for each in portion for case in each.cases for name in case.probes})
        results = iter(
            run_jobs(
                jobs,
                workers=workers,
                fraction=_scaled(fraction, done / all_jobs, len(jobs) / all_jobs),
                probes=probes,
                probe_every=PROBE_STEP if probes else None,
            )
        )
        done += len(jobs)
        for each in portion:
            runs = [next(results) for _ in each.jobs]
            checks += [judge_row(case, runs) for case in each.cases]
    return checks


def _portions(everything: Sequence[Shared]) -> Iterator[list[Shared]]:
    """Yield portions of `PORTION` runs or a few more."""
    portion: list[Shared] = []
    for each in everything:
        portion.append(each)
        if sum(len(shared.jobs) for shared in portion) >= PORTION:
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
