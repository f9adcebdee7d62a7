"""Means of independent replications with Student's intervals: what is printed of them.

One number a replication, the replications independent by seed. Nothing is decided by these intervals, as they
miss too often where values are skewed: verdicts rest on `lasthop.numbers.stats.safe`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lasthop.numbers.stats import special

Text = Callable[[float], str]

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


EQUAL = "="
"""Mark behind a mean of values that were equal in all replications, in place of an interval."""

SAME = 1e-12
"""A half width under this part of the mean is that of values which differ by rounding only."""


def difference(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a - b, and 0 where they differ by rounding only: sums of the same terms in another order."""
    apart = a - b
    return np.where(np.abs(apart) <= SAME * np.maximum(np.abs(a), np.abs(b)), 0.0, apart)


def shown_mean(
    mean: float, half: float | None, ends: tuple[float, float], text: Text, half_text: Text
) -> str:
    """Write a mean with its interval: ± its half width, or its bounds where one is what no value can be beyond.

    `half` is None where there is no interval. Equal values have none either: `EQUAL` says so.
    """
    if half is None:
        return text(mean)
    if half <= SAME * abs(mean):
        return f"{text(mean)} {EQUAL}"
    low, high = mean - half, mean + half
    if low < ends[0] or high > ends[1]:
        return f"{text(mean)} ({text(max(low, ends[0]))} to {text(min(high, ends[1]))})"
    return f"{text(mean)} ± {half_text(half)}"


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


def estimate_of_known(values: NDArray[np.float64]) -> Estimate | None:
    """Return the estimate of those values that are there (not NaN); None where none is."""
    known = values[~np.isnan(values)]
    return estimate(known.tolist()) if len(known) else None


def mean_interval(values: Sequence[float], level: float = CONFIDENCE) -> Interval:
    """Return the t interval of the mean of `values`; the whole line for fewer than two."""
    half = half_width(values, level)
    if half is None:
        return Interval(-math.inf, math.inf)
    middle = math.fsum(values) / len(values)
    return Interval(middle - half, middle + half)
