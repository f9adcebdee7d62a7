"""Rate, delay and queue of a path, from when packets were sent and when it is known that they arrived.

- Rate: of trains of packets, and of the shortest gaps where others share the link (`rates`).
- Delay: the shortest round trip, less what the packet and its answer take to be sent.
- Queue: what it dropped, and when (`queues`); by which discipline (`disciplines`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lasthop.data.fitting import disciplines, queues, rates
from lasthop.data.fitting.disciplines import Discipline
from lasthop.data.fitting.losses import LEAST_LOSSES, Parameter
from lasthop.data.fitting.observing import Observed
from lasthop.data.fitting.queues import Queue
from lasthop.data.fitting.rates import HOST_BPS, RESOLUTION_S, Rate
from lasthop.data.measured.model import Array
from lasthop.data.measured.tcp import LOST, UNKNOWN

STEADY = 0.02
"""Trains whose rates vary less tell by their times which packets were sent."""


@dataclass(frozen=True)
class Path:
    """The parameters of a path.

    Attributes:
        trains: The rate at which this flow's packets pass while they wait.
        delay: One way, s: half of what is left of the shortest round trip; of two captures, of the shortest way.
        round_trip_s: The shortest that was seen; NaN of two captures.
        queue: What waits before the bottleneck, and what was dropped there, in packets of this flow.
        discipline: The discipline that dropped them, where it can be identified and is not drop-tail.
    """

    trains: Rate
    delay: Parameter
    round_trip_s: float
    queue: Queue
    discipline: Discipline | None

    @property
    def rate(self) -> Parameter:
        """The link's rate, bit/s of network-layer bytes; a lower bound where that of the trains is."""
        own = self.trains
        return own.link or Parameter(own.value, own.low, own.high)

    @property
    def is_separated(self) -> bool:
        """Return whether the cause of the drops among waiting packets is known."""
        return self.queue.is_tail or self.discipline is not None


def find(seen: Observed) -> Path:
    """Estimate the path of a flow."""
    trains = rates.find(seen)
    is_steady = trains.variation < STEADY and trains.link is None
    queue = queues.find(seen, trains.value, is_steady, trains.is_bound)
    discipline = None
    if is_steady and not queue.is_tail and int(queue.dropped.sum()) >= LEAST_LOSSES:
        packet = 8 * float(np.median(seen.size)) / trains.value
        discipline = disciplines.name(
            disciplines.passage(seen.at, queue.begins, queue.dropped, queue.full, packet)
        )
    trip = float(np.nanmin(seen.trips)) if seen.has_answers else float("nan")
    return Path(trains, _delay(seen, trains), trip, queue, discipline)


def _delay(seen: Observed, trains: Rate) -> Parameter:
    """Return the delay of one way.

    A lower end of it: of the smallest two values, their distance 19 times below the smallest (Robson and Whitlock
    1964: 95 % for the end of a distribution); the interval ends above at the smallest.
    """
    rate = trains.link or Parameter(trains.value, trains.low, trains.high)
    is_bound = trains.is_bound
    ways = 2 if seen.has_answers else 1
    own = 8 * (seen.sent_size + seen.answer_size)
    alone = seen.trips - 8 * seen.sent_size / HOST_BPS

    def least(rate_: float) -> tuple[float, float]:
        values = np.sort((alone - own / rate_)[~np.isnan(alone)]) / ways
        return float(values[0]), float(values[1] - values[0]) if len(values) > 1 else float(
            values[0]
        )

    smallest, apart = least(rate.value)
    at_low = least(rate.low)[0] if rate.low > 0 and not is_bound else smallest
    # Of a packet that takes no time at all the whole round trip is delay. So it may be where the rate is a bound,
    # or where the fastest packet was faster than the rate or its host lets it be.
    unknown = is_bound or smallest < 0
    most = float(np.nanmin(seen.trips)) / ways if unknown else smallest + (smallest - at_low)
    bottom = min(smallest, at_low) - 19 * apart - RESOLUTION_S
    return Parameter(max(smallest, 0.0), max(bottom, 0.0), max(most, smallest) + RESOLUTION_S)


def at_bottleneck(seen: Observed, path: Path) -> tuple[Array, Array]:
    """Return when packets began to be sent at the bottleneck (Lindley's recursion), and whether they were lost.

    Those are left out that were dropped before it, those that tell nothing of it, and those of unknown fate.
    """
    served = ~path.queue.dropped
    at, size = seen.at[served], seen.size[served]
    if not path.trains.is_bound:
        work = np.cumsum(8 * size / path.trains.value)
        before = work - 8 * size / path.trains.value
        at = before + np.maximum.accumulate(at - before)
    fate = seen.fate[served]
    told = ~path.queue.apart[served] & (fate != UNKNOWN)
    return at[told], (fate[told] == LOST).astype(float)
