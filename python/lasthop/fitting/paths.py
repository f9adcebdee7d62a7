"""Rate, delay and queue of a path, from when packets were sent and when it is known that they arrived.

- Rate: while packets wait before the bottleneck they leave it one behind the other, so that acknowledged bytes
  over time are its rate (a train of packets; Jain and Dovrolis 2003 on what trains measure).
- Delay: the shortest round trip, less what the packet and its answer take to be sent.
- Queue: where losses come with the longest waits, the longest wait is the queue's length.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from lasthop import stats
from lasthop.fitting.losses import Parameter
from lasthop.fitting.observing import Observed
from lasthop.measured.model import Array
from lasthop.measured.tcp import ARRIVED, LOST, UNKNOWN

TRAIN = 10
"""Answers in a train of which a rate is taken."""

LEAST_TRAINS = 5
HOST_BPS = 1e9
"""The host's own link in the scenario that is written: its share of a round trip is taken off."""

RESOLUTION_S = 2e-6
"""As exactly as times of captures are known: pcap has microseconds."""

NEAR_FULL = 2.5
"""Packets below the longest wait seen: a loss at such a wait may be the queue's."""

PART = 0.05
"""Of a packet: what of a wait is noise."""

STEADY = 0.02
"""Trains whose rates vary less tell by their times which packets were sent."""

RARE = 0.02

CHANCE = 1e-3


@dataclass(frozen=True)
class Path:
    """What is known of a path.

    Attributes:
        rate: bit/s of network-layer bytes; only a lower bound where `is_bound`: the flow never filled the path.
        trains: How many trains of packets gave it.
        variation: Standard deviation of the trains' rates over their mean.
        delay: One way, s: half of what is left of the shortest round trip; of two captures, of the shortest way.
        round_trip_s: The shortest that was seen; NaN of two captures.
        queue: Packets that may wait; None where it was never full.
        waited: The most packets that are seen to wait.
        dropped: Which packets the queue dropped.
    """

    rate: float
    low: float
    high: float
    is_bound: bool
    trains: int
    variation: float
    delay: Parameter
    round_trip_s: float
    queue: int | None
    waited: int
    dropped: Array


def find(seen: Observed) -> Path:
    """Estimate the path of a flow."""
    rate, (low, high), variation, trains = _rate(seen)
    is_bound = trains < LEAST_TRAINS
    delay = _delay(seen, rate, low, is_bound)
    queue, waited, dropped = _queue(seen, rate, variation, is_bound)
    trip = float(np.nanmin(seen.trips)) if seen.has_answers else float("nan")
    return Path(rate, low, high, is_bound, trains, variation, delay, trip, queue, waited, dropped)


def _rate(seen: Observed) -> tuple[float, tuple[float, float], float, int]:
    """Return the rate, its interval, how it varies and of how many trains it is."""
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
    joined = busy[1:] & busy[:-1] & (before[1:] == before[:-1])
    rates, at = [], 0
    while at < len(joined):
        end = at
        while end < len(joined) and joined[end] and end - at < TRAIN:
            end += 1
        if end - at == TRAIN:
            rates.append(bits[at:end].sum() / (seen.known_at[end] - seen.known_at[at]))
        at = max(end, at + 1)
    if len(rates) < LEAST_TRAINS:
        return _fastest(seen), (0.0, float("inf")), 0.0, len(rates)
    table = np.array(rates)
    # The mean of times per bit: trains are of like numbers of bytes, so that it is all time over all bytes.
    per_bit = stats.estimate([float(1 / x) for x in table])
    half = float(per_bit.ci95 or 0.0) + RESOLUTION_S / (
        TRAIN * 8 * float(np.median(seen.size))
    ) / len(rates)
    variation = float(table.std(ddof=1) / table.mean())
    mean = per_bit.mean
    return 1 / mean, (1 / (mean + half), 1 / max(mean - half, 1e-15)), variation, len(rates)


def _fastest(seen: Observed) -> float:
    """Return the largest rate over `TRAIN` answers and a tenth of a second or more."""
    best, bits = 0.0, np.concatenate([[0.0], np.cumsum(8 * seen.covered)])
    ends = np.searchsorted(seen.known_at, seen.known_at + 0.1)
    for begin, end in enumerate(np.maximum(ends, np.arange(len(ends)) + TRAIN)):
        if end < len(seen.known_at):
            best = max(
                best,
                (bits[end + 1] - bits[begin + 1]) / (seen.known_at[end] - seen.known_at[begin]),
            )
    whole = bits[-1] / max(float(seen.known_at[-1] - seen.known_at[0]), 1e-9)
    return float(best or whole)


