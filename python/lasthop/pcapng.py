"""A reader of lasthop's own captures: pcapng with one interface, nanoseconds, radiotap or raw IPv4.

It shares nothing with the writer but the formats (draft-ietf-opsawg-pcapng, radiotap.org, IEEE 802.11-2020 clause
9, RFC 791).
"""

from __future__ import annotations

import struct
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

ENHANCED_PACKET = 6
FLAGS_OPTION = 2
IN, OUT = 1, 2

DATA = 0x20
ASSOCIATION_RESPONSE = 0x01
REASSOCIATION_REQUEST, REASSOCIATION_RESPONSE = 0x02, 0x03
PROBE_REQUEST, PROBE_RESPONSE = 0x04, 0x05
BEACON, AUTHENTICATION = 0x08, 0x0B
"""Type and subtype of 802.11 frames, as Wireshark numbers them."""

BAD_FCS = 0x40
RETRY = 0x08
MAC_HEADER, LLC, FCS = 24, 8, 4


@dataclass(frozen=True)
class Packet:
    """What an interface saw: when (ns), which way (`IN`, `OUT`; 0: neither), its bytes, whether all of them."""

    at: int
    way: int
    data: bytes
    is_whole: bool


@dataclass(frozen=True)
class Frame:
    """A frame that was sent or decoded.

    Attributes:
        at: When it began where it was sent, when it ended where it was received, ns.
        way: `IN` or `OUT`; 0 in a capture of a channel.
        kind: Type and subtype.
        frequency_mhz: Of its channel.
        receiver: Its address 1.
        transmitter: Its address 2; empty in control frames, which are not told apart here.
        retry: Whether it has been sent before.
        sequence: Sequence number.
        body: What follows the MAC header, without FCS.
    """

    at: int
    way: int
    kind: int
    frequency_mhz: int
    receiver: bytes
    transmitter: bytes
    retry: bool
    sequence: int
    body: bytes

    @property
    def packet(self) -> bytes:
        """The IPv4 packet in a data frame."""
        return self.body[LLC:]


def packets(path: Path) -> Iterator[Packet]:
    """Yield what a file holds, in its order, which is that of time."""
    content, at = path.read_bytes(), 0
    while at < len(content):
        kind, length = struct.unpack_from("<II", content, at)
        if kind == ENHANCED_PACKET:
            _, high, low, kept, whole = struct.unpack_from("<5I", content, at + 8)
            start = at + 28
            options = start + (kept + 3) // 4 * 4
            way = 0
            if options < at + length - 4:
                code, _, value = struct.unpack_from("<HHI", content, options)
                way = value & 3 if code == FLAGS_OPTION else 0
            yield Packet(high << 32 | low, way, content[start : start + kept], kept == whole)
        at += length


def frames(path: Path) -> Iterator[Frame]:
    """Yield the data and management frames of a file that were sent or decoded."""
    for packet in packets(path):
        frame = _frame(packet)
        if frame is not None:
            yield frame


def _frame(packet: Packet) -> Frame | None:
    length = struct.unpack_from("<H", packet.data, 2)[0]
    # TSFT, flags, rate, channel: the fields that lasthop writes, and where they stand.
    frequency = struct.unpack_from("<H", packet.data, 18)[0]
    mpdu = packet.data[length:]
    is_control = mpdu[0] & 0x0C == 0x04
    if packet.data[16] & BAD_FCS or is_control:
        return None
    return Frame(
        at=packet.at,
        way=packet.way,
        kind=(mpdu[0] >> 2 & 3) << 4 | mpdu[0] >> 4,
        frequency_mhz=frequency,
        receiver=mpdu[4:10],
        transmitter=mpdu[10:16],
        retry=bool(mpdu[1] & RETRY),
        sequence=struct.unpack_from("<H", mpdu, 22)[0] >> 4,
        body=mpdu[MAC_HEADER : -FCS if packet.is_whole else None],
    )


def received(path: Path) -> list[Frame]:
    """Return the data frames that the station of a file got; it must have sent some itself."""
    everything = list(frames(path))
    return first_copies(everything, {frame.transmitter for frame in everything if frame.way == OUT})


def first_copies(heard: Iterable[Frame], receivers: Collection[bytes]) -> list[Frame]:
    """Return the data frames to these receivers, the first copy of each (802.11-2020, 10.3.2.14)."""
    last: dict[bytes, int] = {}
    got = []
    for frame in heard:
        if frame.kind != DATA or frame.way != IN or frame.receiver not in receivers:
            continue
        if not (frame.retry and last.get(frame.transmitter) == frame.sequence):
            got.append(frame)
        last[frame.transmitter] = frame.sequence
    return got


def identity(packet: bytes) -> bytes:
    """Return what an IPv4 packet keeps at every hop, up to the first words of its transport's header."""
    return packet[:8] + packet[9:10] + packet[12:32]
