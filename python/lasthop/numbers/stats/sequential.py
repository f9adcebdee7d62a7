"""Replications until enough is known: when to look, and at what level, so that looking costs no truth.

Two ways of stopping, with two rules:

- **Until a precision is met** (`precise`): stop at the first look at which the interval is narrow
  enough. For normal values the mean is independent of the spread that decides, so the only harm is
  that a spread that happens to be small stops too early (Chow and Robbins 1965; Anscombe 1953). The
  interval is therefore made at a slightly higher level (`precision_level`), computed such that it
  covers at the asked level for whatever spread, from ten replications on.
- **Until a verdict is reached** (`Spending`): stopping depends on the mean itself, and looking often
  enough would show anything. The error alpha is spent over the looks (Lan and DeMets 1983), here by
  the power family alpha t^rho of Kim and DeMets (1987), t being the part of the most replications;
  what each look spends, added up, is alpha, so the union bound holds whatever the looks share. The
  intervals of all looks hold together: one may stop at any of them, for any reason.
"""

from __future__ import annotations

import bisect
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lasthop.numbers.stats import special
from lasthop.numbers.stats.means import CONFIDENCE, Estimate, estimate, t_quantile

LEAST = 10
"""Replications before the first look of a precision rule; from fewer the spread is hardly known."""

GROWTH = 1.25
"""Each look has a quarter more replications than the last."""

SHARES = {1e-5: 0.19, 1e-4: 0.38, 1e-3: 0.48, 0.01: 0.62, 0.05: 0.75, 0.1: 0.8}
"""By alpha = 1 - level: which part of it an interval may use that stops when it is narrow enough.

Computed for ten replications at the first look and `GROWTH`, for the worst of all spreads: the
distribution of the sample variances at all looks is exact, 20,000 draws of it, the chance to miss
given a stop is known. `lasthop validate coverage` checks them. More replications at first are safer.
"""


def looks(least: int = LEAST, most: int = 1000, growth: float = GROWTH) -> tuple[int, ...]:
    """Return the numbers of replications at which to look, from `least` to `most`, both included."""
    if not 2 <= least <= most:
        raise ValueError(f"looks go from at least 2 up, not from {least} to {most}")
    found = [least]
    while found[-1] < most:
        found.append(min(most, max(found[-1] + 1, math.ceil(found[-1] * growth))))
    return tuple(found)


def precision_level(level: float = CONFIDENCE) -> float:
    """Return the level at which to make intervals that stop at a precision and cover at `level`."""
    alphas = np.log10(list(SHARES))
    alpha = 1 - level
    share = float(np.interp(math.log10(alpha), alphas, list(SHARES.values())))
    return 1 - alpha * share


@dataclass(frozen=True)
class Precision:
    """The wanted width of an interval: a half width, relative to the mean or in the values' unit."""

    half: float
    relative: bool = True
    level: float = CONFIDENCE

    def look(self, values: Sequence[float]) -> Look:
        """Look at the values so far (one a replication, at a number given by `looks`)."""
        level = precision_level(self.level)
        found = estimate(values, level)
        allowed = self.half * abs(found.mean) if self.relative else self.half
        reached = found.ci95 is not None and found.ci95 <= allowed and len(values) >= LEAST
        return Look(found, reached, self._forecast(values, found, allowed, level))

    def _forecast(
        self, values: Sequence[float], found: Estimate, allowed: float, level: float
    ) -> int | None:
        if found.ci95 is None or allowed <= 0:
            return None
        spread = float(np.std(np.asarray(values, dtype=float), ddof=1))
        return max(LEAST, replications_for(spread, allowed, level))


@dataclass(frozen=True)
class Look:
    """The result of a look at a precision.

    `estimate` has the half width that covers at the asked level; `needed` is about how many
    replications the precision takes in all, None where the values so far do not say.
    """

    estimate: Estimate
    reached: bool
    needed: int | None


def replications_for(spread: float, half: float, level: float = CONFIDENCE) -> int:
    """Return how many replications of this standard deviation make a half width of `half`."""
    if spread <= 0:
        return 2
    count = max(2, math.ceil((float(special.ndtri(0.5 + level / 2)) * spread / half) ** 2))
    while t_quantile(level, count - 1) * spread / math.sqrt(count) > half:
        count += max(1, count // 50)
    return count


@dataclass(frozen=True)
class Spending:
    """The levels of looks that may each stop a study for a verdict; all hold together at `level`.

    With `power` 1 every replication carries the same part of the error; above it more is kept for
    the last looks (3 is near to O'Brien and Fleming's bounds, 1 to Pocock's).
    """

    at: tuple[int, ...]
    level: float = CONFIDENCE
    power: float = 1.0

    def error(self, look: int) -> float:
        """Return the part of alpha that look number `look`, from 0, may spend."""
        most = self.at[-1]
        before = self.at[look - 1] / most if look else 0.0
        now = self.at[look] / most
        return (1 - self.level) * float(now**self.power - before**self.power)

    def level_at(self, look: int) -> float:
        """Return the level of the intervals made at look number `look`, from 0."""
        return 1 - self.error(look)

    def place(self, replications: int) -> int:
        """Return the index of the look with this number of replications; raises ValueError where there is
        none."""
        place = bisect.bisect_left(self.at, replications)
        if place == len(self.at) or self.at[place] != replications:
            raise ValueError(f"{replications} replications are no look of {self.at}")
        return place
