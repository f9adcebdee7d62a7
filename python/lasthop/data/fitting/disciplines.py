"""Finds the discipline that dropped the packets, by replaying each over the waits that a capture shows.

Given the arrivals and departures of packets, a discipline has a drop probability for each. The discipline
whose probabilities fit the drops best is named, if it fits much better than probabilities that depend on the
present wait alone. CoDel (RFC 8289) and PIE (RFC 8033) are replayed with the parameters of their RFCs. RED
(Floyd and Jacobson 1993) has no common defaults: its lower threshold, its probability and its weight are
fitted, and its upper threshold is three times the lower (Floyd 1997).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lasthop.data.measured.model import Array, Mask

MOST = 100_000
"""Packets that are played again, at most."""

CLEAR = 10.0
"""Log-likelihood by which a discipline must suit better than the next, and than any step in the wait."""

DOUBT = 0.05
"""The part of the chance of a drop that no discipline explains: clocks and rates are not exact."""

TARGET_S, INTERVAL_S = 0.005, 0.1
"""CoDel: RFC 8289 sections 4.2 and 4.3."""

MEMORY = 16
"""CoDel: intervals for which the rate of drops is remembered (RFC 8289 section 5.5)."""

REFERENCE_S, UPDATE_S, BURST_S = 0.015, 0.015, 0.15
"""PIE: QDELAY_REF, T_UPDATE, MAX_BURST (RFC 8033 sections 4.2 and 4.4)."""

ALPHA, BETA = 0.125, 1.25

SCALES = ((1e-6, 2048.0), (1e-5, 512.0), (1e-4, 128.0), (1e-3, 32.0), (1e-2, 8.0), (0.1, 2.0))
"""PIE: how much slower the probability moves while it is below each (RFC 8033 section 4.2)."""

OBSERVED = (0.0, 0.001, 0.003, 0.01, 0.03)
"""PIE: how much one drop more than expected moves the probability that is thought to hold; the best is taken."""

WEIGHTS = (0.0005, 0.001, 0.002, 0.004, 0.01)
PROBABILITIES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5)
THRESHOLDS = (2.0, 3.0, 5.0, 7.0, 10.0, 15.0, 20.0, 30.0, 50.0, 70.0, 100.0, 150.0, 200.0, 300.0)
"""RED: parameters that are tried."""

SMALL = 1 / 3
"""RED: of a packet, what an idle queue is taken to send (500 of 1,500 bytes, as ns-2 and ns-3 have it)."""

STEPS = 10


@dataclass(frozen=True)
class Passage:
    """Packets at a queue.

    Attributes:
        came, left: When each came, and when it began to be sent, or the next one where it was dropped, s.
        dropped: Which the queue dropped.
        judged: Which found room, as far as is known: the others are dropped by any discipline.
        packet: The time that one takes to be sent, s.
    """

    came: Array
    left: Array
    dropped: Mask
    judged: Mask
    packet: float

    @cached_property
    def waiting(self) -> Array:
        """The number of packets that each found waiting, without the one being sent."""
        served = ~self.dropped
        begins = self.left[served]
        before: Array = (np.cumsum(served) - served).astype(float)
        return np.maximum(before - np.searchsorted(begins, self.came, side="right"), 0.0)


@dataclass(frozen=True)
class Discipline:
    """A discipline, its parameters as a scenario has them, and by how much it suits better than the next."""

    name: str
    parameters: dict[str, float]
    gain: float


def passage(at: Array, begins: Array, dropped: Mask, full: Mask, packet: float) -> Passage:
    """Return when packets came and went; `full` says which may have found no room."""
    at, begins, dropped = at[:MOST], begins[:MOST], dropped[:MOST]
    return Passage(at, np.maximum(begins, at), dropped, ~full[:MOST], packet)


def name(seen: Passage) -> Discipline | None:
    """Return the discipline that suits the drops clearly best; None where none does."""
    of_red, parameters = _best_red(seen)
    played = {
        "codel": _suits(seen, _near(codel(seen))),
        "pie": max(_suits(seen, pie(seen, each)) for each in OBSERVED),
        "red": of_red,
    }
    (best, first), (_, second), *_ = sorted(played.items(), key=lambda each: -each[1])
    gain = first - max(second, _grows(seen))
    return Discipline(best, parameters if best == "red" else {}, gain) if gain > CLEAR else None


def _suits(seen: Passage, chance: Array) -> float:
    """Return the log-likelihood of the drops."""
    dropped = seen.dropped[seen.judged]
    if not len(dropped):
        return 0.0
    usual = float(dropped.mean())
    chance = np.clip((1 - DOUBT) * chance[seen.judged] + DOUBT * usual, 1e-12, 1 - 1e-6)
    return float(np.log(np.where(dropped, chance, 1 - chance)).sum())


def _grows(seen: Passage) -> float:
    """Return the log-likelihood where the chance depends on the present wait alone, in tenths of the waits."""
    waits, own = seen.left - seen.came, seen.judged
    edges = np.quantile(waits, np.linspace(0, 1, STEPS + 1)[1:-1])
    part = np.searchsorted(edges, waits)
    counts = np.bincount(part[own], minlength=STEPS)
    drops = np.bincount(part[own], weights=seen.dropped[own], minlength=STEPS)
    return _suits(seen, (drops / np.maximum(counts, 1))[part])


def _near(predicted: Mask) -> Array:
    """Return chances of drops where one is expected, of that packet or of those beside it."""
    spread = np.convolve(predicted.astype(float), (0.1, 0.2, 0.4, 0.2, 0.1), mode="same")
    return np.minimum(spread, 1.0)


def codel(seen: Passage) -> Mask:
    """Return which packets CoDel drops, as they leave: RFC 8289 section 5."""
    behind = np.searchsorted(seen.came, seen.left, side="right") - np.arange(len(seen.came)) - 1
    predicted = np.zeros(len(seen.came), bool)
    above: float | None = None
    dropping, next_, count, last, begun = False, 0.0, 0, 0, False
    for i, (came, now, left) in enumerate(zip(seen.came, seen.left, behind, strict=True)):
        if now - came < TARGET_S or left <= 1:
            above, high = None, False
        else:
            above = now + INTERVAL_S if above is None else above
            high = now >= above
        if begun:
            begun = False
        elif not dropping and high:
            more = count - last
            recent = now - next_ < MEMORY * INTERVAL_S
            count = more if more > 1 and recent else 1
            next_, last = now + INTERVAL_S / math.sqrt(count), count
            dropping = begun = predicted[i] = True
        elif dropping:
            dropping = high
            if high and now >= next_:
                count += 1
                next_ += INTERVAL_S / math.sqrt(count)
                predicted[i] = True
    return predicted


def pie(seen: Passage, observed: float) -> Array:
    """Return the probability with which PIE drops each packet: RFC 8033 sections 4 and 5.4.

    The controller never forgets an error, and what it began with is not known: so its probability moves to what
    the drops say as that of an observer, by `observed` for each drop more than expected.
    """
    served = ~seen.dropped
    came, begins = seen.came[served], seen.left[served]
    behind = np.searchsorted(came, begins, side="right") - np.arange(len(came)) - 1
    waits = np.where(behind > 0, begins - came, 0.0)
    updates = np.arange(seen.came[0], seen.came[-1] + UPDATE_S, UPDATE_S)
    last = np.searchsorted(begins, updates, side="right") - 1
    delays = np.where(last >= 0, waits[np.maximum(last, 0)], 0.0)
    each = np.searchsorted(updates, seen.came, side="right") - 1
    open_ = seen.waiting > 2
    came_in = np.bincount(each, weights=open_, minlength=len(updates))
    drops = np.bincount(each, weights=seen.dropped, minlength=len(updates))
    table = _controlled(delays.tolist(), came_in.tolist(), (observed * drops).tolist(), observed)
    chance, burst_left, delay_before = table[each].T
    short = (delay_before < REFERENCE_S / 2) & (chance < 0.2)
    spared = (burst_left > 0) | short | ~open_
    sums = _since(np.where(spared, 0.0, chance), seen.dropped)
    found = np.where(sums >= 8.5, 1.0, np.where(sums < 0.85, 0.0, chance))
    return np.where(spared, 0.0, found)


def _controlled(
    delays: Sequence[float], came: Sequence[float], corrections: Sequence[float], observed: float
) -> Array:
    """Return after each update the probability, what is left of the time without drops, and the delay."""
    table, old, burst, probability = np.zeros((len(delays), 3)), 0.0, BURST_S, 0.0
    for i, delay in enumerate(delays):
        if i and burst == 0:
            probability += corrections[i - 1] - observed * came[i - 1] * probability
        step = ALPHA * (delay - REFERENCE_S) + BETA * (delay - old)
        step /= next((by for below, by in SCALES if probability < below), 1.0)
        probability += min(step, 0.02) if probability >= 0.1 else step
        if delay == 0 and old == 0:
            probability *= 0.98
        probability, burst = min(max(probability, 0.0), 1.0), max(burst - UPDATE_S, 0.0)
        if probability == 0 and max(delay, old) < REFERENCE_S / 2:
            burst = BURST_S
        old = delay
        table[i] = probability, burst, delay
    return table


def _since(values: Array, anew: Mask) -> Array:
    """Return the sum of the values, each with its own, after the last packet at which it began anew."""
    sums = np.cumsum(values)
    places = np.maximum.accumulate(np.where(anew, np.arange(1, len(values) + 1), 0))
    before = np.concatenate([[0], places[:-1]])
    found: Array = sums - np.concatenate([[0.0], sums])[before]
    return found


def red(seen: Passage, mean: Array, least: float, most: float) -> Array:
    """Return the probability with which RED drops each packet, from the mean length that it found.

    Beyond the upper threshold the probability goes on to 1 at twice of it (gentle), and drops are spread
    (`wait` of ns-2).
    """
    high = 3 * least
    calm = (mean < least) | (seen.waiting <= 1)
    base = np.where(
        mean < high,
        most * (mean - least) / (high - least),
        most + (1 - most) * (mean - high) / high,
    )
    base = np.where(calm, 0.0, np.clip(base, 0.0, 1.0))
    spread = _since(np.where(calm, 0.0, 1.0), seen.dropped | calm) * base
    with np.errstate(divide="ignore", invalid="ignore"):
        some = np.clip(base / (2 - spread), 0.0, 1.0)
    return np.where(spread < 1, 0.0, np.where(spread < 2, some, 1.0))


def _best_red(seen: Passage) -> tuple[float, dict[str, float]]:
    best: tuple[float, dict[str, float]] = (-math.inf, {})
    for weight in WEIGHTS:
        mean = _mean(seen, weight)
        for least in THRESHOLDS:
            if least > mean.max():
                break
            for most in PROBABILITIES:
                found = _suits(seen, red(seen, mean, least, most))
                if found > best[0]:
                    own = {"min": least, "max": 3 * least, "max_probability": most}
                    best = (found, own | {"weight": weight})
    return best


def _mean(seen: Passage, weight: float) -> Array:
    """Return the moving average of the queue's length; while it is empty small packets seem to pass."""
    found, value, end = np.empty(len(seen.came)), 0.0, math.inf
    small = seen.packet * SMALL
    for i, (came, left, dropped, waiting) in enumerate(
        zip(
            seen.came.tolist(),
            seen.left.tolist(),
            seen.dropped.tolist(),
            seen.waiting.tolist(),
            strict=True,
        )
    ):
        if came > end:
            value *= (1 - weight) ** int((came - end) / small)
        value += weight * (waiting - value)
        found[i] = value
        if not dropped:
            end = left + seen.packet
    return found
