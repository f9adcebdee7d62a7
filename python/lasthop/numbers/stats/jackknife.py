"""The interval of any smooth function of means, by leaving out one replication at a time."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from lasthop.numbers.stats.means import CONFIDENCE, Interval, t_quantile

Array = npt.NDArray[np.float64]


def jackknife(
    function: Callable[[Array], Array], samples: Array, level: float = CONFIDENCE
) -> Interval:
    """Return the interval of `function` of the mean of `samples` over its first axis.

    `samples` has shape (replications, ...); `function` takes means of shape (any, ...) to values of
    shape (any,). The interval is Student's t over Tukey's pseudo-values (Miller 1974); it is the
    whole line for fewer than two replications or where a value is no number.
    """
    count = len(samples)
    if count < 2:
        return Interval(-math.inf, math.inf)
    middle, half = _pseudo(function, samples, level)
    if not math.isfinite(middle + half):
        return Interval(-math.inf, math.inf)
    return Interval(middle - half, middle + half)


def bias_corrected(
    function: Callable[[Array], Array], samples: Array, level: float = CONFIDENCE
) -> tuple[float, float, float]:
    """Return (plain value, value without its bias of first order, half width); see `jackknife`."""
    plain = float(function(samples.mean(axis=0)[None])[0])
    return plain, *_pseudo(function, samples, level)


def _pseudo(
    function: Callable[[Array], Array], samples: Array, level: float
) -> tuple[float, float]:
    count, pseudo = len(samples), pseudo_values(function, samples)
    half = t_quantile(level, count - 1) * float(pseudo.std(ddof=1)) / math.sqrt(count)
    return float(pseudo.mean()), half


def pseudo_values(function: Callable[[Array], Array], samples: Array) -> Array:
    """Return a value for each replication; their mean is `function` of the mean without most of its bias."""
    count, total = len(samples), samples.sum(axis=0)
    with np.errstate(all="ignore"):
        whole = function((total / count)[None])[0]
        result: Array = count * whole - (count - 1) * function((total - samples) / (count - 1))
    return result
