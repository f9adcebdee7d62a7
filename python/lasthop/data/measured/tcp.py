"""A TCP connection in a capture: what was sent, what was acknowledged when, what was lost on the way.

The capture may have been taken anywhere on the path. Near the sender every transmission is in it, and its
fate follows from the acknowledgements, cumulative and selective (RFC 2018).
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from lasthop.data.measured.headers import ACK, SYN, End, Segment
from lasthop.data.measured.model import Array

HALF = 1 << 31
WHOLE = 1 << 32

MOST_PIECES = 256
"""Packets that a card makes of one segment (TSO), at most."""

LOST, ARRIVED, UNKNOWN = 0, 1, -1


@dataclass
class _Piece:
    """A packet's worth of the stream: when it was sent, each time, and when it was first known to have arrived.

    `behind` is the beginning of the piece whose arrival filled the hole at which the acknowledgements had
    stopped.
    """

    end: int
    size: int
    sent: list[int]
    covered: int | None = None
    behind: int | None = None


class Answer(NamedTuple):
    """The new information in an acknowledgement.

    Attributes:
        at: When it came, ns.
        covered: Network-layer bytes of data that it is the first to cover.
        sent: When the newest of them that was sent once had been sent, ns; None where there is none.
        size: Network-layer bytes of that one.
        own: Network-layer bytes of the acknowledgement.
    """

    at: int
    covered: int
    sent: int | None
    size: int
    own: int

    @property
    def rtt(self) -> int | None:
        """The round trip, ns; of what was sent twice none is known (Karn)."""
        return None if self.sent is None else self.at - self.sent


class Sending(NamedTuple):
    """Packets as they were sent, in order: when (ns), network-layer bytes, fate."""

    at: Array
    size: Array
    fate: Array


@dataclass
class Transfer:
    """The data of a connection in a capture, in the direction that has more of them.

    Attributes:
        source, sink: The ends.
        begin, end: When its first and last packet were seen, ns.
        mss: Payload of a full segment, bytes.
        sent: When each packet with data passed, ns, and its network-layer bytes.
        again: Which of them carry bytes that had passed, or should have passed, before.
        acked: (when, bytes of the stream acknowledged by then).
        acknowledgements: Those that say something new, in their order.
        handshake: The times of SYN, SYN-ACK and ACK, ns; None where they are not there.
        at_sink: Whether the capture was taken nearer to the sink than to the source.
    """

    source: End
    sink: End
    begin: int = 0
    end: int = 0
    mss: int = 0
    sent: list[tuple[int, int]] = field(default_factory=list)
    again: int = 0
    acked: list[tuple[int, int]] = field(default_factory=list)
    acknowledgements: list[Answer] = field(default_factory=list)
    header: int = 40
    answers: list[int] = field(default_factory=list)
    handshake: tuple[int, int, int] | None = None
    pieces: dict[int, _Piece] = field(default_factory=dict)
    unique: int = 0

    @property
    def at_sink(self) -> bool:
        """Return whether the capture was taken nearer to the sink: by the handshake, or by how soon data are
        answered."""
        if self.handshake is not None:
            asked, answered, confirmed = self.handshake
            return answered - asked < confirmed - answered
        if not self.rtts or not self.answers:
            return False
        return float(np.median([rtt for _, rtt in self.rtts])) < float(np.median(self.answers))

    @property
    def rtts(self) -> list[tuple[int, int]]:
        """(when, round trip in ns) of segments that were sent once."""
        return [
            (each.at, each.at - each.sent)
            for each in self.acknowledgements
            if each.sent is not None
        ]

    @property
    def payload(self) -> int:
        """Bytes of the stream that got through, as far as can be seen."""
        return self.acked[-1][1] - self.acked[0][1] if len(self.acked) > 1 else self.unique

    def sending(self) -> Sending:
        """Return when each packet with data was sent and its fate: `LOST`, `ARRIVED` or `UNKNOWN`.

        A packet sent once and acknowledged arrived. Of one sent several times the last arrived that can have
        caused the acknowledgement: it was sent at least a round trip before, and not after the packet that
        filled the hole before it. Those before it were lost; what was sent later has no known fate.
        """
        least = min((rtt for _, rtt in self.rtts), default=0)
        rows: list[tuple[int, int, int]] = []
        for piece in self.pieces.values():
            size = piece.size + self.header
            if piece.covered is None:
                rows += [(at, size, UNKNOWN) for at in piece.sent]
                continue
            latest = piece.covered - least
            if piece.behind is not None and len(piece.sent) > 1:
                filled = [at for at in self.pieces[piece.behind].sent if at <= latest]
                latest = filled[-1] if filled else latest
            early = [at for at in piece.sent if at <= latest]
            arrived = early[-1] if early else piece.sent[0]
            for at in piece.sent:
                fate = LOST if at < arrived else ARRIVED if at == arrived else UNKNOWN
                rows.append((at, size, fate))
        rows.sort(key=lambda row: row[0])
        table = np.array(rows, dtype=np.int64).reshape(-1, 3).astype(float)
        return Sending(table[:, 0], table[:, 1], table[:, 2])


def transfer(segments: Sequence[Segment]) -> Transfer | None:
    """Read the segments of a connection, in the order of time; None where no data pass."""
    amount: Counter[End] = Counter()
    for each in segments:
        amount[each.source] += each.payload
    source, most = max(amount.items(), key=lambda pair: pair[1])
    if most == 0:
        return None
    first = next(each for each in segments if each.source == source)
    found = Transfer(source, first.sink, segments[0].at, segments[-1].at)
    full = Counter(each.payload for each in segments if each.source == source and each.payload)
    told = [each.mss for each in segments if each.flags & SYN and each.mss]
    # The size that most segments have: what a card cuts up later (TSO) is larger than any told.
    usual = max(full, key=lambda size: (full[size], size))
    found.mss = min([usual, *told]) if told else usual
    found.handshake = _handshake(segments)
    _Follower(found).follow(segments)
    return found


def _handshake(segments: Sequence[Segment]) -> tuple[int, int, int] | None:
    """Return the times of the last SYN, its SYN-ACK and the ACK, which begin a connection."""
    asked = answered = None
    for each in segments[:10]:
        if each.flags & SYN and not each.flags & ACK:
            asked = each
        elif each.flags & SYN and asked is not None:
            answered = each
        elif asked is not None and answered is not None and each.source == asked.source:
            return asked.at, answered.at, each.at
    return None


class _Follower:
    """Goes through the segments of a connection once."""

    def __init__(self, found: Transfer) -> None:
        self.found = found
        self.starts: list[int] = []
        self.head = 0
        self.highest = self.cumulative = -1
        self.blocks: dict[int, int] = {}
        self.base: int | None = None
        self.last_ack_at = 0

    def number(self, seq: int) -> int:
        """Return a sequence number without its wrap, counted from the first one seen."""
        if self.base is None:
            self.base = seq
        near = max(self.highest, self.cumulative, 0)
        offset = (seq - self.base - near) % WHOLE
        return near + (offset - WHOLE if offset >= HALF else offset)

    def follow(self, segments: Sequence[Segment]) -> None:
        for each in segments:
            if each.source == self.found.source:
                if each.payload:
                    self.send(each)
            elif each.flags & ACK and self.base is not None:
                self.acknowledge(each)

    def send(self, each: Segment) -> None:
        start = self.number(each.seq)
        if start < 0 or start > self.highest + HALF // 2:
            return
        if self.last_ack_at:
            self.found.answers.append(each.at - self.last_ack_at)
            self.last_ack_at = 0
        mss, header = max(self.found.mss, each.payload // MOST_PIECES), each.size - each.payload
        if start == self.cumulative - 1 and each.payload == 1 and self.cumulative > 0:
            return  # a keep-alive (RFC 9293 section 3.8.4)
        self.found.header = header
        for begin in range(start, start + each.payload, mss):
            size = min(mss, start + each.payload - begin)
            self.found.sent.append((each.at, size + header))
            if begin < self.highest:
                self.found.again += 1
            self.piece(begin, begin + size, each.at)

    def piece(self, begin: int, end: int, at: int) -> None:
        there = self.found.pieces.get(begin)
        if there is not None:
            there.sent.append(at)
            return
        self.found.unique += end - begin
        if begin < self.highest:
            return  # a part of what was sent otherwise cut, or what was lost before it came here
        self.found.pieces[begin] = _Piece(end, end - begin, [at])
        self.starts.append(begin)
        self.highest = end

    def acknowledge(self, each: Segment) -> None:
        self.last_ack_at = each.at
        cumulative = self.number(each.ack)
        covered: list[_Piece] = []
        if cumulative > self.cumulative and cumulative <= self.highest + 1:
            self.cumulative = cumulative
            self.found.acked.append((each.at, cumulative))
            hole = self.starts[self.head] if self.head < len(self.starts) else None
            while self.head < len(self.starts):
                piece = self.found.pieces[self.starts[self.head]]
                if piece.end > cumulative:
                    break
                if piece.covered is None:
                    piece.behind = hole
                covered.append(piece)
                self.head += 1
            self.blocks = {left: right for left, right in self.blocks.items() if right > cumulative}
        for left, right in each.sacks:
            covered += self.within(self.number(left), self.number(right))
        fresh = [piece for piece in covered if piece.covered is None]
        for piece in fresh:
            piece.covered = each.at
        if not fresh:
            return
        # The newest is what the acknowledgement answers.
        once = [(piece.sent[0], piece.size) for piece in fresh if len(piece.sent) == 1]
        sent, size = max(once, default=(None, 0), key=lambda pair: pair[0] or 0)
        header = self.found.header
        covered_bytes = sum(piece.size + header for piece in fresh)
        self.found.acknowledgements.append(
            Answer(each.at, covered_bytes, sent, size + header, each.size)
        )

    def within(self, left: int, right: int) -> list[_Piece]:
        """Return the pieces in a SACK block that are beyond what it had before."""
        if not self.cumulative < right <= self.highest + 1:
            return []
        known = self.blocks.get(left, left)
        self.blocks[left] = max(right, known)
        place, found = max(bisect_left(self.starts, known), self.head), []
        while place < len(self.starts) and self.starts[place] < right:
            piece = self.found.pieces[self.starts[place]]
            if piece.end <= right:
                found.append(piece)
            place += 1
        return found
