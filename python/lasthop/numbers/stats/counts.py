"""Counts: intervals of a probability and exact tests of paired counts."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lasthop.numbers.stats import special
from lasthop.numbers.stats.means import CONFIDENCE, Interval


def proportion_interval(hits: int, trials: int, level: float = CONFIDENCE) -> Interval:
    """Return the exact (Clopper-Pearson) interval of a probability from `hits` in `trials`."""
    if trials == 0:
        return Interval(0.0, 1.0)
    tail = (1 - level) / 2
    low = special.betaincinv(hits, trials - hits + 1, tail) if hits > 0 else 0.0
    high = special.betaincinv(hits + 1, trials - hits, 1 - tail) if hits < trials else 1.0
    return Interval(float(low), float(high))


def wilson_interval(hits: float, trials: float, level: float = CONFIDENCE) -> Interval:
    """Return Wilson's score interval (1927) of a probability: nearer to `level` than the exact one.

    The exact interval covers at least at its level, this one on average; use the exact one where
    being wrong more often than promised matters.
    """
    if trials == 0:
        return Interval(0.0, 1.0)
    z = float(special.ndtri(0.5 + level / 2))
    part, spare = hits / trials, z * z / trials
    middle = (part + spare / 2) / (1 + spare)
    half = z / (1 + spare) * math.sqrt(part * (1 - part) / trials + spare / (4 * trials))
    return Interval(max(0.0, middle - half), min(1.0, middle + half))


def binomial_tail(hits: int, trials: int, probability: float) -> float:
    """Return P(X >= hits) for X binomial: the p of the exact test that events are no more likely."""
    if hits <= 0:
        return 1.0
    return float(special.betainc(hits, trials - hits + 1, probability))


def sign_test(more: int, fewer: int) -> float:
    """Return the two-sided p of the exact sign test: that both are equally likely; ties left out.

    1 without any trial.
    """
    trials = more + fewer
    tail = math.fsum(math.comb(trials, k) for k in range(max(more, fewer), trials + 1))
    return min(1.0, 2 * tail / float(2**trials))


def flip_test(differences: Sequence[int]) -> float:
    """Return the two-sided p of the exact sign-flip test that paired counts differ by chance only.

    The part of all ways to give the differences signs in which their sum is at least as far from
    zero as it is. Exact where a difference and its opposite are equally likely; no shape is
    assumed otherwise. 1 when all are zero.
    """
    ways = {0: 1}
    for size in map(abs, differences):
        if size == 0:
            continue
        more: dict[int, int] = {}
        for total, count in ways.items():
            for reached in (total - size, total + size):
                more[reached] = more.get(reached, 0) + count
        ways = more
    far = abs(sum(differences))
    return sum(count for total, count in ways.items() if abs(total) >= far) / sum(ways.values())
