"""A number beside what it should be."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Outcome(StrEnum):
    """The verdict of the numbers."""

    OK = "ok"
    UNDECIDED = "undecided"
    OFF = "off"
    DIFFERS = "differs"


@dataclass(frozen=True)
class Check:
    """A measured and an expected number.

    The difference is `measured / expected - 1`, or `measured - expected` where the bound is
    `absolute`. The check is *off* when it is over `bound + chance`; otherwise it is *ok*, but
    *undecided* when `chance` is over `resolution` (the bound, unless given): numbers that scatter
    so widely could not have shown it off. A check that is off, and whose cause is known and stated,
    *differs* instead.

    Attributes:
        group: What is judged together.
        name: What is compared.
        measured: lasthop's number.
        expected: What it should be; not zero where the bound is relative.
        bound: How far it may be off.
        reason: Why this bound, in a line.
        absolute: Whether `bound` and `chance` are differences, not ratios.
        chance: What the scatter of both sides explains, in the bound's unit.
        resolution: See above.
        at_least: Whether more than expected is as good.
        explained: Why it is off, where it is: from the ledger of known differences.
    """

    group: str
    name: str
    measured: float
    expected: float
    bound: float
    reason: str
    absolute: bool = False
    chance: float = 0.0
    resolution: float | None = None
    at_least: bool = False
    explained: str = ""

    @property
    def difference(self) -> float:
        """Return the difference, in the bound's unit."""
        if self.absolute:
            return self.measured - self.expected
        return self.measured / self.expected - 1

    @property
    def outcome(self) -> Outcome:
        """Return what the numbers say; a measure that is no number is off."""
        miss = -self.difference if self.at_least else abs(self.difference)
        if not miss <= self.bound + self.chance:
            return Outcome.DIFFERS if self.explained else Outcome.OFF
        resolution = self.bound if self.resolution is None else self.resolution
        return Outcome.OK if self.chance <= resolution else Outcome.UNDECIDED

    def as_dict(self) -> dict[str, Any]:
        """Return the numbers, ready for JSON; `pass` is false where they are off, explained or not."""
        finite = math.isfinite(self.measured)
        return {
            "name": self.name,
            "group": self.group,
            "measured": self.measured if finite else None,
            "expected": self.expected,
            "bound": self.bound,
            "absolute": self.absolute,
            "at_least": self.at_least,
            "chance": self.chance,
            "difference": self.difference if finite else None,
            "outcome": str(self.outcome),
            "pass": self.outcome not in (Outcome.OFF, Outcome.DIFFERS),
            "reason": self.reason,
            "explained": self.explained if self.outcome is Outcome.DIFFERS else "",
        }


def exact(
    group: str, name: str, measured: float, expected: float, reason: str, digits: float = 0.0
) -> Check:
    """Return a check of a number that has no chance in it, to the digits given (absolute)."""
    return Check(group, name, measured, expected, digits, reason, absolute=True)


def mean_of(group: str, rows: Sequence[Check]) -> Check:
    """Return the check of a group's mean difference, in which a bias too small for any row shows.

    Rows are independent: each has a seed of its own. The bound is the narrowest of theirs.
    """
    first = min(rows, key=lambda row: row.bound)
    mean = math.fsum(row.difference for row in rows) / len(rows)
    chance = math.hypot(*(row.chance for row in rows)) / len(rows)
    return Check(
        group,
        f"{group}: mean difference of {len(rows)}",
        mean,
        0.0,
        first.bound,
        "a bias too small for any row shows in the mean",
        absolute=True,
        chance=chance,
        resolution=first.resolution,
    )
