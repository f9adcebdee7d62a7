"""Statements: comparisons that only together say something of a cell, and how they are judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from lasthop.claims.comparing import Judged
from lasthop.claims.outcomes import Outcome, all_of, any_of, negated


class Atom(Protocol):
    """What is judged by intervals of its own."""

    @property
    def part(self) -> str:
        """The part of the claim that it belongs to."""

    @property
    def label(self) -> str:
        """What is compared."""

    @property
    def was_run(self) -> bool:
        """Whether every cell in it was run."""

    def of(self, part: str) -> Atom:
        """Return it as belonging to this part of a claim."""

    def judge(self, level: float) -> Judged:
        """Judge by intervals that are each made at `level`."""


@dataclass(frozen=True)
class Statement:
    """Something said of one cell: `how` is ``all`` of the parts, ``any`` of them, or ``not`` the one."""

    part: str
    label: str
    parts: tuple[Atom | Statement, ...]
    how: str = "all"

    def atoms(self) -> int:
        """Return how many comparisons it takes, of cells that were run: others stay open anyway."""
        return sum(p.atoms() if isinstance(p, Statement) else int(p.was_run) for p in self.parts)

    def judge(self, level: float) -> JudgedStatement:
        """Judge every comparison at `level`, and the statement by them."""
        return self.judge_by(lambda atom: atom.judge(level))

    def judge_by(self, judge: Callable[[Atom], Judged]) -> JudgedStatement:
        """Judge every comparison in this way, and the statement by them."""
        judged = tuple(
            each.judge_by(judge) if isinstance(each, Statement) else judge(each)
            for each in self.parts
        )
        outcomes = [each.outcome for each in judged]
        if self.how == "not":
            (outcome,) = (negated(each) for each in outcomes)
        else:
            outcome = (any_of if self.how == "any" else all_of)(outcomes)
        return JudgedStatement(self.part, self.label, outcome, judged)


@dataclass(frozen=True)
class JudgedStatement:
    """A statement, its outcome, and the comparisons behind it."""

    part: str
    label: str
    outcome: Outcome
    parts: tuple[Judged | JudgedStatement, ...]

    @property
    def needed(self) -> int | None:
        """About how many replications decide it; None where it is decided or nobody knows."""
        if self.outcome is not Outcome.OPEN:
            return None
        found = [each.needed for each in self.parts if each.outcome is Outcome.OPEN]
        known = [count for count in found if count is not None]
        return max(known) if known and len(known) == len(found) else None

    def as_dict(self) -> dict[str, Any]:
        """Return the fields, ready for JSON; a statement of one comparison is that comparison."""
        if len(self.parts) == 1:
            return self.parts[0].as_dict() | {"label": self.label, "outcome": str(self.outcome)}
        return {
            "part": self.part,
            "label": self.label,
            "outcome": str(self.outcome),
            "replications_needed": self.needed,
            "comparisons": [each.as_dict() for each in self.parts],
        }


def single(atoms: Sequence[Atom]) -> list[Statement]:
    """Return each comparison as a statement of its own."""
    return [Statement(atom.part, atom.label, (atom,)) for atom in atoms]
