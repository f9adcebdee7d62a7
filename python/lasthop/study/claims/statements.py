"""Statements: comparisons that only together say something of a setting, and how they are judged."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from lasthop.study.claims import judged_as
from lasthop.study.claims.judged import Judged
from lasthop.study.claims.outcomes import Outcome, all_of, any_of, for_all, negated


class Atom(judged_as.Bounded, Protocol):
    """A statement that is judged by intervals of its own."""

    @property
    def part(self) -> str:
        """The part of the claim that it belongs to."""

    @property
    def was_run(self) -> bool:
        """Return whether every cell in it was run."""

    def of(self, part: str) -> Atom:
        """Return it as belonging to this part of a claim."""

    def judge(self, level: float) -> Judged:
        """Judge by intervals that are each made at `level`."""


@dataclass(frozen=True)
class Statement:
    """A statement about one setting: `how` is ``all`` of the parts, ``any`` of them, or ``not`` the one.

    `main`: the part that represents it in a picture or a sentence; None, or where any of them suffices: that which
    decides it.
    """

    part: str
    label: str
    parts: tuple[Atom | Statement, ...]
    how: str = "all"
    main: int | None = 0

    @property
    def was_run(self) -> bool:
        """Return whether the runs can decide it."""
        run = [each.was_run for each in self.parts]
        return any(run) if self.how == "any" else bool(run) and all(run)

    def atoms_in(self) -> Iterator[Atom]:
        """Yield every comparison in it."""
        for each in self.parts:
            if isinstance(each, Statement):
                yield from each.atoms_in()
            else:
                yield each

    def atoms(self) -> int:
        """Return how many comparisons it takes, of cells that were run: others stay open anyway."""
        return sum(each.was_run for each in self.atoms_in())

    def judged_as(self, unit: str = "", scale: float = 1.0) -> str:
        """Say what it tests; means that are compared with nothing are in `unit` once they are times `scale`."""
        inner = [each.judged_as(unit, scale) for each in self.parts if isinstance(each, Statement)]
        if inner:
            return judged_as.joined(self.how, inner)
        atoms = [each for each in self.parts if not isinstance(each, Statement)]
        said = [(judged_as.compared(x), judged_as.bounds(x, unit, scale)) for x in atoms]
        return judged_as.together(self.how, said)

    def judge(self, level: float) -> JudgedStatement:
        """Judge every comparison at `level`, and the statement by them."""
        return self.judge_by(lambda atom: atom.judge(level))

    def judge_by(self, judge: Callable[[Atom], Judged]) -> JudgedStatement:
        """Judge every comparison in this way, and the statement by them."""
        judged = tuple(
            each.judge_by(judge) if isinstance(each, Statement) else judge(each)
            for each in self.parts
        )
        outcome = _joined(self.how, [each.outcome for each in judged])
        direction = _joined(self.how, [each.direction for each in judged])
        seems = _joined(self.how, [_sure(each.seems) for each in judged]) is Outcome.SHOWN
        return JudgedStatement(
            self.part,
            self.label,
            outcome,
            judged,
            seems,
            direction,
            self.was_run,
            self.how,
            self.main,
        )


def _joined(how: str, outcomes: list[Outcome]) -> Outcome:
    if how == "not":
        (outcome,) = outcomes
        return negated(outcome)
    return (any_of if how == "any" else all_of)(outcomes)


def _sure(seems: bool) -> Outcome:
    return Outcome.SHOWN if seems else Outcome.DENIED


@dataclass(frozen=True)
class JudgedStatement:
    """A statement, its outcome, and the comparisons behind it.

    `seems`: whether the means go the claimed way; `direction`: whether that is shown.
    """

    part: str
    label: str
    outcome: Outcome
    parts: tuple[Judged | JudgedStatement, ...]
    seems: bool
    direction: Outcome
    was_run: bool
    how: str = "all"
    main: int | None = 0

    @property
    def needed(self) -> int | None:
        """About how many replications decide it; None where it is decided or nobody knows."""
        if self.outcome is not Outcome.OPEN:
            return None
        found = [each.needed for each in self.parts if each.outcome is Outcome.OPEN]
        return for_all(found)

    def leaves(self) -> Iterator[Judged]:
        """Yield every comparison in it."""
        for each in self.parts:
            if isinstance(each, JudgedStatement):
                yield from each.leaves()
            else:
                yield each

    @property
    def leaf(self) -> Judged:
        """The comparison in its sentence: the one that denies it, else the one that represents it."""
        against = [each for each in self.leaves() if each.outcome is Outcome.DENIED]
        if self.outcome is Outcome.DENIED and against:
            return self._deciding(against)
        return self.drawn

    @property
    def drawn(self) -> Judged:
        """The comparison that represents it in a picture: that of `main`, the same one in every setting."""
        leaves = [each for each in self.leaves() if each.ratio is not None] or list(self.leaves())
        if self.main is None or self.how == "any" or isinstance(self.parts[0], JudgedStatement):
            return self._deciding(leaves)
        return leaves[self.main]

    def _deciding(self, leaves: Sequence[Judged]) -> Judged:
        """Return the comparison that decides: of any the one that shows it best, else that nearest to failing."""
        return (max if self.how == "any" else min)(leaves, key=Judged.room)

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
