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
    """The outcome of a part of a claim, and of the claim.

    Undecided is what more replications can decide. Not run is what they cannot: settings are missing.
    Where a part is shown not to hold, none is shown to hold and another is open or was not run, the claim holds
    in part at most: more runs can show that it holds in part, or that it does not hold.
    """

    HOLDS = "holds"
    DENIED = "does not hold"
    PARTLY = "holds in part"
    PARTLY_AT_MOST = "holds in part at most"
    UNDECIDED = "undecided"
    NOT_RUN = "not run"


DENYING = frozenset({Verdict.DENIED, Verdict.PARTLY, Verdict.PARTLY_AT_MOST})
"""Verdicts with which a part at least is shown not to hold."""


DECIDED = DENYING | {Verdict.HOLDS}
"""Verdicts that say something of the claim itself, not of how much was run."""


def contradict(one: Verdict, other: Verdict) -> bool:
    """Return whether no number of more runs could bring two studies of a claim to one word."""
    return not (_becomes(one) & _becomes(other))


def _becomes(verdict: Verdict) -> frozenset[Verdict]:
    """Return what a word may be once everything is run and decided."""
    if verdict is Verdict.PARTLY_AT_MOST:
        return frozenset({Verdict.DENIED, Verdict.PARTLY})
    return frozenset({verdict}) if verdict in DECIDED else DECIDED


_SAYS = {
    Outcome.SHOWN: Verdict.HOLDS,
    Outcome.DENIED: Verdict.DENIED,
    Outcome.OPEN: Verdict.UNDECIDED,
}


def by_tests(outcomes: Sequence[Outcome], not_run: int = 0) -> Verdict:
    """Return the verdict on a part that tests over its settings decide together; a denied one is enough."""
    found = everywhere(outcomes, not_run)
    return Verdict.DENIED if found in DENYING else found


def everywhere(outcomes: Sequence[Outcome], not_run: int = 0) -> Verdict:
    """Return the verdict on a part about every setting: as on a claim, with each setting as a part."""
    return of_parts([_SAYS[outcome] for outcome in outcomes] + [Verdict.NOT_RUN] * not_run)


def of_parts(parts: Sequence[Verdict]) -> Verdict:
    """Return the word for a claim from those of its parts, all of which it needs.

    A word stays true whatever more runs decide: a claim does not hold once all its parts do not, and holds in part
    once one part does and another does not. Between the two it holds in part at most. Where nothing is denied and
    nothing open, but some part was not run, the claim is not run.
    """
    seen = set(parts)
    if len(seen) == 1:
        return seen.pop()
    if Verdict.PARTLY in seen or (Verdict.HOLDS in seen and seen & DENYING):
        return Verdict.PARTLY
    if seen & DENYING:
        return Verdict.PARTLY_AT_MOST
    return Verdict.UNDECIDED if Verdict.UNDECIDED in seen else Verdict.NOT_RUN


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
