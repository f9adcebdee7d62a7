"""Levels of a race: how the error is shared, and one-sided bounds at them.

What can go wrong, for the best setting i* of a grid of K (unknown, but one): a setting is shown to be
above it, or it is called alike a worse one (2 K statements at most); a setting that breaks a limit is
shown to keep to all (2 K statements at most, by safe bounds or by bets: one broken limit each is enough); i*
is shown to break one of m limits (m statements). Each group gets its part of the error, split evenly within it
and over the looks by `stats.Spending`; so all that is ever concluded is right with probability 1 - error,
whenever one stops, and whichever settings the search came to look at. Bets hold at all looks together.

What is shown by safe bounds is shown but for events that no run had (`lasthop.study.advice.rare`).
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from lasthop.core.quantities import ends_of
from lasthop.numbers import stats

Array = npt.NDArray[np.float64]

RARE = 0.02
"""An event in so few of the runs, or fewer, may break a limit: more of them must have shown themselves."""


class Levels:
    """One-sided error probabilities of each kind of statement, at each look."""

    def __init__(self, error: float, settings: int, limits: int, at: tuple[int, ...]) -> None:
        self.spending = stats.Spending(at, 1 - error)
        comparing = 0.5 if limits else 1.0
        self._above = comparing / (2 * settings)
        self._keeps = 0.125 / settings
        self._breaks = 0.25 / max(limits, 1)
        self._shown = 1.0 / settings
        self.bet = error * self._keeps
        """Of one statement by bets that a limit is kept to, at all looks together."""
        self.unseen = error / settings
        """The probability that an event is in no run of one setting."""
        self.for_rare = stats.replications_to_see(RARE, self.unseen)
        """Runs of a setting that show an event in `RARE` of all."""

    def above(self, look: int) -> float:
        """Return the error of one statement that a setting is above another."""
        return self.spending.error(look) * self._above

    def keeps(self, look: int) -> float:
        """Return the error of one statement that a limit is kept to."""
        return self.spending.error(look) * self._keeps

    def breaks(self, look: int) -> float:
        """Return the error of one statement that a limit is broken."""
        return self.spending.error(look) * self._breaks

    def interval(self, look: int) -> float:
        """Return the level of an interval that is printed: it holds for whichever setting is chosen."""
        return 1 - self.spending.error(look) * self._shown


def lower(values: Array, error: float) -> Array:
    """Return the one-sided bound under the mean of each row; NaN where a value is missing."""
    low, _ = stats.safe_bounds(values, error)
    bound: Array = np.where(np.isnan(values).any(axis=-1), math.nan, low)
    return bound


def ends_known(metric: str, values: Array) -> tuple[float, float] | None:
    """Return what a measure is never under or over; None where these values are another measure of this name."""
    low, high = ends_of(metric)
    inside = len(values) == 0 or (float(values.min()) >= low and float(values.max()) <= high)
    return (low, high) if inside else None
