"""The settings that were tried in a race, with what was measured of them."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from lasthop.numbers import stats
from lasthop.numbers.numerals import finite
from lasthop.study.advice.levels import Array, ends_known
from lasthop.study.advice.racing import Race, Racer, State
from lasthop.study.advice.wishes import Bound, Wish


@dataclass(frozen=True)
class Measured:
    """The mean of a measure over replications, in its unit, and its interval.

    The interval holds for whichever setting is looked at, whenever the race was stopped.
    """

    mean: float
    low: float
    high: float

    def as_dict(self) -> dict[str, float | None]:
        """Return the numbers, ready for JSON; None where there is no bound."""
        return {name: finite(x) for name, x in asdict(self).items()}


@dataclass(frozen=True)
class Candidate:
    """A setting that was tried.

    Attributes:
        setting: The values that were chosen, by key.
        state: ``racing`` for the recommended setting and those that may be better, ``alike`` for those that
            are shown not to be better by what matters, and otherwise the reason why it is out.
        because: What put it out of the race: the limits that it breaks, the setting that it is below, or the
            metrics that have no value in some of its runs.
        replications: How many it was given.
        measured: The measures that were asked for, by name.
        keeps: Whether it is shown to keep to every limit, but for events that no run had.
        always: Whether it is shown to keep to every limit whatever happens in rare runs.
        behind: How far it is behind the recommended setting in what is wanted (positive: worse), with an
            interval, over the replications that both have; None for that setting itself.
        efficient: Whether no other tried setting is better in one measure and as good in all, by the means.
        same_as: The place in `Advice.candidates` of the first with the same numbers in all replications that both
            have: its own where no other before it has them.
    """

    setting: dict[str, Any]
    state: str
    because: str
    replications: int
    measured: dict[str, Measured]
    keeps: bool
    always: bool
    behind: Measured | None
    efficient: bool
    same_as: int

    def over(self, bound: Bound) -> float:
        """Return how many times a limit the mean of its measure is, over 1 where it breaks it."""
        mean = self.measured[bound.metric].mean
        if math.isnan(mean):
            return math.inf
        above, below = (mean, bound.limit) if bound.under else (bound.limit, mean)
        return above / below if below > 0 else math.inf if above > 0 else 1.0

    def as_dict(self) -> dict[str, Any]:
        """Return the fields, ready for JSON."""
        return {
            "setting": self.setting,
            "state": self.state,
            "because": self.because,
            "replications": self.replications,
            "measured": {name: each.as_dict() for name, each in self.measured.items()},
            "keeps_to_limits": self.keeps,
            "keeps_in_rare_runs": self.always,
            "behind": self.behind.as_dict() if self.behind else None,
            "efficient": self.efficient,
            "same_as": self.same_as,
        }


def candidates_of(race: Race, best: Racer | None) -> dict[tuple[int, ...], Candidate]:
    """Return every setting that was tried twice or more by its place, the best first."""
    shown = sorted(race.runners.values(), key=lambda r: _order(race, r, best))
    shown = [runner for runner in shown if runner.runs >= 2]
    efficient = _efficient(race, shown)
    all_have = min((runner.runs for runner in shown), default=0)
    firsts: dict[tuple[bytes, ...], list[int]] = {}
    found = {}
    for number, runner in enumerate(shown):
        begin = tuple(values[:all_have].tobytes() for values in runner.values.values())
        like = firsts.setdefault(begin, [])
        same_as = next((first for first in like if _is_same(shown[first], runner)), number)
        if same_as == number:
            like.append(number)
        is_efficient = runner.place in efficient
        found[runner.place] = _candidate(race, runner, best, is_efficient, same_as)
    return found


def _is_same(one: Racer, other: Racer) -> bool:
    """Return whether two settings have the same numbers in all replications that both have."""
    count = min(one.runs, other.runs)
    return all(
        np.array_equal(values[:count], other.values[name][:count], equal_nan=True)
        for name, values in one.values.items()
    )


def _order(race: Race, runner: Racer, best: Racer | None) -> tuple[bool, bool, bool, float]:
    values = runner.values.get(race.wish.metric)
    mean = float(values.mean()) if values is not None and len(values) else math.nan
    worse = -mean if race.wish.maximise else mean
    out = runner.state not in (State.RACING, State.ALIKE)
    return runner is not best, out, not runner.keeps, math.inf if math.isnan(mean) else worse


def _candidate(
    race: Race, runner: Racer, best: Racer | None, efficient: bool, same_as: int
) -> Candidate:
    error = (1 - race.levels.interval(race.look)) / 2
    measured = {
        name: _measured(values, error, ends_known(name, values[~np.isnan(values)]))
        for name, values in runner.values.items()
    }
    behind = None
    if best is not None and runner is not best:
        behind = _measured(race.ahead(runner, best), error, None)
    setting = race.grid.setting(runner.place)
    return Candidate(
        setting,
        str(runner.state),
        runner.because,
        runner.runs,
        measured,
        runner.keeps,
        runner.always,
        behind,
        efficient,
        same_as,
    )


def _measured(values: Array, error: float, ends: tuple[float, float] | None) -> Measured:
    there = values[~np.isnan(values)]
    if not len(there):
        return Measured(math.nan, math.nan, math.nan)
    found = stats.mean_bounds(there, error, ends)
    return Measured(math.fsum(there) / len(there), found.low, found.high)


def _efficient(race: Race, runners: list[Racer]) -> set[tuple[int, ...]]:
    """Return the places of the settings that no other is better than in all measures, by the means."""
    points = {r.place: _goodness(race.wish, r) for r in runners}
    points = {place: p for place, p in points.items() if not any(math.isnan(x) for x in p)}
    return {
        place
        for place, p in points.items()
        if not any(
            q != p and all(x >= y for x, y in zip(q, p, strict=True)) for q in points.values()
        )
    }


def _goodness(wish: Wish, runner: Racer) -> tuple[float, ...]:
    """Return the means, each so that more is better."""
    found = [(1.0 if wish.maximise else -1.0) * float(runner.values[wish.metric].mean())]
    found += [_good(bound, runner) for bound in wish.bounds]
    return tuple(found)


def _good(bound: Bound, runner: Racer) -> float:
    mean = float(runner.values[bound.metric].mean())
    return -mean if bound.under else mean