def _delay(seen: Observed, rate: float, low: float, is_bound: bool) -> Parameter:
    """Return the delay of one way.

    A lower end of it: of the smallest two values, their distance 19 times below the smallest (Robson and Whitlock
    1964: 95 % for the end of a distribution); the interval ends above at the smallest.
    """
    ways = 2 if seen.has_answers else 1
    own = 8 * (seen.sent_size + seen.answer_size)
    alone = seen.trips - 8 * seen.sent_size / HOST_BPS

    def least(rate_: float) -> tuple[float, float]:
        values = np.sort((alone - own / rate_)[~np.isnan(alone)]) / ways
        return float(values[0]), float(values[1] - values[0]) if len(values) > 1 else float(
            values[0]
        )

    smallest, apart = least(rate)
    at_low = least(low)[0] if low > 0 and not is_bound else smallest
    # Of a packet that takes no time at all the whole round trip is delay. So it may be where the rate is a bound,
    # or where the fastest packet was faster than the rate or its host lets it be.
    unknown = is_bound or smallest < 0
    most = float(np.nanmin(seen.trips)) / ways if unknown else smallest + (smallest - at_low)
    bottom = min(smallest, at_low) - 19 * apart - RESOLUTION_S
    return Parameter(max(smallest, 0.0), max(bottom, 0.0), max(most, smallest) + RESOLUTION_S)


def _queue(
    seen: Observed, rate: float, variation: float, is_bound: bool
) -> tuple[int | None, int, Array]:
    """Return how many packets may wait, how many were seen to, and which packets were dropped for it."""
    none = np.zeros(len(seen.at), bool)
    packet = 8 * float(np.median(seen.size)) / rate
    there = ~np.isnan(seen.sent)
    order = np.argsort(seen.sent[there], kind="stable")
    sent = seen.sent[there][order]
    alone = (seen.trips[there] - 8 * seen.sent_size[there] / rate)[order]
    if is_bound or not len(alone):
        return None, 0, none
    waits = (alone - alone.min()) / packet
    waited = math.ceil(float(waits.max()) - PART)
    lost = seen.fate == LOST
    place = np.searchsorted(sent, seen.at, side="right") - 1
    at_send = np.where(place >= 0, waits[np.maximum(place, 0)], 0.0)
    full = _full(waits, at_send[lost])
    if full is None:
        return None, waited, none
    dropped = lost & (at_send > full - NEAR_FULL)
    if variation < STEADY:
        dropped = _unserved(seen, rate, dropped)
    # The last that finds room waits for all others, and for a part of the one that is being sent. Beyond that
    # are times that something else took.
    near = waits[waits < full + NEAR_FULL]
    return (
        (math.ceil(float(near.max()) - PART), waited, dropped)
        if dropped.any()
        else (None, waited, none)
    )


def _full(waits: Array, at_losses: Array) -> float | None:
    """Return the wait, in packets, at which losses crowd more than chance lets them; None where they do not.

    Looked for among the longest waits: more than one in fifty is not much longer.
    """
    best, level = CHANCE, None
    for each in np.unique(np.round(at_losses)):
        if each < 2 * NEAR_FULL or float((waits > each + NEAR_FULL).mean()) > RARE:
            continue
        usual = float((np.abs(waits - each) <= NEAR_FULL).mean())
        crowd = int((np.abs(at_losses - each) <= NEAR_FULL).sum())
        chance = stats.binomial_tail(crowd, len(at_losses), usual)
        if crowd > 1 and chance * len(at_losses) < best:
            best, level = chance * len(at_losses), float(each)
    return level


def _unserved(seen: Observed, rate: float, doubtful: Array) -> Array:
    """Return which of the doubtful losses took no time of the bottleneck.

    What a queue drops is never sent, what is lost later is: between two packets that arrived, the time tells how
    many were sent.
    """
    there = np.flatnonzero(~np.isnan(seen.sent))
    there = there[np.argsort(seen.sent[there], kind="stable")]
    sent, known = seen.sent[there], seen.known_at[there]
    packet = 8 * float(np.median(seen.size)) / rate
    found = np.zeros_like(doubtful)
    places = np.flatnonzero(doubtful)
    while len(places):
        after = int(np.searchsorted(sent, seen.at[places[0]], side="right"))
        end = sent[after] if after < len(sent) else math.inf
        group = places[seen.at[places] < end]
        places = places[len(group) :]
        if after == 0 or after == len(sent):
            found[group] = True
            continue
        between = (seen.at > sent[after - 1]) & (seen.at <= end)
        served = round((known[after] - known[after - 1]) / packet)
        lost_later = served - int((between & (seen.fate == ARRIVED)).sum())
        found[group[max(lost_later, 0) :]] = True
    return found


def at_bottleneck(seen: Observed, path: Path) -> tuple[Array, Array]:
    """Return when packets began to be sent at the bottleneck (Lindley's recursion), and whether they were lost.

    Those are left out that were dropped before it, and those of unknown fate.
    """
    served = np.logical_not(path.dropped)
    at, size = seen.at[served], seen.size[served]
    fate = seen.fate[served]
    if not path.is_bound:
        work = np.cumsum(8 * size / path.rate)
        before = work - 8 * size / path.rate
        at = before + np.maximum.accumulate(at - before)
    told = fate != UNKNOWN
    return at[told], (fate[told] == LOST).astype(float)
