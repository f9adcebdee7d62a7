"""Saturated 802.11 DCF as contention only: backoffs, freezes, collisions, and no packets.

Written apart from the engine, to judge it. Every station always has a frame. A station has a
counter and a time at which its wait (DIFS, EIFS, or its timeout and DIFS) ends; from then on the
counter falls by one with each idle slot, and at zero the station sends. When somebody else begins
first it keeps what is left. The waits after a collision end at different times for those who
collided and those who listened, which need not be whole slots apart: all times are integer
nanoseconds and nothing is rounded to slots. Many replications run side by side as rows of arrays.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

US = 1_000
"""Nanoseconds in a microsecond."""


@dataclass(frozen=True)
class Rules:
    """Durations in ns, windows in slots; `attempts` None: retries without limit.

    `bystanders` is what those who did not send wait after a collision: "eifs", "difs" or
    "eifs+difs". `inclusive` draws 0..CW, otherwise 0..CW-1. Starts that are less than `sense`
    apart collide; 0 means only equal starts do. The frames of the first station last `longer` more.
    """

    first: int
    success: int
    timeout: int
    slot: int = 20 * US
    difs: int = 50 * US
    eifs: int = 364 * US
    cw_min: int = 31
    cw_max: int = 1023
    attempts: int | None = 7
    bystanders: str = "eifs"
    inclusive: bool = True
    sense: int = 0
    longer: int = 0

    @property
    def bystander_wait(self) -> int:
        """Return the wait of a bystander after a collision, ns."""
        return {"eifs": self.eifs, "difs": self.difs, "eifs+difs": self.eifs + self.difs}[
            self.bystanders
        ]


@dataclass(frozen=True)
class Outcome:
    """Frames delivered a second (all stations), its standard error, and what part collided.

    `first_per_s` are those of the first station; `collided` is the part of all attempts; `dropped` the
    part of frames given up.
    """

    frames_per_s: float
    standard_error: float
    first_per_s: float
    collided: float
    dropped: float


@dataclass(frozen=True)
class Timing:
    """An 802.11 DSSS or HR/DSSS exchange: rates in bit/s, times in ns, sizes in bytes."""

    data_rate: float
    control_rate: float
    plcp: int = 192 * US
    sifs: int = 10 * US
    difs: int = 50 * US
    slot: int = 20 * US
    ack_bytes: int = 14
    rts_bytes: int = 20

    def frame(self, size: int, rate: float) -> int:
        """Return the duration of a frame of `size` bytes with its PLCP, ns."""
        return self.plcp + math.ceil(size * 8e9 / rate)

    def rules(self, psdu: int, *, rts: bool = False, **more: object) -> Rules:
        """Return the rules for data frames of `psdu` bytes (MAC header and FCS included)."""
        data = self.frame(psdu, self.data_rate)
        answer = self.frame(self.ack_bytes, self.control_rate)
        request = self.frame(self.rts_bytes, self.control_rate)
        exchange = data + self.sifs + answer
        return Rules(
            first=request if rts else data,
            success=request + self.sifs + answer + self.sifs + exchange if rts else exchange,
            timeout=self.sifs + self.slot + self.plcp,
            slot=self.slot,
            difs=self.difs,
            **more,  # type: ignore[arg-type]  # checked by the dataclass itself
        )


@dataclass(frozen=True)
class OfdmTiming(Timing):
    """An 802.11a exchange, or with 6 us of `extension` one of 802.11g among its like.

    16 us of preamble, a SIGNAL symbol, then symbols of 4 us with 16 SERVICE and 6 tail bits.
    """

    plcp: int = 20 * US
    sifs: int = 16 * US
    difs: int = 34 * US
    slot: int = 9 * US
    extension: int = 0

    def frame(self, size: int, rate: float) -> int:
        """Return the duration of a frame of `size` bytes, ns."""
        symbols = math.ceil((16 + 8 * size + 6) / round(rate * 4e-6))
        return self.plcp + 4 * US * symbols + self.extension


class Cell:
    """Replications of a cell side by side: arrays of (replication, station)."""

    def __init__(self, rules: Rules, stations: int, replications: int, seed: int) -> None:
        """Start with every station at its first draw, the medium idle since a DIFS ago."""
        shape = (replications, stations)
        self.rules = rules
        self.rng = np.random.default_rng(seed)
        self.resume = np.full(shape, rules.difs, dtype=np.int64)
        self.cw = np.full(shape, rules.cw_min, dtype=np.int64)
        self.tries = np.zeros(shape, dtype=np.int64)
        self.counter = self.draw(self.cw)
        self.now = np.zeros(replications, dtype=np.int64)
        self.delivered = np.zeros(shape, dtype=np.int64)
        self.longer = np.zeros(stations, dtype=np.int64)
        self.longer[0] = rules.longer
        self.attempts = self.collisions = self.drops = 0

    def draw(self, cw: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return a backoff for each window."""
        return self.rng.integers(0, cw, endpoint=self.rules.inclusive, dtype=np.int64)

    def step(self) -> None:
        """Advance each replication by one turn of the medium."""
        rules = self.rules
        planned = self.resume + self.counter * rules.slot
        begin = planned.min(axis=1, keepdims=True)
        sends = planned < begin + max(rules.sense, 1)
        alone = sends.sum(axis=1, keepdims=True) == 1
        # Slots that were over when the medium became busy count, the one cut short does not.
        passed = np.maximum((begin - self.resume) // rules.slot, 0)
        self.counter = np.where(sends, 0, self.counter - passed)
        own_end = planned + rules.first + self.longer
        last = np.where(sends, own_end, 0).max(axis=1, keepdims=True)
        after_timeout = np.maximum(own_end + rules.timeout, last) + rules.difs
        after_collision = np.where(sends, after_timeout, last + rules.bystander_wait)
        own = np.where(sends, self.longer, 0).max(axis=1, keepdims=True)
        self.resume = np.where(alone, begin + rules.success + own + rules.difs, after_collision)
        self.now = begin[:, 0]
        self.delivered += sends & alone
        self._settle(sends, alone)

    def _settle(self, sends: NDArray[np.bool_], alone: NDArray[np.bool_]) -> None:
        """Give all stations that sent a new window and a new backoff."""
        rows, columns = np.nonzero(sends)
        failed = ~alone[rows, 0]
        tries = np.where(failed, self.tries[rows, columns] + 1, 0)
        limit = self.rules.attempts
        dropped = tries >= limit if limit is not None else np.zeros_like(failed)
        wider = np.minimum(2 * self.cw[rows, columns] + 1, self.rules.cw_max)
        cw = np.where(failed & ~dropped, wider, self.rules.cw_min)
        self.cw[rows, columns] = cw
        self.tries[rows, columns] = np.where(dropped, 0, tries)
        self.counter[rows, columns] = self.draw(cw)
        self.attempts += len(rows)
        self.collisions += int(failed.sum())
        self.drops += int(dropped.sum())


def simulate(
    rules: Rules, stations: int, *, turns: int = 400_000, replications: int = 100, seed: int = 1
) -> Outcome:
    """Run until `turns` of the medium are counted over all replications.

    A fifth more at the start is not counted, at least 20 turns a station: all begin at the smallest
    window, and at 50 stations that takes hundreds of turns to wear off.
    """
    cell = Cell(rules, stations, replications, seed)
    steps = max(turns // replications, 10)
    for _ in range(max(steps // 5, 20 * stations)):
        cell.step()
    cell.attempts = cell.collisions = cell.drops = 0
    since, before = cell.now.copy(), cell.delivered.copy()
    for _ in range(steps):
        cell.step()
    each, seconds = cell.delivered - before, (cell.now - since) / 1e9
    frames = each.sum(axis=1)
    rate = frames.sum() / seconds.sum()
    residual = frames - rate * seconds  # of a ratio estimate
    error = float(residual.std(ddof=1)) * math.sqrt(replications) / float(seconds.sum())
    finished = int(frames.sum()) + cell.drops
    first = float(each[:, 0].sum() / seconds.sum())
    lost = cell.collisions / cell.attempts, cell.drops / max(finished, 1)
    return Outcome(float(rate), error, first, *lost)
