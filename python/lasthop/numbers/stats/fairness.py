"""Jain's fairness index, and its interval over replications."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lasthop.numbers.stats.jackknife import bias_corrected
from lasthop.numbers.stats.means import CONFIDENCE, Interval

Array = npt.NDArray[np.float64]


def jain(values: Sequence[float]) -> float | None:
    """Return Jain's fairness index, 1/n (one has all) to 1 (all alike); None if all are zero."""
    squares = math.fsum(v * v for v in values)
    return math.fsum(values) ** 2 / (len(values) * squares) if squares > 0 else None


def jain_interval(shares: Sequence[Sequence[float]], level: float = CONFIDENCE) -> Interval:
    """Return the interval of Jain's index of the expected shares: one row a replication.

    This is long-run fairness: chance that favours another station in each replication evens out.
    Short-run fairness is the mean of each replication's index, and has `mean_interval`.

    Two intervals are joined, both with the jackknife's width: one around the plain index, one
    around the index without its bias (near 1 chance makes shares look unlike, never more alike).
    Each alone covers too rarely where all shares are alike; joined they cover at `level` for
    shares with a coefficient of variation up to 0.3 (`lasthop validate coverage`), and about 0.9
    at 95 % where six replications scatter by as much as their mean. The interval ends at 1/n and 1.
    """
    samples = np.asarray(shares, dtype=float)
    stations = samples.shape[1]
    if len(samples) < 2 or not samples.any():
        return Interval(1 / stations, 1.0)
    plain, unbiased, half = bias_corrected(_index, samples, level)
    low, high = min(plain, unbiased) - half, max(plain, unbiased) + half
    if not math.isfinite(low + high):
        return Interval(1 / stations, 1.0)
    return Interval(max(1 / stations, min(low, 1.0)), min(1.0, max(high, 1 / stations)))


def _index(means: Array) -> Array:
    index: Array = means.sum(axis=1) ** 2 / (means.shape[1] * (means**2).sum(axis=1))
    return index
