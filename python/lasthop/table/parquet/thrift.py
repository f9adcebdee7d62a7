"""The compact protocol of Apache Thrift, in which Parquet writes what it says of a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)

#: Nobody nests deeper.
DEEPEST = 20


@dataclass(frozen=True, slots=True)
class Wide:
    """A whole number of 64 bits; plain ones are written with 32."""

    value: int


Value = bool | int | Wide | str | bytes | Sequence[Any] | Mapping[int, Any]
"""What a field may hold; a struct is its fields by number."""


def encoded(fields: Mapping[int, Value | None]) -> bytes:
    """Return a struct; fields that are None are left out."""
    out = bytearray()
    before = 0
    for number, value in sorted(fields.items()):
        if value is None:
            continue
        kind = _kind(value)
        gap = number - before
        if 0 < gap < 16:
            out.append(gap << 4 | kind)
        else:
            out.append(kind)
            out += varint(_zigzag(number))
        if kind not in (TRUE, FALSE):
            out += _plain(value)
        before = number
    out.append(0)
    return bytes(out)


class Reader:
    """Reads structs from bytes; raises ValueError or IndexError where they are none."""

    def __init__(self, content: bytes | memoryview, at: int = 0) -> None:
        self.content = content
        self.at = at

    def struct(self, depth: int = 0) -> dict[int, Any]:
        """Return the struct that begins here: values by the numbers of their fields."""
        if depth > DEEPEST:
            raise ValueError("nested too deep")
        fields: dict[int, Any] = {}
        number = 0
        while head := self._byte():
            gap, kind = head >> 4, head & 15
            number = number + gap if gap else self._signed()
            fields[number] = kind == TRUE if kind in (TRUE, FALSE) else self._value(kind, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if kind in (I16, I32, I64):
            return self._signed()
        if kind == BINARY:
            return self._bytes(self._varint())
        if kind == STRUCT:
            return self.struct(depth + 1)
        if kind in (LIST, SET):
            head = self._byte()
            count = head >> 4 if head >> 4 != 15 else self._varint()
            if count > len(self.content):
                raise ValueError("a list longer than the file")
            inner = head & 15
            if inner in (TRUE, FALSE):
                return [self._byte() == TRUE for _ in range(count)]
            return [self._value(inner, depth + 1) for _ in range(count)]
        if kind == BYTE:
            return self._byte()
        if kind == DOUBLE:
            return self._bytes(8)
        raise ValueError(f"no type {kind}")

    def _byte(self) -> int:
        self.at += 1
        return self.content[self.at - 1]

    def _bytes(self, count: int) -> bytes:
        start, self.at = self.at, self.at + count
        if self.at > len(self.content):
            raise ValueError("longer than the file")
        return bytes(self.content[start : self.at])

    def _varint(self) -> int:
        found = shift = 0
        while True:
            byte = self._byte()
            found |= (byte & 127) << shift
            if byte < 128:
                return found
            shift += 7
            if shift > 63:
                raise ValueError("a number that does not end")

    def _signed(self) -> int:
        found = self._varint()
        return found >> 1 ^ -(found & 1)


def _kind(value: Value) -> int:
    if isinstance(value, bool):
        return TRUE if value else FALSE
    if isinstance(value, int):
        return I32
    if isinstance(value, Wide):
        return I64
    if isinstance(value, str | bytes):
        return BINARY
    return STRUCT if isinstance(value, Mapping) else LIST


def _plain(value: Value) -> bytes:
    if isinstance(value, Wide | int):
        return varint(_zigzag(value.value if isinstance(value, Wide) else value))
    if isinstance(value, str | bytes):
        raw = value.encode() if isinstance(value, str) else value
        return varint(len(raw)) + raw
    if isinstance(value, Mapping):
        return encoded(value)
    kind = _kind(value[0]) if value else BYTE
    count = len(value)
    head = bytes([count << 4 | kind]) if count < 15 else bytes([240 | kind]) + varint(count)
    return head + b"".join(_plain(each) for each in value)


def _zigzag(value: int) -> int:
    return value << 1 ^ value >> 63


def varint(value: int) -> bytes:
    """Return a number from 0 on in as few bytes as it takes, seven bits in each."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)
