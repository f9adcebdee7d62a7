"""From the bytes of a packet to its IP, TCP and UDP headers, whatever its link layer.

Facts: RFC 791, 8200, 9293, 2018, 768; tcpdump.org's list of link types; IEEE 802.11-2020 clause 9; radiotap.org.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import NamedTuple

ETHERNET, RAW, LOOPBACK, WIFI, COOKED, RADIOTAP, IPV4, IPV6, COOKED2 = (
    1, 101, 0, 105, 113, 127, 228, 229, 276,
)  # fmt: skip
RAWS = {RAW, IPV4, IPV6, 12, 14}
TYPES_OF_IP = {b"\x08\x00", b"\x86\xdd"}
TAGS = {b"\x81\x00", b"\x88\xa8"}
SNAP = b"\xaa\xaa\x03\x00\x00\x00"
TCP, UDP = 6, 17
EXTENSIONS = {0, 43, 60}
"""IPv6 headers that may precede TCP: hop-by-hop, routing, destination options (RFC 8200 section 4)."""

MOST_TUNNELS = 4

FIN, SYN, RST, ACK = 1, 2, 4, 16

End = tuple[bytes, int]
"""Address and port."""


class Segment(NamedTuple):
    """A TCP segment or a UDP datagram.

    Attributes:
        at: When, ns.
        source, sink: Its ends.
        protocol: `TCP` or `UDP`.
        size: Network-layer bytes.
        payload: Bytes of payload.
        seq, ack, flags, sacks, mss: Of TCP.
        content: The first bytes of the payload, as many as were kept.
        ident: What tells a packet from all others in this file, where IP says it.
    """

    at: int
    source: End
    sink: End
    protocol: int
    size: int
    payload: int
    seq: int
    ack: int
    flags: int
    sacks: tuple[tuple[int, int], ...]
    mss: int
    content: bytes
    ident: int


@dataclass(frozen=True)
class _Ip:
    source: bytes
    sink: bytes
    protocol: int
    begin: int
    size: int
    header: int
    ident: int


def network(link: int, data: bytes) -> int | None:
    """Return where the IP header begins; None where the packet has none that is read."""
    if link in RAWS:
        return 0
    if link == ETHERNET:
        at = 12
        while data[at : at + 2] in TAGS:
            at += 4
        return at + 2 if data[at : at + 2] in TYPES_OF_IP else None
    if link == COOKED:
        return 16 if data[14:16] in TYPES_OF_IP else None
    if link == COOKED2:
        return 20 if data[0:2] in TYPES_OF_IP else None
    return 4 if link == LOOPBACK else None


def behind_llc(data: bytes, at: int) -> int | None:
    """Return where the IP header begins behind an LLC/SNAP header at `at` (RFC 1042)."""
    is_ip = data[at : at + 6] == SNAP and data[at + 6 : at + 8] in TYPES_OF_IP
    return at + 8 if is_ip else None


def segment(when: int, data: bytes, at: int) -> Segment | None:
    """Read a TCP segment or a UDP datagram whose IP header begins at `at`; None where it is neither."""
    try:
        ip = _ip(data, at)
        if ip is None:
            return None
        if ip.protocol == TCP:
            return _tcp(when, data, ip)
        return _udp(when, data, ip) if ip.protocol == UDP else None
    except (struct.error, IndexError):
        return None  # less was kept of it than its headers


def _ip(data: bytes, at: int, tunnels: int = 0) -> _Ip | None:
    version = data[at] >> 4
    if version == 4:
        header = 4 * (data[at] & 15)
        size, ident, offset = struct.unpack_from(">HHH", data, at + 2)
        if header < 20 or offset & 0x1FFF:
            return None
        if data[at + 9] == 4:  # IP in IP, as in a tunnel of Mobile IP (RFC 2003)
            return _ip(data, at + header, tunnels + 1) if tunnels < MOST_TUNNELS else None
        # A length of zero means one that did not fit: a segment that the card splits (TSO).
        size = (size or len(data) - at) - header
        source, sink = data[at + 12 : at + 16], data[at + 16 : at + 20]
        return _Ip(source, sink, data[at + 9], at + header, max(size, 0), header, ident)
    if version == 6:
        size, protocol, begin = struct.unpack_from(">H", data, at + 4)[0], data[at + 6], at + 40
        while protocol in EXTENSIONS:
            extension = 8 * (data[begin + 1] + 1)
            protocol, begin, size = data[begin], begin + extension, size - extension
        source, sink = data[at + 8 : at + 24], data[at + 24 : at + 40]
        return _Ip(source, sink, protocol, begin, max(size, 0), begin - at, 0)
    return None


def _tcp(when: int, data: bytes, ip: _Ip) -> Segment | None:
    source, sink, seq, ack, offset, flags = struct.unpack_from(">HHIIBB", data, ip.begin)
    header = 4 * (offset >> 4)
    payload = ip.size - header
    if header < 20 or payload < 0:
        return None
    sacks, mss = _options(data[ip.begin + 20 : ip.begin + header])
    return Segment(
        when, (ip.source, source), (ip.sink, sink), TCP, ip.size + ip.header, payload,
        seq, ack, flags, sacks, mss, b"", ip.ident,
    )  # fmt: skip


def _options(options: bytes) -> tuple[tuple[tuple[int, int], ...], int]:
    """Return the SACK blocks, and the MSS or 0."""
    at, sacks, mss = 0, [], 0
    while at + 1 < len(options) and options[at] != 0:
        if options[at] == 1:
            at += 1
            continue
        kind, length = options[at], options[at + 1]
        if length < 2 or at + length > len(options):
            break
        if kind == 5:
            blocks = range(at + 2, at + length - 7, 8)
            sacks = [struct.unpack_from(">II", options, block) for block in blocks]
        elif kind == 2 and length == 4:
            mss = struct.unpack_from(">H", options, at + 2)[0]
        at += length
    return tuple((start, end) for start, end in sacks), mss


def _udp(when: int, data: bytes, ip: _Ip) -> Segment:
    source, sink = struct.unpack_from(">HH", data, ip.begin)
    payload = max(ip.size - 8, 0)
    content = data[ip.begin + 8 : ip.begin + 24]
    return Segment(
        when, (ip.source, source), (ip.sink, sink), UDP, ip.size + ip.header, payload,
        0, 0, 0, (), 0, content, ip.ident,
    )  # fmt: skip


def named(end: End) -> str:
    """Write an end as people do: 10.0.0.1:5201, [fe80::1]:80."""
    import ipaddress

    address, port = end
    try:
        host = str(ipaddress.ip_address(address))
    except ValueError:
        host = address.hex()
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
