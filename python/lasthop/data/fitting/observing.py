"""The fate of every packet of a flow, from a capture at the sender or one at each end."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lasthop.data.measured import capture, headers, tcp, walking
from lasthop.data.measured.container import PCAP, PCAPNG
from lasthop.data.measured.headers import Segment
from lasthop.data.measured.model import Array
from lasthop.data.measured.tcp import ARRIVED, LOST
from lasthop.errors import MeasuredError, UsageError

FARTHEST = 5_000
"""Packets that are passed over, at most, to find one that was sent at the other end."""


@dataclass(frozen=True)
class Observed:
    """Packets of a flow in the order in which they were sent, and when it is known that they arrived.

    Attributes:
        flow: Its ends.
        at, size, fate: Of each packet: when it was sent (s), network-layer bytes, `tcp.LOST` and so on.
        known_at: When each answer came, or with two captures each packet, s.
        covered: Network-layer bytes that it says have arrived.
        sent, sent_size: The packet that it answers; NaN where that was sent more than once.
        answer_size: Network-layer bytes of the acknowledgement; 0 where the other end was captured too.
    """

    flow: str
    transport: str
    at: Array
    size: Array
    fate: Array
    known_at: Array
    covered: Array
    sent: Array
    sent_size: Array
    answer_size: Array

    @property
    def seconds(self) -> float:
        """From the first packet to the last."""
        return float(self.at[-1] - self.at[0])

    @property
    def has_answers(self) -> bool:
        """Return whether times are round trips."""
        return bool(self.answer_size.any())

    @property
    def trips(self) -> Array:
        """The time that each took: round trips, or the one-way delay of data with two captures, s."""
        return self.known_at - self.sent


def observe(paths: Sequence[Path]) -> Observed:
    """Read the busiest flow of a capture, or of the captures at both ends; raises LasthopError."""
    if len(paths) not in (1, 2):
        raise UsageError(f"fit takes one capture, or those of both ends, not {len(paths)}")
    scans = [_scan(path) for path in paths]
    connections = list(scans[0].connections.values())
    if not connections:
        walking.fail(str(paths[0]), "has no packet of TCP or UDP")
    busiest = max(connections, key=lambda own: sum(each.payload for each in own))
    if len(scans) == 2:
        return _both_ends(busiest, scans[1], [str(path) for path in paths])
    if busiest[0].protocol != headers.TCP:
        raise MeasuredError(
            f"{paths[0]}: error: a UDP flow has no acknowledgements: give the capture of the other end too"
        )
    return _one_end(busiest, str(paths[0]))


def _scan(path: Path) -> capture.Read:
    content = walking.read_bytes(path, str(path))
    if content[:4] not in PCAP and content[:4] != PCAPNG:
        walking.fail(str(path), "is not a capture (pcap or pcapng)")
    return capture.scan(content, str(path))


def _named(segments: Sequence[Segment], source: headers.End) -> str:
    sink = next(each.sink for each in segments if each.source == source)
    return f"{headers.named(source)}>{headers.named(sink)}"


def _one_end(segments: Sequence[Segment], file: str) -> Observed:
    found = tcp.transfer(segments)
    if found is None or len(found.acknowledgements) < 2:
        walking.fail(file, "has no TCP flow with data and acknowledgements")
    if found.at_sink:
        raise MeasuredError(
            f"{file}: error: this capture was taken near the receiver, so lost packets are missing: "
            "give one taken at the sender, or both"
        )
    sending, zero = found.sending(), found.begin
    known = found.acknowledgements
    sent = np.array([np.nan if each.sent is None else each.sent - zero for each in known], float)
    return Observed(
        f"{headers.named(found.source)}>{headers.named(found.sink)}",
        "tcp",
        (sending.at - zero) / 1e9,
        sending.size,
        sending.fate,
        np.array([each.at - zero for each in known], float) / 1e9,
        np.array([each.covered for each in known], float),
        sent / 1e9,
        np.array([each.size for each in known], float),
        np.array([each.own for each in known], float),
    )


def _identity(each: Segment) -> tuple[object, ...]:
    return each.ident, each.seq, each.payload, each.content


def _both_ends(segments: Sequence[Segment], other: capture.Read, files: Sequence[str]) -> Observed:
    """Match the packets with data of two captures, in their order: what is not found at the other end was lost."""
    ends = [(segments[0].source, segments[0].sink), (segments[0].sink, segments[0].source)]
    there = next((other.connections[key] for key in ends if key in other.connections), None)
    amounts = {end: sum(each.payload for each in segments if each.source == end) for end, _ in ends}
    source = max(amounts, key=lambda end: amounts[end])
    own = [each for each in segments if each.source == source and each.payload]
    theirs = [each for each in there or () if each.source == source and each.payload]
    if len(own) < 2 or not theirs:
        raise MeasuredError(f"{files[1]}: error: has no packet of the busiest flow of {files[0]}")
    places: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for place, each in enumerate(own):
        places[_identity(each)].append(place)
    arrived = np.full(len(own), np.nan)
    after = 0
    for each in theirs:
        possible = places.get(_identity(each), [])
        at = bisect_left(possible, after)
        if at < len(possible) and possible[at] - after < FARTHEST:
            arrived[possible[at]] = each.at
            after = possible[at] + 1
    zero, got = own[0].at, ~np.isnan(arrived)
    if not got.any():
        raise MeasuredError(f"{files[1]}: error: none of the packets of {files[0]} is in it")
    fate = np.where(got, ARRIVED, LOST).astype(float)
    fate[np.flatnonzero(got)[-1] + 1 :] = tcp.UNKNOWN  # on their way when the capture ended
    sent = np.array([each.at - zero for each in own], float) / 1e9
    size = np.array([each.size for each in own], float)
    transport = "tcp" if own[0].protocol == headers.TCP else "udp"
    return Observed(
        _named(own, source), transport, sent, size, fate, (arrived[got] - zero) / 1e9, size[got],
        sent[got], size[got], np.zeros(int(got.sum())),
    )  # fmt: skip
