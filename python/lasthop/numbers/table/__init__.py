"""Tables for people and for other tools: named columns, spoken to by the Arrow PyCapsule interface.

pyarrow, polars, pandas, DuckDB and many others take such a table as it is: ``polars.DataFrame(table)``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from lasthop.extras import needed
from lasthop.numbers.numerals import counted
from lasthop.numbers.table import printed
from lasthop.numbers.table.columns import Column, Kind, joined

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

__all__ = ["Column", "Kind", "Table", "joined"]

#: Rows and columns that a notebook and a terminal show.
SHOWN = 20
SHOWN_COLUMNS = 12


class Table:
    """Rows of named columns. It is not changed; what selects returns another table.

    Example:
        >>> table["goodput_bps"].to_numpy()
        >>> table.polars()
        >>> duckdb.sql("select flow, avg(value) from table group by flow")
    """

    def __init__(
        self, columns: Mapping[str, Column], metadata: Mapping[str, str] | None = None
    ) -> None:
        self._columns = dict(columns)
        self.metadata = dict(metadata or {})
        lengths = {len(column) for column in self._columns.values()}
        if len(lengths) > 1:
            raise ValueError(f"columns of different lengths: {sorted(lengths)}")

    @classmethod
    def of(cls, columns: Mapping[str, Any], kinds: Mapping[str, Kind] | None = None) -> Table:
        """Return a table of columns: sequences, arrays or columns, of these kinds where they are known."""
        known = kinds or {}
        return cls(
            {
                name: each if isinstance(each, Column) else Column.of(each, known.get(name))
                for name, each in columns.items()
            }
        )

    @classmethod
    def of_rows(cls, rows: Sequence[Mapping[str, Any]]) -> Table:
        """Return a table of rows, with the columns of all in order of appearance; what one lacks is null."""
        names = dict.fromkeys(key for row in rows for key in row)
        return cls.of({name: [row.get(name) for row in rows] for name in names})

    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""
        return list(self._columns)

    @property
    def columns(self) -> list[Column]:
        """The columns."""
        return list(self._columns.values())

    @property
    def num_rows(self) -> int:
        """The number of rows."""
        return len(next(iter(self._columns.values()), ()))

    def __len__(self) -> int:
        """Return how many rows there are."""
        return self.num_rows

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Iterate over the rows, as `to_pylist` has them."""
        return iter(self.to_pylist())

    @overload
    def __getitem__(self, key: str) -> Column: ...

    @overload
    def __getitem__(self, key: int) -> dict[str, Any]: ...

    def __getitem__(self, key: str | int) -> Column | dict[str, Any]:
        """Return a column by its name (UsageError where there is none), or a row by its number (IndexError)."""
        if isinstance(key, str):
            return self.column(key)
        rows = range(self.num_rows)
        return self.slice(rows[key], 1).to_pylist()[0]

    def column(self, name: str) -> Column:
        """Return a column; raises UsageError where there is none of this name."""
        if name not in self._columns:
            from lasthop.errors import UsageError, offered

            raise UsageError(f"no column {name!r}{offered(name, self.column_names)}")
        return self._columns[name]

    def items(self) -> Iterable[tuple[str, Column]]:
        """Return names and columns."""
        return self._columns.items()

    def to_pydict(self) -> dict[str, list[Any]]:
        """Return a list for each column."""
        return {name: column.to_pylist() for name, column in self._columns.items()}

    def to_pylist(self) -> list[dict[str, Any]]:
        """Return a dict for each row."""
        lists = self.to_pydict()
        return [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)]

    def select(self, names: Iterable[str]) -> Table:
        """Return these columns."""
        return Table({name: self.column(name) for name in names}, self.metadata)

    def filter(self, mask: NDArray[np.bool_]) -> Table:
        """Return the rows where `mask` is true."""
        return self._taken(np.flatnonzero(mask))

    def slice(self, start: int, count: int | None = None) -> Table:
        """Return `count` rows from one on."""
        end = None if count is None else start + count
        return self._taken(np.arange(self.num_rows)[start:end])

    def with_metadata(self, metadata: Mapping[str, str]) -> Table:
        """Return the same table with other metadata: texts by key, kept in Parquet files."""
        return Table(self._columns, metadata)

    def equals(self, other: Table) -> bool:
        """Return whether the other has the same columns in the same order with the same values."""
        return self.column_names == other.column_names and all(
            column.equals(other[name]) for name, column in self._columns.items()
        )

    def polars(self) -> polars.DataFrame:
        """Return it for polars; raises UsageError where polars is not installed."""
        frame: polars.DataFrame = needed("polars").DataFrame(self)
        return frame

    def pandas(self) -> pandas.DataFrame:
        """Return it for pandas; raises UsageError where pandas is not installed."""
        columns = {name: column.to_numpy() for name, column in self._columns.items()}
        frame: pandas.DataFrame = needed("pandas").DataFrame(columns)
        return frame

    def pyarrow(self) -> pyarrow.Table:
        """Return it for pyarrow; raises UsageError where pyarrow is not installed."""
        table: pyarrow.Table = needed("pyarrow").table(self)
        return table

    def markdown(self) -> str:
        """Return it in Markdown."""
        return printed.markdown(self.column_names, self._cells())

    def latex(self, caption: str = "") -> str:
        r"""Return it in LaTeX, by ``\usepackage{booktabs}``; with a caption it floats."""
        return printed.latex(self.column_names, self._cells(), caption)

    def _cells(self) -> list[list[str]]:
        return [_shown_row(row, self.column_names) for row in self.to_pylist()]

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return an Arrow stream, as the PyCapsule interface asks for it."""
        from lasthop.numbers.table import capsules

        return capsules.stream(self)

    def __arrow_c_schema__(self) -> object:
        """Return the Arrow schema, as the PyCapsule interface asks for it."""
        from lasthop.numbers.table import capsules

        return capsules.schema(self)

    def __repr__(self) -> str:
        """Return what the table has, and its first rows, in at most a screen."""
        names = self.column_names
        said = f"<Table: {counted(self.num_rows, 'row')}, {counted(len(names), 'column')}>"
        shown = [_shown_row(row, names[:SHOWN_COLUMNS]) for row in self.slice(0, SHOWN).to_pylist()]
        more = (
            [f"... {counted(self.num_rows - SHOWN, 'row')} more"] if self.num_rows > SHOWN else []
        )
        unsaid = names[SHOWN_COLUMNS:]
        rest = [f"further columns: {', '.join(unsaid)}"] if unsaid else []
        return "\n".join([said, *_aligned([names[:SHOWN_COLUMNS], *shown]), *more, *rest])

    def _repr_html_(self) -> str:
        """Show the first rows in a notebook."""
        rows = (_shown_row(row, self.column_names) for row in self.slice(0, SHOWN).to_pylist())
        more = self.num_rows - SHOWN
        note = f"<p>and {counted(more, 'row')} more</p>" if more > 0 else ""
        table = printed.html(self.column_names, rows)
        return f'<div style="overflow-x:auto">{table}</div>{note}'

    def _taken(self, places: NDArray[Any]) -> Table:
        return Table({name: c.take(places) for name, c in self._columns.items()}, self.metadata)


def concatenated(tables: Sequence[Table]) -> Table:
    """Return the rows of one table after those of another; all have the same columns."""
    names = tables[0].column_names
    return Table({name: joined([table[name] for table in tables]) for name in names})


def _shown_row(row: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    return [shown(row[name]) for name in names]


def shown(value: Any) -> str:
    """Return a cell as people read it."""
    return f"{value:.6g}" if isinstance(value, float) else "-" if value is None else str(value)


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    return [
        "  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]
