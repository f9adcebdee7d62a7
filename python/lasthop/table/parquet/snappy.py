"""Snappy undone, in which pyarrow writes by default (format_description.txt of google/snappy)."""

from __future__ import annotations


def decompressed(raw: bytes, size: int) -> bytes:
    """Return what was compressed, of this size; raises ValueError or IndexError where it is damaged."""
    at = 0
    while raw[at] > 127:  # the size, which the page says as well
        at += 1
    at += 1
    out = bytearray()
    while at < len(raw):
        tag = raw[at]
        kind, rest, at = tag & 3, tag >> 2, at + 1
        if kind == 0:
            if rest >= 60:
                width = rest - 59
                rest, at = int.from_bytes(raw[at : at + width], "little"), at + width
            out += raw[at : at + rest + 1]
            at += rest + 1
        elif kind == 1:
            back = (tag >> 5) << 8 | raw[at]
            at += 1
            _copy(out, back, (rest & 7) + 4)
        else:
            width = 2 if kind == 2 else 4
            back = int.from_bytes(raw[at : at + width], "little")
            at += width
            _copy(out, back, rest + 1)
        if len(out) > size:
            raise ValueError("longer than it says")
    return bytes(out)


def _copy(out: bytearray, back: int, count: int) -> None:
    start = len(out) - back
    if back == 0 or start < 0:
        raise ValueError("a copy from nowhere")
    for place in range(start, start + count):  # it may copy what it has just written
        out.append(out[place])
