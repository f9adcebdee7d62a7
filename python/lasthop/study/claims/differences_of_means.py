"""Comparisons of means, and their outcomes by intervals.

Every comparison says where the ratio of two means lies: `greater` over `lesser` in (low, high). It is *shown* when
its interval lies inside, *denied* when it lies outside, *open* otherwise: also where it is too wide to tell.
The intervals are those of greater - low lesser and of greater - high lesser: so nothing is divided, and a
mean of zero is a mean. They are safe for skewed values (`lasthop.numbers.stats.safe`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice

import numpy as np
import numpy.typing as npt

from lasthop.numbers import stats
from lasthop.numbers.stats.safe import alike_needed
from lasthop.numbers.words import ABOVE
from lasthop.study.claims.judged import Judged, ways
from lasthop.study.claims.outcomes import Outcome, all_of, for_all

Array = npt.NDArray[np.float64]

Values = Sequence[float] | Array
"""One number a replication."""

Range = tuple[float | None, float | None]
"""What a ratio is claimed to be over, and under."""

SPARE = 0.8
"""The part of the error that is used: safe intervals miss the most skewed values that they hold in up to 6.2 %
of studies, not 5."""

IDENTICAL = alike_needed((1 - stats.CONFIDENCE) / 2)
"""This number of replications without any difference shows that under a tenth of all runs differ: two
settings are then the same. Fewer leave it open."""


@dataclass(frozen=True)
class Comparison:
    """That the mean of `greater` over that of `lesser` lies between `low` and `high` (None: no bound).

    Values in one unit, the i-th of both of one replication; those that are NaN in either are left
    out. Without `lesser` the mean itself lies there, and `ends` are what it is never under or over. `part`
    names the part of the claim that it belongs to, `label` the cells compared.
    """

    part: str
    label: str
    greater: Values
    lesser: Values | None
    low: float | None = ABOVE
    high: float | None = None
    ends: tuple[float, float] | None = None

    @property
    def above(self) -> float | None:
        """The lower bound."""
        return self.low

    @property
    def below(self) -> float | None:
        """The upper bound."""
        return self.high

    @property
    def alone(self) -> bool:
        """Return whether there is one mean only."""
        return self.lesser is None

    def of(self, part: str) -> Comparison:
        """Return it as belonging to this part of a claim."""
        return replace(self, part=part)

    @property
    def was_run(self) -> bool:
        """Return whether every cell in it was run; else no result could decide it."""
        return len(self.greater) > 0 and (self.lesser is None or len(self.lesser) > 0)

    def pairs(self) -> tuple[Array, Array]:
        """Return the values of the replications that both have."""
        greater = np.asarray(self.greater, dtype=float)
        lesser = np.ones(len(greater)) if self.lesser is None else np.asarray(self.lesser, float)
        count = min(len(greater), len(lesser))
        greater, lesser = greater[:count], lesser[:count]
        there = ~(np.isnan(greater) | np.isnan(lesser))
        return greater[there], lesser[there]

    def judge(self, level: float) -> Judged:
        """Judge by intervals that are each made at `level`."""
        greater, lesser = self.pairs()
        if self.alone:
            return self._alone(greater, level)
        if len(greater) and np.array_equal(greater, lesser):
            return self._identical(len(greater))
        return self._paired(greater, lesser, level)

    def _paired(self, greater: Array, lesser: Array, level: float) -> Judged:
        below = math.fsum(lesser)
        few = stats.runs_needed(greater - lesser, level)
        claimed, plain = (self.low, self.high), ways(self.low, self.high, alone=False)
        outcome = direction = Outcome.OPEN
        shown = stats.Interval(-math.inf, math.inf)
        if not few:
            sides = _sides(greater, lesser, (claimed, plain), level)
            outcome, direction = (all_of(each) for each in sides)
            shown = _shown(claimed, sides[0])
        return Judged(
            self.part,
            self.label,
            outcome,
            math.fsum(greater) / below if below > 0 else None,
            direction,
            partial(_ratio_interval, greater, lesser, level, shown),
            partial(_needed, greater, lesser, claimed, level),
            self.low,
            self.high,
            count=len(greater),
        )

    def _identical(self, count: int) -> Judged:
        """Judge two settings that are the same to the last bit in every replication."""
        one = stats.Interval(1.0, 1.0)
        low, high = ways(self.low, self.high, alone=False)
        enough = count >= IDENTICAL
        return Judged(
            self.part,
            self.label,
            _inside(one, self.low, self.high) if enough else Outcome.OPEN,
            1.0,
            _inside(one, low, high) if enough else Outcome.OPEN,
            lambda: one,
            lambda: IDENTICAL,
            self.low,
            self.high,
            count=count,
            identical=True,
        )

    def _alone(self, values: Array, level: float) -> Judged:
        """Judge one mean by bounds that hold for skewed values and rare events too."""
        error = (1 - level) / 2
        found = stats.mean_bounds(values, error, self.ends)
        outcome = _inside(found, self.low, self.high)
        return Judged(
            self.part,
            self.label,
            outcome,
            math.fsum(values) / len(values) if len(values) else None,
            outcome,
            lambda: found,
            partial(_needed_alone, values, error, (self.low, self.high), self.ends),
            self.low,
            self.high,
            alone=True,
            count=len(values),
        )


def _sides(
    greater: Array, lesser: Array, ranges: Sequence[Range], level: float
) -> list[list[Outcome]]:
    """Return for each range whether the ratio is shown to be on the claimed side of each of its bounds."""
    margins = [_margins(greater, lesser, each) for each in ranges]
    bounds = zip(*stats.safe_bounds(np.array(list(chain(*margins))), (1 - level) / 2), strict=True)
    return [
        [
            Outcome.SHOWN if low > 0 else Outcome.DENIED if high < 0 else Outcome.OPEN
            for low, high in islice(bounds, len(each))
        ]
        for each in margins
    ]


def _margins(greater: Array, lesser: Array, claimed: Range) -> list[Array]:
    """Return for each bound the values whose mean is above zero where the comparison is true."""
    low, high = claimed
    margins = []
    if low is not None and low > -math.inf:
        margins.append(greater - low * lesser)
    if high is not None and high < math.inf:
        margins.append(high * lesser - greater)
    return margins


def _needed(greater: Array, lesser: Array, claimed: Range, level: float) -> int | None:
    """Return how many replications decide it: one bound that is broken is enough, else all must be kept."""
    kept: list[int] = []
    broken: list[int] = []
    for margin in _margins(greater, lesser, claimed):
        count = stats.runs_to_show(margin, level)
        if count is None:
            return None
        (broken if margin.mean() < 0 else kept).append(count)
    decided = min(broken, default=0) or max(kept, default=0)
    return max(stats.runs_needed(greater - lesser, level), decided) or None


def _needed_alone(
    values: Array,
    error: float,
    claimed: Range,
    ends: tuple[float, float] | None,
) -> int | None:
    if not len(values):
        return None
    limits = [limit for limit in claimed if limit is not None]
    return for_all(
        [
            stats.needed_to_show(values, error, limit, bool(values.mean() < limit), ends=ends)
            for limit in limits
        ]
    )


def _inside(found: stats.Interval, low: float | None, high: float | None) -> Outcome:
    """Return whether an interval lies inside bounds, outside, or neither."""
    least, most = -math.inf if low is None else low, math.inf if high is None else high
    if found.low > least and found.high < most:
        return Outcome.SHOWN
    return Outcome.DENIED if found.high < least or found.low > most else Outcome.OPEN


def _shown(claimed: Range, sides: Sequence[Outcome]) -> stats.Interval:
    """Return what the outcomes at the bounds of a range say of the ratio."""
    least, most = -math.inf, math.inf
    left = iter(sides)
    for bound, above in zip(claimed, (Outcome.SHOWN, Outcome.DENIED), strict=True):
        if bound is None or math.isinf(bound) or (outcome := next(left)) is Outcome.OPEN:
            continue
        if outcome is above:
            least = max(least, bound)
        else:
            most = min(most, bound)
    return stats.Interval(least, most)


def _ratio_interval(
    greater: Array, lesser: Array, level: float, shown: stats.Interval
) -> stats.Interval | None:
    """Return the interval of the ratio, without what no ratio of such values can be.

    It ends where the verdict does, which is about one bound and shows more than the hull of all ratios: the spread
    of a - 0.9 b is small where a and b move together, that of a - 0.3 b is not, and few runs then reject the
    first ratio and not the second.
    """
    if stats.runs_needed(greater - lesser, level):
        return None
    found = stats.safe_ratio_interval(greater, lesser, level)
    if min(greater.min(), lesser.min()) < 0:
        return found
    if found is None:
        is_any = math.isfinite(shown.low) or math.isfinite(shown.high)
        return stats.Interval(max(shown.low, 0.0), shown.high) if is_any else None
    return stats.Interval(max(found.low, shown.low, 0.0), min(found.high, shown.high))


def level_of_each(comparisons: int, level: float = stats.CONFIDENCE) -> float:
    """Return the level of each of `comparisons` intervals, so that no word is shown falsely more often than
    promised."""
    return stats.bonferroni(comparisons, 1 - SPARE * (1 - level))


def judge_all(comparisons: Sequence[Comparison], level: float = stats.CONFIDENCE) -> list[Judged]:
    """Judge each comparison by intervals that hold together at `level`."""
    each = level_of_each(len(comparisons), level)
    return [comparison.judge(each) for comparison in comparisons]


def judge_points(comparisons: Sequence[Comparison]) -> list[Judged]:
    """Judge comparisons of printed numbers, which carry no interval, by the numbers themselves."""
    judged = []
    for c in comparisons:
        (a,), (b,) = c.greater, (1.0,) if c.lesser is None else c.lesser
        inside = (c.low is None or a > c.low * b) and (c.high is None or a < c.high * b)
        outcome = Outcome.SHOWN if inside else Outcome.DENIED
        ratio = a / b if b > 0 else None
        judged.append(
            Judged(
                c.part,
                c.label,
                outcome,
                ratio,
                outcome,
                above=c.low,
                below=c.high,
                alone=c.alone,
            )
        )
    return judged
