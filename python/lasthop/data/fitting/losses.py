"""Models of packet loss: independent, or in bursts by two states in time (Gilbert 1960, Elliott 1963).

A packet that passes at t meets the state of t; the states are exponential in time, so that the chance of another
state depends on the time between two packets, not on their number. The likelihood of the sequence is that
of a hidden Markov chain whose steps have the lengths of these times: a product of 2 x 2 matrices.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lasthop.data.measured.model import Array
from lasthop.numbers import stats

SHOWN = 10.83
"""Twice the gain in log-likelihood that a further parameter must bring: chi-square of one degree, 0.1 %."""

LEAST_LOSSES = 10
"""With fewer losses than this, bursts cannot be distinguished from chance."""


@dataclass(frozen=True)
class Parameter:
    """An estimate and its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Losses:
    """A model of losses.

    Attributes:
        model: ``none``, ``bernoulli`` or ``gilbert_elliott``.
        parameters: By name: ``loss``; of bursts ``mean_good_s``, ``mean_bad_s``, ``loss_bad``, ``loss_good``.
        share: The share of packets lost, with the interval of the model.
        log_likelihood: Of the sequence.
    """

    model: str
    parameters: dict[str, Parameter]
    share: Parameter
    log_likelihood: float

    def state(self, name: str) -> float:
        """Return a parameter's value; what a model leaves out is lost in the bad state alone, and there always."""
        usual = {"loss_good": 0.0, "loss_bad": 1.0}
        return self.parameters[name].value if name in self.parameters else usual[name]


def estimate(at: Array, lost: Array) -> Losses:
    """Fit the simplest model that the losses do not refute; `at` in s, in order; `lost` is 1 or 0."""
    count, losses = len(lost), int(lost.sum())
    exact = stats.proportion_interval(losses, count)
    share = Parameter(losses / count if count else 0.0, exact.low, exact.high)
    if losses == 0:
        return Losses("none", {}, share, 0.0)
    alone = losses * math.log(losses / count) + (
        (count - losses) * math.log1p(-losses / count) if losses < count else 0.0
    )
    plain = Losses("bernoulli", {"loss": share}, share, alone)
    if losses < LEAST_LOSSES or losses == count:
        return plain
    best = plain
    for free in ((), ("loss_bad",), ("loss_bad", "loss_good")):
        found = _bursts(at, lost, free)
        if found is None:
            continue
        more = len(found.parameters) - len(best.parameters)
        if 2 * (found.log_likelihood - best.log_likelihood) > SHOWN * more:
            best = found
    return best


def _bursts(at: Array, lost: Array, free: tuple[str, ...]) -> Losses | None:
    """Fit two states; without `free` the bad one loses all and the good one nothing."""
    gaps = np.diff(at)

    def unpacked(place: Array) -> tuple[float, float, float, float]:
        odds = [1 / (1 + math.exp(-min(max(x, -30.0), 30.0))) for x in place[2:]]
        bad = odds[0] if free else 1.0
        good = odds[1] if len(free) > 1 else 0.0
        return math.exp(place[0]), math.exp(place[1]), bad, good

    def likelihood(place: Array) -> float:
        if np.abs(place).max() > 40:
            return -math.inf
        if free:
            return _hidden(gaps, lost, *unpacked(place))
        return _seen(gaps, lost, *unpacked(place)[:2])

    found = _climb(likelihood, _start(at, lost, free))
    if found is None:
        return None
    place, value, covariance = found
    return _described(place, value, covariance, free)


def _start(at: Array, lost: Array, free: tuple[str, ...]) -> Array:
    """Return where to begin: bursts end where nothing is lost for ten times the usual step."""
    times = at[lost > 0]
    step = float(np.median(np.diff(at))) or 1e-4
    new = np.flatnonzero(np.diff(times) > 10 * step)
    bursts = len(new) + 1
    ends = np.concatenate([times[new], times[-1:]])
    begins = np.concatenate([times[:1], times[new + 1]])
    bad = max(float((ends - begins).mean()), step)
    good = max((at[-1] - at[0]) / bursts - bad, step)
    return np.array([math.log(good), math.log(bad), *(1.0, -5.0)[: len(free)]])


def _stay(gaps: Array, good: float, bad: float) -> tuple[Array, Array]:
    """Return the probabilities of good after good, and of bad after bad, a gap later."""
    share = bad / (good + bad)
    fading = np.exp(-gaps * (1 / good + 1 / bad))
    return 1 - share * (1 - fading), share + (1 - share) * fading


def _seen(gaps: Array, lost: Array, good: float, bad: float) -> float:
    """Return the log-likelihood where a loss is the bad state itself."""
    of_good, of_bad = _stay(gaps, good, bad)
    before, after = lost[:-1] > 0, lost[1:] > 0
    steps = np.where(
        before, np.where(after, of_bad, 1 - of_bad), np.where(after, 1 - of_good, of_good)
    )
    share = bad / (good + bad)
    first = share if lost[0] else 1 - share
    with np.errstate(divide="ignore"):
        return float(np.log(steps).sum() + math.log(first))


