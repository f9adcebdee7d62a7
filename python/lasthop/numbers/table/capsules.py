"""Tables as Arrow streams, by nanoarrow: https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import nanoarrow as na
import numpy as np
from nanoarrow.c_array_stream import CArrayStream

from lasthop.numbers.table.columns import Column, Kind

if TYPE_CHECKING:
    from lasthop.numbers.table import Table

#: Offsets of 32 bits reach so far.
MOST_SMALL = 2**31 - 1


def stream(table: Table) -> object:
    """Return the capsule of a stream with one batch."""
    children = {name: _array(column) for name, column in table.items()}
    whole = na.struct({name: each.schema for name, each in children.items()})
    batch = na.c_array_from_buffers(
        whole, table.num_rows, [None], null_count=0, children=list(children.values())
    )
    return CArrayStream.from_c_arrays([batch], batch.schema).__arrow_c_stream__()


def schema(table: Table) -> object:
    """Return the capsule of the schema."""
    empty = table.slice(0, 0)
    fields = {name: _array(column).schema for name, column in empty.items()}
    return na.c_schema(na.struct(fields)).__arrow_c_schema__()


def _array(column: Column) -> Any:
    if column.kind is Kind.TEXTS:
        return _lists(column)
    count, nulls = len(column), column.null_count
    known = np.packbits(column.valid, bitorder="little") if column.valid is not None else None
    if column.kind is Kind.TEXT:
        texts = [(text or "").encode() for text in column.to_pylist()]
        ends = np.cumsum([0, *map(len, texts)])
        wide = ends[-1] > MOST_SMALL
        offsets = ends.astype(np.int64 if wide else np.int32)
        kind = na.large_string() if wide else na.string()
        return na.c_array_from_buffers(kind, count, [known, offsets, b"".join(texts)], nulls)
    if column.kind is Kind.BOOL:
        bits = np.packbits(column.values, bitorder="little")
        return na.c_array_from_buffers(na.bool_(), count, [known, bits], nulls)
    kind = na.float64() if column.kind is Kind.NUMBER else na.int64()
    return na.c_array_from_buffers(kind, count, [known, np.ascontiguousarray(column.values)], nulls)


def _lists(column: Column) -> Any:
    assert column.ends is not None
    inner = _array(Column(Kind.TEXT, column.values, None, column.words))
    offsets = np.concatenate(([0], column.ends)).astype(np.int32)
    known = np.packbits(column.valid, bitorder="little") if column.valid is not None else None
    kind = na.list_(na.string())
    return na.c_array_from_buffers(
        kind, len(column), [known, offsets], column.null_count, children=[inner]
    )
