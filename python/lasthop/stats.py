"""Means, intervals and comparisons over independent replications.

Every interval here is Student's t over replications: one number a replication, the replications
independent by seed. Two compared settings are run at the same seeds (common random numbers), so
that they are compared pair by pair and what both have in common cancels.

Ratios are judged without dividing: "a is over r times b" is "the mean of a - r b is above zero",
which is a paired t test and stays right where b may be zero (Fieller 1954). `ratio_interval` gives
the set of all r that this test does not reject, so interval and test never disagree.

Where many comparisons stand behind one statement their intervals are simultaneous by Bonferroni's
rule: each of m is made at level 1 - alpha/m. It holds whatever the comparisons share; Sidak's and
Holm's sharper rules need independence or give no intervals.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import special  # scipy.stats takes a second to import; these two functions do not

CONFIDENCE = 0.95
"""The confidence level of every interval unless another is asked for."""


@dataclass(frozen=True)
class Estimate:
    """A mean over replications, in the unit of the values.

    `ci95` is the half width of its interval; None where one replication leaves none to be had.
    """

    mean: float
    ci95: float | None
    n: int

    def as_dict(self) -> dict[str, float | int | None]:
        """Return the estimate as {mean, ci95, n}, ready for JSON."""
        return {"mean": self.mean, "ci95": self.ci95, "n": self.n}


@dataclass(frozen=True)
class Interval:
    """A confidence interval; a bound is infinite where the data set none."""

    low: float
    high: float

    def contains(self, value: float) -> bool:
        """Return whether `value` lies inside, bounds included."""
        return self.low <= value <= self.high


def t_quantile(level: float, degrees: int) -> float:
    """Return the two-sided Student t quantile: |T| stays below it with probability `level`."""
    return float(special.stdtrit(degrees, 0.5 + level / 2))


def half_width(values: Sequence[float], level: float = CONFIDENCE) -> float | None:
    """Return the half width of the t interval of the mean; None for fewer than two values."""
    count = len(values)
    if count < 2:
        return None
    spread = float(np.std(np.asarray(values, dtype=float), ddof=1))
    return t_quantile(level, count - 1) * spread / math.sqrt(count)


def estimate(values: Sequence[float], level: float = CONFIDENCE) -> Estimate:
    """Return mean, half width and number of `values`, one value a replication."""
    if not values:
        raise ValueError("a mean needs at least one value")
    # fsum: exact, so the mean does not depend on the order of the replications.
    return Estimate(math.fsum(values) / len(values), half_width(values, level), len(values))


def bonferroni(comparisons: int, level: float = CONFIDENCE) -> float:
    """Return the level at which each of so many intervals is made for all to hold at `level`."""
    return 1 - (1 - level) / max(comparisons, 1)


def mean_interval(values: Sequence[float], level: float = CONFIDENCE) -> Interval:
    """Return the t interval of the mean of `values`; the whole line for fewer than two."""
    half = half_width(values, level)
    if half is None:
        return Interval(-math.inf, math.inf)
    middle = math.fsum(values) / len(values)
    return Interval(middle - half, middle + half)


def paired_difference(
    a: Sequence[float], b: Sequence[float], level: float = CONFIDENCE, *, scale: float = 1.0
) -> Interval:
    """Return the interval of mean(a - scale b), the i-th values being of the same replication."""
    return mean_interval([x - scale * y for x, y in zip(a, b, strict=True)], level)


def ratio_interval(
    a: Sequence[float], b: Sequence[float], level: float = CONFIDENCE
) -> Interval | None:
    """Return Fieller's interval of mean(a)/mean(b) from pairs, for b positive on average.

    None where `b` is not shown to differ from zero: then the set of ratios is no interval.
    """
    count = len(a)
    if count < 2 or len(b) != count:
        return None
    x, y = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
    mean_x, mean_y = float(x.mean()), float(y.mean())
    (xx, xy), (_, yy) = np.cov(x, y, ddof=1) / count
    g = t_quantile(level, count - 1) ** 2
    # Roots of (mean_x - r mean_y)^2 = g Var(mean of x - r y), a quadratic in r.
    square = mean_y**2 - g * float(yy)
    if square <= 0:
        return None
    linear = mean_x * mean_y - g * float(xy)
    root = math.sqrt(max(linear**2 - square * (mean_x**2 - g * float(xx)), 0.0))
    return Interval((linear - root) / square, (linear + root) / square)


def proportion_interval(hits: int, trials: int, level: float = CONFIDENCE) -> Interval:
    """Return the exact (Clopper-Pearson) interval of a probability from `hits` in `trials`."""
    if trials == 0:
        return Interval(0.0, 1.0)
    tail = (1 - level) / 2
    low = special.betaincinv(hits, trials - hits + 1, tail) if hits > 0 else 0.0
    high = special.betaincinv(hits + 1, trials - hits, 1 - tail) if hits < trials else 1.0
    return Interval(float(low), float(high))


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


def jain(values: Sequence[float]) -> float | None:
    """Return Jain's fairness index, 1/n (one has all) to 1 (all alike); None if all are zero."""
    squares = math.fsum(v * v for v in values)
    return math.fsum(values) ** 2 / (len(values) * squares) if squares > 0 else None


def summarise(runs: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Merge the results of several replications of one run into one document of the same shape.

    Every number becomes {mean, ci95, n} in its own unit; strings and booleans stay. Entries of
    lists are matched by name, else by place. A loss reason that a replication does not list
    counts as 0 there; a value that is null (a delay where nothing arrived) is left out, and n
    says so. `seed` stays as it is; `replication` becomes the number of `replications`.
    """
    if not runs:
        raise ValueError("nothing to summarise: no replication was finished")
    labels = {"seed": runs[0].get("seed"), "replications": len(runs)}
    rest = [{k: v for k, v in run.items() if k not in ("seed", "replication")} for run in runs]
    return {k: v for k, v in labels.items() if v is not None} | _merge_maps(rest, absent=None)


COUNTS_BY_REASON = frozenset({"packets_lost", "drops", "window_cuts"})
"""Maps from a reason to a count, in which an absent reason means none."""


def _merge(values: Sequence[Any], absent: float | None = None) -> Any:
    present = [value for value in values if value is not None]
    if not present:
        return None
    first = present[0]
    if isinstance(first, Mapping):
        return _merge_maps(present, absent)
    if isinstance(first, (list, tuple)):
        return _merge_lists(present)
    if isinstance(first, (bool, str)):
        return first
    return estimate([float(value) for value in present]).as_dict()


def _merge_maps(maps: Sequence[Mapping[str, Any]], absent: float | None) -> dict[str, Any]:
    keys = dict.fromkeys(key for each in maps for key in each)
    return {
        key: _merge(
            [each.get(key, absent) for each in maps], 0 if key in COUNTS_BY_REASON else None
        )
        for key in keys
    }


def _merge_lists(lists: Sequence[Sequence[Any]]) -> list[Any]:
    named = all(isinstance(x, Mapping) and "name" in x for each in lists for x in each)
    by_key: dict[Any, list[Any]] = {}
    for each in lists:
        for place, item in enumerate(each):
            by_key.setdefault(item["name"] if named else place, []).append(item)
    return [_merge(items) for items in by_key.values()]
