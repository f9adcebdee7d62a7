"""Packets in pcap and pcapng files, of any byte order, time resolution and number of interfaces.

Facts: draft-ietf-opsawg-pcap, draft-ietf-opsawg-pcapng.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from lasthop.data.measured.walking import fail

Packet = tuple[int, int, bytes, int]
"""The time (ns), the link-layer type, the captured bytes, and the original length."""

PCAP = {
    b"\xd4\xc3\xb2\xa1": ("<", 1000),
    b"\xa1\xb2\xc3\xd4": (">", 1000),
    b"\x4d\x3c\xb2\xa1": ("<", 1),
    b"\xa1\xb2\x3c\x4d": (">", 1),
}
"""Magic numbers of pcap: byte order, and nanoseconds in a unit of the fraction."""

SECTION, INTERFACE, OLD_PACKET, SIMPLE, ENHANCED = 0x0A0D0D0A, 1, 2, 3, 6
PCAPNG = b"\x0a\x0d\x0d\x0a"
LARGEST_PACKET = 1 << 24
TIME_RESOLUTION, TIME_OFFSET, END_OF_OPTIONS = 9, 14, 0


class Capture:
    """The packets of a file's content; `cut_at` is the byte at which it is cut off, where it is."""

    def __init__(self, content: bytes, file: str) -> None:
        """Take what a file holds."""
        self.content, self.file = content, file
        self.cut_at: int | None = None

    def __iter__(self) -> Iterator[Packet]:
        """Yield the packets in the order of the file; raises MeasuredError."""
        return self._pcapng() if self.content[:4] == PCAPNG else self._pcap()

    def _pcap(self) -> Iterator[Packet]:
        content = self.content
        if content[:4] not in PCAP:
            fail(self.file, "byte 0: no pcap and no pcapng")
        order, unit = PCAP[content[:4]]
        if len(content) < 24:
            fail(self.file, f"byte {len(content)}: cut off within the header of pcap")
        link = struct.unpack_from(order + "I", content, 20)[0] & 0xFFFF
        head, at = struct.Struct(order + "IIII"), 24
        while at < len(content):
            if at + 16 > len(content):
                self.cut_at = at
                return
            seconds, fraction, kept, size = head.unpack_from(content, at)
            if kept > LARGEST_PACKET or fraction * unit >= 10**9:
                fail(self.file, f"byte {at}: no header of a packet ({kept:,} bytes, {fraction})")
            begin = at + 16
            at = begin + kept
            if at > len(content):
                self.cut_at = begin - 16
                return
            yield seconds * 10**9 + fraction * unit, link, content[begin:at], size

    def _pcapng(self) -> Iterator[Packet]:
        content, at, order = self.content, 0, "<"
        faces: list[_Face] = []
        while at < len(content):
            if at + 12 > len(content):
                self.cut_at = at
                return
            if content[at : at + 4] == PCAPNG:
                order, faces = self._order(at), []
            kind, length = struct.unpack_from(order + "II", content, at)
            if length < 12 or length % 4:
                fail(self.file, f"byte {at}: no block of pcapng (length {length:,})")
            end = at + length
            if end > len(content):
                self.cut_at = at
                return
            if struct.unpack_from(order + "I", content, end - 4)[0] != length:
                fail(
                    self.file,
                    f"byte {end - 4}: a block ends with another length than it begins with",
                )
            if kind == INTERFACE:
                faces.append(_face(self, at, end, order))
            elif kind in (ENHANCED, OLD_PACKET):
                yield self._packet(kind, at, end, order, faces)
            elif kind == SIMPLE:
                fail(self.file, f"byte {at}: a simple packet block, which has no time")
            at = end

    def _order(self, at: int) -> str:
        magic = self.content[at + 8 : at + 12]
        for order, there in (("<", b"\x4d\x3c\x2b\x1a"), (">", b"\x1a\x2b\x3c\x4d")):
            if magic == there:
                return order
        return fail(self.file, f"byte {at + 8}: no byte order of pcapng")

    def _packet(self, kind: int, at: int, end: int, order: str, faces: list[_Face]) -> Packet:
        if end - at < 32:
            fail(self.file, f"byte {at}: a packet block of {end - at} bytes; 32 or more are needed")
        form = order + ("I" if kind == ENHANCED else "HH")
        face = struct.unpack_from(form, self.content, at + 8)[0]
        high, low, kept, size = struct.unpack_from(order + "IIII", self.content, at + 12)
        if face >= len(faces):
            fail(self.file, f"byte {at}: a packet of interface {face}; {len(faces)} are described")
        if at + 28 + kept > end - 4:
            fail(self.file, f"byte {at}: {kept:,} bytes of a packet in a block of {end - at:,}")
        data = self.content[at + 28 : at + 28 + kept]
        return faces[face].time(high << 32 | low), faces[face].link, data, size


@dataclass(frozen=True)
class _Face:
    """An interface: its link layer, and how its times are written."""

    link: int
    per_second: int
    offset_s: int

    def time(self, units: int) -> int:
        return self.offset_s * 10**9 + units * 10**9 // self.per_second


def _face(capture: Capture, at: int, end: int, order: str) -> _Face:
    """Read an interface description block."""
    if end - at < 20:
        fail(capture.file, f"byte {at}: an interface block of {end - at} bytes; 20 are needed")
    content, place = capture.content, at + 16
    link = struct.unpack_from(order + "H", content, at + 8)[0]
    per_second, offset = 10**6, 0
    while place + 4 <= end - 4:
        code, length = struct.unpack_from(order + "HH", content, place)
        value = content[place + 4 : min(place + 4 + length, end - 4)]
        if code == END_OF_OPTIONS:
            break
        if code == TIME_RESOLUTION and value:
            power = value[0] & 0x7F
            per_second = 2**power if value[0] & 0x80 else 10**power
            if per_second > 10**18:
                fail(capture.file, f"byte {place}: times in units of 1/{per_second:.0e} s")
        elif code == TIME_OFFSET and len(value) == 8:
            offset = struct.unpack(order + "q", value)[0]
        place += 4 + length + -length % 4
    return _Face(link, per_second, offset)
