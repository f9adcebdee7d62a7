"""Tables as Parquet files: one row group, numbers plain, texts by a dictionary, zstd, a checksum on each page."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from lasthop.table import Table
from lasthop.table.columns import Column, Kind
from lasthop.table.parquet import levels, names
from lasthop.table.parquet.thrift import Wide, encoded

CREATOR = "lasthop"

#: Rows of a page, at most.
PAGE_ROWS = 1 << 20


def written(table: Table) -> bytes:
    """Return a Parquet file with a table and its metadata; the same table gives the same bytes."""
    out = bytearray(names.MAGIC)
    chunks = [_chunk(out, name, column) for name, column in table.items()]
    size = sum(chunk[3][6].value for chunk in chunks)
    group = {1: chunks, 2: Wide(size), 3: Wide(table.num_rows)}
    said = [{1: key, 2: value} for key, value in table.metadata.items()]
    footer = encoded(
        {
            1: 2,
            2: [{4: "schema", 5: len(chunks)}, *(e for c in table.items() for e in _elements(*c))],
            3: Wide(table.num_rows),
            4: [group] if table.num_rows else [],
            5: said or None,
            6: CREATOR,
        }
    )
    return bytes(out) + footer + struct.pack("<I", len(footer)) + names.MAGIC


def _elements(name: str, column: Column) -> list[dict[int, Any]]:
    physical = names.PHYSICAL[column.kind]
    if column.kind is Kind.TEXTS:
        outer = {3: names.OPTIONAL, 4: name, 5: 1, 6: names.CONVERTED_LIST, 10: {3: {}}}
        inner = {1: physical, 3: names.OPTIONAL, 4: "element", 6: names.UTF8, 10: {1: {}}}
        return [outer, {3: names.REPEATED, 4: "list", 5: 1}, inner]
    text = {6: names.UTF8, 10: {1: {}}} if column.kind is Kind.TEXT else {}
    return [{1: physical, 3: names.OPTIONAL, 4: name, **text}]


def _chunk(out: bytearray, name: str, column: Column) -> dict[int, Any]:
    start = len(out)
    sizes: list[int] = []
    if column.kind in (Kind.TEXT, Kind.TEXTS):
        _page(out, sizes, _words(column.words), names.DICTIONARY_PAGE, len(column.words))
    first = len(out)
    count = 0
    for low in range(0, len(column), PAGE_ROWS):
        page, entries = _data(column[low : low + PAGE_ROWS])
        _page(out, sizes, page, names.DATA_PAGE, entries, _encoding(column))
        count += entries
    path = [name, "list", "element"] if column.kind is Kind.TEXTS else [name]
    about = {
        1: names.PHYSICAL[column.kind],
        2: [*dict.fromkeys((names.PLAIN, names.RLE, _encoding(column)))],
        3: path,
        4: names.ZSTD,
        5: Wide(count),
        6: Wide(sum(sizes)),
        7: Wide(len(out) - start),
        9: Wide(first),
        11: Wide(start) if first > start else None,
    }
    return {2: Wide(start), 3: about}


def _encoding(column: Column) -> int:
    texts = column.kind in (Kind.TEXT, Kind.TEXTS)
    return names.RLE_DICTIONARY if texts else names.PLAIN


def _page(
    out: bytearray, sizes: list[int], page: bytes, kind: int, count: int, encoding: int = 0
) -> None:
    content = names.zstd.compress(page, 3)
    crc = zlib.crc32(content)
    header: dict[int, Any] = {1: kind, 2: len(page), 3: len(content)}
    header[4] = crc - (1 << 32) if crc >= 1 << 31 else crc
    if kind == names.DICTIONARY_PAGE:
        header[7] = {1: count, 2: names.PLAIN}
    else:
        header[5] = {1: count, 2: encoding, 3: names.RLE, 4: names.RLE}
    head = encoded(header)
    sizes.append(len(head) + len(page))
    out += head
    out += content


def _words(words: Sequence[str]) -> bytes:
    raw = (word.encode() for word in words)
    return b"".join(struct.pack("<I", len(word)) + word for word in raw)


def _data(column: Column) -> tuple[bytes, int]:
    """Return a page, uncompressed, and how many entries it has: rows, or elements of lists."""
    if column.kind is Kind.TEXTS:
        return _lists(column)
    valid = np.ones(len(column), dtype=bool) if column.valid is None else column.valid
    values = column.values[valid]
    if column.kind is Kind.TEXT:
        body = _places(values, column.words)
    elif column.kind is Kind.BOOL:
        body = np.packbits(values, bitorder="little").tobytes()
    else:
        body = values.astype("<f8" if column.kind is Kind.NUMBER else "<i8").tobytes()
    return _prefixed(levels.encoded(valid.astype(np.uint8), 1)) + body, len(column)


def _lists(column: Column) -> tuple[bytes, int]:
    repeated: list[int] = []
    defined: list[int] = []
    for each in column.to_pylist():
        repeated += [0] + [1] * (len(each or ()) - 1)
        defined += [3] * len(each) if each else [0 if each is None else 1]
    levels_ = (levels.encoded(np.array(repeated), 1), levels.encoded(np.array(defined), 2))
    body = b"".join(map(_prefixed, levels_)) + _places(column.values, column.words)
    return body, len(repeated)


def _places(values: Any, words: Sequence[str]) -> bytes:
    width = max(levels.width_of(len(words) - 1), 1) if words else 1
    return bytes([width]) + levels.encoded(values, width)


def _prefixed(content: bytes) -> bytes:
    return struct.pack("<I", len(content)) + content
