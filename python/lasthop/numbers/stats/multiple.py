"""Many comparisons behind one statement.

Intervals are simultaneous by Bonferroni's rule unless said otherwise: each of m is made at level
1 - alpha/m. It holds whatever the comparisons share, as they do under common random numbers; the
studentised range needs independent groups, and Holm's sharper rule gives no intervals.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from lasthop.extras import needed
from lasthop.numbers.stats.means import CONFIDENCE, Interval


def bonferroni(comparisons: int, level: float = CONFIDENCE) -> float:
    """Return the level of each of `comparisons` intervals at which all hold together at `level`."""
    return 1 - (1 - level) / max(comparisons, 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's (1979) adjusted p values: reject those at most alpha; familywise error alpha."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted, reached = [1.0] * len(p_values), 0.0
    for rank, place in enumerate(order):
        reached = max(reached, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = reached
    return adjusted


def all_pairs(
    groups: Sequence[Sequence[float]], level: float = CONFIDENCE
) -> dict[tuple[int, int], Interval]:
    """Return simultaneous intervals of mean(i) - mean(j), i < j, of independent (unpaired) groups.

    Games and Howell (1976): the studentised range with Welch's degrees of freedom, so that spreads
    and sizes may differ. For paired groups (common random numbers) take `safe_interval` of the
    differences at `bonferroni`: there the range's distribution does not hold.
    """
    studentized_range = needed("scipy.stats").studentized_range  # takes a second to import
    arrays = [np.asarray(group, dtype=float) for group in groups]
    if any(len(group) < 2 for group in arrays):
        raise ValueError("an interval needs at least two values in each group")
    means = [float(group.mean()) for group in arrays]
    squares = [float(group.var(ddof=1)) / len(group) for group in arrays]
    found = {}
    for i in range(len(arrays)):
        for j in range(i + 1, len(arrays)):
            square, middle = squares[i] + squares[j], means[i] - means[j]
            parts = sum(squares[k] ** 2 / (len(arrays[k]) - 1) for k in (i, j))
            degrees = square**2 / parts if parts > 0 else math.inf
            q = float(studentized_range.ppf(level, len(arrays), degrees)) if square > 0 else 0.0
            half = q * math.sqrt(square / 2)
            found[i, j] = Interval(middle - half, middle + half)
    return found


def step_up(found: Callable[[float], int], of: int, rate: float) -> float:
    """Return the error at which each of `of` statements is to be shown, so that few shown ones are false.

    On average at most the part `rate` of what is shown is false, however the statements depend on each other
    (Benjamini and Yekutieli 2001, theorem 1.3). `found` says how many are shown at an error; fewer are at a
    smaller one. 0 where none is.
    """
    dependent = sum(1 / k for k in range(1, of + 1))
    count = found(rate)
    while count:
        error = rate * count / (of * dependent)
        now = found(error)
        if now >= count:
            return error
        count = now  # what is shown at less error is fewer, so no count between them can do
    return 0.0
