"""Settings compared without a claim: better, worse, identical, no difference that matters, or cannot tell.

Of what nobody wants more or less of, such as packets sent, a setting is higher or lower.

Everything rests on paired differences (common random numbers) with intervals that are safe for skewed values
(`stats.safe`) and hold together, so that all verdicts of one call are right with the level's probability,
whatever they share: but for events that no run had (`notes`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from lasthop.numbers import stats
from lasthop.numbers.stats.safe import ENOUGH
from lasthop.numbers.stats.unseen import CERTAIN, said
from lasthop.numbers.words import MATTERS
from lasthop.study.claims.differences_of_means import Comparison, Values
from lasthop.study.claims.judged import Judged
from lasthop.study.claims.outcomes import Outcome


class PairedVerdict(StrEnum):
    """The verdict on a setting against another from paired runs."""

    BETTER = "better"
    WORSE = "worse"
    HIGHER = "higher"
    """Of a metric of which neither more nor less is better."""
    LOWER = "lower"
    IDENTICAL = "identical"
    """Equal in every run, to the last bit."""
    NO_DIFFERENCE = "no difference"
    CANNOT_TELL = "cannot tell"


SIGNED = (
    (PairedVerdict.BETTER, PairedVerdict.WORSE),
    (PairedVerdict.HIGHER, PairedVerdict.LOWER),
)
"""Verdicts on a difference that is shown: on a metric that people want more or less of, and on any other."""


@dataclass(frozen=True)
class Compared:
    """A verdict on a against b.

    `change` is the mean of a over that of b, less 1, with its bounds `low` and `high`; None where the mean of b
    is not shown to differ from zero, or all runs are equal. `beyond` is the difference that matters: "no
    difference" means that it is shown to be under that, either way. `needed`: about how many replications would
    tell. `equal`: whether neither setting's runs differ from each other, so that no spread bounds the change.
    """

    word: PairedVerdict
    change: float | None
    low: float | None
    high: float | None
    beyond: float
    replications: int
    needed: int | None
    equal: bool = False

    def __str__(self) -> str:
        """Say it in a few words."""
        if self.word is PairedVerdict.NO_DIFFERENCE:
            return f"no difference beyond {100 * self.beyond:g} %"
        return str(self.word)

    def as_dict(self) -> dict[str, Any]:
        """Return the fields, ready for JSON."""
        return {
            "verdict": str(self),
            "change": self.change,
            "low": self.low,
            "high": self.high,
            "beyond": self.beyond,
            "replications": self.replications,
            "replications_needed": self.needed,
            "equal": self.equal,
        }


def compare(
    a: Values,
    b: Values,
    *,
    beyond: float = MATTERS,
    higher_is_better: bool | None = True,
    level: float = stats.CONFIDENCE,
) -> Compared:
    """Compare two settings from the same replications; wrong with probability 1 - `level` at most.

    A difference is called better or worse when its sign is shown (higher or lower if `higher_is_better` is None),
    unless it is shown to be under `beyond`: then there is no difference that matters, which says more. Means are
    positive (a throughput, a delay, a loss). Under sequential stopping give each look's level.
    """
    if (count := _alike(a, b)) is not None:
        return Compared(
            PairedVerdict.IDENTICAL, 0.0, None, None, beyond, count, None, _is_equal(a, b)
        )
    inside, sign = _asked(a, b, beyond, level)
    word, count = _word(inside, sign, higher_is_better), sign.count
    change, low, high = (None if x is None else x - 1 for x in (sign.ratio, sign.low, sign.high))
    known = [count for count in (inside.needed, sign.needed) if count is not None]
    needed = min(known) if known and word is PairedVerdict.CANNOT_TELL else None
    if needed is not None:
        needed = max(needed, ENOUGH)
    return Compared(word, change, low, high, beyond, count, needed, _is_equal(a, b))


def worded(
    a: Values,
    b: Values,
    *,
    beyond: float = MATTERS,
    higher_is_better: bool | None = True,
    level: float = stats.CONFIDENCE,
) -> PairedVerdict:
    """Return the verdict of `compare` alone, which costs a tenth: no interval is sought."""
    if _alike(a, b) is not None:
        return PairedVerdict.IDENTICAL
    return _word(*_asked(a, b, beyond, level), higher_is_better)


def _alike(a: Values, b: Values) -> int | None:
    """Return the number of replications where both are equal in every one; else None."""
    ours, theirs = Comparison("", "", a, b).pairs()
    return len(ours) if len(ours) and np.array_equal(ours, theirs) else None


def _is_equal(a: Values, b: Values) -> bool:
    """Return whether the replications of neither differ from each other, of several that both have."""
    ours, theirs = Comparison("", "", a, b).pairs()
    return len(ours) > 1 and bool(np.ptp(ours) == 0 and np.ptp(theirs) == 0)


def _word(inside: Judged, sign: Judged, higher_is_better: bool | None) -> PairedVerdict:
    """Return the verdict: no difference that matters says more than a sign."""
    if inside.outcome is Outcome.SHOWN:
        return PairedVerdict.NO_DIFFERENCE
    if sign.outcome is Outcome.OPEN:
        return PairedVerdict.CANNOT_TELL
    return signed(sign.outcome is Outcome.SHOWN, higher_is_better)


def signed(is_up: bool, higher_is_better: bool | None) -> PairedVerdict:
    """Return the verdict on a difference whose sign is shown."""
    is_first = is_up is (higher_is_better is not False)
    return SIGNED[higher_is_better is None][not is_first]


def _asked(a: Values, b: Values, beyond: float, level: float) -> tuple[Judged, Judged]:
    """Judge whether the means differ by less than matters, and which is the greater."""
    inside = Comparison("", "", a, b, 1 - beyond, 1 + beyond).judge(level)
    return inside, Comparison("", "", a, b, 1.0).judge(level)


def compare_all(
    pairs: Mapping[str, tuple[Values, Values]],
    *,
    beyond: float = MATTERS,
    higher_is_better: bool | None = True,
    level: float = stats.CONFIDENCE,
) -> dict[str, Compared]:
    """Compare pairs of settings by name, all right together with probability `level` (Bonferroni)."""
    each = stats.bonferroni(len(pairs), level)
    return {
        name: compare(a, b, beyond=beyond, higher_is_better=higher_is_better, level=each)
        for name, (a, b) in pairs.items()
    }


def differing(
    pairs: Mapping[str, tuple[Values, Values]],
    *,
    higher_is_better: bool | None = True,
    level: float = stats.CONFIDENCE,
) -> dict[str, PairedVerdict]:
    """Say which pairs differ, sharper than `compare_all`: by Holm's rule, better or worse only.

    Holm's rule has no intervals, so it cannot say that there is no difference. It judges all, each at its part of
    the error, and those that are left again, as fewer share it. That the sign of a rejected difference is the
    observed one adds no error when statistics are independent (Shaffer 1980); for paired runs
    `lasthop validate coverage` checks it.
    """
    found = dict.fromkeys(pairs, PairedVerdict.CANNOT_TELL)
    left = dict(pairs)
    while left:
        each = stats.bonferroni(len(left), level)
        ways = {name: Comparison("", "", a, b, 1.0).judge(each) for name, (a, b) in left.items()}
        told = {name: way for name, way in ways.items() if way.outcome is not Outcome.OPEN}
        for name, way in told.items():
            found[name] = signed(way.outcome is Outcome.SHOWN, higher_is_better)
            del left[name]
        if not told:
            break
    return found


def notes(compared: Iterable[Compared]) -> tuple[str, ...]:
    """Return what a reader of these verdicts should know: what was not seen, and how many runs would tell more."""
    all_ = list(compared)
    if not all_:
        return ()
    seen = said(min(each.replications for each in all_))
    is_certain = min(each.replications for each in all_) >= CERTAIN
    found = [seen if is_certain else f"{seen.removesuffix('.')}; the verdicts cover the rest."]
    open_ = [each for each in all_ if each.word is PairedVerdict.CANNOT_TELL]
    counts = sorted(each.needed for each in open_ if each.needed is not None)
    if counts:
        found.append(_more(len(open_), counts))
    return tuple(found)


def _more(open_: int, counts: list[int]) -> str:
    """Say how many replications would decide comparisons that are open, of which these counts are known."""
    begin, most = "Where we cannot tell, about", counts[-1]
    half = counts[min((open_ - 1) // 2, len(counts) - 1)]
    if open_ == 1 or half == most == counts[0]:
        return f"{begin} {most:,} replications would decide {'it' if open_ == 1 else 'them'}."
    rest = f", and {most:,} all of them" if len(counts) == open_ and most > half else ""
    return f"{begin} {half:,} replications would decide half of the {open_}{rest}."
