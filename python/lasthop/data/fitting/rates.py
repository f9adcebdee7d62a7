"""Rate of a path: of trains of packets that wait, and of single gaps where others share the path.

While packets wait before the bottleneck they leave it one behind the other, so that acknowledged bytes over time
are its rate (Jain and Dovrolis 2003 on what trains measure). Beside other traffic a train measures this flow's
share: packets of others are between its own. The gap between two packets that nothing came between is still the
link's. It is the shortest that occurs often (packet-pair dispersion: Dovrolis, Ramanathan, Moore 2001).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lasthop.data.fitting.losses import Parameter
from lasthop.data.fitting.observing import Observed
from lasthop.data.measured.model import Array, Mask
from lasthop.numbers import stats

TRAINS = (10, 5, 3)
"""Answers in a train of which a rate is taken; shorter where the queue is too short for longer ones."""

LEAST_TRAINS = 5

RESOLUTION_S = 2e-6
"""As exactly as times of captures are known: pcap has microseconds."""

HOST_BPS = 1e9
"""The host's own link in the scenario that is written: its share of a round trip is taken off. Answers that come
faster than packets leave it were bunched on their way, and show no link's rate."""

SHARED = 1.1
"""A link is shared where pairs of packets that follow each other pass it faster than trains by this factor."""

ALIKE = 0.01
"""Gaps of one link, per bit, differ by less than this part."""

LEAST_PAIRS, PAIRS_SHARE = 10, 0.005
"""Least number of gaps, and least share of all, for a mode."""

NEAR, MOSTLY = 0.05, 0.4
"""A rate is one where more than this share of gaps, per bit, are within this part of it."""

FASTER = 0.1
"""Largest share of shorter gaps for each gap of a mode; beyond it hosts or radios bunch packets."""


@dataclass(frozen=True)
class Rate:
    """The rate of trains of packets.

    Attributes:
        value, low, high: bit/s of network-layer bytes with its interval; only a lower bound where `is_bound`.
        variation: Standard deviation of the trains' rates over their mean.
        trains: How many there were.
        link: The link's rate where others share it: this flow's trains are then slower.
        is_one: Whether gaps between packets of a train are mostly those of one rate.
    """

    value: float
    low: float
    high: float
    variation: float
    trains: int
    link: Parameter | None = None
    is_one: bool = True

    @property
    def is_bound(self) -> bool:
        """Return whether the flow never filled the path."""
        return self.trains < LEAST_TRAINS


def find(seen: Observed) -> Rate:
    """Estimate the rate from the longest trains of which there are enough."""
    joined = _joined(seen)
    for answers in TRAINS:
        table = _trains(seen, joined, answers)
        if len(table) >= LEAST_TRAINS:
            return _of_trains(seen, joined, table, answers)
    return Rate(_fastest(seen), 0.0, float("inf"), 0.0, len(table))


def _joined(seen: Observed) -> Mask:
    """Return the gaps between answers during which the bottleneck was sending, where they can be
    identified."""
    gaps = np.diff(seen.known_at)
    bits = 8 * seen.covered[1:]
    trips = seen.trips
    with np.errstate(invalid="ignore"):
        waiting = (trips[1:] > np.nanmedian(trips)) & (gaps > 0)
    if not waiting.any():
        waiting = gaps > 0
    first = float(np.median(bits[waiting] / gaps[waiting]))
    base = np.nanmin(trips)
    with np.errstate(invalid="ignore"):
        busy = trips - base > 1.5 * 8 * seen.sent_size / first
    # A packet lost between two answers has taken time and brought no bytes.
    lost = np.cumsum(seen.fate != 1)
    place = np.searchsorted(seen.at, np.nan_to_num(seen.sent), side="right") - 1
    before = lost[np.maximum(place, 0)]
    joined: Mask = busy[1:] & busy[:-1] & (before[1:] == before[:-1])
    return joined


def _trains(seen: Observed, joined: Mask, answers: int) -> Array:
    bits, rates, at = 8 * seen.covered[1:], [], 0
    while at < len(joined):
        end = at
        while end < len(joined) and joined[end] and end - at < answers:
            end += 1
        if end - at == answers:
            rates.append(bits[at:end].sum() / (seen.known_at[end] - seen.known_at[at]))
        at = max(end, at + 1)
    return np.array(rates)


def _of_trains(seen: Observed, joined: Mask, table: Array, answers: int) -> Rate:
    # The mean of times per bit: trains are of like numbers of bytes, so that it is all time over all bytes.
    per_bit = stats.estimate([float(1 / x) for x in table])
    own = answers * 8 * float(np.median(seen.size))
    half = float(per_bit.ci95 or 0.0) + RESOLUTION_S / own / len(table)
    mean = per_bit.mean
    per_gap = _per_bit(seen, joined)
    link = _shortest(per_gap, RESOLUTION_S * answers / own)
    shared = link is not None and SHARED / mean < link.value <= HOST_BPS
    one = np.abs(per_gap * (1 / mean) - 1) < NEAR
    return Rate(
        1 / mean,
        1 / (mean + half),
        1 / max(mean - half, 1e-15),
        float(table.std(ddof=1) / table.mean()),
        len(table),
        link if shared else None,
        bool(not len(one) or one.mean() > MOSTLY),
    )


def _per_bit(seen: Observed, joined: Mask) -> Array:
    """Return the times that bits took in the gaps of trains, s, in order."""
    gaps, bits = np.diff(seen.known_at), 8 * seen.covered[1:]
    own = joined & (gaps > 0) & (bits > 0)
    return np.sort(gaps[own] / bits[own])


def _shortest(per_bit: Array, resolution: float) -> Parameter | None:
    """Return the rate in the shortest gap that occurs often; None where gaps have no such mode."""
    enough = max(LEAST_PAIRS, round(PAIRS_SHARE * len(per_bit)))
    ends = np.searchsorted(per_bit, per_bit * (1 + ALIKE), side="right")
    many = np.flatnonzero(ends - np.arange(len(ends)) >= enough)
    if not len(many):
        return None
    first, last = int(many[0]), int(ends[many[0]])
    if first > FASTER * (last - first):
        return None
    mode = per_bit[first:last]
    low, high = mode[-1] + resolution, max(mode[0] - resolution, 1e-15)
    return Parameter(float(1 / np.median(mode)), float(1 / low), float(1 / high))


def _fastest(seen: Observed) -> float:
    """Return the largest rate over ten answers and a tenth of a second or more."""
    best, bits = 0.0, np.concatenate([[0.0], np.cumsum(8 * seen.covered)])
    ends = np.searchsorted(seen.known_at, seen.known_at + 0.1)
    for begin, end in enumerate(np.maximum(ends, np.arange(len(ends)) + TRAINS[0])):
        if end < len(seen.known_at):
            best = max(
                best,
                (bits[end + 1] - bits[begin + 1]) / (seen.known_at[end] - seen.known_at[begin]),
            )
    whole = bits[-1] / max(float(seen.known_at[-1] - seen.known_at[0]), 1e-9)
    return float(best or whole)
