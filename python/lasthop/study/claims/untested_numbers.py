"""Numbers in a claim's text that its test does not use: a slip, or something to explain in its `note`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from lasthop.study.claims.claim_format import Claim, Joined, Predicate
from lasthop.study.claims.tables import quantity
from lasthop.study.claims.vocabulary import WORDS

NAMED = re.compile(
    r"\b(?:scenario|figure|fig\.|table|case|section|claim|equation|reference|step)s? "
    r"(?:\d+(?:, | and | or | to )?)+",
    re.IGNORECASE,
)
"""Numbers that name things and measure nothing."""

NUMBER = re.compile(r"(?<![\w.:])\d+(?:\.\d+)?(?:e-?\d+)?(?!\w|\.\d)")
"""Numbers; of a proportion, such as 3:1, the first. Those with letters on them, as 802.11b, are names."""

PERCENTAGE = re.compile(r"\d+(?= %)")
"""The thresholds in what a word says that are percentages."""

FRACTION = re.compile(r"\d+\.\d+")
"""Those that are not."""

STANDARD = re.compile(r"\b802\.\d+\w*")

SPELT = {
    r"twice|doubl(?:e|es|ed|ing)|twofold": 2.0,
    r"half|halves|halved": 0.5,
    r"thrice|tripl(?:e|es|ed)": 3.0,
}
"""Numbers that are words."""

MEANT = {"doubles": (2.0,), "halved": (0.5,)}
"""Numbers that words of claims test by their name."""

FACTORS = (1.0, 100.0, 1e3, 1e6, 1e9, 1e-3, 1e-6, 1e-9)
"""Between a number as it is said, with its unit or as a percentage, and as it is tested."""


def untested(claim: Claim) -> list[str]:
    """Return the numbers in a claim's text, as they are written, that neither its test nor its note has."""
    tested = [*_tested(claim.holds), *_numbers_in(claim.given)]
    explained = {value for _, value in [*_written(claim.note), *_spelt(claim.note)]}
    found = [text for text, value in _written(claim.text) if not _is_among(value, tested, FACTORS)]
    found += [text for text, value in _spelt(claim.text) if not _is_among(value, tested, (1.0,))]
    values = dict([*_written(claim.text), *_spelt(claim.text)])
    return [text for text in dict.fromkeys(found) if values[text] not in explained]


def _written(text: str) -> Iterator[tuple[str, float]]:
    """Yield the numbers of a text in digits, as they are written and their value."""
    for found in NUMBER.finditer(STANDARD.sub(" ", NAMED.sub(" ", text))):
        yield found[0], float(found[0])


def _spelt(text: str) -> Iterator[tuple[str, float]]:
    """Yield the numbers of a text that are words."""
    for words, value in SPELT.items():
        for found in re.finditer(rf"\b(?:{words})\b", text, re.IGNORECASE):
            yield found[0].lower(), value


def _tested(said: Predicate | Joined) -> Iterator[float]:
    if isinstance(said, Joined):
        for part in said.parts:
            yield from _tested(part)
        return
    yield from MEANT.get(said.word, ())
    says = WORDS[said.word].says
    yield from (float(found[0]) / 100 for found in PERCENTAGE.finditer(says))
    yield from (float(found[0]) for found in FRACTION.finditer(says))
    yield from _numbers_in(said.given)


def _numbers_in(value: Any) -> Iterator[float]:
    """Yield the numbers that are given for a word, without their units; of a ratio its excess over one too."""
    if isinstance(value, Mapping):
        for key, inside in value.items():
            if key in ("at_least", "at_most"):
                yield abs(inside - 1)
            if key not in ("part", "metric"):
                yield from _numbers_in(inside)
    elif isinstance(value, (list, tuple)):
        for inside in value:
            yield from _numbers_in(inside)
    elif (found := quantity(value)) is not None:
        yield found[0]


def _is_among(value: float, tested: Sequence[float], factors: Sequence[float]) -> bool:
    return any(_near(value, other * factor) for other in tested for factor in factors)


def _near(a: float, b: float) -> bool:
    return abs(a - b) <= 1e-9 * max(abs(a), abs(b))
