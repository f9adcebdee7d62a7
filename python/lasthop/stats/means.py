"""Means of independent replications, their differences and their ratios, with intervals.

One number a replication, the replications independent by seed; every interval here is Student's t
over them. Two compared settings are run at the same seeds (common random numbers), so that they are
compared pair by pair and what both have in common cancels.

Ratios are judged without dividing: "a is over r times b" is "the mean of a - r b is above zero",
which is a paired t test and stays right where b may be zero (Fieller 1954). `ratio_interval` gives
the set of all r that this test does not reject, so interval and test never disagree.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lasthop.stats import special

CONFIDENCE = 0.95
"""The confidence level of every interval unless another is asked for."""


@dataclass(frozen=True)
class Estimate:
    """A mean over replications, in the unit of the values.

    `ci95` is the half width of its interval; None where one replication leaves none to be had.
    """

    mean: float
    ci95: float | None
    n: int

    def as_dict(self) -> dict[str, float | int | None]:
        """Return the estimate as {mean, ci95, n}, ready for JSON."""
        return {"mean": self.mean, "ci95": self.ci95, "n": self.n}


@dataclass(frozen=True)
class Interval:
    """A confidence interval; a bound is infinite where the data set none."""

    low: float
    high: float

    def contains(self, value: float) -> bool:
        """Return whether `value` lies inside, bounds included."""
        return self.low <= value <= self.high


def t_quantile(level: float, degrees: int) -> float:
    """Return the two-sided Student t quantile: |T| stays below it with probability `level`."""
    return float(special.stdtrit(degrees, 0.5 + level / 2))


def half_width(values: Sequence[float], level: float = CONFIDENCE) -> float | None:
    """Return the half width of the t interval of the mean; None for fewer than two values."""
    count = len(values)
    if count < 2:
        return None
    spread = float(np.std(np.asarray(values, dtype=float), ddof=1))
    return t_quantile(level, count - 1) * spread / math.sqrt(count)


def estimate(values: Sequence[float], level: float = CONFIDENCE) -> Estimate:
    """Return mean, half width and number of `values`, one value a replication."""
    if not values:
        raise ValueError("a mean needs at least one value")
    # fsum: exact, so the mean does not depend on the order of the replications.
    return Estimate(math.fsum(values) / len(values), half_width(values, level), len(values))


def mean_interval(values: Sequence[float], level: float = CONFIDENCE) -> Interval:
    """Return the t interval of the mean of `values`; the whole line for fewer than two."""
    half = half_width(values, level)
    if half is None:
        return Interval(-math.inf, math.inf)
    middle = math.fsum(values) / len(values)
    return Interval(middle - half, middle + half)


def paired_difference(
    a: Sequence[float], b: Sequence[float], level: float = CONFIDENCE, *, scale: float = 1.0
) -> Interval:
    """Return the interval of mean(a - scale b), the i-th values being of the same replication."""
    return mean_interval([x - scale * y for x, y in zip(a, b, strict=True)], level)


def ratio_interval(
    a: Sequence[float], b: Sequence[float], level: float = CONFIDENCE
) -> Interval | None:
    """Return Fieller's interval of mean(a)/mean(b) from pairs, for b positive on average.

    None where `b` is not shown to differ from zero: then the set of ratios is no interval.
    """
    count = len(a)
    if count < 2 or len(b) != count:
        return None
    x, y = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    mean_x, mean_y = float(x.mean()), float(y.mean())
    (xx, xy), (_, yy) = np.cov(x, y, ddof=1) / count
    g = t_quantile(level, count - 1) ** 2
    # Roots of (mean_x - r mean_y)^2 = g Var(mean of x - r y), a quadratic in r.
    square = mean_y**2 - g * float(yy)
    if square <= 0:
        return None
    linear = mean_x * mean_y - g * float(xy)
    root = math.sqrt(max(linear**2 - square * (mean_x**2 - g * float(xx)), 0.0))
    return Interval((linear - root) / square, (linear + root) / square)
