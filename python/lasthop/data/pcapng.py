"""A reader of lasthop's own captures: pcapng with one interface, nanoseconds, radiotap or raw IPv4.

It shares nothing with the writer but the formats (draft-ietf-opsawg-pcapng, radiotap.org, IEEE 802.11-2020 clause
9, RFC 791).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from lasthop import regular_files

Ints = npt.NDArray[np.int_]
Mask = npt.NDArray[np.bool_]

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
    """A packet at an interface: the time (ns), the direction (`IN`, `OUT`; 0: neither), its bytes, whether
    all of them."""

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
        transmitter: Its address 2; empty in control frames, which are not distinguished here.
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


@dataclass(frozen=True)
class Frames:
    """Many frames, each attribute of a `Frame` as a column.

    Addresses are numbers of 48 bits; a frame's body is in `content` from `begin` to `end`.
    """

    content: bytes
    at: Ints
    way: Ints
    kind: Ints
    frequency_mhz: Ints
    receiver: Ints
    transmitter: Ints
    retry: Mask
    sequence: Ints
    begin: Ints
    end: Ints

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.at)

    def __iter__(self) -> Iterator[Frame]:
        """Yield them one by one, in the order of the file."""
        columns = (getattr(self, name).tolist() for name in COLUMNS)
        for at, way, kind, mhz, receiver, transmitter, retry, sequence, begin, end in zip(
            *columns, strict=True
        ):
            addresses = receiver.to_bytes(6, "big"), transmitter.to_bytes(6, "big")
            yield Frame(at, way, kind, mhz, *addresses, retry, sequence, self.content[begin:end])

    def where(self, chosen: Mask) -> Frames:
        """Return those of which `chosen` is true."""
        return replace(self, **{name: getattr(self, name)[chosen] for name in COLUMNS})

    def first_copies(self, receivers: npt.ArrayLike) -> Frames:
        """Return the data frames to these receivers, the first copy of each (802.11-2020, 10.3.2.14)."""
        is_for_them = np.isin(self.receiver, receivers)
        got = self.where((self.kind == DATA) & (self.way == IN) & is_for_them)
        # Each behind the one that its transmitter sent before.
        order = np.argsort(got.transmitter, kind="stable")
        transmitter, sequence = got.transmitter[order], got.sequence[order]
        is_first = np.ones(len(got), bool)
        same = (transmitter[1:] == transmitter[:-1]) & (sequence[1:] == sequence[:-1])
        is_first[order[1:]] = ~(same & got.retry[order[1:]])
        return got.where(is_first)


COLUMNS = tuple(field.name for field in fields(Frames) if field.name != "content")


@dataclass(frozen=True)
class _Blocks:
    """The packets of a file: when, which way, from which byte to which, whether all of it is there."""

    content: bytes
    at: Ints
    way: Ints
    begin: Ints
    end: Ints
    is_whole: Mask


def packets(path: Path) -> Iterator[Packet]:
    """Yield what a file holds, in its order, which is that of time."""
    blocks = _blocks(path)
    columns = (blocks.at, blocks.way, blocks.begin, blocks.end, blocks.is_whole)
    for at, way, begin, end, is_whole in zip(*(each.tolist() for each in columns), strict=True):
        yield Packet(at, way, blocks.content[begin:end], is_whole)


def _blocks(path: Path) -> _Blocks:
    with regular_files.opened(path) as file:
        content = file.read()
    words = memoryview(content).cast("I")
    starts, at = [], 0
    while at < len(words):
        if words[at] == ENHANCED_PACKET:
            starts.append(at)
        at += words[at + 1] >> 2
    # Type, length, interface, time (high, low), bytes kept, bytes on the wire; the packet; options; length.
    head = np.array(starts, int)
    word = np.frombuffer(content, "<u4")
    _, length, _, high, low, kept, whole = (word[head + i].astype(int) for i in range(7))
    options = head + 7 + (kept + 3) // 4
    has_flags = (options < head + length // 4 - 1) & (word[options] & 0xFFFF == FLAGS_OPTION)
    way = np.zeros_like(head)
    way[has_flags] = word[options[has_flags] + 1] & 3
    begin = (head + 7) * 4
    return _Blocks(content, high << 32 | low, way, begin, begin + kept, kept == whole)


def frames(path: Path) -> Frames:
    """Return the data and management frames of a file that were sent or decoded."""
    blocks = _blocks(path)
    octet = np.frombuffer(blocks.content, np.uint8)

    def number(at: Ints, size: int, order: Literal["big", "little"] = "little") -> Ints:
        places = range(size) if order == "little" else reversed(range(size))
        return sum(
            (octet[at + i].astype(int) << 8 * place for i, place in enumerate(places)), start=0 * at
        )

    # TSFT, flags, rate, channel: the fields that lasthop writes, and their places.
    mpdu = blocks.begin + number(blocks.begin + 2, 2)
    is_control = octet[mpdu] & 0x0C == 0x04
    chosen = ~is_control & (octet[blocks.begin + 16] & BAD_FCS == 0)
    head, mpdu = blocks.begin[chosen], mpdu[chosen]
    return Frames(
        content=blocks.content,
        at=blocks.at[chosen],
        way=blocks.way[chosen],
        kind=(number(mpdu, 1) >> 2 & 3) << 4 | number(mpdu, 1) >> 4,
        frequency_mhz=number(head + 18, 2),
        receiver=number(mpdu + 4, 6, "big"),
        transmitter=number(mpdu + 10, 6, "big"),
        retry=octet[mpdu + 1] & RETRY != 0,
        sequence=number(mpdu + 22, 2) >> 4,
        begin=mpdu + MAC_HEADER,
        end=blocks.end[chosen] - FCS * blocks.is_whole[chosen],
    )


def received(path: Path) -> Frames:
    """Return the data frames that the station of a file got; it must have sent some itself."""
    everything = frames(path)
    return everything.first_copies(np.unique(everything.transmitter[everything.way == OUT]))


def identity(packet: bytes) -> bytes:
    """Return what an IPv4 packet keeps at every hop, up to the first words of its transport's header."""
    return packet[:8] + packet[9:10] + packet[12:32]
