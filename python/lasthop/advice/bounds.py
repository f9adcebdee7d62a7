"""Levels of a race: how the error is shared, and one-sided bounds at them.

What can go wrong, for the best setting i* of a grid of K (unknown, but one): a setting is shown to be
above it, or it is called alike a worse one (2 K statements at most); a setting that breaks a limit is
shown to keep to all (K statements at most: one broken limit each is enough); i* is shown to break one
of m limits (m statements). Each group gets its part of the error, split evenly within it and over the
looks by `stats.Spending`; so all that is ever concluded is right with probability 1 - error, whenever
one stops, and whichever settings the search came to look at.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from lasthop import stats
from lasthop.stats import special

Array = npt.NDArray[np.float64]


class Levels:
    """One-sided error probabilities of each kind of statement, at each look."""

    def __init__(self, error: float, settings: int, limits: int, at: tuple[int, ...]) -> None:
        self.spending = stats.Spending(at, 1 - error)
        comparing = 0.5 if limits else 1.0
        self._above = comparing / (2 * settings)
        self._keeps = 0.25 / settings
        self._breaks = 0.25 / max(limits, 1)
        self._shown = 1.0 / settings

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
    """Return the one-sided Student bound under the mean of each row; NaN where a value is missing."""
    count = values.shape[-1]
    spread = values.std(axis=-1, ddof=1) / np.sqrt(count)
    bound: Array = values.mean(axis=-1) - special.stdtrit(count - 1, 1 - error) * spread
    return bound
