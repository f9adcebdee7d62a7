"""Two saturated stations that hear the receiver and not each other, as contention only.

Written apart from the engine, to judge it. No RTS, no capture: a frame that the other's overlaps in
any part is lost. What both hear are the receiver's acknowledgements, at which counters freeze.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

from lasthop_validation.dcf_monte_carlo import Rules


@dataclass
class Station:
    """A sender: its window, its attempts at this frame, and its counter, which runs from `resume`."""

    cw: int
    slots: int
    resume: int
    tries: int = 0
    ends: int = -1
    lost: bool = False


class Pair:
    """Both senders and the receiver; times in ns."""

    def __init__(self, rules: Rules, data: int, sifs: int, seed: int) -> None:
        """Start with both at their first draw. `data` is a data frame, `rules.success` with its ACK."""
        self.rules, self.data, self.sifs = rules, data, sifs
        self.rng = random.Random(seed)
        self.stations = [Station(rules.cw_min, self._draw(rules.cw_min), rules.difs) for _ in "ab"]
        self.delivered = self.attempts = self.failed = self.now = 0

    def _draw(self, cw: int) -> int:
        return self.rng.randint(0, cw if self.rules.inclusive else cw - 1)

    def _start(self, station: Station) -> int:
        return station.resume + station.slots * self.rules.slot

    def step(self) -> None:
        """Go on to the next start of a frame, or end of one."""
        sending = [station for station in self.stations if station.ends >= 0]
        waiting = [station for station in self.stations if station.ends < 0]
        ending = min(sending, key=lambda s: s.ends, default=None)
        beginning = min(waiting, key=self._start, default=None)
        if beginning and (ending is None or self._start(beginning) < ending.ends):
            self._begin(beginning)
        elif ending:
            self._end(ending)

    def _begin(self, station: Station) -> None:
        self.now = self._start(station)
        self.attempts += 1
        station.ends, station.lost = self.now + self.data, False
        if all(each.ends >= 0 for each in self.stations):
            for each in self.stations:
                each.lost = True

    def _end(self, station: Station) -> None:
        self.now, station.ends = station.ends, -1
        (other,) = (each for each in self.stations if each is not station)
        if station.lost:
            self.failed += 1
            station.tries += 1
            limit = self.rules.attempts
            given_up = limit is not None and station.tries >= limit
            station.cw = min(2 * station.cw + 1, self.rules.cw_max)
            station.resume = self.now + self.rules.timeout + self.rules.difs
        else:
            given_up = True
            self.delivered += 1
            done = self.now - self.data + self.rules.success
            station.resume = done + self.rules.difs
            self._hear_answer(other, self.now + self.sifs, done)
        if given_up:
            station.tries, station.cw = 0, self.rules.cw_min
        station.slots = self._draw(station.cw)

    def _hear_answer(self, other: Station, start: int, done: int) -> None:
        if self._start(other) < start:
            # Within the SIFS: the receiver answers all the same, and is deaf to what begins.
            self._begin(other)
            other.lost = True
            return
        other.slots -= max(start - other.resume, 0) // self.rules.slot
        other.resume = done + self.rules.difs


@dataclass(frozen=True)
class Outcome:
    """Frames a second of both together, and the part of attempts that failed."""

    frames_per_s: float
    failed: float


def simulate(rules: Rules, data: int, sifs: int, *, steps: int = 400_000, seed: int = 1) -> Outcome:
    """Run until `steps` starts and ends of frames have passed."""
    pair = Pair(rules, data, sifs, seed)
    for _ in range(steps):
        pair.step()
    return Outcome(pair.delivered * 1e9 / pair.now, pair.failed / pair.attempts)