def _hidden(
    gaps: Array, lost: Array, good: float, bad: float, p_bad: float, p_good: float
) -> float:
    """Return the log-likelihood where both states may lose: the product of all steps, joined pair by pair."""
    of_good, of_bad = _stay(gaps, good, bad)
    told = np.stack([np.where(lost, p_good, 1 - p_good), np.where(lost, p_bad, 1 - p_bad)], 1)
    # Rows are where a step begins, columns where it ends: good, bad.
    parts = [
        of_good * told[1:, 0],
        (1 - of_good) * told[1:, 1],
        (1 - of_bad) * told[1:, 0],
        of_bad * told[1:, 1],
    ]
    total = 0.0
    while len(parts[0]) > 1:
        if len(parts[0]) % 2:
            parts = [np.append(each, unit) for each, unit in zip(parts, (1, 0, 0, 1), strict=True)]
        (a, b, c, d), (e, f, g, h) = ([each[k::2] for each in parts] for k in (0, 1))
        parts = [a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h]
        largest = parts[0] + parts[1] + parts[2] + parts[3]
        if not (largest > 0).all():
            return -math.inf
        total += float(np.log(largest).sum())
        parts = [each / largest for each in parts]
    share = bad / (good + bad)
    start = (1 - share) * told[0, 0], share * told[0, 1]
    whole = sum(start[i // 2] * float(each[0]) for i, each in enumerate(parts))
    return total + math.log(whole) if whole > 0 else -math.inf


Found = tuple[Array, float, Array]
"""The maximum of a function: its place, its value there, and the inverse of the negative curvature."""


def _climb(function: Callable[[Array], float], start: Array) -> Found | None:
    """Find a maximum by Newton's method with derivatives by differences; None where there is none."""
    place, value = start, function(start)
    for _ in range(40):
        slope, curve = _derivatives(function, place, value)
        if not np.isfinite(curve).all():
            return None
        # Where it does not curve downward in all directions: uphill, by as much as it curves.
        sizes, axes = np.linalg.eigh(curve)
        step = axes @ ((axes.T @ slope) / np.maximum(np.abs(sizes), 1e-3))
        length = float(np.abs(step).max())
        step *= min(1.0, 2.0 / length) if length > 0 else 1.0
        for _ in range(12):
            ahead = function(place + step)
            if ahead >= value:
                break
            step /= 2
        else:
            break
        place, gained, value = place + step, ahead - value, ahead
        # So little in log-likelihood changes neither the choice of a model nor its intervals.
        if gained < 1e-4:
            break
    _, curve = _derivatives(function, place, value)
    if not np.isfinite(curve).all() or np.linalg.eigvalsh(-curve).min() <= 1e-6:
        return None
    return place, value, np.linalg.inv(-curve).astype(float)


def _derivatives(
    function: Callable[[Array], float], at: Array, value: float
) -> tuple[Array, Array]:
    """Return the gradient and the second derivatives, by central differences."""
    count, width = len(at), 1e-3
    unit = np.eye(count) * width
    ahead = np.array([function(at + each) for each in unit])
    behind = np.array([function(at - each) for each in unit])
    curve = np.diag(ahead - 2 * value + behind)
    for i in range(count):
        for j in range(i):
            mixed = function(at + unit[i] + unit[j]) - ahead[i] - ahead[j] + value
            mixed += function(at - unit[i] - unit[j]) - behind[i] - behind[j] + value
            curve[i, j] = curve[j, i] = mixed / 2
    return (ahead - behind) / (2 * width), curve / width**2


def _described(place: Array, value: float, covariance: Array, free: tuple[str, ...]) -> Losses:
    z = float(stats.special.ndtri(0.5 + stats.CONFIDENCE / 2))
    spread = z * np.sqrt(np.diag(covariance))
    if float(spread.max()) > 20:
        spread = np.minimum(spread, 20.0)

    def means(i: int) -> Parameter:
        return Parameter(*(math.exp(place[i] + k * spread[i]) for k in (0, -1, 1)))

    def chance(i: int) -> Parameter:
        return Parameter(*(1 / (1 + math.exp(-place[i] - k * spread[i])) for k in (0, -1, 1)))

    parameters = {"mean_good_s": means(0), "mean_bad_s": means(1)}
    parameters |= {name: chance(2 + number) for number, name in enumerate(free)}
    return Losses("gilbert_elliott", parameters, _share(place, covariance, free, z), value)


def _share(place: Array, covariance: Array, free: tuple[str, ...], z: float) -> Parameter:
    """Return the share of time-averaged losses: by the delta method, on the scale of its odds."""

    def odds(at: Array) -> float:
        good, bad = math.exp(at[0]), math.exp(at[1])
        chances = [1 / (1 + math.exp(-x)) for x in at[2:]]
        lost = bad * (chances[0] if free else 1.0) + good * (chances[1] if len(free) > 1 else 0.0)
        return math.log(lost / (good + bad - lost)) if lost < good + bad else 30.0

    width = 1e-4
    slope = np.array(
        [
            (odds(place + each) - odds(place - each)) / (2 * width)
            for each in np.eye(len(place)) * width
        ]
    )
    middle, half = odds(place), z * math.sqrt(float(slope @ covariance @ slope))
    return Parameter(*(1 / (1 + math.exp(-middle - k * half)) for k in (0, -1, 1)))
