"""Columns of probes on one grid of times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from lasthop.core.metrics.leaves import Array


def groups(names: Sequence[str]) -> list[tuple[str, list[int]]]:
    """Return the rows of each name, in the order of the names' first rows."""
    rows: dict[str, list[int]] = {}
    for place, name in enumerate(names):
        rows.setdefault(name, []).append(place)
    return list(rows.items())


def column(values: Sequence[Any], rows: Sequence[int]) -> Array:
    """Return these rows of a column, NaN where there is nothing."""
    return np.array([np.nan if values[row] is None else values[row] for row in rows], dtype=float)


def held(at: Array, values: Array, times: Array) -> Array:
    """Return the last value up to each time; NaN before the first."""
    places = np.searchsorted(at, times, side="right") - 1
    return np.where(places < 0, np.nan, values[np.maximum(places, 0)])


def plain(values: Array) -> list[float | None]:
    """Return values as JSON has them, with five significant digits."""
    return [None if np.isnan(value) else float(f"{value:.5g}") for value in values]
