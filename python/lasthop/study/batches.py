"""Finished batches as Parquet files: what is in one, and how it is known to be whole.

A row is (cell, replication, metric, value): `cell` is the cell's key, `value` in the metric's unit,
null where a run has none, as the delay of a flow of which nothing arrived. A file is named by what is
in it, and has a digest of its rows in its metadata.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lasthop.core import parquet
from lasthop.core.engine import engine
from lasthop.core.metrics.leaves import Array
from lasthop.core.quantities import full
from lasthop.numbers.table import Column, Kind, Table, concatenated
from lasthop.regular_files import UnreadableError, opened
from lasthop.study.plan import Range

#: Goes up when the files change their form.
FORMAT = 1

#: The key of our metadata in a file.
METADATA = "lasthop"

ENDING = ".parquet"

NAMES = ["cell", "replication", "metric", "value"]
KINDS = [Kind.TEXT, Kind.WHOLE, Kind.TEXT, Kind.NUMBER]


@dataclass(frozen=True)
class Part:
    """Replications of one cell that were computed.

    Attributes:
        key: The cell's key.
        start: The first replication.
        metrics: Names, one for each column of `values`.
        values: (replications, metrics); NaN where a run has no such number.
    """

    key: str
    start: int
    metrics: tuple[str, ...]
    values: Array

    @property
    def range(self) -> Range:
        """The replications."""
        return self.start, self.start + len(self.values)


@dataclass(frozen=True)
class Piece:
    """The description of a part in a file: a cell's key, its replications, its metrics."""

    key: str
    range: Range
    metrics: tuple[str, ...]

    @property
    def rows(self) -> int:
        """The number of rows."""
        return (self.range[1] - self.range[0]) * len(self.metrics)


class BrokenError(Exception):
    """A file is not what its name and its digest say."""


def name_of(pieces: Sequence[Piece]) -> str:
    """Return the name of a file with these pieces: of cells, whose keys name engine, scenario and seed."""
    return f"{hashlib.sha256(_listing(pieces).encode()).hexdigest()[:24]}{ENDING}"


def piece_of(part: Part) -> Piece:
    """Return the description of a part."""
    return Piece(part.key, part.range, part.metrics)


def encode(parts: Sequence[Part]) -> tuple[str, bytes]:
    """Return the name and the content of a file with these parts."""
    pieces = [piece_of(part) for part in parts]
    table = concatenated([_table(part) for part in parts])
    said = {
        "format": FORMAT,
        "engine": engine(),
        "pieces": json.loads(_listing(pieces)),
        "sha256": _digest(table),
    }
    return name_of(pieces), parquet.written(table.with_metadata({METADATA: json.dumps(said)}))


def read(path: Path) -> tuple[list[Piece], Table]:
    """Return what is in a file, having looked at every byte of it; raises BrokenError, OSError."""
    try:
        with opened(path) as file:
            return decode(path.name, file.read())
    except UnreadableError as error:
        raise BrokenError(str(error)) from None


def engine_of(table: Table) -> str:
    """Return the engine that computed a batch."""
    return str(json.loads(table.metadata[METADATA]).get("engine", "unknown"))


def decode(name: str, content: bytes) -> tuple[list[Piece], Table]:
    """Return what is in the content of a file with this name; raises BrokenError."""
    try:
        table = parquet.parsed(content)
        said = json.loads(table.metadata[METADATA])
        pieces = [Piece(k, (a, b), tuple(names)) for k, a, b, names in said["pieces"]]
        digest = said["sha256"]
        if [column.kind for column in table.columns] != KINDS or table.column_names != NAMES:
            raise BrokenError("its columns are others")
    except (KeyError, ValueError, TypeError) as error:
        raise BrokenError(str(error).split("\n")[0]) from None
    if name_of(pieces) != name:
        raise BrokenError("its name is that of another batch")
    if sum(piece.rows for piece in pieces) != table.num_rows or _digest(table) != digest:
        raise BrokenError("its rows are not those that were written")
    # Stores of before 0058 have names with their units left out.
    return [Piece(p.key, p.range, tuple(map(full, p.metrics))) for p in pieces], table


def _listing(pieces: Sequence[Piece]) -> str:
    return json.dumps([[p.key, *p.range, list(p.metrics)] for p in pieces])


def _table(part: Part) -> Table:
    count, width = part.values.shape
    which = np.tile(np.arange(width, dtype=np.int32), count)
    replications = np.repeat(np.arange(part.start, part.start + count, dtype=np.int64), width)
    return Table(
        {
            "cell": Column.repeated(part.key, len(which)),
            "replication": Column.of(replications),
            "metric": Column(Kind.TEXT, which, words=part.metrics),
            "value": Column.of(part.values.reshape(-1)),
        }
    )


def _digest(table: Table) -> str:
    """Return a digest of the rows, whatever the encoding of their columns."""
    digest = hashlib.sha256()
    for name in ("cell", "metric"):
        words, places = _in_order(table[name])
        digest.update(json.dumps(words).encode())
        digest.update(places.astype("<i4").tobytes())
    digest.update(table["replication"].values.astype("<i8").tobytes())
    digest.update(table["value"].to_numpy().astype("<f8").tobytes())
    return digest.hexdigest()


def _in_order(column: Column) -> tuple[list[str], NDArray[np.int64]]:
    """Return the words of a column in the order in which they appear, and the place of each row's."""
    used, first, which = np.unique(column.values, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return [column.words[place] for place in used[order].tolist()], rank[which]


def matrix(table: Table, pieces: Sequence[Piece]) -> Mapping[Piece, Array]:
    """Return the values of each piece of a file, (replications, metrics)."""
    values = table["value"].to_numpy()
    found, at = {}, 0
    for piece in pieces:
        found[piece] = values[at : at + piece.rows].reshape(-1, len(piece.metrics))
        at += piece.rows
    return found
