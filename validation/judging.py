"""Comparisons with a bound each, by row and by group; the exit code says whether any is off."""

from __future__ import annotations

import argparse
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
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

    The difference is mean / reference - 1, and its chance the half widths of both sides'
    intervals, relative, added in quadrature. The row is *off* when the difference is over `bound`
    plus chance. Otherwise it is *ok*, but *undecided* when its chance is over `resolution` (the
    bound, unless given): runs that scatter so widely could not have shown it off.

    `group` names what is judged together; `level` is that of the simulated side's interval.
    """

    group: str
    name: str
    text: str
    measure: Measure
    reference: float
    bound: float
    reference_ci95: float = 0.0
    replications: int = 10
    level: float = stats.CONFIDENCE
    resolution: float | None = None


class Outcome(StrEnum):
    """What the runs say of a row or a group."""

    OK = "ok"
    UNDECIDED = "undecided"
    OFF = "off"


@dataclass(frozen=True)
class Judged:
    """A comparison after the runs; differences and margins are relative."""

    case: Case
    found: stats.Estimate
    difference: float
    chance: float

    @property
    def outcome(self) -> Outcome:
        """Return what the runs say; see `Case`."""
        return _outcome(self.difference, self.chance, self.case)

    def as_dict(self) -> dict[str, Any]:
        """Return the numbers, ready for JSON."""
        return {
            "group": self.case.group,
            "name": self.case.name,
            **self.found.as_dict(),
            "reference": self.case.reference,
            "difference": self.difference,
            "bound": self.case.bound,
            "chance": self.chance,
            "outcome": str(self.outcome),
        }


@dataclass(frozen=True)
class Group:
    """The rows of a group together: a bias too small for any row shows in their mean.

    Rows are independent: each has a seed of its own. `chance` is that of the mean. `above` counts
    the rows over their reference; `sign_test` is the probability of a count so far from half or
    farther if above and below were equally likely. A small one says that there is a bias, not
    that it matters: a group is off when its mean is over the bound plus chance.
    """

    name: str
    rows: Sequence[Judged]
    mean: float
    chance: float
    above: int
    sign_test: float

    @classmethod
    def of(cls, name: str, rows: Sequence[Judged]) -> Group:
        """Return the summary of the rows of a group, which share one bound."""
        differences = [row.difference for row in rows]
        mean = math.fsum(differences) / len(rows)
        chance = math.hypot(*(row.chance for row in rows)) / len(rows)
        above, below = sum(d > 0 for d in differences), sum(d < 0 for d in differences)
        return cls(name, rows, mean, chance, above, stats.sign_test(above, below))

    @property
    def outcome(self) -> Outcome:
        """Return what the rows say together."""
        return _outcome(self.mean, self.chance, self.rows[0].case)

    @property
    def worst(self) -> Judged:
        """Return the row farthest from its reference."""
        return max(self.rows, key=lambda row: abs(row.difference))

    def as_dict(self) -> dict[str, Any]:
        """Return the numbers, ready for JSON."""
        seen = Counter(row.outcome for row in self.rows)
        return {
            "group": self.name,
            "rows": len(self.rows),
            **{str(outcome): seen[outcome] for outcome in Outcome},
            "bound": self.rows[0].case.bound,
            "mean_difference": self.mean,
            "chance_of_mean": self.chance,
            "above": self.above,
            "sign_test": self.sign_test,
            "worst": {"name": self.worst.case.name, "difference": self.worst.difference},
            "outcome": str(self.outcome),
        }


def _outcome(difference: float, chance: float, case: Case) -> Outcome:
    if abs(difference) > case.bound + chance:
        return Outcome.OFF
    resolution = case.bound if case.resolution is None else case.resolution
    return Outcome.OK if chance <= resolution else Outcome.UNDECIDED


def judge(cases: Sequence[Case], threads: int | None = None, seed: int = 1) -> list[Judged]:
    """Run all cases together, the i-th at seed `seed` + i, and judge each."""
    jobs = [
        Job(text=case.text, file=f"{case.name}.toml", seed=seed + place, replication=r)
        for place, case in enumerate(cases)
        for r in range(case.replications)
    ]
    results = iter(run_jobs(jobs, threads=threads))
    return [judge_row(case, [next(results) for _ in range(case.replications)]) for case in cases]


def judge_row(case: Case, runs: Sequence[Mapping[str, Any] | None]) -> Judged:
    """Judge a case by its runs."""
    values = [case.measure(run) for run in runs if run is not None]
    found = stats.estimate(values)
    half = stats.half_width(values, case.level) or 0.0
    chance = math.hypot(half, case.reference_ci95) / case.reference
    return Judged(case, found, found.mean / case.reference - 1, chance)


def groups(judged: Sequence[Judged]) -> list[Group]:
    """Return the groups in the order of their first rows."""
    names = dict.fromkeys(row.case.group for row in judged)
    return [Group.of(name, [row for row in judged if row.case.group == name]) for name in names]


def show(title: str, judged: Sequence[Judged], console: Console) -> None:
    """Print the rows, then the groups."""
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
            _word(each.outcome),
        )
    console.print(table)
    for group in groups(judged):
        console.print(_line(group), highlight=False)


def _line(group: Group) -> str:
    found = group.as_dict()
    counts = ", ".join(f"{found[outcome]} {outcome}" for outcome in Outcome if found[outcome])
    return (
        f"[bold]{group.name}[/]: {found['rows']} rows, {counts}; mean {100 * group.mean:+.2f} % "
        f"± {100 * group.chance:.2g} % by chance, bound {100 * found['bound']:.2g} %: "
        f"{_word(group.outcome)}; {group.above} above, sign test p = {group.sign_test:.2g}; "
        f"worst {100 * group.worst.difference:+.2f} %, {group.worst.case.name}"
    )


def _word(outcome: Outcome) -> str:
    return f"[bold red]{outcome}[/]" if outcome is Outcome.OFF else str(outcome)


def main(title: str, build: Callable[[bool], Sequence[Case]]) -> int:
    """Run a comparison from the command line; 0 when no row and no group is off, 1 otherwise.

    `build` is told whether to be quick (fewer cases) and returns the cases, none of them when
    the reference numbers are not on this machine.
    """
    parser = argparse.ArgumentParser(description=title)
    parser.add_argument("--quick", action="store_true", help="a few cases only")
    parser.add_argument("--threads", type=int, default=None)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=None, help="also write the numbers as JSON")
    options = parser.parse_args()
    console = Console()
    cases = build(options.quick)
    if not cases:
        console.print(f"{title}: skipped, no folder shared/oracles beside the repository")
        return 0
    judged = judge(cases, options.threads, options.seed)
    show(title, judged, console)
    found = groups(judged)
    if options.out is not None:
        rows = [each.as_dict() for each in judged]
        store.write_json(options.out, {"groups": [g.as_dict() for g in found], "rows": rows})
    outcomes = [row.outcome for row in judged] + [group.outcome for group in found]
    return 1 if Outcome.OFF in outcomes else 0
