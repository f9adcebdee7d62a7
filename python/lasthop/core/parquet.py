"""Tables as Parquet files, written and read by the compiled core."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from lasthop import _core, regular_files
from lasthop.numbers.table import Column, Kind, Table
from lasthop.regular_files import UnreadableError

#: Values of each kind as the core has them; of texts, places in the column's words.
DTYPES = {
    Kind.NUMBER: "<f8",
    Kind.WHOLE: "<i8",
    Kind.BOOL: "?",
    Kind.TEXT: "<i4",
    Kind.TEXTS: "<i4",
}
KINDS = {kind.name.lower(): kind for kind in Kind}


class ParquetError(ValueError):
    """A file is no Parquet file, is damaged, or has a column of a type that is not read here."""


def written(table: Table) -> bytes:
    """Return a Parquet file with a table and its metadata; the same table gives the same bytes.

    Raises UsageError for a text that is not UTF-8.
    """
    return _core.parquet_written(
        [_given(name, column) for name, column in table.items()], list(table.metadata.items())
    )


def read(path: Path) -> Table:
    """Return the table in a file; raises ParquetError, OSError."""
    try:
        with regular_files.opened(path) as file:
            return parsed(file.read())
    except UnreadableError as error:
        raise ParquetError(str(error)) from None


def parsed(content: bytes) -> Table:
    """Return the table in a file's content, with its metadata; raises ParquetError."""
    try:
        columns, metadata = _core.parquet_read(content)
    except ValueError as error:
        raise ParquetError(str(error)) from None
    return Table({column[0]: _taken(column) for column in columns}, dict(metadata))


def _given(name: str, column: Column) -> _core.ParquetColumn:
    values = column.values.astype(DTYPES[column.kind]).tobytes()
    valid = None if column.valid is None else column.valid.tobytes()
    ends = None if column.ends is None else column.ends.astype("<i8").tobytes()
    return name, column.kind.name.lower(), values, valid, list(column.words), ends


def _taken(column: _core.ParquetColumn) -> Column:
    _, kind, values, valid, words, ends = column
    found = KINDS[kind]
    return Column(
        found,
        np.frombuffer(values, DTYPES[found]),
        None if valid is None else np.frombuffer(valid, bool),
        tuple(words),
        None if ends is None else np.frombuffer(ends, "<i8"),
    )
