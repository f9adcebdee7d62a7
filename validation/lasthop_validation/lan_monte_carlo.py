"""Saturated stations of a LAN with the CSMA/CA of early ns-2, event by event.

Written apart from the engine, to judge it, from the rules of ns-2's mac-csma.cc (1.26) and channel.cc (1.22).
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

RATE_BPS, HEADER_B = 10_000_000, 20
DELAY, IFS, SLOT = 4_000, 16_000, 16_000
"""ns: within DELAY of a start others do not sense it."""
CW_MIN, CW_MAX, LIMIT = 16, 1024, 16
END, WARMUP = 8_000_000_000, 500_000_000
START_US = 137
"""By so much later each station begins than the one before."""


def airtime(payload: int) -> int:
    """Return for how long a frame is on the medium, ns."""
    return (payload + HEADER_B) * 8 * 1_000_000_000 // RATE_BPS


def alone(payload: int) -> float:
    """Return what one sender carries, Mbit/s: it pauses after each frame, and never draws."""
    return payload * 8 / (airtime(payload) + IFS + CW_MIN * SLOT) * 1e3


@dataclass
class Station:
    """A sender: its window, its attempts at this frame, and when the frame began."""

    window: int = CW_MIN
    tries: int = 0
    began: int = 0

    def fresh(self) -> None:
        """Turn to the next frame."""
        self.window, self.tries = CW_MIN, 0


@dataclass
class Medium:
    """The channel and its stations; times in ns."""

    stations: list[Station]
    air: int
    rng: random.Random
    now: int = 0
    free_at: int = -IFS
    contention_ends: int = -1
    contending: int = 0
    carried: int = 0
    events: list[tuple[int, int, Callable[[Station], None], Station]] = field(default_factory=list)
    numbers: count[int] = field(default_factory=count)

    def at(self, time: int, what: Callable[[Station], None], station: Station) -> None:
        """Let a station do something; at the same instant in the order of the calls."""
        heapq.heappush(self.events, (time, next(self.numbers), what, station))

    def send(self, station: Station) -> None:
        """Begin, or back off where the medium is taken."""
        wait = self.free_at + IFS - self.now
        if wait <= 0:
            station.began = self.now
            if self.now > self.contention_ends:
                self.contention_ends, self.contending = self.now + DELAY, 0
            self.contending += 1
            self.at(self.contention_ends, self.transmit, station)
            return
        station.tries += 1
        if station.tries >= LIMIT:
            self.resume(station)
            return
        slots = self.rng.randrange(station.window)
        station.window = min(2 * station.window, CW_MAX)
        self.at(self.now + wait + SLOT * slots, self.send, station)

    def transmit(self, station: Station) -> None:
        """End the contention: the frame goes on, and arrives if no other began."""
        end = station.began + self.air
        self.free_at = max(self.free_at, end)
        self.carried += self.contending == 1 and end > WARMUP
        self.at(end, self.resume, station)

    def resume(self, station: Station) -> None:
        """Pause, then send the next frame."""
        station.fresh()
        self.at(self.now + IFS + SLOT * CW_MIN, self.send, station)


def carried(stations: int, payload: int, seed: int) -> float:
    """Return the throughput of saturated stations, Mbit/s."""
    medium = Medium([Station() for _ in range(stations)], airtime(payload), random.Random(seed))
    for number, station in enumerate(medium.stations):
        medium.at(number * START_US * 1000, medium.send, station)
    while medium.events[0][0] <= END:
        medium.now, _, what, station = heapq.heappop(medium.events)
        what(station)
    return medium.carried * payload * 8 / (END - WARMUP) * 1e3
