"""What data say of a comparison, and what comparisons together say of a part of a claim, and of the claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum


class Outcome(StrEnum):
    """What the data say of one statement."""

    SHOWN = "shown"
    DENIED = "denied"
    OPEN = "open"


class Verdict(StrEnum):
    """What the data say of a part of a claim, and of the claim: four states, and what is partly so.

    Undecided is not "not run": of the one there are runs, and more would tell.
    """

    HOLDS = "holds"
    DENIED = "does not hold"
    PARTLY = "holds in part"
    UNDECIDED = "undecided"
    NOT_RUN = "not run"


DECIDED = frozenset({Verdict.HOLDS, Verdict.DENIED, Verdict.PARTLY})
"""Verdicts that say something of the claim itself, not of how much was run."""


def in_general(outcomes: Sequence[Outcome]) -> Verdict:
    """Return the verdict on a part from its tests over all settings that were run; none: not run."""
    if not outcomes:
        return Verdict.NOT_RUN
    together = all_of(outcomes)
    return {
        Outcome.SHOWN: Verdict.HOLDS,
        Outcome.DENIED: Verdict.DENIED,
        Outcome.OPEN: Verdict.UNDECIDED,
    }[together]


def everywhere(outcomes: Sequence[Outcome], not_run: int = 0) -> Verdict:
    """Return the verdict on a part that is said of every setting, from those that were run.

    It holds where every setting shows it, and in part where some show it and others deny it. It
    does not hold where none shows it and at least half deny it: one setting that denies it against
    many that are open says little, and leaves it undecided, as settings that were not run do.
    """
    seen = Counter(outcomes)
    shown, denied, count = seen[Outcome.SHOWN], seen[Outcome.DENIED], len(outcomes)
    if not count:
        return Verdict.NOT_RUN
    if shown and denied:
        return Verdict.PARTLY
    if denied and 2 * denied >= count:
        return Verdict.DENIED
    return Verdict.HOLDS if shown == count and not not_run else Verdict.UNDECIDED


def of_parts(parts: Sequence[Verdict]) -> Verdict:
    """Return the word for a claim from those of its parts.

    Holds: all do. Does not hold: none does, and at least half are shown not to. In part: some are
    decided one way and some the other, or one of them is partly so. Otherwise it is undecided; not
    run where no part was.
    """
    seen = Counter(parts)
    holds, denied = seen[Verdict.HOLDS], seen[Verdict.DENIED]
    if seen[Verdict.NOT_RUN] == len(parts):
        return Verdict.NOT_RUN
    if holds == len(parts):
        return Verdict.HOLDS
    if seen[Verdict.PARTLY] or (holds and denied):
        return Verdict.PARTLY
    return Verdict.DENIED if denied and 2 * denied >= len(parts) else Verdict.UNDECIDED


def all_of(outcomes: Iterable[Outcome]) -> Outcome:
    """Return the outcome of "all of these": denied when one is, shown when all are."""
    found = set(outcomes)
    if Outcome.DENIED in found:
        return Outcome.DENIED
    return Outcome.SHOWN if found == {Outcome.SHOWN} else Outcome.OPEN


def any_of(outcomes: Iterable[Outcome]) -> Outcome:
    """Return the outcome of "one of these at least": shown when one is, denied when all are."""
    return negated(all_of(negated(outcome) for outcome in outcomes))


def negated(outcome: Outcome) -> Outcome:
    """Return the outcome of the negation."""
    swapped = {Outcome.SHOWN: Outcome.DENIED, Outcome.DENIED: Outcome.SHOWN}
    return swapped.get(outcome, Outcome.OPEN)
