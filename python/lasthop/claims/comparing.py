"""Comparisons of means, and their outcomes by intervals.

Every comparison says where the ratio of two means lies: `greater` over `lesser` in (low, high). It is
*shown* when the intervals of greater - low lesser and of greater - high lesser show it, *denied* when
one of them shows that it is not so, *open* otherwise. So nothing is divided, and a mean of zero is a mean.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from lasthop import stats
from lasthop.claims.outcomes import Outcome, all_of
from lasthop.claims.words import ABOVE

Values = Sequence[float] | npt.NDArray[np.float64]
"""One number a replication."""


@dataclass(frozen=True)
class Comparison:
    """That the mean of `greater` over that of `lesser` lies between `low` and `high` (None: no bound).

    Values in one unit, the i-th of both of one replication; those that are NaN in either are left
    out. Without `lesser` the mean itself lies there. `part` names the part of the claim that it
    belongs to, `label` the cells compared. With `meets` the interval of the ratio need only meet
    the band; one over twice as wide as the band meets it by ignorance, and leaves it open.
    """

    part: str
    label: str
    greater: Values
    lesser: Values | None
    low: float | None = ABOVE
    high: float | None = None
    meets: bool = False

    def of(self, part: str) -> Comparison:
        """Return it as belonging to this part of a claim."""
        return replace(self, part=part)

    @property
    def was_run(self) -> bool:
        """Whether every cell in it was run; else no result could decide it."""
        return len(self.greater) > 0 and (self.lesser is None or len(self.lesser) > 0)

    def pairs(self) -> tuple[list[float], list[float]]:
        """Return the values of the replications that both have."""
        greater = np.asarray(self.greater, dtype=float)
        lesser = np.ones(len(greater)) if self.lesser is None else np.asarray(self.lesser, float)
        count = min(len(greater), len(lesser))
        greater, lesser = greater[:count], lesser[:count]
        there = ~(np.isnan(greater) | np.isnan(lesser))
        return greater[there].tolist(), lesser[there].tolist()

    def judge(self, level: float) -> Judged:
        """Judge by intervals that are each made at `level`."""
        greater, lesser = self.pairs()
        return (
            self._alone(greater, level)
            if self.lesser is None
            else self._paired(greater, lesser, level)
        )

    def _paired(self, greater: list[float], lesser: list[float], level: float) -> Judged:
        below = math.fsum(lesser)
        ratio = math.fsum(greater) / below if below > 0 else None
        interval = stats.ratio_interval(greater, lesser, level)
        low, high = (interval.low, interval.high) if interval else (None, None)
        needed: int | None = _rests_on_few(greater, lesser, level)
        if needed:
            outcome = Outcome.OPEN
        elif self.meets:
            outcome, needed = _meets(self, interval, len(greater))
        else:
            margins = _margins(self, greater, lesser)
            outcomes = [_sign(stats.mean_interval(margin, level)) for margin in margins]
            outcome = all_of(outcomes)
            needed = _needed(margins, outcomes, level) if outcome is Outcome.OPEN else None
        return self._judged(outcome, ratio, low, high, needed)

    def _judged(
        self,
        outcome: Outcome,
        ratio: float | None,
        low: float | None,
        high: float | None,
        needed: int | None,
    ) -> Judged:
        alone = self.lesser is None
        if needed is not None:  # what there is was not enough
            needed = max(needed, math.ceil(1.25 * len(self.pairs()[0])))
        return Judged(
            self.part, self.label, outcome, ratio, low, high, needed, self.low, self.high, alone
        )

    def _alone(self, values: list[float], level: float) -> Judged:
        """Judge one mean by bounds that hold for skewed values and rare events too."""
        error = (1 - level) / 2
        found = stats.mean_bounds(values, error)
        mean = math.fsum(values) / len(values) if values else None
        needed: int | None = None
        if self.meets:
            whole = math.isfinite(found.low + found.high)
            outcome, needed = _meets(self, found if whole else None, len(values))
        else:
            outcomes = []
            if self.low is not None:
                outcomes.append(_sign(stats.Interval(found.low - self.low, found.high - self.low)))
            if self.high is not None:
                outcomes.append(
                    _sign(stats.Interval(self.high - found.high, self.high - found.low))
                )
            outcome = all_of(outcomes)
        if outcome is Outcome.OPEN and not self.meets:
            counts = [
                stats.needed_to_show(values, error, limit, mean is not None and mean < limit)
                for limit in (self.low, self.high)
                if limit is not None
            ]
            known = [count for count in counts if count is not None]
            needed = max(known) if len(known) == len(counts) else None
        low, high = (None if math.isinf(x) else x for x in (found.low, found.high))
        return self._judged(outcome, mean, low, high, needed)


def _rests_on_few(greater: list[float], lesser: list[float], level: float) -> int:
    """Return how many replications are needed where both are equal in all but a few; else 0.

    Runs that share random numbers may be the same to the last bit until something rare tells
    them apart. Student's interval knows nothing of what has not yet happened: where fewer than half
    differ, and fewer than `stats.LEAST_EVENTS`, it is too narrow. Where none of many differs they
    are taken as the same: then under a tenth do, at `level`.
    """
    count = len(greater)
    differ = sum(a != b for a, b in zip(greater, lesser, strict=True))
    if differ:
        few = differ < min(stats.LEAST_EVENTS, count / 2)
        return math.ceil(count * stats.LEAST_EVENTS / differ) if few else 0
    alike = stats.alike_needed((1 - level) / 2)
    return 0 if count >= alike else alike


@dataclass(frozen=True)
class Judged:
    """A comparison and its outcome; `ratio` and its bounds have no unit (alone: the values').

    `above` and `below` are what was claimed: the bounds between which it lies. `seems` says whether the
    mean goes the claimed way, by however little; `direction` whether that is shown. `alone`: one
    mean, compared with nothing. `needed` is about how many replications would decide it, were the means and
    spreads those seen so far: with 80 % probability, None where it is decided or the data say nothing of it.
    """

    part: str
    label: str
    outcome: Outcome
    ratio: float | None
    low: float | None
    high: float | None
    needed: int | None = None
    above: float | None = None
    below: float | None = None
    alone: bool = False
    strength: bool = False
    """Whether the ratio is that of two effects."""

    @property
    def seems(self) -> bool:
        """Whether the mean goes the claimed way."""
        low, high = self._ways()
        return self.outcome is Outcome.SHOWN if self.ratio is None else low <= self.ratio <= high

    @property
    def direction(self) -> Outcome:
        """Whether it is shown to go the claimed way, without a threshold."""
        low, high = self._ways()
        if self.low is None or self.high is None:
            plain = not (self.alone or self.strength or self.ratio is None)
            return Outcome.OPEN if plain else self.outcome
        if self.low >= low and self.high <= high:
            return Outcome.SHOWN
        return Outcome.DENIED if self.high < low or self.low > high else Outcome.OPEN

    def _ways(self) -> tuple[float, float]:
        """Return the claimed bounds, with any difference in place of one by over 2 %; the same is none."""
        low = -math.inf if self.above is None else self.above
        high = math.inf if self.below is None else self.below
        if self.alone:
            return low, high
        more, less = math.nextafter(1.0, 2.0), math.nextafter(1.0, 0.0)
        return more if low == ABOVE else low, less if high == 1 / ABOVE else high

    def room(self) -> float:
        """Return how far the ratio is inside its bounds, in logarithms; less than 0 outside."""
        if self.ratio is None:
            return math.inf
        here = math.log(max(self.ratio, 1e-12))
        room = [here - math.log(self.above)] if self.above else []
        room += [math.log(self.below) - here] if self.below else []
        return min(room, default=math.inf)

    def as_dict(self) -> dict[str, Any]:
        """Return the fields, ready for JSON."""
        return {
            "part": self.part,
            "label": self.label,
            "outcome": str(self.outcome),
            "ratio": self.ratio,
            "low": self.low,
            "high": self.high,
            "above": self.above,
            "below": self.below,
            "alone": self.alone,
            "replications_needed": self.needed,
        }


def judge_all(comparisons: Sequence[Comparison], level: float = stats.CONFIDENCE) -> list[Judged]:
    """Judge each comparison by intervals that hold together at `level`."""
    each = stats.bonferroni(len(comparisons), level)
    return [comparison.judge(each) for comparison in comparisons]


def judge_points(comparisons: Sequence[Comparison]) -> list[Judged]:
    """Judge comparisons of printed numbers, which carry no interval, by the numbers themselves."""
    judged = []
    for c in comparisons:
        (a,), (b,) = c.greater, (1.0,) if c.lesser is None else c.lesser
        inside = (c.low is None or a > c.low * b) and (c.high is None or a < c.high * b)
        outcome = Outcome.SHOWN if inside else Outcome.DENIED
        ratio = a / b if b > 0 else None
        alone = c.lesser is None
        judged.append(
            Judged(c.part, c.label, outcome, ratio, None, None, None, c.low, c.high, alone)
        )
    return judged


def _margins(c: Comparison, greater: list[float], lesser: list[float]) -> list[list[float]]:
    """Return for each bound the values whose mean is above zero where the comparison is true."""
    pairs = list(zip(greater, lesser, strict=True))
    margins = []
    if c.low is not None:
        margins.append([a - c.low * b for a, b in pairs])
    if c.high is not None:
        margins.append([c.high * b - a for a, b in pairs])
    return margins


def _sign(margin: stats.Interval) -> Outcome:
    if margin.low > 0:
        return Outcome.SHOWN
    return Outcome.DENIED if margin.high < 0 else Outcome.OPEN


def _meets(
    c: Comparison, interval: stats.Interval | None, count: int
) -> tuple[Outcome, int | None]:
    low, high = c.low or 0.0, math.inf if c.high is None else c.high
    if interval is None:
        return Outcome.OPEN, None
    if interval.high < low or interval.low > high:
        return Outcome.DENIED, None
    excess = (interval.high - interval.low) / (2 * (high - low))
    if excess <= 1:
        return Outcome.SHOWN, None
    return Outcome.OPEN, math.ceil(count * excess**2)


def _needed(margins: list[list[float]], outcomes: list[Outcome], level: float) -> int | None:
    """Return how many replications decide every open margin; see `Judged`."""
    counts = []
    for margin, outcome in zip(margins, outcomes, strict=True):
        if outcome is not Outcome.OPEN:
            continue
        count = stats.replications_to_show(margin, level)
        if count is None:
            return None
        counts.append(count)
    return max(counts, default=None)
