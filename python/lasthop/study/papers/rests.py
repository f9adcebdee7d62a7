"""The dependence of a verdict on alternatives, in a few sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lasthop.numbers.numerals import listed
from lasthop.study.claims import DECIDED
from lasthop.study.claims.outcomes import Verdict, contradict

MOST_NAMED = 3
"""Alternatives that are named where what they say may be chance."""


@dataclass(frozen=True)
class Tried:
    """An alternative to what was taken, and the verdict with it.

    `flips`: that it moves the verdict is shown, among all that the audit asks (`claims.moves`).
    """

    item: str
    name: str
    verdict: Verdict
    flips: bool = True

    def __str__(self) -> str:
        """Return it as a sentence names it."""
        return f"“{self.name}” ({self.item})"


def rests_on(claims: Sequence[Mapping[str, Any]], audit: Mapping[str, Any]) -> dict[str, str]:
    """Return by claim what its verdict rests on; alternatives that cannot matter to it are not counted."""
    found = {}
    for claim in claims:
        id_ = claim["id"]
        if id_ not in audit["claims"]:
            found[id_] = "The audit has none of its settings"
            continue
        tried = [
            Tried(
                row["item"],
                row["name"],
                Verdict(row["verdicts"][id_]),
                id_ in row["flipped"] or id_ in row["decided"],
            )
            for row in audit["variations"]
            if id_ in row["verdicts"] and id_ not in row["idle"]
        ]
        if tried:
            found[id_] = sentence(Verdict(claim["verdict"]), Verdict(audit["claims"][id_]), tried)
        elif audit["variations"]:
            found[id_] = "No alternative that was tried can matter to it"
    return found


def sentence(verdict: Verdict, base: Verdict, tried: Sequence[Tried]) -> str:
    """Say what the verdict of a claim rests on.

    Args:
        verdict: Of the study.
        base: Of the audit's own runs with what was taken, which are fewer and shorter.
        tried: The alternatives that can matter to it.
    """
    moving = [each for each in tried if each.flips]
    others = [each for each in tried if not each.flips]
    said = "".join([_lead(verdict, base), *_moved(base, moving)])
    if all(each.verdict is base is Verdict.NOT_RUN for each in others):
        return said
    return f"{said}. {_counts(base, others, bool(moving))}"


def _lead(verdict: Verdict, base: Verdict) -> str:
    """Say what the audit's runs say of the claim with what was taken."""
    if base is Verdict.NOT_RUN:
        return "The audit's shorter runs do not have all that the claim is about"
    if base is Verdict.UNDECIDED:
        too = " too" if verdict is base else ""
        return f"With our choices the audit's shorter runs leave the claim undecided{too}"
    if verdict is base:
        return f"The audit's shorter runs say “{base}” too"
    runs = "ith our choices the audit's fewer and shorter runs say"
    if verdict in DECIDED and not contradict(base, verdict):
        return f"W{runs} “{base}”, which does not contradict “{verdict}”"
    return f"The study says “{verdict}”, and w{runs} “{base}”"


def _moved(base: Verdict, moving: Sequence[Tried]) -> Iterator[str]:
    """Say what is shown to move the verdict, or parts of it alone."""
    apart = [each for each in moving if base not in DECIDED or contradict(base, each.verdict)]
    by_word: dict[Verdict, list[str]] = {}
    for each in apart:
        by_word.setdefault(each.verdict, []).append(str(each))
    if by_word:
        moved = [f"{word} with {listed(names)}" for word, names in by_word.items()]
        yield f"; it {', and '.join(moved)}"
    parts = [str(each) for each in moving if each not in apart]
    if parts:
        yield f"; parts of it turn with {listed(parts)}"


def _counts(base: Verdict, others: Sequence[Tried], moved: bool) -> str:
    """Count by word what the alternatives say that are not shown to move it."""
    count, other = len(others), "other " if moved else ""
    by_word = {
        word: those
        for word in dict.fromkeys((base, *Verdict))
        if (those := [each for each in others if each.verdict is word])
    }
    said = {word: _said(base, word, those) for word, those in by_word.items()}
    chance = _by_chance(base, by_word)
    if len(said) > 1:
        counted = [f"{len(those)} {said[word]}" for word, those in by_word.items()]
        return f"Of the {count} {other}alternatives that can matter {listed(counted)}{chance}"
    (text,) = said.values()
    if count == 1:
        return f"The one {other}alternative that can matter {text}{chance}"
    every, none = (
        ("Both", "Neither of the two") if count == 2 else (f"All {count}", f"None of the {count}")
    )
    if base in DECIDED and base in said:
        return f"{none} {other}alternatives that can matter changes that"
    return f"{every} {other}alternatives that can matter {text}{chance}"


def _said(base: Verdict, word: Verdict, those: Sequence[Tried]) -> str:
    """Say what some alternatives say, of which there are one or more."""
    one = len(those) == 1
    if word is Verdict.UNDECIDED:
        return f"{'leaves' if one else 'leave'} it undecided"
    if word is Verdict.NOT_RUN:
        return f"{'lacks' if one else 'lack'} settings that it needs"
    says = "says" if one else "say"
    if word is base:
        return f"{says} the same"
    named = f" ({'; '.join(map(str, those))})" if _is_contrary(base, word) else ""
    return f"{says} “{word}”" + (named if len(those) <= MOST_NAMED else "")


def _is_contrary(base: Verdict, word: Verdict) -> bool:
    return word in DECIDED and base in DECIDED and contradict(base, word)


def _by_chance(base: Verdict, words: Iterable[Verdict]) -> str:
    """Say what is not shown of alternatives whose words are not that of the audit's own runs."""
    if any(_is_contrary(base, word) for word in words):
        return "; those that say otherwise may do so by chance"
    if base not in DECIDED and any(word in DECIDED for word in words):
        return "; those that decide it may do so by chance"
    return ""
