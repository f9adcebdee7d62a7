"""The dependence of a verdict on alternatives, in one sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lasthop.study.claims import DECIDED
from lasthop.study.claims.outcomes import DENYING, Verdict, contradict

WORDS = frozenset(map(str, DECIDED))


@dataclass(frozen=True)
class Tried:
    """An alternative to what was taken, and the verdict with it.

    `flips`: that it moves the verdict is shown, among all that the audit asks (`claims.moves`).
    """

    item: str
    name: str
    verdict: str
    flips: bool = True

    def __str__(self) -> str:
        """Return it as a sentence names it."""
        return f"“{self.name}” ({self.item})"


def rests_on(claims: Sequence[Mapping[str, Any]], audit: Mapping[str, Any]) -> dict[str, str]:
    """Return by claim what its verdict rests on; alternatives that cannot matter to it are not counted."""
    found = {}
    for claim in claims:
        id_ = claim["id"]
        tried = [
            Tried(
                row["item"],
                row["name"],
                row["verdicts"][id_],
                id_ in row["flipped"] or id_ in row["decided"],
            )
            for row in audit["variations"]
            if id_ in row["verdicts"] and id_ not in row["idle"]
        ]
        if tried:
            found[id_] = sentence(claim["verdict"], audit["claims"][id_], tried)
    return found


def sentence(verdict: str, base: str, tried: Sequence[Tried]) -> str:
    """Say what the verdict of a claim rests on.

    Args:
        verdict: Of the study.
        base: Of the audit's own runs with what was taken, which are fewer and shorter.
        tried: The alternatives that can matter to it.
    """
    if base in WORDS and verdict not in (base, Verdict.NOT_RUN):
        runs = "ith our choices the audit's fewer and shorter runs say"
        if contradict(Verdict(base), Verdict(verdict)) or verdict not in WORDS:
            said = f"The study says “{verdict}”, and w{runs} “{base}”"
        else:
            said = f"W{runs} “{base}”, which does not contradict “{verdict}”"
        return f"{said}. In these runs {_in_the_audit(base, tried)}"
    own = verdict if verdict in WORDS else base
    differ = [each for each in tried if each.verdict in WORDS and each.verdict != own]
    other = [each for each in differ if each.flips]
    if own not in WORDS:
        but = f"; it {_turned(other)}" if other else ""
        if base == Verdict.NOT_RUN:
            return f"The audit's shorter runs do not have all that the claim is about{but}"
        too = " too" if verdict == base else ""
        return f"With our choices the audit's shorter runs leave the claim undecided{too}{but}"
    unsure = [each for each in tried if not _tells(each, own) and each not in other]
    if other:
        return f"With our choices the claim {own}; it {_turned(other)}"
    one = len(tried) == 1
    if len(unsure) == len(tried):
        which = "the one alternative" if one else f"each of the {len(tried)} alternatives"
        return (
            f"With {which} that can matter the audit's shorter runs leave the claim undecided, so that they "
            "cannot tell what the verdict rests on"
        )
    unmoved = _unmoved(len(tried), len(unsure), f"the verdict “{own}”")
    return unmoved[0].upper() + unmoved[1:] + (" in the audit's shorter runs" if unsure else "")


def _tells(tried: Tried, own: str) -> bool:
    """Return whether an alternative tells what a verdict tells, or more of it."""
    at_most = own == Verdict.PARTLY_AT_MOST
    return tried.verdict == own or (at_most and tried.verdict in DENYING)


def _in_the_audit(base: str, tried: Sequence[Tried]) -> str:
    """Say what moves the verdict of the audit itself, where the study has another."""
    other = [each for each in tried if each.flips and each.verdict in WORDS - {base}]
    if other:
        return f"it {_turned(other)}"
    count, unsure = len(tried), sum(not _tells(each, base) for each in tried)
    if unsure == count:
        return f"{'the one alternative leaves' if count == 1 else f'all {count} alternatives leave'} it undecided"
    return _unmoved(count, unsure, "that")


def _unmoved(count: int, unsure: int, what: str) -> str:
    """Say that none of these alternatives changes something, of which some leave it undecided."""
    which = "the one alternative" if count == 1 else f"none of the {count} alternatives"
    changes = "does not change" if count == 1 else "changes"
    more = f"; {unsure} {'leaves' if unsure == 1 else 'leave'} it undecided" if unsure else ""
    return f"{which} that can matter {changes} {what}{more}"


def _turned(other: Sequence[Tried]) -> str:
    return ", and ".join(f"{each.verdict} with {each}" for each in other)
