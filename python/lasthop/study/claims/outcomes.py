"""Outcomes of a comparison, and of comparisons together for a part of a claim and for the claim."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum


class Outcome(StrEnum):
    """The outcome of one statement."""

    SHOWN = "shown"
    DENIED = "denied"
    OPEN = "open"


class Verdict(StrEnum):
    """The outcome of a part of a claim, and of the claim: four states, and a partial one.

    Undecided is what more replications can decide. Not run is what they cannot: settings are missing.
    """

    HOLDS = "holds"
    DENIED = "does not hold"
    PARTLY = "holds in part"
    UNDECIDED = "undecided"
    NOT_RUN = "not run"


DECIDED = frozenset({Verdict.HOLDS, Verdict.DENIED, Verdict.PARTLY})
"""Verdicts that say something of the claim itself, not of how much was run."""


_SAYS = {
    Outcome.SHOWN: Verdict.HOLDS,
    Outcome.DENIED: Verdict.DENIED,
    Outcome.OPEN: Verdict.UNDECIDED,
}


def by_tests(outcomes: Sequence[Outcome], not_run: int = 0) -> Verdict:
    """Return the verdict on a part that tests over its settings decide together; a denied one is enough."""
    found = everywhere(outcomes, not_run)
    return Verdict.DENIED if found is Verdict.PARTLY else found


def everywhere(outcomes: Sequence[Outcome], not_run: int = 0) -> Verdict:
    """Return the verdict on a part about every setting: as on a claim, with each setting as a part."""
    return of_parts([_SAYS[outcome] for outcome in outcomes] + [Verdict.NOT_RUN] * not_run)


def of_parts(parts: Sequence[Verdict]) -> Verdict:
    """Return the word for a claim from those of its parts, all of which it needs.

    One part that is shown not to hold is enough: the claim then holds in part, where another part does, and
    else does not hold. Undecided is what more replications can decide; where nothing is open and some
    part was not run, the claim is not run.
    """
    seen = set(parts)
    if seen == {Verdict.HOLDS}:
        return Verdict.HOLDS
    if Verdict.PARTLY in seen or {Verdict.HOLDS, Verdict.DENIED} <= seen:
        return Verdict.PARTLY
    return next((v for v in (Verdict.DENIED, Verdict.UNDECIDED) if v in seen), Verdict.NOT_RUN)


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


def for_all(counts: Sequence[int | None]) -> int | None:
    """Return how many replications are enough for all; None where nobody knows for one, or there is none."""
    known = [count for count in counts if count is not None]
    return max(known) if known and len(known) == len(counts) else None
