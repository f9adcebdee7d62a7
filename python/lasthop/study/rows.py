"""The table of a study's cells in a store: written from cells, read as rows that belong to a manifest."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from lasthop.errors import UsageError
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


def cell_table(cells: Sequence[Cell], replications: Sequence[int], keys: Sequence[str]) -> pa.Table:
    """Return the table of cells that `Results` reads: number, key, replications wanted, metrics, settings."""
    columns: dict[str, Any] = {
        "cell": pa.array([cell.number for cell in cells], pa.int64()),
        "key": pa.array([cell.key for cell in cells], pa.string()),
        "replications": pa.array(replications, pa.int64()),
        "metrics": pa.array([list(cell.metrics.names) for cell in cells], pa.list_(pa.string())),
    }
    for name in keys:
        columns[name] = _column([cell.settings[name] for cell in cells])
    return pa.table(columns)


def _column(values: Sequence[Value]) -> Any:
    kinds = {type(value) for value in values}
    if kinds in ({bool}, {int}, {float}, {str}):
        return pa.array(values)
    if kinds == {int, float}:
        return pa.array([float(value) for value in values])
    return pa.array([str(value) for value in values])


def rows_of(cells: pa.Table, held: Mapping[str, Any], path: Path) -> list[Row]:
    """Return the cells of a table that belongs to a manifest; raises UsageError where it does not."""
    keys = [key for group in held["axes"] for key, _ in group]
    wanted = {"cell": pa.int64(), "key": pa.string(), "replications": pa.int64()}
    wanted["metrics"] = pa.list_(pa.string())
    types = dict(zip(cells.schema.names, cells.schema.types, strict=True))
    fits = len(types) == len(cells.schema) and all(
        types.get(name) == kind for name, kind in wanted.items()
    )
    fits = fits and keys == cells.schema.names[len(wanted) :]
    rows = cells.to_pylist() if fits else []
    for place, row in enumerate(rows):
        names = row["metrics"] or ()
        fits = fits and row["cell"] == place and None not in row.values() and None not in names
        fits = fits and set(names) <= held["metrics"].keys()
    if not fits or len(rows) != math.prod(len(group[0][1]) for group in held["axes"]):
        raise UsageError(f"{path}: {CELLS} and {MANIFEST} are not of one study: sweep it again")
    return [
        Row(
            row["cell"],
            row["key"],
            {key: row[key] for key in keys},
            row["replications"],
            tuple(row["metrics"]),
        )
        for row in rows
    ]
