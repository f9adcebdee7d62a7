"""Combines the numbers of several objects: sums, pooled ratios, weighted means."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from lasthop.core.metrics.leaves import Array, Leaf, Metric
from lasthop.core.metrics.measures import Measure, Object
from lasthop.core.metrics.ranks import SHARES, starved
from lasthop.errors import UsageError


def first(matrix: Array) -> Array:
    """Return the one number that there is."""
    return matrix[:, 0]


def _across(function: str) -> Callable[[Array], Array]:
    """Make a function over objects that leaves out those without a value; NaN where none has one."""

    def across(matrix: Array) -> Array:
        some = ~np.isnan(matrix).all(axis=1)
        result: Array = np.full(len(matrix), np.nan)
        result[some] = getattr(np, function)(matrix[some], axis=1)
        return result

    return across


def _jain(matrix: Array) -> Array:
    squares = len(matrix.T) * np.nansum(matrix**2, axis=1)
    total: Array = np.nansum(matrix, axis=1) ** 2
    return _divided(total, squares)


ACROSS: dict[str, Callable[[Array], Array]] = {
    "sum": _across("nansum"),
    "mean": _across("nanmean"),
    "min": _across("nanmin"),
    "max": _across("nanmax"),
    "jain": _jain,
    "starved": starved,
}
"""Ways to make one number of several objects' numbers."""

INDICES = ("jain", "starved")
"""Those that have no unit."""


def metric_of(
    name: str,
    measures: Sequence[Measure],
    across: Callable[[Array], Array],
    unit: str | None = None,
) -> Metric:
    """Make a metric: each object's own number first, then `across` them."""
    leaves = tuple(leaf for m in measures for leaf in (*m.above, *m.below))

    def combine(matrix: Array) -> Array:
        parts, at = [], 0
        for measure in measures:
            middle, end = at + len(measure.above), at + len(measure.above) + len(measure.below)
            parts.append(_own(measure, matrix[:, at:middle], matrix[:, middle:end]))
            at = end
        return across(np.column_stack(parts))

    return Metric(name, measures[0].unit if unit is None else unit, leaves, combine)


def _own(measure: Measure, above: Array, below: Array) -> Array:
    """Return one object's number; of a cell, what its stations' numbers make."""
    if not measure.below:
        return above[:, 0] if above.shape[1] == 1 else _of_stations(measure, above)
    return _divided(np.nansum(above, axis=1), np.nansum(below, axis=1))


def _of_stations(measure: Measure, above: Array) -> Array:
    return ACROSS["sum" if measure.together == ("sum",) else "mean"](above)


def pooled(name: str, objects: list[Object], measures: Sequence[Measure]) -> Metric:
    """Make the natural metric of several objects' numbers; raises UsageError where there is none."""
    one = measures[0]
    if one.below:
        above = tuple(leaf for m in measures for leaf in m.above)
        below = tuple(leaf for m in measures for leaf in m.below)
        return metric_of(name, [Measure(above, below, "1")], first)
    if one.together[0] in ACROSS:
        return metric_of(name, measures, ACROSS[one.together[0]])
    if one.together[0] == "by":
        weights = tuple(Leaf((*o.roots[0], one.together[1])) for o in objects)
        leaves = (*(leaf for m in measures for leaf in m.above), *weights)
        return Metric(name, one.unit, leaves, _weighted)
    choices = ", ".join(f".{how}" for how in (*ACROSS, SHARES, "each"))
    said = f"metric {name!r} is of {len(objects)} objects ({objects[0].name}, ...)"
    raise UsageError(f"{said}; choose how to combine them: {choices}, as in {name}.mean")


def _weighted(matrix: Array) -> Array:
    """Return the mean of the first half of the columns, weighted by the second."""
    half = matrix.shape[1] // 2
    values, weights = matrix[:, :half], np.where(np.isnan(matrix[:, :half]), 0, matrix[:, half:])
    return _divided(np.nansum(values * weights, axis=1), weights.sum(axis=1))


def _divided(above: Array, below: Array) -> Array:
    """Return the quotients; NaN where there is nothing below."""
    result: Array = np.full(len(above), np.nan)
    np.divide(above, below, out=result, where=below > 0)
    return result
