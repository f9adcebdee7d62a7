"""What data say of a comparison, and what comparisons together say of a claim."""

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
    """What the data say of a claim."""

    HOLDS = "holds"
    CONTRADICTED = "contradicted"
    MIXED = "mixed"
    CANNOT_TELL = "cannot tell"


def verdict(outcomes: Sequence[Outcome]) -> Verdict:
    """Return the verdict on a claim from the outcomes of its statements, one for each cell."""
    seen = Counter(outcomes)
    shown, denied = seen[Outcome.SHOWN], seen[Outcome.DENIED]
    if shown and denied:
        return Verdict.MIXED
    if denied:
        return Verdict.CONTRADICTED
    return Verdict.HOLDS if shown and not seen[Outcome.OPEN] else Verdict.CANNOT_TELL


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
