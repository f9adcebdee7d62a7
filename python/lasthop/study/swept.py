"""The results of a sweep: tidy tables, arrays by axis, means with intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lasthop import above
from lasthop.core.keywords import fields_of
from lasthop.core.metrics.leaves import Array
from lasthop.core.quantities import ends_of, full
from lasthop.errors import UsageError, offered
from lasthop.extras import needed
from lasthop.numbers import stats
from lasthop.numbers.numerals import counted, plain
from lasthop.numbers.table import Column, Kind, Table, concatenated, printed
from lasthop.study import phrases
from lasthop.study.axes import Value
from lasthop.study.charting import ChartOptions
from lasthop.study.manifest import of_another_engine, refuse_other_format
from lasthop.study.plan import first_range
from lasthop.study.rows import Row, rows_of
from lasthop.study.store import MANIFEST, Store

if TYPE_CHECKING:
    import pandas
    import polars
    import xarray

#: Cells that a notebook shows.
SHOWN = 50

#: The page about a study, beside its results.
PAGE = "report.html"

PREFIXES = {
    "bit/s": ((1.0, "bit/s"), (1e-3, "kbit/s"), (1e-6, "Mbit/s"), (1e-9, "Gbit/s")),
    "s": ((1e6, "µs"), (1e3, "ms"), (1.0, "s")),
}
"""Units for people, the first in which no mean has more than three digits before the point."""


class Results:
    """The results of a study in a directory.

    Attributes:
        path: The directory.
        manifest: What was run: study, scenario, engine, metrics.
        rows: The cells.
    """

    def __init__(self, path: str | Path) -> None:
        """Look into a directory; raises UsageError where it holds no study."""
        self.path = Path(path)
        self.store = Store(path)
        held = self.store.manifest()
        if held is None:
            inside = sorted(each.parent.name for each in self.path.glob(f"*/{MANIFEST}"))
            hint = f"; studies in it: {', '.join(inside)}" if inside else ""
            raise UsageError(f"{self.path} holds no study: {MANIFEST} is missing{hint}")
        refuse_other_format(held, self.path)
        self.manifest = held
        self.groups: list[list[str]] = [[key for key, _ in group] for group in held["axes"]]
        cells = self.store.cells()
        self._kinds = {name: column.kind for name, column in cells.items()}
        self.rows = rows_of(cells, held, self.path)
        self.store.look()
        self._covered = self.store.covered()
        self._values: dict[str, Array] | None = None
        self._scales: dict[str, tuple[float, str]] = {}

    def __repr__(self) -> str:
        """Return a line: the study, how many cells, and where they are."""
        state = "complete" if self.complete else "not complete"
        other = f", {said}" if (said := self.of_another_engine) else ""
        return f"<Results of {self.name!r}: {counted(len(self.rows), 'cell')}, {state}, in {self.path}{other}>"

    @property
    def name(self) -> str:
        """The study's name."""
        return str(self.manifest["study"])

    @property
    def keys(self) -> list[str]:
        """The keys of the axes."""
        return [key for group in self.groups for key in group]

    @property
    def metrics(self) -> list[str]:
        """Names of what was measured."""
        return list(self.manifest["metrics"])

    @property
    def units(self) -> dict[str, str]:
        """The unit of each metric."""
        return dict(self.manifest["metrics"])

    @property
    def window(self) -> str:
        """The measuring window, in a line."""
        held = self.manifest
        low, high = (f"{x:g}" for x in held["duration_s"])
        whole = f"{low} s" if low == high else f"{low} to {high} s"
        cut = " or ".join(f"{x:g}" for x in held["warmup_s"])
        if held["kind"] == "steady":
            how = "found by MSER-5" if held["window"]["how"] == "auto" else "as stated"
            return f"steady state: runs of {whole}, the first {cut} s cut ({how})"
        if held["warmup_s"] == [0.0]:
            return f"terminating: the whole run is measured, {whole}"
        return f"terminating: runs of {whole}, measured from {cut} s on"

    @property
    def of_another_engine(self) -> str:
        """The message where another engine than this has computed the numbers; else nothing."""
        return of_another_engine(self.manifest)

    @property
    def complete(self) -> bool:
        """Return whether every cell has all its replications."""
        return all(self.count(row) == row.replications for row in self.rows)

    def count(self, row: Row) -> int:
        """Return how many of a cell's first replications are there, of all its metrics."""
        counts = [first_range(self._covered.get((row.key, name), ())) for name in row.metrics]
        return min(*counts, row.replications) if counts else 0

    def values(self, metric: str, cell: int | Mapping[str, Value] | None = None) -> Array:
        """Return a metric's values in a cell, in the order of the replications; NaN where a run has none.

        Args:
            metric: Its name.
            cell: The cell's number or its settings; may be left out where there is only one.

        Raises:
            UsageError: There is no such metric or cell.
        """
        row, metric = self.find(cell), self.measured(metric)
        column = self.metrics.index(metric)
        found: Array = self._all()[row.key][: self.count(row), column]
        return found

    def measured(self, metric: str) -> str:
        """Return the whole name of a metric that was measured; raises UsageError where it was not."""
        if full(metric) not in self.metrics:
            there = ", ".join(self.metrics)
            hint = offered(full(metric), self.metrics, there)
            raise UsageError(f"no metric {metric!r}{hint}")
        return full(metric)

    def find(self, cell: int | Mapping[str, Value] | None) -> Row:
        """Return a cell by its number or settings; raises UsageError."""
        if cell is None and len(self.rows) == 1:
            return self.rows[0]
        if isinstance(cell, int) and 0 <= cell < len(self.rows):
            return self.rows[cell]
        found = self.rows
        if isinstance(cell, Mapping):
            for key, value in cell.items():
                if key not in self.keys:
                    raise UsageError(f"no axis {key!r}{offered(key, self.keys)}")
                values = list(dict.fromkeys(row.settings[key] for row in self.rows))
                if value not in values:
                    known = map(str, values)
                    raise UsageError(f"{key} is never {value!r}{offered(str(value), known)}")
            found = [row for row in self.rows if cell.items() <= row.settings.items()]
            if len(found) == 1:
                return found[0]
        there = f"there are {counted(len(self.rows), 'cell')}, by {', '.join(self.keys)}"
        if len(found) > 1 and not isinstance(cell, int):
            raise UsageError(
                f"which of {len(found)} cells? {there}: give a number from 0, or settings"
            )
        raise UsageError(f"no cell {cell!r}; {there}")

    def table(self) -> Table:
        """Return all values: study, cell, a column for each axis, replication, metric, value.

        Sorted by cell, replication and metric; the same rows for any executor and order.
        """
        parts = [part for row in self.rows if (part := self._part(row)) is not None]
        if parts:
            return concatenated(parts)
        kinds = {
            "study": Kind.TEXT,
            "cell": Kind.WHOLE,
            **{key: self._kinds[key] for key in self.keys},
            "replication": Kind.WHOLE,
            "metric": Kind.TEXT,
            "value": Kind.NUMBER,
        }
        return Table.of({name: [] for name in kinds}, kinds)

    def summary(self) -> Table:
        """Return means: a row for each cell and metric, with the half width of the 95 % interval and n."""
        rows: list[dict[str, Any]] = []
        for row in self.rows:
            for name in row.metrics:
                known = self.estimate(name, row)
                found = known.as_dict() if known else {"mean": None, "ci95": None, "n": 0}
                what = {"metric": name, "unit": self.units[name]}
                rows.append({"cell": row.number, **row.settings, **what, **found})
        return Table.of_rows(rows)

    def polars(self) -> polars.DataFrame:
        """Return `table` for polars; raises UsageError where polars is not installed."""
        return self.table().polars()

    def pandas(self) -> pandas.DataFrame:
        """Return `table` for pandas; raises UsageError where pandas is not installed."""
        return self.table().pandas()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return `table` as an Arrow stream, as the PyCapsule interface asks for it."""
        return self.table().__arrow_c_stream__(requested_schema)

    def xarray(self) -> xarray.Dataset:
        """Return an array for each metric, the axes and `replication` as dimensions; NaN where nothing is.

        Axes that step together are one dimension, named after the first of them, with the others as coordinates.
        Raises UsageError where xarray is not installed.
        """
        xr = needed("xarray")
        steps = [self._steps(group) for group in self.groups]
        shape = [len(each) for each in steps]
        most = max((self.count(row) for row in self.rows), default=0)
        data = np.full((len(self.metrics), *shape, most), np.nan)
        for row in self.rows:
            place: Any = np.unravel_index(row.number, shape) if shape else ()
            for number, name in enumerate(self.metrics):
                values = self.values(name, row.number)
                data[(number, *place, slice(0, len(values)))] = values
        dimensions = [group[0] for group in self.groups] + ["replication"]
        coordinates: dict[str, Any] = {"replication": np.arange(most)}
        for group, settings in zip(self.groups, steps, strict=True):
            for key in group:
                coordinates[key] = (group[0], [setting[key] for setting in settings])
        arrays = {
            name: (dimensions, data[number], {"units": self.units[name]})
            for number, name in enumerate(self.metrics)
        }
        return xr.Dataset(
            arrays, coordinates, {"study": self.name, "engine": self.manifest["engine"]}
        )

    def means(self) -> tuple[list[str], list[list[str]]]:
        """Return means with intervals as people read them: headings, and a row of cells for each cell."""
        units = {name: self.shown_unit(name) for name in self.metrics}
        titles = (
            f"{name} ({unit})" if unit not in ("", "1") else name for name, unit in units.items()
        )
        rows = [
            [
                *map(str, row.settings.values()),
                *(self.shown(name, row) for name in self.metrics),
                str(self.count(row)),
            ]
            for row in self.rows
        ]
        return [*self.keys, *titles, "n"], rows

    def markdown(self) -> str:
        """Return means with their 95 % intervals as a table in Markdown."""
        head, rows = self._worded()
        legend = printed.legend(rows)
        return printed.markdown(head, rows) + (f"\n{legend}" if legend else "")

    def latex(self, caption: str = "") -> str:
        r"""Return means with their 95 % intervals as a table in LaTeX, by ``\usepackage{booktabs}``."""
        head, rows = self._worded()
        return printed.latex(head, rows, caption) + printed.legend(rows, "% ")

    def _worded(self) -> tuple[list[str], list[list[str]]]:
        """Return `means` with words in place of keys."""
        count = len(self.keys)
        rows = [
            [*map(phrases.of_value, cells[:count]), *cells[count:]] for cells in self.means()[1]
        ]
        titles = [phrases.titled(name, self.shown_unit(name)) for name in self.metrics]
        return [*map(phrases.of_key, self.keys), *titles, "n"], rows

    def _repr_html_(self) -> str:
        """Show the answer and means with intervals in a notebook, a row for each cell."""
        names, rows = self.means()
        more = len(self.rows) - SHOWN
        note = f"<p>and {counted(more, 'cell')} more</p>" if more > 0 else ""
        return f"<p>{escape(self.answer)}</p>{printed.html(names, rows[:SHOWN])}{note}"

    @fields_of(ChartOptions)
    def plot(self, out: str | Path, asked: ChartOptions) -> Path:
        """Write a figure for a paper: means of a metric over an axis, with 95 % intervals.

        A third axis has a panel for each value. `lasthop rerun` makes the figure again from the recipe in it.

        Args:
            out: A file that ends in .pdf, .png or .svg.

        Raises:
            UsageError: There is no such axis, value or metric, or too many axes for one figure.
        """
        needed("matplotlib")
        return above.study_plot(self, asked, Path(out))

    @property
    def answer(self) -> str:
        """What the study answers, in sentences, as `lasthop sweep` and the study's page begin."""
        return above.study_answer(self)

    def report(
        self, out: str | Path | None = None, *, cell: int | None = None, workers: int | None = None
    ) -> Path:
        """Write the study as one HTML page: what was asked, verdicts, precision, figures, tables, a run in time.

        Args:
            out: The file, by default report.html beside the results; `lasthop rerun` makes it again.
            cell: The number of the cell whose first replication is shown in time; by default the first.
            workers: How many runs at a time; by default one for each core.

        Raises:
            UsageError: There is no such cell, or no replication yet.
        """
        needed("matplotlib")
        return above.study_page(self, self.path / PAGE if out is None else Path(out), workers, cell)

    def shown(self, metric: str, row: Row) -> str:
        """Return a cell's mean of a metric with its 95 % interval, in the unit of `shown_unit`."""
        known = self.estimate(metric, row)
        if known is None:
            return "-"
        factor, _ = self.scale(metric)

        def text(value: float) -> str:
            return plain(value * factor)

        def half(value: float) -> str:
            return plain(value * factor, 2)

        return stats.shown_mean(known.mean, known.ci95, ends_of(full(metric)), text, half)

    def shown_unit(self, metric: str) -> str:
        """Return the unit in which a metric is shown: kbit/s where its means are thousands of bit/s."""
        return self.scale(metric)[1]

    def scale(self, metric: str) -> tuple[float, str]:
        """Return the factor to the unit in which a metric is shown, and that unit."""
        metric = full(metric)
        if metric not in self._scales:
            unit = self.units[metric]
            means = [known.mean for row in self.rows if (known := self.estimate(metric, row))]
            most = max((abs(mean) for mean in means), default=0.0)
            prefixes = PREFIXES.get(unit, ())
            fitting = (each for each in prefixes if most * each[0] < 1000)
            self._scales[metric] = next(fitting, prefixes[-1] if prefixes else (1.0, unit))
        return self._scales[metric]

    def estimate(self, metric: str, row: Row) -> stats.Estimate | None:
        """Return a cell's mean of a metric with its 95 % interval; None where it has no value."""
        if full(metric) not in row.metrics:
            return None
        return stats.estimate_of_known(self.values(metric, row.number))

    def _all(self) -> dict[str, Array]:
        if self._values is None:
            self._values = self.store.values([row.key for row in self.rows], self.metrics)
        return self._values

    def _steps(self, group: Sequence[str]) -> list[dict[str, Value]]:
        seen: dict[tuple[Value, ...], dict[str, Value]] = {}
        for row in self.rows:
            setting = {key: row.settings[key] for key in group}
            seen.setdefault(tuple(setting.values()), setting)
        return list(seen.values())

    def _part(self, row: Row) -> Table | None:
        names, count = row.metrics, self.count(row)
        if not count:
            return None
        columns = [self.metrics.index(name) for name in names]
        values = self._all()[row.key][:count, columns].reshape(-1)
        which = np.tile(np.arange(len(names), dtype=np.int32), count)
        constant = {"study": self.name, "cell": row.number, **row.settings}
        return Table(
            {
                **{key: Column.repeated(value, len(values)) for key, value in constant.items()},
                "replication": Column.of(np.repeat(np.arange(count), len(names))),
                "metric": Column(Kind.TEXT, which, words=names),
                "value": Column.of(values),
            }
        )
