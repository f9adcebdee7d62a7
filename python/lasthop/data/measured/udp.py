"""A UDP flow in a capture: its rate, and where datagrams are numbered (RTP, iperf3) what is missing."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np

from lasthop.data.measured.headers import Segment, named
from lasthop.data.measured.model import Array, Flow, Series, known

LEAST = 10
"""Fewer datagrams make no flow."""


def numbers(segments: Sequence[Segment]) -> Array | None:
    """Return the datagrams' own numbers, without wrap; None where they have none.

    A few without numbers, such as those with which iperf3 begins, are skipped.
    """
    for form, bits in ((_rtp, 16), (_iperf3, 32)):
        raw = [form(each.content) for each in segments]
        there = [each for each in raw if each is not None]
        if len(there) < max(LEAST, 0.9 * len(raw)):
            continue
        half = 1 << (bits - 1)
        steps = (np.diff(np.array(there, dtype=float)) + half) % (2 * half) - half
        # A counter goes up by one, or by a few where some are lost; other bytes do not.
        if float(np.mean((steps >= 1) & (steps < 1000))) > 0.9 and float(np.mean(steps == 1)) > 0.3:
            return np.concatenate([[0.0], np.cumsum(steps)])
    return None


def _rtp(content: bytes) -> int | None:
    """Return the number in a header of RTP, version 2 (RFC 3550 section 5.1)."""
    is_one = len(content) >= 12 and content[0] >> 6 == 2
    return int(struct.unpack_from(">H", content, 2)[0]) if is_one else None


def _iperf3(content: bytes) -> int | None:
    """Return the number behind the seconds and microseconds of an iperf3 datagram."""
    return int(struct.unpack_from(">I", content, 8)[0]) if len(content) >= 12 else None


def flow(segments: Sequence[Segment], step: float) -> Flow | None:
    """Read the datagrams between two ends, in the direction that has more bytes."""
    source = max((each.source for each in segments[:1]), default=None)
    amount = sum(each.payload for each in segments if each.source == source)
    if 2 * amount < sum(each.payload for each in segments):
        source = segments[0].sink
    own = [each for each in segments if each.source == source]
    seconds = (own[-1].at - own[0].at) / 1e9 if own else 0.0
    if len(own) < LEAST or seconds <= 0:
        return None
    at = np.array([each.at - own[0].at for each in own], dtype=float) / 1e9
    size = np.array([each.payload for each in own], dtype=float)
    told = numbers(own)
    missing = None
    if told is not None and (sent := told.max() - told.min() + 1) > 0:
        # Without a gap it cannot be known: the capture may have been taken at the sender, before all losses.
        missing = 1 - len(np.unique(told)) / sent or None
    rate = 8 * float(size.sum()) / seconds
    edges = np.arange(0.0, seconds + step, step)
    sums, _ = np.histogram(at, edges, weights=size)
    name = f"{named(own[0].source)}>{named(own[0].sink)}"
    return Flow(
        name,
        "udp",
        known({"goodput_bps": rate, "loss": missing}),
        {"goodput_bps": Series(edges[1:], 8 * sums / step)},
    )
