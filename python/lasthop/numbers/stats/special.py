"""The few functions of mathematics that intervals need, by the names that scipy.special has for them.

scipy is twice as large as all else that lasthop needs to run and to sweep; `tests/python/test_special.py` holds
these against it to a relative error of 1e-12. Densities are Loader's (2000, "Fast and accurate computation of
binomial probabilities"), which lose nothing where parameters are large; integrals are continued fractions
(Lentz's method; Didonato and Morris 1992, DLMF 8.9), inverses Newton's method within a bracket.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

TINY = 1e-300
EPSILON = 2.0**-53

#: Steps of a continued fraction or of a search: some tens, and some thousands for parameters of 1e7.
MOST_STEPS = 100_000

#: Largest number of trials for which a binomial distribution is computed by products of whole numbers and
#: powers.
EXACT_TRIALS = 60


def ndtri(probability: float) -> float:
    """Return the quantile of the standard normal distribution."""
    from statistics import (
        NormalDist,  # Wichura (1988), AS 241; its import takes longer than a short run
    )

    return NormalDist().inv_cdf(probability)


@lru_cache(maxsize=4096)
def betainc(a: float, b: float, x: float) -> float:
    """Return the regularised incomplete beta function: the beta distribution's probability below `x`."""
    return _beta(a, b, x, 1 - x)


@lru_cache(maxsize=4096)
def betaincinv(a: float, b: float, probability: float) -> float:
    """Return the quantile of the beta distribution."""

    def slope(x: float) -> float:
        return _beta_density(a, b, x, 1 - x) / (x * (1 - x))

    return _inverse(lambda x: betainc(a, b, x), slope, probability, a / (a + b), 1.0)


def stdtr(degrees: float, t: float) -> float:
    """Return the probability that Student's t stays below `t`."""
    tail = _t_tail(degrees, abs(t))
    return 1 - tail if t > 0 else tail


@lru_cache(maxsize=4096)
def stdtrit(degrees: float, probability: float) -> float:
    """Return the quantile of Student's t."""
    if not 0 < probability < 1:
        return math.nan if not 0 <= probability <= 1 else math.copysign(math.inf, probability - 0.5)
    if probability == 0.5:
        return 0.0
    tail = min(probability, 1 - probability)
    t = -ndtri(
        tail
    )  # below the quantile: the tail is convex, so that Newton's steps rise to it and stop there
    for _ in range(MOST_STEPS):
        away = _t_tail(degrees, t) - tail
        step = away / _t_density(degrees, t)
        if not step > 4 * EPSILON * t:
            t += step
            break
        t += step
    return t if probability > 0.5 else -t


def bdtr(most: NDArray[Any], trials: int, part: float) -> NDArray[np.float64]:
    """Return the probability of at most `most` hits, for each `most` from -1 to `trials`."""
    hits = np.arange(trials + 1)
    if trials <= EXACT_TRIALS:
        terms = np.array(
            [math.comb(trials, k) * part**k * (1 - part) ** (trials - k) for k in hits.tolist()]
        )
    else:
        mode = min(int((trials + 1) * part), trials)
        up = (trials - hits[mode:-1]) / (hits[mode:-1] + 1) * (part / (1 - part))
        down = hits[mode:0:-1] / (trials - hits[mode:0:-1] + 1) * ((1 - part) / part)
        terms = np.concatenate(([*np.cumprod(down)[::-1]], [1.0], np.cumprod(up)))
        terms /= terms.sum()
    below = np.concatenate(([0.0], np.minimum(np.cumsum(terms), 1.0)))
    below[-1] = 1.0
    return np.asarray(below[np.asarray(most, dtype=int) + 1], dtype=float)


def _t_tail(degrees: float, t: float) -> float:
    square = t * t
    return 0.5 * _beta(degrees / 2, 0.5, degrees / (degrees + square), square / (degrees + square))


