"""Settings compared without a claim: better, worse, no difference that matters, or cannot tell; ranks.

Everything rests on paired differences (common random numbers) with intervals that hold together, so
that all verdicts of one call are right with the level's probability, whatever they share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import Any

import numpy as np
from scipy import special

from lasthop import stats
from lasthop.claims.comparing import Comparison, Values
from lasthop.claims.letters import letters
from lasthop.claims.outcomes import Outcome
from lasthop.claims.words import MATTERS


class Word(StrEnum):
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

    word: Word
    change: float | None
    low: float | None
    high: float | None
    beyond: float
    replications: int
    needed: int | None

    def __str__(self) -> str:
        """Say it in a few words."""
        if self.word is Word.NO_DIFFERENCE:
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
    word = Word.CANNOT_TELL
    if inside.outcome is Outcome.SHOWN:
        word = Word.NO_DIFFERENCE
    elif sign.outcome is not Outcome.OPEN:
        up = sign.outcome is Outcome.SHOWN
        word = Word.BETTER if up is higher_is_better else Word.WORSE
    change, low, high = (None if x is None else x - 1 for x in (sign.ratio, sign.low, sign.high))
    known = [count for count in (inside.needed, sign.needed) if count is not None]
    needed = min(known) if known and word is Word.CANNOT_TELL else None
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
) -> dict[str, Word]:
    """Say which pairs differ, sharper than `compare_all`: by Holm's rule, better or worse only.

    Holm's rule has no intervals, so it cannot say that there is no difference. That the sign of a
    rejected difference is the observed one adds no error when statistics are independent (Shaffer
    1980); for paired runs `lasthop validate coverage` checks it.
    """
    tests = {name: _sign_p(*Comparison("", "", a, b).pairs()) for name, (a, b) in pairs.items()}
    adjusted = stats.holm([p for p, _ in tests.values()])
    found = {}
    for (name, (_, up)), p in zip(tests.items(), adjusted, strict=True):
        better = Word.BETTER if up is higher_is_better else Word.WORSE
        found[name] = better if p <= 1 - level else Word.CANNOT_TELL
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


@dataclass(frozen=True)
class Ranked:
    """A setting's place: from `first` to `last` (1 is the best), since ties are what is not shown.

    Settings that share a letter cannot be told from each other.
    """

    name: str
    estimate: stats.Estimate
    first: int
    last: int
    letters: str

    @property
    def rank(self) -> str:
        """Say the place: 1, or 2-4."""
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


def ranks(
    cells: Mapping[str, Values],
    *,
    higher_is_better: bool = True,
    level: float = stats.CONFIDENCE,
) -> list[Ranked]:
    """Rank settings, best mean first; all of it is right with probability `level`.

    Two settings tie unless their paired difference is shown. The best place that a setting can
    have is after all that are shown to be better, the worst before all shown to be worse.
    """
    names = list(cells)
    each = stats.bonferroni(len(names) * (len(names) - 1) // 2, level)
    above: set[tuple[str, str]] = set()
    for a, b in combinations(names, 2):
        outcome = Comparison("", "", cells[a], cells[b], 1.0).judge(each).outcome
        if outcome is not Outcome.OPEN:
            up = (outcome is Outcome.SHOWN) is higher_is_better
            above.add((a, b) if up else (b, a))
    estimates = {name: _estimate(cells[name], level) for name in names}
    sign = -1 if higher_is_better else 1
    ordered = sorted(names, key=lambda name: sign * estimates[name].mean)
    groups = letters(ordered, above)
    return [
        Ranked(
            name,
            estimates[name],
            1 + sum((other, name) in above for other in names),
            len(names) - sum((name, other) in above for other in names),
            groups[name],
        )
        for name in ordered
    ]


def _estimate(values: Values, level: float) -> stats.Estimate:
    there = np.asarray(values, dtype=float)
    return stats.estimate(there[~np.isnan(there)].tolist(), level)
