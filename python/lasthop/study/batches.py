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
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from lasthop import _core
from lasthop.metrics.leaves import Array
from lasthop.study.plan import Range

#: Goes up when the files change their form.
FORMAT = 1

#: The key of our metadata in a file.
METADATA = b"lasthop"

ENDING = ".parquet"


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
    """What a file says of a part of it: a cell's key, its replications, its metrics."""

    key: str
    range: Range
    metrics: tuple[str, ...]

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return (self.range[1] - self.range[0]) * len(self.metrics)


class BrokenError(Exception):
    """A file is not what its name and its digest say."""


def name_of(pieces: Sequence[Piece]) -> str:
    """Return the name of a file with these pieces: of cells, whose keys name engine, scenario and seed."""
    return f"{hashlib.sha256(_listing(pieces).encode()).hexdigest()[:24]}{ENDING}"


def piece_of(part: Part) -> Piece:
    """Return what a file says of a part."""
    return Piece(part.key, part.range, part.metrics)


def encode(parts: Sequence[Part]) -> tuple[str, bytes]:
    """Return the name and the content of a file with these parts."""
    pieces = [piece_of(part) for part in parts]
    table = pa.concat_tables([_table(part) for part in parts]).combine_chunks().unify_dictionaries()
    said = {
        "format": FORMAT,
        "engine": _core.__engine__,
        "pieces": json.loads(_listing(pieces)),
        "sha256": _digest(table),
    }
    schema = table.schema.with_metadata({METADATA: json.dumps(said).encode()})
    sink = pa.BufferOutputStream()
    parquet.write_table(
        pa.table(table.columns, schema=schema), sink, compression="zstd", write_page_checksum=True
    )
    return name_of(pieces), sink.getvalue().to_pybytes()


def read(path: Path) -> tuple[list[Piece], pa.Table]:
    """Return what is in a file, having looked at every byte of it; raises BrokenError, OSError."""
    try:
        table = parquet.read_table(path, page_checksum_verification=True, partitioning=None)
        said = json.loads((table.schema.metadata or {})[METADATA])
        pieces = [Piece(k, (a, b), tuple(names)) for k, a, b, names in said["pieces"]]
        digest = said["sha256"]
    except OSError as error:
        if error.errno is not None:
            raise
        raise BrokenError(str(error).split("\n")[0]) from None
    except (pa.ArrowException, KeyError, ValueError, TypeError) as error:
        raise BrokenError(str(error).split("\n")[0]) from None
    if name_of(pieces) != path.name:
        raise BrokenError("its name is that of another batch")
    if sum(piece.rows for piece in pieces) != table.num_rows or _digest(table) != digest:
        raise BrokenError("its rows are not those that were written")
    return pieces, table.replace_schema_metadata(None)


def _listing(pieces: Sequence[Piece]) -> str:
    return json.dumps([[p.key, *p.range, list(p.metrics)] for p in pieces])


def _table(part: Part) -> pa.Table:
    count, width = part.values.shape
    values = part.values.reshape(-1)
    which = np.tile(np.arange(width, dtype=np.int32), count)
    metrics = pa.DictionaryArray.from_arrays(which, pa.array(part.metrics))
    cells = pa.DictionaryArray.from_arrays(np.zeros_like(which), pa.array([part.key]))
    replications = np.repeat(np.arange(part.start, part.start + count, dtype=np.int64), width)
    return pa.table(
        {
            "cell": cells,
            "replication": replications,
            "metric": metrics,
            "value": pa.array(values, mask=np.isnan(values)),
        }
    )


def _digest(table: pa.Table) -> str:
    """Return a digest of the rows, whatever the encoding of their columns."""
    digest = hashlib.sha256()
    for name in ("cell", "metric"):
        column = table.column(name).cast(pa.string()).combine_chunks()
        encoded = column.dictionary_encode()
        if isinstance(encoded, pa.ChunkedArray):
            encoded = encoded.combine_chunks()
        digest.update(json.dumps(encoded.dictionary.to_pylist()).encode())
        digest.update(np.asarray(encoded.indices).astype("<i4").tobytes())
    digest.update(np.asarray(table.column("replication")).astype("<i8").tobytes())
    values = table.column("value").to_numpy()
    digest.update(values.astype("<f8").tobytes())
    return digest.hexdigest()


def matrix(table: pa.Table, pieces: Sequence[Piece]) -> Mapping[Piece, Array]:
    """Return the values of each piece of a file, (replications, metrics)."""
    values: Any = table.column("value").to_numpy()
    found, at = {}, 0
    for piece in pieces:
        found[piece] = values[at : at + piece.rows].reshape(-1, len(piece.metrics))
        at += piece.rows
    return found
