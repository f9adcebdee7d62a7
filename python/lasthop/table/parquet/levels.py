"""The hybrid of runs and packed bits in which Parquet writes levels and places in dictionaries."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lasthop.table.parquet.thrift import varint


def width_of(most: int) -> int:
    """Return how many bits numbers up to `most` take."""
    return most.bit_length()


def encoded(values: NDArray[Any], width: int) -> bytes:
    """Return numbers of so many bits: as one run where they are alike, else packed."""
    count = len(values)
    if count == 0:
        return b""
    if width == 0 or (values == values[0]).all():
        return varint(count << 1) + int(values[0]).to_bytes((width + 7) // 8, "little")
    groups = (count + 7) // 8
    padded = np.zeros(groups * 8, dtype=np.uint32)
    padded[:count] = values
    bits = (padded[:, None] >> np.arange(width, dtype=np.uint32)) & 1
    return varint(groups << 1 | 1) + np.packbits(bits.astype(np.uint8), bitorder="little").tobytes()


def decoded(content: memoryview, width: int, count: int) -> NDArray[np.int64]:
    """Return so many numbers of so many bits; raises ValueError where they are not there."""
    parts: list[NDArray[Any]] = []
    found = at = 0
    while found < count:
        head, at = _head(content, at)
        if head & 1:
            size = (head >> 1) * width
            raw = np.frombuffer(content[at : at + size], dtype=np.uint8)
            whole = len(raw) * 8 // width * width if width else 0
            bits = np.unpackbits(raw, bitorder="little")[:whole]
            part = bits.reshape(-1, width) @ (1 << np.arange(width, dtype=np.int64))
            at += size
        else:
            size = (width + 7) // 8
            value = int.from_bytes(content[at : at + size], "little")
            part = np.full(min(head >> 1, count - found), value, dtype=np.int64)
            at += size
        if not len(part):
            raise ValueError("a run of nothing")
        parts.append(part)
        found += len(part)
    return np.concatenate(parts)[:count] if parts else np.zeros(0, dtype=np.int64)


def _head(content: memoryview, at: int) -> tuple[int, int]:
    found = shift = 0
    while True:
        byte = content[at]
        at += 1
        found |= (byte & 127) << shift
        if byte < 128:
            return found, at
        shift += 7
        if shift > 35:
            raise ValueError("a number that does not end")
