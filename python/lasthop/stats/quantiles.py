"""Intervals of quantiles.

A quantile over replications (the response time that 95 % of the runs keep to) has the interval
between two order statistics, whatever the distribution. A quantile within one long run has one from
the quantiles of its batches. A quantile measured in each replication (the 95 % delay of a flow) is
a number a replication like any other: its interval is `mean_interval`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lasthop.stats import special
from lasthop.stats.means import CONFIDENCE, Interval, mean_interval

BATCHES = 20
"""How many batches a series is cut into for the interval of a quantile."""


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
        raise ValueError(f"a quantile is asked for by a part between 0 and 1, not {part}")
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


def batch_quantile(
    series: Sequence[float], part: float, level: float = CONFIDENCE, batches: int = BATCHES
) -> Interval:
    """Return the interval of a quantile of a long stationary series, from those of its batches.

    Student's t over the batches' quantiles: it covers at its level where batches are long against
    the series' memory and hold many values beyond the quantile (a hundred: the quantile of a batch
    is off by about 1/size of its density; Seila 1982).
    """
    length = len(series) // batches
    if length < 2:
        raise ValueError(f"{len(series)} values are too few for {batches} batches")
    kept = np.asarray(series[: batches * length], dtype=float).reshape(batches, length)
    return mean_interval([float(q) for q in np.quantile(kept, part, axis=1)], level)
