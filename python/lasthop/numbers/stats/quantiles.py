"""Intervals of quantiles.

A quantile over replications (the response time that 95 % of the runs keep to) has the interval
between two order statistics, whatever the distribution. A quantile within one long run has one from
how many values of its batches are below. A quantile measured in each replication (the 95 % delay of a flow) is
a number a replication like any other: its interval is `mean_interval`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lasthop.numbers.stats import special
from lasthop.numbers.stats.means import CONFIDENCE, Interval, t_quantile
from lasthop.numbers.stats.steady import uncorrelated

BATCHES = (20, 15, 10)
"""Numbers of batches that are tried for the interval of a quantile: the first that are not correlated."""

LEAST_EXCURSIONS = 60
"""A series that rises above its quantile fewer times says too little: with 30 the interval covers in 88 %."""


@dataclass(frozen=True)
class QuantileInterval(Interval):
    """An interval of a quantile between two values; `coverage` is its exact probability.

    It is at least the level asked for, whatever the (continuous) distribution. A bound is infinite
    where there are too few values to set one.
    """

    coverage: float


def quantile_interval(
    values: Sequence[float], part: float, level: float = CONFIDENCE
) -> QuantileInterval:
    """Return the order-statistic interval of the quantile below which `part` of all values lie.

    The number of values under the quantile is binomial (David and Nagaraja 2003, section 7.1); each
    bound is the innermost order statistic that is passed with probability (1 - level)/2 at most.
    """
    if not 0 < part < 1:
        raise ValueError(f"a quantile must be between 0 and 1, not {part}")
    ordered = np.sort(np.asarray(values, dtype=float))
    count, tail = len(ordered), (1 - level) / 2
    below = special.bdtr(np.arange(-1, count + 1), count, part)  # P(at most k - 1 below), k = 0...
    below[0] = 0.0
    first = int(np.searchsorted(below, tail, side="right")) - 1  # the largest k with P(< k) <= tail
    last = int(np.searchsorted(below, 1 - tail))  # the smallest k with P(>= k) <= tail
    low = float(ordered[first - 1]) if first >= 1 else -math.inf
    high = float(ordered[last - 1]) if last <= count else math.inf
    reached = (below[last] if last <= count else 1.0) - (below[first] if first >= 1 else 0.0)
    return QuantileInterval(low, high, float(reached))


def values_needed(part: float, level: float = CONFIDENCE) -> int:
    """Return how many values give the quantile at `part` an interval with both bounds."""
    farther = max(part, 1 - part)
    return math.ceil(math.log((1 - level) / 2) / math.log(farther))


def batch_quantile(series: Sequence[float], part: float, level: float = CONFIDENCE) -> Interval:
    """Return the interval of a quantile of a long stationary series; the whole line where it is too short.

    The part of a batch's values that are at most the quantile has the mean `part`, however short the batch is,
    where the quantile of a batch is not that of the series on average: so Student's interval of that part over
    the batches is taken, and the quantiles of the series at its ends (Heidelberger and Lewis 1984, "Quantile
    estimation in dependent sequences", Operations Research 32, 185). The number of batches is the first of
    `BATCHES` whose means von Neumann's ratio does not show to be correlated. The series is too short where
    there is none, or where it rises above the quantile fewer than `LEAST_EXCURSIONS` times.
    """
    if not 0 < part < 1:
        raise ValueError(f"a quantile must be between 0 and 1, not {part}")
    values = np.asarray(series, dtype=float)
    ordered = np.sort(values)
    below = values <= ordered[max(math.ceil(part * len(values)), 1) - 1]
    excursions = int((below[:-1] & ~below[1:]).sum())
    for batches in BATCHES if excursions >= LEAST_EXCURSIONS else ():
        kept = below[: len(values) // batches * batches].reshape(batches, -1)
        parts = kept.mean(axis=1)
        if uncorrelated(parts):
            half = t_quantile(level, batches - 1) * float(parts.std(ddof=1)) / math.sqrt(batches)
            return _between(ordered, part - half, part + half)
    return Interval(-math.inf, math.inf)


def _between(ordered: npt.NDArray[np.float64], low: float, high: float) -> Interval:
    """Return the values under which these parts of all are; infinite beyond all."""
    first, last = math.floor(low * len(ordered)) - 1, math.ceil(high * len(ordered))
    return Interval(
        float(ordered[first]) if first >= 0 else -math.inf,
        float(ordered[last]) if last < len(ordered) else math.inf,
    )
