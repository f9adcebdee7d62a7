"""Bounds of the mean of values whose ends are known, by betting: proved for whatever distribution.

A player bets a part f of the capital in each replication that the mean of non-negative values is over m. After
n of them the capital is prod(1 + f (x_i / m - 1)). If the mean were m or less, the capital would be at most 1 on
average, and over 1/error at any time with a probability of at most `error` (Ville). So every m at
which it is over that is under the mean, and the same from the other end: Waudby-Smith and Ramdas (2024),
"Estimating means of bounded random variables by betting", J. R. Stat. Soc. B 86, 1. Half of the capital is bet
whole, as is best for values that are alike; of the rest the `PARTS` are. One may look as often as one likes:
the bounds hold at all times together. What they cost is replications: they allow for an event at the far end
that was not seen.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lasthop.numbers.stats.means import Interval

Array = npt.NDArray[np.float64]

PARTS = 0.5 ** np.arange(0, 7, 0.5)
"""Of the capital, that are bet: from all of it to a hundredth."""

SPLIT = np.array([0.5] + [0.5 / (len(PARTS) - 1)] * (len(PARTS) - 1))
"""The capital with which each is bet."""

HALVINGS = 50
"""Steps of the search for a bound."""


def betting_bounds(
    values: Sequence[float] | Array, error: float, ends: tuple[float, float]
) -> Interval:
    """Return a bound under and one over the mean, each wrong at any time with probability `error` at most.

    Args:
        values: One number a replication, from independent replications.
        error: Of each bound by itself.
        ends: What the values are never under or over. Raises ValueError where one is. A bound that is on the side
            of an infinite end is infinite.
    """
    x, (low, high) = _within(values, ends), ends
    return Interval(low + _under(x - low, error), high - _under(high - x, error))


def betting_shows(
    values: Sequence[float] | Array,
    error: float,
    limit: float,
    ends: tuple[float, float],
    under: bool,
) -> bool:
    """Return whether the mean is shown to be under a limit, or over it; see `betting_bounds`."""
    x, (low, high) = _within(values, ends), ends
    above, mean = (high - x, high - limit) if under else (x - low, limit - low)
    if not 0 < mean < math.inf:
        return mean < 0
    return _capital(above, mean) >= -math.log(error)


def _within(values: Sequence[float] | Array, ends: tuple[float, float]) -> Array:
    x = np.asarray(values, dtype=float)
    if len(x) and not (x.min() >= ends[0] and x.max() <= ends[1]):
        raise ValueError(f"values beyond their ends {ends[0]:g} and {ends[1]:g}")
    return x


def _under(above: Array, error: float) -> float:
    """Return the largest mean against which the bets have won enough, of values that are not negative."""
    least, most = 0.0, float(above.max(initial=0.0))
    for _ in range(HALVINGS if math.isfinite(most) else 0):
        middle = (least + most) / 2
        is_won = middle > 0 and _capital(above, middle) >= -math.log(error)
        least, most = (middle, most) if is_won else (least, middle)
    return least


def _capital(x: Array, mean: float) -> float:
    """Return the logarithm of the capital of bets that the mean is over `mean`."""
    with np.errstate(divide="ignore"):
        won = np.log1p(PARTS[:, None] * (x / mean - 1)).sum(axis=1)
    return float(np.logaddexp.reduce(won + np.log(SPLIT)))
