"""The test of a claim, in words: "goodput, alone: Westwood over New Reno between 1.64 and 2.28, where PER
0.001".

It is printed beside every verdict, so that a reader need not guess how a word of the claim was read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from lasthop.numbers.numerals import listed, plain

AGAINST = " against "
"""Between the settings of a label."""

MEAN = "the mean"
"""The compared quantity where a mean is compared with nothing."""

READINGS = {
    "general": "on average",
    "largest": "of the largest of all settings",
    "somewhere": "of at least one setting",
    "everywhere": "of every setting",
}
"""The settings for which a part of a claim must be true, by its reading."""

LISTED = 4
"""Comparisons of a word that are named; of more the rest is counted."""


class Bounded(Protocol):
    """The quantity that is claimed to lie between bounds."""

    @property
    def label(self) -> str:
        """The comparison and its settings."""

    @property
    def above(self) -> float | None:
        """The lower bound of the ratio."""

    @property
    def below(self) -> float | None:
        """The upper bound of the ratio."""

    @property
    def alone(self) -> bool:
        """Return whether there is one mean."""


def of_comparison(said: Bounded, unit: str = "", scale: float = 1.0) -> str:
    """Say a comparison: ``Westwood over New Reno above 1.02``; a mean alone: ``the mean below 0.02``."""
    return f"{compared(said)} {bounds(said, unit, scale)}"


def compared(said: Bounded) -> str:
    """Say what is compared: ``Westwood over New Reno``."""
    if said.alone:
        return MEAN
    return said.label.partition("; ")[0].partition(": ")[0].replace(AGAINST, " over ", 1)


def _bound(value: float) -> str:
    """Write a bound; one over a thousand is told to the digit that was written, and one near 1 to a thousandth."""
    if 0.5 < abs(value) < 2:
        return plain(round(value, 3), 4)
    return plain(value, 3 if abs(value) < 1000 else 9)


def bounds(said: Bounded, unit: str = "", scale: float = 1.0) -> str:
    """Say between which bounds it is claimed to lie: ``above 1.02``."""
    factor, after = (scale, f" {unit}" if unit else "") if said.alone else (1.0, "")
    low, high = (None if x is None else _bound(x * factor) for x in (said.above, said.below))
    if low is None:
        return f"below {high}{after}"
    return f"above {low}{after}" if high is None else f"between {low} and {high}{after}"


def together(how: str, said: Sequence[tuple[str, str]]) -> str:
    """Say comparisons, each as what is compared and what is claimed, that hold in one way together."""
    groups: dict[str, list[str]] = {}
    for what, claimed in said:
        groups.setdefault(claimed, []).append(what)
    text = "; ".join(f"{_listed(whats)} {claimed}" for claimed, whats in groups.items())
    return joined(how, [text], len(said))


def joined(how: str, texts: Sequence[str], count: int | None = None) -> str:
    """Say what is tested by several words, or by one that is negated; `count` comparisons make up the texts."""
    several = (len(texts) if count is None else count) > 1
    start = "not: " if how == "not" else "at least one of: " if how == "any" and several else ""
    return start + "; ".join(dict.fromkeys(texts))


def _listed(whats: Sequence[str]) -> str:
    """Write ``A over B, C and D`` where all begin alike, and count what is beyond a few."""
    whats = list(dict.fromkeys(whats))
    heads = {what.partition(" over ")[0] for what in whats}
    if len(heads) == 1 and all(" over " in what for what in whats):
        whats = [whats[0], *(what.partition(" over ")[2] for what in whats[1:])]
    if len(whats) > LISTED:
        whats = [*whats[: LISTED - 1], f"{len(whats) - LISTED + 1} more"]
    return listed(whats)


def where(conditions: Mapping[str, str], overall: Sequence[str]) -> str:
    """Say in which settings it is tested, each axis in words; and what is averaged first."""
    said = f", where {', '.join(conditions.values())}" if conditions else ""
    return said + (f", averaged over {', '.join(overall)} first" if overall else "")


def settings(reading: str, count: int) -> str:
    """Describe the number of settings in which it is tested, and how."""
    if count < 2:
        return ""
    return {
        "general": f", on average over {count} settings",
        "everywhere": f", in each of {count} settings",
        "somewhere": f", in at least one of {count} settings",
        "largest": f", the largest of {count} settings",
    }[reading]


def either(values: Sequence[Any]) -> str:
    """Write ``a``, ``a or b`` or ``a, b or c``."""
    texts = [str(value) for value in values]
    return listed(texts, "or")
