"""Values to judge: a metric in every cell of a study, a number a replication, wherever they come from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from lasthop.errors import UsageError, offered
from lasthop.study import phrases

Array = npt.NDArray[np.float64]
Setting = Mapping[str, Any]
"""Values by axis: {"tcp.variant": "sack", "queue.packets": 25}."""


METRIC = "metric"
"""The axis of a table of several metrics."""


@dataclass(frozen=True)
class Shown:
    """The appearance of a table.

    `axes` has by axis how a value is written, such as ``window {}``; one without an entry is written as
    `phrases.of_setting` does. `unit` is that of values times `scale`. `ends` are the bounds of all
    values, in their own unit (None: shares of one are recognised). `says` is the metric in words where those of
    its name are not right; `metrics` has the words of several that are beside each other, by name.
    """

    axes: Mapping[str, str] = field(default_factory=dict)
    unit: str = ""
    scale: float = 1.0
    ends: tuple[float, float] | None = None
    says: str = ""
    metrics: Mapping[str, str] = field(default_factory=dict)

    def settings(self, setting: Setting) -> str:
        """Write values of axes with what they are of."""
        words = {a: self.metrics.get(v, v) if a == METRIC else v for a, v in setting.items()}
        return phrases.of_settings(words, self.axes)

    def value(self, axis: str, value: Any) -> str:
        """Write a value of an axis with what it is of."""
        return self.settings({axis: value})

    def alone(self, axis: str, value: Any) -> str:
        """Write a value of an axis without what it is of."""
        if axis == METRIC:
            return self.value(axis, value)
        return phrases.written(value) if axis in self.axes else phrases.of_value(value)


PLAIN = Shown()
"""Without names of its own for axes, and in the unit of the values."""


@dataclass(frozen=True)
class Table:
    """A metric's values: by cell (a value for each axis, in the axes' order), one a replication.

    The i-th values of all cells are of the same replication, run with the same random numbers; NaN
    where a replication has none. Cells may have different numbers of them.
    """

    metric: str
    axes: tuple[str, ...]
    cells: Mapping[tuple[Any, ...], Array]
    shown: Shown = PLAIN

    @classmethod
    def of(
        cls,
        metric: str,
        rows: Iterable[tuple[Setting, Sequence[float] | Array]],
        shown: Shown = PLAIN,
    ) -> Table:
        """Make a table of (setting, values) pairs, which all have the same axes."""
        listed = list(rows)
        axes = tuple(listed[0][0]) if listed else ()
        cells: dict[tuple[Any, ...], Array] = {}
        for setting, values in listed:
            if set(setting) != set(axes):
                raise ValueError(f"{dict(setting)} has other axes than {axes}")
            cells[tuple(setting[axis] for axis in axes)] = np.asarray(values, dtype=float)
        return cls(metric, axes, cells, shown)

    @property
    def said(self) -> str:
        """The metric in words."""
        return self.shown.says or phrases.of_metric(self.metric)

    def values(self, axis: str) -> list[Any]:
        """Return the values of an axis, in rising order where they are numbers of one unit."""
        place = self.place(axis)
        found = list(dict.fromkeys(key[place] for key in self.cells))
        sizes = [quantity(value) for value in found]
        units = {size[1] for size in sizes if size is not None}
        if None not in sizes and len(units) == 1:
            ordered = sorted(zip(sizes, range(len(found)), strict=True), key=lambda s: s[0] or ())
            return [found[place] for _, place in ordered]
        return found

    def place(self, axis: str) -> int:
        """Return the place of an axis; raises UsageError where there is none of this name."""
        if axis not in self.axes:
            there = ", ".join(self.axes) or "none"
            said = f"no axis {axis!r}{offered(axis, self.axes, there)}"
            raise UsageError(said, code="unknown-name")
        return self.axes.index(axis)

    def find(self, axis: str, value: Any) -> Any:
        """Return the axis' own value that `value` means (25 is "25"); raises UsageError."""
        there = self.values(axis)
        for own in there:
            if own == value or str(own) == str(value):
                return own
        shown = [str(own) for own in there]
        hint = offered(str(value), shown, ", ".join(shown), "it is")
        said = f"{axis} is never {value!r}{hint}"
        raise UsageError(said, code="unknown-name")

    def own(self, setting: Setting) -> dict[str, Any]:
        """Return a setting with the axes' own values; see `find`."""
        return {axis: self.find(axis, value) for axis, value in setting.items()}

    def ends(self, axis: str, first: Any, last: Any) -> tuple[Any, Any]:
        """Return two values of an axis, its first and last where None is given; raises UsageError."""
        values = self.values(axis)
        return (
            values[0] if first is None else self.find(axis, first),
            values[-1] if last is None else self.find(axis, last),
        )

    def run(self, axis: str) -> list[Any]:
        """Return the values of an axis that were run at all; where fewer than two were, all that there are.

        That something grows can be seen at some of the values; that one is the best of all cannot.
        """
        values, place = self.values(axis), self.place(axis)
        there = {key[place] for key, cell in self.cells.items() if len(cell)}
        found = [value for value in values if value in there]
        return found if len(found) > 1 else values

    def where(self, conditions: Mapping[str, Any]) -> Table:
        """Return the cells in which each axis has the given value, or one of a list of them."""
        chosen = dict(self.cells)
        for axis, wanted in conditions.items():
            place = self.place(axis)
            several = wanted if isinstance(wanted, (list, tuple)) else [wanted]
            allowed = [self.find(axis, value) for value in several]
            chosen = {key: values for key, values in chosen.items() if key[place] in allowed}
        return replace(self, cells=chosen)

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
        return replace(self, axes=tuple(self.axes[place] for place in kept), cells=cells)

    @classmethod
    def beside(cls, tables: Sequence[Table]) -> Table:
        """Return several metrics of the same cells in one table, with an axis ``metric``; raises UsageError."""
        first = tables[0]
        cells: dict[tuple[Any, ...], Array] = {}
        for table in tables:
            if table.axes != first.axes:
                raise UsageError(
                    f"{table.metric} has other axes than {first.metric}: they cannot be compared"
                )
            cells |= {(table.metric, *key): values for key, values in table.cells.items()}
        words = {table.metric: table.said for table in tables}
        shown = replace(first.shown, axes={**first.shown.axes, METRIC: "{}"}, metrics=words)
        return cls(METRIC, (METRIC, *first.axes), cells, shown)

    def pooled(self, wanted: Sequence[Setting]) -> Table:
        """Return the average over all settings in which all of `wanted` were run, by replication.

        `wanted` are settings of the same axes; the others make the contexts that are averaged over. Each
        context counts alike, whatever its size: its values are divided by their mean first, so that
        ratios between `wanted` are kept and their unit is lost; not so where there is one of `wanted`
        only. A context in which nothing was delivered is left out, and of a replication those where
        one is NaN.
        """
        axes = tuple(wanted[0])
        stacked = []
        for context in self.contexts(axes):
            found = [self.at({**context, **setting}) for setting in wanted]
            there = [values for values in found if values is not None and len(values)]
            if len(there) < len(wanted):
                continue
            shortest = min(map(len, there))
            values = np.array([each[:shortest] for each in there])
            size = np.nanmean(values) if len(wanted) > 1 and not np.isnan(values).all() else 1.0
            if size > 0:
                stacked.append(values / size)
        cells: dict[tuple[Any, ...], Array] = {}
        for place, setting in enumerate(wanted):
            key = tuple(setting.values())
            cells[key] = _averaged(stacked, place) if stacked else np.empty(0)
        return replace(self, axes=axes, cells=cells)

    def label(self, setting: Setting) -> str:
        """Write a setting in a few words: ``SACK, queue of 25 packets``."""
        return self.shown.settings(setting)

    def contexts(self, free: Iterable[str]) -> Iterator[dict[str, Any]]:
        """Yield every combination of values of the axes that are not `free` that a cell has, in the values' order.

        Of a random design the combinations that no cell has are more than can be gone through.
        """
        loose = set(free)
        fixed = [axis for axis in self.axes if axis not in loose]
        places = [self.place(axis) for axis in fixed]
        ranks = [{value: rank for rank, value in enumerate(self.values(axis))} for axis in fixed]

        def order(combination: tuple[Any, ...]) -> list[int]:
            return [rank[value] for rank, value in zip(ranks, combination, strict=True)]

        there = {tuple(key[place] for place in places) for key in self.cells}
        for combination in sorted(there, key=order):
            yield dict(zip(fixed, combination, strict=True))

    def at(self, setting: Setting) -> Array | None:
        """Return the values of the cell with exactly this setting; None where it was not run."""
        return self.cells.get(tuple(setting[axis] for axis in self.axes))


def quantity(value: Any) -> tuple[float, str] | None:
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


def _averaged(stacked: Sequence[Array], place: int) -> Array:
    """Return the mean over contexts of one of the settings, of those contexts that have all of them."""
    shortest = min(each.shape[1] for each in stacked)
    whole = np.array([each[:, :shortest] for each in stacked])
    there = ~np.isnan(whole).any(axis=1)
    count = there.sum(axis=0)
    total = np.where(there, whole[:, place], 0.0).sum(axis=0)
    result: Array = np.full(shortest, np.nan)
    np.divide(total, count, out=result, where=count > 0)
    return result
