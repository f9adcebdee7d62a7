"""That an effect is stronger in one place than in another."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from lasthop.numbers import stats
from lasthop.numbers.stats.safe import ENOUGH
from lasthop.numbers.words import ABOVE
from lasthop.study.claims.judged import Judged
from lasthop.study.claims.outcomes import Outcome, all_of, any_of, negated

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Stronger:
    """That |effect| of one change is above that of another: ratios of means, by over 2 %.

    With E = ln(mean after / mean before) of each, |E1| > |E2| + c is the same as: E1 - E2 and
    E1 + E2 are both over c or both under -c. So two intervals decide, each linear in the logarithms
    (safe intervals of the jackknife's values by replication, paired), and a sign need not be known. c is ln 1.02.
    """

    above = ABOVE
    below = None
    alone = False

    part: str
    label: str
    before: Array
    after: Array
    other_before: Array
    other_after: Array

    def of(self, part: str) -> Stronger:
        """Return it as belonging to this part of a claim."""
        return replace(self, part=part)

    @property
    def was_run(self) -> bool:
        """Return whether all four cells were run; else no result could decide it."""
        return all(map(len, (self.before, self.after, self.other_before, self.other_after)))

    def judge(self, level: float) -> Judged:
        """Judge by two intervals that together hold at `level`."""
        columns = (self.after, self.before, self.other_after, self.other_before)
        count = min(map(len, columns))
        samples = np.column_stack([column[:count] for column in columns])
        samples = samples[~np.isnan(samples).any(axis=1)]
        each, margin = stats.bonferroni(2, level), math.log(ABOVE)
        minus, plus = (_interval(samples, sign, each) for sign in (-1, 1))
        up = all_of([_over(minus, margin), _over(plus, margin)])
        down = all_of([_under(minus, -margin), _under(plus, -margin)])
        outcome = any_of([up, down])
        ratio = _strengths(samples) if len(samples) else None
        return Judged(
            self.part,
            self.label,
            outcome,
            ratio,
            outcome,
            need=lambda: ENOUGH if len(samples) < ENOUGH else None,
            above=ABOVE,
            strength=True,
            count=len(samples),
        )


def _interval(samples: Array, sign: int, level: float) -> stats.Interval:
    """Return the interval of the difference of two effects (-1) or of their sum; the line where none is known."""
    found = None
    if len(samples) >= ENOUGH:
        values = stats.pseudo_values(lambda means: _sum(means, sign), samples)
        found = stats.safe_interval(values, level) if np.isfinite(values).all() else None
    return found or stats.Interval(-math.inf, math.inf)


def _sum(means: Array, sign: int) -> Array:
    after, before, other_after, other_before = means.T
    result: Array = np.log(after / before) + sign * np.log(other_after / other_before)
    return result


def _strengths(samples: Array) -> float | None:
    """Return |effect| over |other effect| by the means, as ratios of ratios; None for none."""
    after, before, other_after, other_before = samples.mean(axis=0)
    if min(after, before, other_after, other_before) <= 0:
        return None
    here, there = abs(math.log(after / before)), abs(math.log(other_after / other_before))
    return math.exp(here - there)


def _over(interval: stats.Interval, bound: float) -> Outcome:
    if interval.low > bound:
        return Outcome.SHOWN
    return Outcome.DENIED if interval.high < bound else Outcome.OPEN


def _under(interval: stats.Interval, bound: float) -> Outcome:
    return negated(_over(interval, bound))
