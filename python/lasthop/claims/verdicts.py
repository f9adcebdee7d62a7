"""Settings compared without a claim: better, worse, no difference that matters, or cannot tell.

Everything rests on paired differences (common random numbers) with intervals that hold together, so
that all verdicts of one call are right with the level's probability, whatever they share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np

from lasthop import stats
from lasthop.claims.comparing import Comparison, Values
from lasthop.claims.outcomes import Outcome
from lasthop.claims.words import MATTERS
from lasthop.stats import special


class PairedVerdict(StrEnum):
    """What paired runs say of a setting against another."""

    BETTER = "better"
    WORSE = "worse"
    NO_DIFFERENCE = "no difference"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True)
class Compared:
    """A verdict on a against b.

    `change` is the mean of a over that of b, less 1, with its bounds `low` and `high`; None where
    the mean of b is not shown to differ from zero. `beyond` is the difference that matters: "no
    difference" means that it is shown to be under that, either way. `needed`: about how many
    replications would tell.
    """

    word: PairedVerdict
    change: float | None
    low: float | None
    high: float | None
    beyond: float
    replications: int
    needed: int | None

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
        }


def compare(
    a: Values,
    b: Values,
    *,
    beyond: float = MATTERS,
    higher_is_better: bool = True,
    level: float = stats.CONFIDENCE,
) -> Compared:
    """Compare two settings from the same replications; wrong with probability 1 - `level` at most.

    A difference is called better or worse when its sign is shown, unless it is shown to be under
    `beyond`: then there is no difference that matters, which says more. Means are positive (a
    throughput, a delay, a loss). Under sequential stopping give each look's level.
    """
    inside = Comparison("", "", a, b, 1 - beyond, 1 + beyond).judge(level)
    sign = Comparison("", "", a, b, 1.0).judge(level)
    word = PairedVerdict.CANNOT_TELL
    if inside.outcome is Outcome.SHOWN:
        word = PairedVerdict.NO_DIFFERENCE
    elif sign.outcome is not Outcome.OPEN:
        up = sign.outcome is Outcome.SHOWN
        word = PairedVerdict.BETTER if up is higher_is_better else PairedVerdict.WORSE
    change, low, high = (None if x is None else x - 1 for x in (sign.ratio, sign.low, sign.high))
    known = [count for count in (inside.needed, sign.needed) if count is not None]
    needed = min(known) if known and word is PairedVerdict.CANNOT_TELL else None
    count = len(Comparison("", "", a, b).pairs()[0])
    return Compared(word, change, low, high, beyond, count, needed)


def compare_all(
    pairs: Mapping[str, tuple[Values, Values]],
    *,
    beyond: float = MATTERS,
    higher_is_better: bool = True,
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
    higher_is_better: bool = True,
    level: float = stats.CONFIDENCE,
) -> dict[str, PairedVerdict]:
    """Say which pairs differ, sharper than `compare_all`: by Holm's rule, better or worse only.

    Holm's rule has no intervals, so it cannot say that there is no difference. That the sign of a
    rejected difference is the observed one adds no error when statistics are independent (Shaffer
    1980); for paired runs `lasthop validate coverage` checks it.
    """
    tests = {name: _sign_p(*Comparison("", "", a, b).pairs()) for name, (a, b) in pairs.items()}
    adjusted = stats.holm([p for p, _ in tests.values()])
    found = {}
    for (name, (_, up)), p in zip(tests.items(), adjusted, strict=True):
        better = PairedVerdict.BETTER if up is higher_is_better else PairedVerdict.WORSE
        found[name] = better if p <= 1 - level else PairedVerdict.CANNOT_TELL
    return found


def _sign_p(a: Sequence[float], b: Sequence[float]) -> tuple[float, bool]:
    """Return the two-sided p of the paired t test, and whether a is above b."""
    differences = np.asarray(a) - np.asarray(b)
    if len(differences) < 2:
        return 1.0, True
    mean, spread = float(differences.mean()), float(differences.std(ddof=1))
    if spread == 0:
        return (1.0 if mean == 0 else 0.0), mean > 0
    t = mean / spread * len(differences) ** 0.5
    return float(2 * special.stdtr(len(differences) - 1, -abs(t))), mean > 0
