"""The table of a study's cells in a store: written from cells, read as rows that belong to a manifest."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lasthop.core.quantities import full
from lasthop.errors import UsageError
from lasthop.numbers.table import Column, Kind, Table
from lasthop.study.axes import Value
from lasthop.study.cells import Cell
from lasthop.study.store import CELLS, MANIFEST


@dataclass(frozen=True)
class Row:
    """A cell as a store knows it: its number, key and settings, how many replications count, its metrics."""

    number: int
    key: str
    settings: Mapping[str, Value]
    replications: int
    metrics: tuple[str, ...]


def cell_table(cells: Sequence[Cell], replications: Sequence[int], keys: Sequence[str]) -> Table:
    """Return the table of cells that `Results` reads: number, key, replications wanted, metrics, settings."""
    columns: dict[str, Column] = {
        "cell": Column.of([cell.number for cell in cells], Kind.WHOLE),
        "key": Column.of([cell.key for cell in cells], Kind.TEXT),
        "replications": Column.of(replications, Kind.WHOLE),
        "metrics": Column.of([list(cell.metrics.names) for cell in cells], Kind.TEXTS),
    }
    for name in keys:
        columns[name] = _column([cell.settings[name] for cell in cells])
    return Table(columns)


def _column(values: Sequence[Value]) -> Column:
    kinds = {type(value) for value in values}
    plain = kinds in ({bool}, {int}, {float}, {str}) or kinds == {int, float}
    return Column.of(values if plain else [str(value) for value in values])


def rows_of(cells: Table, held: Mapping[str, Any], path: Path) -> list[Row]:
    """Return the cells of a table that belongs to a manifest; raises UsageError where it does not."""
    keys = [key for group in held["axes"] for key, _ in group]
    wanted = {"cell": Kind.WHOLE, "key": Kind.TEXT, "replications": Kind.WHOLE}
    wanted["metrics"] = Kind.TEXTS
    kinds = {name: column.kind for name, column in cells.items()}
    fits = all(kinds.get(name) is kind for name, kind in wanted.items())
    fits = fits and keys == cells.column_names[len(wanted) :]
    rows = cells.to_pylist() if fits else []
    for place, row in enumerate(rows):
        names = row["metrics"] or ()
        fits = fits and row["cell"] == place and None not in row.values() and None not in names
        fits = fits and set(map(full, names)) <= held["metrics"].keys()
    if not fits or len(rows) != math.prod(len(group[0][1]) for group in held["axes"]):
        raise UsageError(f"{path}: {CELLS} and {MANIFEST} are not of one study: sweep it again")
    return [
        Row(
            row["cell"],
            row["key"],
            {key: row[key] for key in keys},
            row["replications"],
            tuple(map(full, row["metrics"])),
        )
        for row in rows
    ]
