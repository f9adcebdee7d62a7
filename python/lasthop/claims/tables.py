"""Values to judge: a metric in every cell of a study, a number a replication, wherever they come from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from lasthop.errors import UsageError, nearest

Array = npt.NDArray[np.float64]
Setting = Mapping[str, Any]
"""Values by axis: {"tcp.variant": "sack", "queue.packets": 25}."""


@dataclass(frozen=True)
class Table:
    """A metric's values: by cell (a value for each axis, in the axes' order), one a replication.

    The i-th values of all cells are of the same replication, run with the same random numbers; NaN
    where a replication has none. Cells may have different numbers of them.
    """

    metric: str
    axes: tuple[str, ...]
    cells: Mapping[tuple[Any, ...], Array]

    @classmethod
    def of(cls, metric: str, rows: Iterable[tuple[Setting, Sequence[float] | Array]]) -> Table:
        """Make a table of (setting, values) pairs, which all have the same axes."""
        listed = list(rows)
        axes = tuple(listed[0][0]) if listed else ()
        cells: dict[tuple[Any, ...], Array] = {}
        for setting, values in listed:
            if set(setting) != set(axes):
                raise ValueError(f"{dict(setting)} has other axes than {axes}")
            cells[tuple(setting[axis] for axis in axes)] = np.asarray(values, dtype=float)
        return cls(metric, axes, cells)

    def values(self, axis: str) -> list[Any]:
        """Return the values of an axis, in rising order where they are numbers of one unit."""
        place = self.place(axis)
        found = list(dict.fromkeys(key[place] for key in self.cells))
        sizes = [_size(value) for value in found]
        units = {size[1] for size in sizes if size is not None}
        if None not in sizes and len(units) == 1:
            ordered = sorted(zip(sizes, range(len(found)), strict=True), key=lambda s: s[0] or ())
            return [found[place] for _, place in ordered]
        return found

    def place(self, axis: str) -> int:
        """Return the place of an axis; raises UsageError where there is none of this name."""
        if axis not in self.axes:
            there = ", ".join(self.axes) or "none"
            raise UsageError(f"no axis {axis!r}{nearest(axis, self.axes)} (there is: {there})")
        return self.axes.index(axis)

    def find(self, axis: str, value: Any) -> Any:
        """Return the axis' own value that `value` means (25 is "25"); raises UsageError."""
        there = self.values(axis)
        for own in there:
            if own == value or str(own) == str(value):
                return own
        shown = [str(own) for own in there]
        raise UsageError(
            f"{axis} is never {value!r}{nearest(str(value), shown)} (it is: {', '.join(shown)})"
        )

    def where(self, conditions: Mapping[str, Any]) -> Table:
        """Return the cells in which each axis has the given value, or one of a list of them."""
        chosen = dict(self.cells)
        for axis, wanted in conditions.items():
            place = self.place(axis)
            several = wanted if isinstance(wanted, (list, tuple)) else [wanted]
            allowed = [self.find(axis, value) for value in several]
            chosen = {key: values for key, values in chosen.items() if key[place] in allowed}
        return Table(self.metric, self.axes, chosen)

    def averaged(self, over: Sequence[str]) -> Table:
        """Return the table of means over these axes, replication by replication.

        A mean has as many replications as the shortest of its cells; one that is NaN makes it NaN.
        """
        gone = {self.place(axis) for axis in over}
        kept = [place for place in range(len(self.axes)) if place not in gone]
        groups: dict[tuple[Any, ...], list[Array]] = {}
        for key, values in self.cells.items():
            groups.setdefault(tuple(key[place] for place in kept), []).append(values)
        cells = {}
        for key, several in groups.items():
            shortest = min(len(values) for values in several)
            cells[key] = np.mean([values[:shortest] for values in several], axis=0)
        return Table(self.metric, tuple(self.axes[place] for place in kept), cells)

    def contexts(self, free: Iterable[str]) -> Iterator[dict[str, Any]]:
        """Yield every combination of values of the axes that are not `free`."""
        fixed = [axis for axis in self.axes if axis not in set(free)]
        for combination in product(*(self.values(axis) for axis in fixed)):
            yield dict(zip(fixed, combination, strict=True))

    def at(self, setting: Setting) -> Array | None:
        """Return the values of the cell with exactly this setting; None where it was not run."""
        return self.cells.get(tuple(setting[axis] for axis in self.axes))


def _size(value: Any) -> tuple[float, str] | None:
    """Read a number, or a number with a unit, as (number, unit)."""
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return float(value), ""
    found = re.fullmatch(r"\s*([-+]?[\d_.]+(?:[eE][-+]?\d+)?)\s*([^\d\s]*)\s*", str(value))
    try:
        return (float(found[1]), found[2]) if found else None
    except ValueError:
        return None


def label(setting: Setting) -> str:
    """Write a setting in a few words, by the last parts of the axes' names: ``variant sack``."""
    return ", ".join(f"{axis.rsplit('.', 1)[-1]} {value}" for axis, value in setting.items())
