"""Parquet files read again: ours, and those of pyarrow that hold what ours do.

Numbers, texts and lists of texts; pages of the first version, plain or by a dictionary, with zstd,
Snappy or as they are. Checksums of pages are looked at.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lasthop.table import Table
from lasthop.table.columns import Column, Kind, joined
from lasthop.table.parquet import levels, names, snappy
from lasthop.table.parquet.thrift import Reader

KINDS = {
    names.BOOLEAN: Kind.BOOL,
    names.INT64: Kind.WHOLE,
    names.DOUBLE: Kind.NUMBER,
    names.BYTE_ARRAY: Kind.TEXT,
}


class ParquetError(ValueError):
    """A file is no Parquet file, is damaged, or holds what is not read here."""


@dataclass(slots=True)
class _Leaf:
    name: str
    kind: Kind
    optional: bool
    lists: bool = False
    element_optional: bool = True
    parts: list[Column] = field(default_factory=list)


def read(path: Path) -> Table:
    """Return what is in a file; raises ParquetError, OSError."""
    return parsed(path.read_bytes())


def parsed(content: bytes) -> Table:
    """Return the table that a file holds; raises ParquetError."""
    try:
        return _parsed(content)
    except ParquetError:
        raise
    except (
        ValueError,
        StopIteration,
        IndexError,
        KeyError,
        TypeError,
        AttributeError,
        struct.error,
    ) as error:
        raise ParquetError(f"damaged: {error}") from None
    except (names.zstd.ZstdError, OverflowError, MemoryError) as error:
        raise ParquetError(f"damaged: {error}") from None


def _parsed(content: bytes) -> Table:
    if len(content) < 12 or content[:4] != names.MAGIC or content[-4:] != names.MAGIC:
        raise ParquetError("no Parquet file")
    (size,) = struct.unpack("<I", content[-8:-4])
    if size > len(content) - 12:
        raise ParquetError("damaged: its end is not its own")
    about = Reader(content, len(content) - 8 - size).struct()
    leaves = _leaves(about[2])
    for group in about[4]:
        if len(group[1]) != len(leaves):
            raise ParquetError("damaged: a column is missing")
        for leaf, chunk in zip(leaves, group[1], strict=True):
            column = _column(content, leaf, chunk[3])
            if len(column) != group[3]:
                raise ParquetError("damaged: a column is too short")
            leaf.parts.append(column)
    metadata = {_text(each[1]): _text(each.get(2, b"")) for each in about.get(5, ())}
    table = Table({leaf.name: _joined(leaf) for leaf in leaves}, metadata)
    if leaves and table.num_rows != about[3]:
        raise ParquetError("damaged: rows are missing")
    return table


def _joined(leaf: _Leaf) -> Column:
    empty = Column.of([], Kind.TEXTS if leaf.lists else leaf.kind)
    return joined(leaf.parts) if len(leaf.parts) > 1 else (*leaf.parts, empty)[0]


def _leaves(schema: list[dict[int, Any]]) -> list[_Leaf]:
    found, at = [], 1
    for _ in range(schema[0].get(5, 0)):
        each = schema[at]
        name, optional = _text(each[4]), each.get(3) == names.OPTIONAL
        if not each.get(5):
            found.append(_Leaf(name, KINDS[each[1]], optional))
            at += 1
            continue
        inner, leaf = schema[at + 1], schema[at + 2]
        listed = each[5] == 1 and inner.get(5) == 1 and not leaf.get(5)
        if not listed or inner.get(3) != names.REPEATED or KINDS[leaf[1]] is not Kind.TEXT:
            raise ParquetError(f"column {name!r} is of a type that is not read here")
        element = leaf.get(3) == names.OPTIONAL
        found.append(_Leaf(name, Kind.TEXT, optional, lists=True, element_optional=element))
        at += 3
    return found


def _column(content: bytes, leaf: _Leaf, about: dict[int, Any]) -> Column:
    codec, wanted = about[4], about[5]
    at = about[9] if about.get(11) is None else min(about[9], about[11])
    words: NDArray[Any] | list[str] | None = None
    parts: list[Column] = []
    got = 0
    while got < wanted:
        reader = Reader(content, at)
        head = reader.struct()
        raw = content[reader.at : reader.at + head[3]]
        at = reader.at + head[3]
        page = _unpacked(raw, head, codec)
        if head[1] == names.DICTIONARY_PAGE:
            words = _plain(leaf.kind, memoryview(page), head[7][1])
            continue
        if head[1] != names.DATA_PAGE or head[5][1] <= 0:
            raise ParquetError("a page of a kind that is not read here")
        got += head[5][1]
        parts.append(_page(leaf, memoryview(page), head[5], words))
    if not parts:
        return Column.of([], Kind.TEXTS if leaf.lists else leaf.kind)
    return joined(parts) if len(parts) > 1 else parts[0]


def _unpacked(raw: bytes, head: dict[int, Any], codec: int) -> bytes:
    if len(raw) != head[3]:
        raise ParquetError("damaged: it ends within a page")
    if (crc := head.get(4)) is not None and zlib.crc32(raw) != crc & 0xFFFFFFFF:
        raise ParquetError("damaged: the checksum of a page is another")
    if codec == names.ZSTD:
        page = names.zstd.decompress(raw)
    elif codec == names.SNAPPY:
        page = snappy.decompressed(raw, head[2])
    elif codec == names.UNCOMPRESSED:
        page = raw
    else:
        raise ParquetError("compressed in a way that is not read here")
    if len(page) != head[2]:
        raise ParquetError("damaged: a page is of another size")
    return page


def _page(leaf: _Leaf, page: memoryview, head: dict[int, Any], words: Any) -> Column:
    count, encoding = head[1], head[2]
    repeated = np.zeros(count, dtype=np.int64)
    if leaf.lists:
        repeated, page = _levels(page, 1, count)
    most = leaf.optional + leaf.lists + (leaf.lists and leaf.element_optional)
    defined = np.full(count, most, dtype=np.int64)
    if most:
        defined, page = _levels(page, levels.width_of(most), count)
    present = defined == most
    known = int(present.sum())
    if encoding in (names.PLAIN_DICTIONARY, names.RLE_DICTIONARY):
        if words is None:
            raise ParquetError("damaged: a dictionary is missing")
        places = levels.decoded(page[1:], page[0], known) if known else np.zeros(0, dtype=np.int64)
        if known and places.max() >= len(words):
            raise ParquetError("damaged: a place beyond the dictionary")
        values: Any = places if leaf.kind is Kind.TEXT else words[places]
    elif encoding == names.PLAIN:
        values = _plain(leaf.kind, page, known)
        if leaf.kind is Kind.TEXT:
            once = Column.of(values, Kind.TEXT)
            words, values = once.words, once.values
    else:
        raise ParquetError("encoded in a way that is not read here")
    if leaf.lists:
        return _lists(repeated, defined, leaf, [words[place] for place in values])
    return _filled(leaf.kind, present, values, words)


def _filled(kind: Kind, present: NDArray[np.bool_], values: Any, words: Any) -> Column:
    valid = None if present.all() else present
    if kind is Kind.TEXT:
        texts = tuple(words or ())
        whole = np.zeros(len(present), dtype=np.int32)
        whole[present] = values
        return Column(kind, whole, valid, texts)
    full = np.zeros(len(present), dtype=values.dtype)
    full[present] = values
    return Column(kind, full, valid)


def _lists(repeated: Any, defined: Any, leaf: _Leaf, texts: list[str]) -> Column:
    rows: list[list[Any] | None] = []
    following = iter(texts)
    there = int(leaf.optional)
    for again, depth in zip(repeated.tolist(), defined.tolist(), strict=True):
        if not again:
            rows.append([] if depth >= there else None)
        last = rows[-1]
        if depth > there:
            if last is None or (depth == there + 1 and leaf.element_optional):
                raise ParquetError("a list with nulls in it")
            last.append(next(following))
    return Column.of(rows, Kind.TEXTS)


def _levels(page: memoryview, width: int, count: int) -> tuple[NDArray[np.int64], memoryview]:
    (size,) = struct.unpack("<I", page[:4])
    return levels.decoded(page[4 : 4 + size], width, count), page[4 + size :]


def _plain(kind: Kind, page: memoryview, count: int) -> Any:
    if kind is Kind.TEXT:
        texts, at = [], 0
        for _ in range(count):
            (size,) = struct.unpack("<I", page[at : at + 4])
            raw = bytes(page[at + 4 : at + 4 + size])
            if len(raw) != size:
                raise ParquetError("damaged: it ends within a text")
            texts.append(_text(raw))
            at += 4 + size
        return texts
    if kind is Kind.BOOL:
        bits = np.frombuffer(page, dtype=np.uint8)
        return np.unpackbits(bits, bitorder="little", count=count).astype(bool)
    dtype = np.dtype("<f8" if kind is Kind.NUMBER else "<i8")
    return np.frombuffer(page[: count * 8], dtype=dtype, count=count)


def _text(raw: bytes) -> str:
    return raw.decode()
