"""Steady state: the end of the warm-up, and the mean of one long run.

In a terminating study (a timed flow, a handoff, a transfer) nothing is cut: there the beginning is
part of what is measured.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lasthop.numbers.stats import special
from lasthop.numbers.stats.means import CONFIDENCE, Interval, mean_interval

Array = npt.NDArray[np.float64]

SIZE = 5
"""Observations in a batch of MSER-5."""

LEAST_BATCHES = 20
"""Of fewer batches of five no warm-up is judged."""

SPARED = 5
"""Batches at the end that a cut never reaches: over so few the statistic is small by chance."""


@dataclass(frozen=True)
class Warmup:
    """The cut of MSER-5: `cut` observations of `length` are left out.

    `settled` is False where the minimum of the statistic is in the second half: the series then shows no
    steady state, and should be longer, or cut by hand by someone who knows it.
    """

    cut: int
    length: int
    settled: bool

    def __str__(self) -> str:
        """Say it in a line."""
        part = 100 * self.cut / self.length
        if self.settled:
            return f"warm-up: the first {part:.0f} % are cut (MSER-5)"
        return f"no steady state: MSER-5 would cut {part:.0f} %; run longer, or state the warm-up"


def warmup(series: Sequence[float]) -> Warmup:
    """Find the warm-up of a series by MSER-5 (White, Cobb and Spratt 2000).

    Means of five consecutive observations each; cut where the variance of what is left, over the
    number left, is least. Raises ValueError for under 100 observations.
    """
    batches = len(series) // SIZE
    if batches < LEAST_BATCHES:
        least = SIZE * LEAST_BATCHES
        raise ValueError(
            f"estimating the warm-up needs at least {least} observations, not {len(series)}"
        )
    means = np.asarray(series[: batches * SIZE], dtype=float).reshape(batches, SIZE).mean(axis=1)
    cut = int(np.argmin(_mser(means)[:-SPARED]))
    return Warmup(cut * SIZE, len(series), 2 * cut <= batches)


def _mser(means: Array) -> Array:
    """Return the statistic of each cut: sum of squares around the mean of the rest / rest^2."""
    centred = means - means.mean()  # so that the difference of sums below loses no digits
    left = np.arange(len(means), 0, -1)
    sums = np.cumsum(centred[::-1])[::-1]
    squares = np.cumsum(centred[::-1] ** 2)[::-1]
    statistic: Array = np.maximum(squares - sums**2 / left, 0.0) / left.astype(float) ** 2
    return statistic


@dataclass(frozen=True)
class BatchMeans:
    """The mean of a stationary series and its interval.

    `uncorrelated` is False where even ten batches are still correlated by von Neumann's test: the
    interval is then too narrow, and the run too short.
    """

    mean: float
    interval: Interval
    batches: int
    uncorrelated: bool


MOST_BATCHES, FEWEST_BATCHES = 30, 10
"""More batches gain little, fewer lose much (Schmeiser 1982)."""

TEST_LEVEL = 0.90
"""The level of von Neumann's test of the batches."""


def batch_means(series: Sequence[float], level: float = CONFIDENCE) -> BatchMeans:
    """Return the mean of a stationary series (its warm-up cut) with the interval of its batch means.

    From 30 batches down to 10, the first number whose means von Neumann's ratio does not show to
    be correlated (Fishman 1978). Raises ValueError for a series too short for two values a batch.
    """
    if len(series) < 2 * FEWEST_BATCHES:
        raise ValueError(f"batch means need {2 * FEWEST_BATCHES} observations, not {len(series)}")
    values = np.asarray(series, dtype=float)
    count, fine = min(MOST_BATCHES, len(values) // 2), False
    while True:
        means = values[: len(values) // count * count].reshape(count, -1).mean(axis=1)
        fine = uncorrelated(means)
        if fine or count == FEWEST_BATCHES:
            break
        count = max(FEWEST_BATCHES, count - 5)
    middle = math.fsum(means) / count
    return BatchMeans(middle, mean_interval([float(m) for m in means], level), count, fine)


def uncorrelated(means: Array) -> bool:
    """Return whether von Neumann's ratio is as without (positive) correlation, one-sided."""
    count = len(means)
    squares = float(((means - means.mean()) ** 2).sum())
    if squares == 0:
        return True
    correlation = 1 - float((np.diff(means) ** 2).sum()) / (2 * squares)
    spread = math.sqrt((count - 2) / (count * count - 1))
    return correlation <= float(special.ndtri(TEST_LEVEL)) * spread
