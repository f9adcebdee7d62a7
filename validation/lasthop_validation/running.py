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
    part: bool = False
    """Return whether only a part of its rows was played: then groups have no means."""

    def groups(self) -> dict[str, list[Check]]:
        """Return the checks by group, in the order of their first."""
        names = dict.fromkeys(check.group for check in self.checks)
        return {name: [c for c in self.checks if c.group == name] for name in names}

    def all_checks(self) -> list[Check]:
        """Return every check, and after them the means of the groups that have chance in them.

        What differs for a known reason does not count in a mean.
        """
        if self.part:
            return self.checks
        means = []
        for name, group in self.groups().items():
            rows = [row for row in group if row.outcome is not Outcome.DIFFERS]
            if _has_mean(rows):
                means.append(mean_of(name, rows))
        return self.checks + means

    def as_dict(self) -> dict[str, Any]:
        """Return the document of `lasthop validate --json` for the comparison."""
        return {
            "comparison": self.name,
            "title": self.title,
            "skipped": not self.checks,
            "left_out": list(self.left_out),
            "error": self.error,
        }


def _has_mean(rows: list[Check]) -> bool:
    return len(rows) > 1 and any(row.chance > 0 for row in rows) and not rows[0].absolute


@dataclass(frozen=True)
class How:
    """The part of a comparison that is run. Quick: a few cases only.

    With `tenth` (0 to 9): a tenth of the cases, and what is no case as quickly as may be.
    """

    quick: bool = False
    tenth: int | None = None
    seed: int = 1
    workers: int | None = None

    @property
    def is_ledger_s(self) -> bool:
        """Return whether cases have the runs with which the ledger of known differences was measured."""
        return self.seed == 1 and not self.quick

    @property
    def is_whole(self) -> bool:
        """Return whether all is run, as the ledger was measured."""
        return self.is_ledger_s and self.tenth is None


def compare(
    name: str, how: How | None = None, fraction: Callable[[float], None] | None = None
) -> Compared:
    """Run the comparison `name`, whole unless `how` limits it. `fraction` gets the part that is done."""
    how = how or How()
    quick, tenth = how.quick, how.tenth
    module = import_module(f"lasthop_validation.{name}")
    checks: list[Check] = []
    with noting() as left_out:
        try:
            if hasattr(module, "checks"):
                checks += module.checks(quick or tenth is not None)
            cases = module.cases(quick) if hasattr(module, "cases") else []
        except TableError as error:
            return Compared(name, COMPARISONS[name], [], tuple(left_out), str(error))
    if cases:
        checks += judge(cases, how.workers, how.seed, fraction, tenth)
    return Compared(name, COMPARISONS[name], checks, tuple(left_out), part=tenth is not None)