def _t_density(degrees: float, t: float) -> float:
    square = t * t
    x, y = degrees / (degrees + square), square / (degrees + square)
    return _beta_density(degrees / 2, 0.5, x, y) / t


def _beta(a: float, b: float, x: float, y: float) -> float:
    """Return the incomplete beta function at x; `y` is 1 - x with all its digits."""
    if x <= 0 or y <= 0:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta_density(a, b, x, y) / _beta_fraction(b, a, y, x)
    return _beta_density(a, b, x, y) / _beta_fraction(a, b, x, y)


def _beta_fraction(a: float, b: float, x: float, y: float) -> float:
    """Return the fraction of Didonato and Morris (1992), which keeps the digits of y where x is near 1."""
    lead = a * y - b * x + 1

    def under(step: int) -> float:
        middle = step * (b - step) * x / (a + 2 * step - 1)
        return step + middle + (a + step) * (lead + step * (1 + y)) / (a + 2 * step + 1)

    def over(step: int) -> float:
        root = x / (a + 2 * step - 1)
        return (a + step - 1) * (a + b + step - 1) * step * (b - step) * root * root

    return _lentz(a * lead / (a + 1), under, over)


def _lentz(first: float, under: Callable[[int], float], over: Callable[[int], float]) -> float:
    """Return first + over(1)/(under(1) + over(2)/(under(2) + ...)) by the modified method of Lentz."""
    found = first or TINY
    c, d = found, 0.0
    for step in range(1, MOST_STEPS):
        part, base = over(step), under(step)
        d = 1 / ((base + part * d) or TINY)
        c = (base + part / c) or TINY
        found *= c * d
        if abs(c * d - 1) < 2 * EPSILON:
            break
    return found


def _beta_density(a: float, b: float, x: float, y: float) -> float:
    """Return x^a y^b / B(a, b), y being 1 - x."""
    whole = a + b
    away = (
        whole * y - b if y < x else a - whole * x
    )  # what is rounded in x or y would count `whole` times
    deviance = _deviance(a, whole * x, away) + _deviance(b, whole * y, -away)
    errors = _stirling(whole) - _stirling(a) - _stirling(b)
    return math.sqrt(a * b / (2 * math.pi * whole)) * math.exp(errors - deviance)


def _deviance(x: float, mean: float, away: float) -> float:
    """Return x log(x/mean) - away, `away` being x - mean, without loss where the two are near each other."""
    if abs(away) >= 0.1 * (x + mean):
        return x * math.log(x / mean) - away if mean > 0 else math.inf
    ratio = away / (x + mean)
    total, term = away * ratio, 2 * x * ratio
    for step in range(1, 1000):
        term *= ratio * ratio
        before, total = total, total + term / (2 * step + 1)
        if total == before:
            break
    return total


def _stirling(z: float) -> float:
    """Return what Stirling's formula leaves out of the logarithm of gamma(z)."""
    if z < 16:
        return math.lgamma(z) - (z - 0.5) * math.log(z) + z - 0.5 * math.log(2 * math.pi)
    square = 1 / (z * z)
    series = 1 / 1260 - square * (1 / 1680 - square * (1 / 1188 - square * 691 / 360360))
    return (1 / 12 - square * (1 / 360 - square * series)) / z


def _inverse(
    function: Callable[[float], float],
    slope: Callable[[float], float],
    wanted: float,
    start: float,
    highest: float,
) -> float:
    """Return where a rising function of 0 to `highest` reaches `wanted`."""
    if not 0 < wanted < 1:
        return math.nan if not 0 <= wanted <= 1 else (0.0 if wanted == 0 else highest)
    low, high, x = 0.0, highest, start
    for _ in range(1000):
        away = function(x) - wanted
        low, high = (x, high) if away < 0 else (low, x)
        steep = slope(x)
        following = x - away / steep if steep > 0 else math.inf
        if not low < following < high:
            following = low + (high - low) / 2
        done = abs(following - x) <= 2 * EPSILON * x
        x = following
        if done or low == high:
            break
    return x
