"""Bounds of one mean: safe ones, and by betting where those say nothing and the values have ends."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lasthop.numbers.stats.betting import betting_bounds
from lasthop.numbers.stats.means import Interval
from lasthop.numbers.stats.safe import (
    alike_needed,
    differing,
    runs_needed,
    runs_to_show,
    safe_bounds,
)

Array = npt.NDArray[np.float64]
Ends = tuple[float, float]


def mean_bounds(
    values: Sequence[float] | Array, error: float, ends: Ends | None = None
) -> Interval:
    """Return a bound under and one over the mean, each wrong with probability `error` at most.

    Args:
        values: One number a replication, in any unit; no NaN.
        error: Of each bound by itself, over 0 and under 0.5.
        ends: What the measure is never under or over, in the same unit; None where nobody knows.

    They are those of `safe_bounds`, and no farther than the ends. Where the values are few, mostly equal or all
    equal, and there is a finite end, the bound on its side is that of `betting_bounds`: what rarely happens is
    then known to be no farther than the end.
    """
    x = np.asarray(values, dtype=float)
    ends = ends if ends is not None else (-math.inf, math.inf)
    under, over = (float(bound) for bound in safe_bounds(x, error))
    if math.isinf(under) or under == over:
        bet = betting_bounds(x, error, ends)
        under = bet.low if math.isfinite(ends[0]) else under
        over = bet.high if math.isfinite(ends[1]) else over
    return Interval(max(ends[0], under), min(ends[1], over))


def needed_to_show(
    values: Sequence[float] | Array,
    error: float,
    limit: float,
    under: bool,
    power: float = 0.8,
    ends: Ends | None = None,
) -> int | None:
    """Return about how many replications show on which side of a limit the mean is, were it as seen.

    Args:
        values: One number a replication, in the limit's unit.
        error: Of the bound that shows it.
        limit: The limit.
        under: Whether being under it is what is to be shown; it matters only where all values are equal.
        power: The probability that this number shows it.
        ends: As of `mean_bounds`.

    None where they say nothing: fewer than two values, or a mean that is the limit.
    """
    x = np.asarray(values, dtype=float)
    if len(x) < 2:
        return None
    level = 1 - 2 * error
    if int(differing(x)):
        count = runs_to_show(x - limit, level, power)
        return None if count is None else max(count, runs_needed(x, level))
    usual = float(np.median(x))
    if usual == limit or (usual < limit) is not under:
        return None
    alike = alike_needed(error)
    reach = 0.0 if ends is None else abs(ends[1 if under else 0] - usual)
    margin = abs(limit - usual)
    if not margin < reach < math.inf:
        return alike
    return math.ceil(math.log(error) / math.log1p(-margin / reach))
