"""Saturated access categories (EDCA) as contention only.

Written apart from the engine, to judge it, from 802.11-2020, 10.23.2. Each access function has a backoff,
and a time at which its space (AIFS, behind EIFS where it could not decode) ends. It begins at the boundary
of a slot behind that time; the boundary at the end of the space takes a slot off its backoff too. Functions
of one station that win at once collide within it: the highest begins, the others double their windows.
Times are integer nanoseconds; many replications run side by side as rows of arrays.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Category:
    """An access category: its place among priorities, the highest first; AIFSN; windows; the TXOP limit, ns."""

    name: str
    rank: int
    aifsn: int
    cw_min: int
    cw_max: int
    txop: int = 0


STANDARD = (
    Category("voice", 0, 2, 3, 7, 2_080_000),
    Category("video", 1, 2, 7, 15, 4_096_000),
    Category("best_effort", 2, 3, 15, 1023),
    Category("background", 3, 7, 15, 1023),
)
"""802.11-2020, table 9-155, aCWmin 15 and aCWmax 1023."""


@dataclass(frozen=True)
class Exchange:
    """Times of an exchange in ns: `timeout` is what a sender waits for its answer in vain.

    `after_error` is what others wait before an AIFS where they could not decode; 0: they wait the AIFS alone.
    `attempts` None: a frame is tried without end. Starts that are less than `sense` apart collide; 0: equal ones.
    """

    data: int
    answer: int
    sifs: int
    slot: int
    timeout: int
    after_error: int
    cf_end: int
    attempts: int | None
    sense: int = 0

    def space(self, aifsn: int) -> int:
        """Return AIFS."""
        return self.sifs + aifsn * self.slot

    def burst(self, txop: int) -> tuple[int, int, int]:
        """Return how many frames go in a TXOP, and how long it lasts: for the holder, and for others.

        A CF-End ends it for all. Where none fits, others wait for what is left; the holder does not.
        """
        each = self.data + self.sifs + self.answer
        frames = max((txop + self.sifs) // (each + self.sifs), 1)
        took = frames * (each + self.sifs) - self.sifs
        frees = took + self.sifs + self.cf_end
        return (frames, frees, frees) if frees <= txop else (frames, took, max(took, txop))


@dataclass(frozen=True)
class Shares:
    """Frames delivered a second and their standard error, by category; what part of transmissions collided."""

    frames_per_s: Mapping[str, float]
    standard_error: Mapping[str, float]
    collided: float


class Cell:
    """Replications side by side: arrays of (replication, access function).

    `stations` are the categories in which each station has frames, always.
    """

    def __init__(
        self,
        exchange: Exchange,
        stations: Sequence[Sequence[Category]],
        replications: int,
        seed: int,
    ) -> None:
        """Start with a first draw of each function, the medium idle since a SIFS ago."""
        pairs = [(number, kind) for number, kinds in enumerate(stations) for kind in kinds]
        kinds = [kind for _, kind in pairs]
        self.exchange, self.names = exchange, [kind.name for kind in kinds]
        self.station = np.array([number for number, _ in pairs])
        self.rank = np.array([kind.rank for kind in kinds])
        self.space: Ints = np.array([exchange.space(kind.aifsn) for kind in kinds], dtype=np.int64)
        self.least: Ints = np.array([kind.cw_min for kind in kinds], dtype=np.int64)
        self.most: Ints = np.array([kind.cw_max for kind in kinds], dtype=np.int64)
        bursts = [exchange.burst(kind.txop) for kind in kinds]
        self.frames, self.holds, self.takes = np.array(bursts, dtype=np.int64).T
        self.same = self.station[:, None] == self.station[None, :]
        self.higher = self.same & (self.rank[None, :] < self.rank[:, None])
        shape = (replications, len(pairs))
        self.rng = np.random.default_rng(seed)
        self.resume: Ints = np.broadcast_to(self.space, shape).copy()
        self.cw: Ints = np.broadcast_to(self.least, shape).copy()
        self.tries = np.zeros(shape, dtype=np.int64)
        self.counter: Ints = self.rng.integers(0, self.cw, endpoint=True, dtype=np.int64)
        self.now = np.zeros(replications, dtype=np.int64)
        self.delivered = np.zeros(shape, dtype=np.int64)
        self.sent = self.collisions = 0

    def step(self) -> None:
        """Advance each replication by one turn of the medium."""
        of = self.exchange
        planned = self.resume + self.counter * of.slot
        begin = planned.min(axis=1, keepdims=True)
        wins = planned < begin + max(of.sense, 1)
        # A function yields where a higher one of its own station wins too.
        yields = wins & (wins[:, None, :] & self.higher[None, :, :]).any(axis=2)
        sends = wins & ~yields
        alone = sends.sum(axis=1, keepdims=True) == 1
        passed = np.where(begin >= self.resume, (begin - self.resume) // of.slot + 1, 0)
        self.counter = np.maximum(self.counter - passed, 0)
        own_end = self._of_station(np.where(sends, planned + of.data, 0))
        own = own_end > 0
        last = own_end.max(axis=1, keepdims=True)
        in_vain = np.where(own, np.maximum(own_end + of.timeout, last), last + of.after_error)
        holds, takes = (
            np.where(sends, each, 0).max(axis=1, keepdims=True) for each in (self.holds, self.takes)
        )
        over = np.where(alone, begin + np.where(own, holds, takes), in_vain)
        self.resume = over + self.space
        self.now = begin[:, 0]
        delivered = np.where(sends & alone, self.frames, 0)
        self.delivered += delivered
        self.sent += int(delivered.sum() + (sends & ~alone).sum())
        self.collisions += int((sends & ~alone).sum())
        self._settle(wins, yields | (wins & ~alone))

    def _of_station(self, each: Ints) -> Ints:
        """Return the largest number among the functions of a station, for each of them."""
        largest: Ints = np.where(self.same[None, :, :], each[:, None, :], 0).max(axis=2)
        return largest

    def _settle(self, wins: NDArray[np.bool_], fails: NDArray[np.bool_]) -> None:
        """Give all functions that won a new window and a new backoff."""
        tries = np.where(fails, self.tries + 1, 0)
        limit = self.exchange.attempts
        gives_up = tries >= limit if limit is not None else np.zeros_like(fails)
        wider = np.minimum(2 * self.cw + 1, self.most)
        cw = np.where(fails & ~gives_up, wider, self.least)
        self.cw = np.where(wins, cw, self.cw)
        self.tries = np.where(wins, np.where(gives_up, 0, tries), self.tries)
        drawn = self.rng.integers(0, self.cw, endpoint=True, dtype=np.int64)
        self.counter = np.where(wins, drawn, self.counter)


def simulate(
    exchange: Exchange,
    stations: Sequence[Sequence[Category]],
    *,
    turns: int = 750_000,
    replications: int = 25,
    seed: int = 1,
) -> Shares:
    """Run until `turns` of the medium are counted over all replications.

    A fifth more at the start is not counted: a category that seldom sends takes long to widen its windows.
    """
    cell = Cell(exchange, stations, replications, seed)
    steps = max(turns // replications, 10)
    for _ in range(steps // 5):
        cell.step()
    cell.sent = cell.collisions = 0
    since, before = cell.now.copy(), cell.delivered.copy()
    for _ in range(steps):
        cell.step()
    each, seconds = cell.delivered - before, (cell.now - since) / 1e9
    rates, errors = {}, {}
    for name in dict.fromkeys(cell.names):
        frames = each[:, [other == name for other in cell.names]].sum(axis=1)
        rates[name] = float(frames.sum() / seconds.sum())
        residual = frames - rates[name] * seconds  # of a ratio estimate
        errors[name] = float(residual.std(ddof=1) * math.sqrt(replications) / seconds.sum())
    return Shares(rates, errors, cell.collisions / cell.sent)
