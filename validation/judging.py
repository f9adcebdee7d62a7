"""Comparisons with a bound each, printed as a table; the exit code says whether all were kept."""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from lasthop import stats, store
from lasthop.jobs import Job, run_jobs

Measure = Callable[[Mapping[str, Any]], float]
"""Takes one number out of a run document."""


@dataclass(frozen=True)
class Case:
    """One comparison: runs of a scenario, what is measured in them, and what it should be.

    Passed when |mean / reference - 1| is at most `bound` plus what chance explains: the half
    widths of both sides' 95 % intervals, relative, added in quadrature.
    """

    name: str
    text: str
    measure: Measure
    reference: float
    bound: float
    reference_ci95: float = 0.0
    replications: int = 10
    seed: int = 1


@dataclass(frozen=True)
class Judged:
    """A comparison after the runs; differences and margins are relative."""

    case: Case
    found: stats.Estimate
    difference: float
    chance: float

    @property
    def passed(self) -> bool:
        """Return whether the difference is within the bound and what chance explains."""
        return abs(self.difference) <= self.case.bound + self.chance

    def as_dict(self) -> dict[str, Any]:
        """Return the numbers, ready for JSON."""
        return {
            "name": self.case.name,
            **self.found.as_dict(),
            "reference": self.case.reference,
            "difference": self.difference,
            "bound": self.case.bound,
            "chance": self.chance,
            "passed": self.passed,
        }


def judge(cases: Sequence[Case], threads: int | None = None) -> list[Judged]:
    """Run all cases together and judge each."""
    jobs = [
        Job(text=case.text, file=f"{case.name}.toml", seed=case.seed, replication=r)
        for case in cases
        for r in range(case.replications)
    ]
    results = iter(run_jobs(jobs, threads=threads))
    return [_judge(case, [next(results) for _ in range(case.replications)]) for case in cases]


def _judge(case: Case, runs: Sequence[Mapping[str, Any] | None]) -> Judged:
    found = stats.estimate([case.measure(run) for run in runs if run is not None])
    chance = math.hypot(found.ci95 or 0.0, case.reference_ci95) / case.reference
    return Judged(case, found, found.mean / case.reference - 1, chance)


def show(title: str, judged: Sequence[Judged], console: Console) -> None:
    """Print the comparisons."""
    table = Table(title=title, title_justify="left")
    for name in ("case", "lasthop", "reference", "difference", "bound", "chance", ""):
        table.add_column(name, justify="left" if name == "case" else "right")
    for each in judged:
        table.add_row(
            each.case.name,
            f"{each.found.mean:.5g}",
            f"{each.case.reference:.5g}",
            f"{100 * each.difference:+.2f} %",
            f"{100 * each.case.bound:.2g} %",
            f"{100 * each.chance:.2g} %",
            "ok" if each.passed else "[bold red]off[/]",
        )
    console.print(table)


def main(title: str, build: Callable[[bool], Sequence[Case]]) -> int:
    """Run a comparison from the command line; 0 when all bounds are kept, 1 when not.

    `build` is told whether to be quick (fewer cases) and returns the cases, none of them when
    the reference numbers are not on this machine.
    """
    parser = argparse.ArgumentParser(description=title)
    parser.add_argument("--quick", action="store_true", help="a few cases only")
    parser.add_argument("--threads", type=int, default=None)
    parser.add_argument("--out", type=Path, default=None, help="also write the numbers as JSON")
    options = parser.parse_args()
    console = Console()
    cases = build(options.quick)
    if not cases:
        console.print(f"{title}: skipped, no folder shared/oracles beside the repository")
        return 0
    judged = judge(cases, options.threads)
    show(title, judged, console)
    if options.out is not None:
        store.write_json(options.out, json.loads(json.dumps([each.as_dict() for each in judged])))
    return 0 if all(each.passed for each in judged) else 1
