"""Comparisons from start to end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from lasthop_validation import COMPARISONS
from lasthop_validation.checking import Check, Outcome, mean_of
from lasthop_validation.judging import judge
from lasthop_validation.oracles import TableError, noting


@dataclass(frozen=True)
class Compared:
    """A comparison after it has run; without checks where the reference numbers are not here.

    `left_out` says which rows of the references could not be compared, `error` why none could.
    """

    name: str
    title: str
    checks: list[Check]
    left_out: tuple[str, ...] = ()
    error: str = ""

    @property
    def passed(self) -> bool:
        """Return whether it could be compared, and nothing is off but what is explained."""
        return not self.error and all(
            check.outcome is not Outcome.OFF for check in self.all_checks()
        )

    def groups(self) -> dict[str, list[Check]]:
        """Return the checks by group, in the order of their first."""
        names = dict.fromkeys(check.group for check in self.checks)
        return {name: [c for c in self.checks if c.group == name] for name in names}

    def all_checks(self) -> list[Check]:
        """Return every check, and after them the means of the groups that have chance in them.

        What differs for a known reason does not count in a mean.
        """
        means = []
        for name, group in self.groups().items():
            rows = [row for row in group if row.outcome is not Outcome.DIFFERS]
            if _has_mean(rows):
                means.append(mean_of(name, rows))
        return self.checks + means

    def as_dict(self) -> dict[str, Any]:
        """Return what `lasthop validate --json` says of the comparison."""
        return {
            "comparison": self.name,
            "title": self.title,
            "skipped": not self.checks,
            "pass": self.passed,
            "left_out": list(self.left_out),
            "error": self.error,
        }


def _has_mean(rows: list[Check]) -> bool:
    return len(rows) > 1 and any(row.chance > 0 for row in rows) and not rows[0].absolute


def compare(
    name: str,
    *,
    quick: bool = False,
    threads: int | None = None,
    seed: int = 1,
    fraction: Callable[[float], None] | None = None,
) -> Compared:
    """Run the comparison `name`; quick: a few cases only. `fraction` is told how much is done."""
    module = import_module(f"lasthop_validation.{name}")
    checks: list[Check] = []
    with noting() as left_out:
        try:
            if hasattr(module, "checks"):
                checks += module.checks(quick)
            cases = module.cases(quick) if hasattr(module, "cases") else []
        except TableError as error:
            return Compared(name, COMPARISONS[name], [], tuple(left_out), str(error))
    if cases:
        checks += judge(cases, threads, seed, fraction)
    return Compared(name, COMPARISONS[name], checks, tuple(left_out))
