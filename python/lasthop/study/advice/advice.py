"""The result of a race, for people and for JSON."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from lasthop.core.noticing import Finding
from lasthop.numbers import stats
from lasthop.numbers.numerals import finite
from lasthop.study.advice.levels import Array, ends_known
from lasthop.study.advice.racing import Race, Racer, State
from lasthop.study.advice.rare import Unseen, unseen_by
from lasthop.study.advice.wishes import Bound, Wish
from lasthop.study.claims.outcomes import for_all


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
        because: What put it out of the race.
        replications: How many it was given.
        measured: The measures that were asked for, by name.
        keeps: Whether it is shown to keep to every limit, but for events that no run had.
        always: Whether it is shown to keep to every limit whatever happens in rare runs.
        behind: How far it is behind the recommended setting in what is wanted (positive: worse), with an
            interval, over the replications that both have; None for that setting itself.
        efficient: Whether no other tried setting is better in one measure and as good in all, by the means.
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
        }


@dataclass(frozen=True)
class Advice:
    """The answer to "which setting": see `lasthop.advise`.

    Attributes:
        wish: What was wanted.
        recommended: The setting to take; None where none is shown to keep to the limits.
        alike: Settings that cannot be distinguished from it: none is shown to be worse, or to break a limit.
        candidates: Every setting that was tried, best first.
        decided: Whether no setting tried can be better by more than `wish.indifferent`.
        impossible: Whether every setting tried is shown to break a limit.
        searched: Whether no setting next to the recommended one on a range was left untried.
        complete: Whether the race ran to its end, not to Ctrl-C or the end of a budget.
        error: The probability, at most, that something said here is wrong.
        unseen: Events in so few runs that none had one, which would break a limit; None where the recommendation
            covers them, or there are no limits.
        needed: Where none is shown to keep to the limits: about how many replications of the leader would show
            that it does; None where nobody knows.
        doubts: Reasons why the answer is worthless: a delay of survivors, a call with a very low MOS.
        noticed: What is odd about runs of the recommended setting, see `Run.noticed`.
        runs: Runs that were made; `full_grid_runs`: what all settings with as many replications would take.
    """

    wish: Wish
    recommended: Candidate | None
    alike: list[Candidate]
    candidates: list[Candidate]
    decided: bool
    impossible: bool
    searched: bool
    complete: bool
    error: float
    runs: int
    full_grid_runs: int
    settings: int
    needed: int | None = None
    unseen: Unseen | None = None
    doubts: tuple[str, ...] = ()
    noticed: tuple[Finding, ...] = ()

    def __repr__(self) -> str:
        """Return the sentence, where a notebook would else show every candidate."""
        return f"<Advice: {self}>"

    def __str__(self) -> str:
        """Say it in a sentence, what it does not cover, and why it is worthless where it is."""
        unseen = [] if self.unseen is None else [str(self.unseen)]
        doubts = (f"This answer is worthless: {why}" for why in self.doubts)
        return "\n".join([self._said(), *unseen, *doubts])

    def _said(self) -> str:
        tried = f"{len(self.candidates):,} of {self.settings:,} settings tried"
        limits = " and ".join(bound.text for bound in self.wish.bounds)
        if self.impossible:
            what = f"no setting satisfies {limits}" if limits else "no setting gives a value"
            return f"{what} ({tried})"
        if self.recommended is None:
            told = f"; about {self.needed:,} replications would show it" if self.needed else ""
            may = f"{len(self.alike)} may satisfy it" if self.alike else "none is known to"
            return f"no setting is shown to satisfy {limits}; {may}{told} ({tried})"
        name = ", ".join(f"{key}={value}" for key, value in self.recommended.setting.items())
        if not self.alike:
            return f"{name} is the best of all settings tried ({tried})"
        others = (
            "1 other setting" if len(self.alike) == 1 else f"{len(self.alike):,} other settings"
        )
        if not self.decided:
            return f"{name} leads, but {others} cannot be distinguished from it ({tried})"
        margin = (
            f"by more than {100 * self.wish.indifferent:g} %" if self.wish.indifferent else "at all"
        )
        return (
            f"{name} is recommended; {others} may be as good, and none is better {margin} ({tried})"
        )

    def as_dict(self) -> dict[str, Any]:
        """Return everything, ready for JSON."""
        return {
            "advice": str(self),
            "wanted": {
                "measure": self.wish.metric,
                "maximise": self.wish.maximise,
                "subject_to": [bound.text for bound in self.wish.bounds],
                "indifferent": self.wish.indifferent,
            },
            "recommended": self.recommended.as_dict() if self.recommended else None,
            "cannot_be_told_from_it": [each.as_dict() for each in self.alike],
            "decided": self.decided,
            "impossible": self.impossible,
            "searched": self.searched,
            "complete": self.complete,
            "error": self.error,
            "runs": self.runs,
            "full_grid_runs": self.full_grid_runs,
            "settings": self.settings,
            "replications_needed": self.needed,
            "unseen": self.unseen.as_dict() if self.unseen else None,
            "worthless_because": list(self.doubts),
            "noticed": [asdict(each) for each in self.noticed],
            "tried": [each.as_dict() for each in self.candidates],
        }


def advice_of(race: Race, error: float, complete: bool) -> Advice:
    """Say what a race found up to its last look."""
    leader = race.leader(race.look)
    best = leader if leader is not None and leader.keeps else None
    shown = sorted(race.runners.values(), key=lambda r: _order(race, r, best))
    shown = [runner for runner in shown if runner.runs >= 2]
    efficient = _efficient(race, shown)
    found = {r.place: _candidate(race, r, best, r.place in efficient) for r in shown}
    racing = [runner for runner in shown if runner.state in (State.RACING, State.ALIKE)]
    return Advice(
        wish=race.wish,
        recommended=found[best.place] if best else None,
        alike=[found[runner.place] for runner in racing if runner is not best],
        candidates=list(found.values()),
        decided=race.decided,
        impossible=not racing,
        searched=race.searched,
        complete=complete,
        error=error,
        runs=race.runs,
        full_grid_runs=race.grid.size * race.at[race.look],
        settings=race.grid.size,
        needed=_needed(race, leader) if leader is not None and best is None else None,
        unseen=unseen_by(race, best) if best is not None else None,
    )


def _order(race: Race, runner: Racer, best: Racer | None) -> tuple[bool, bool, bool, float]:
    values = runner.values.get(race.wish.metric)
    mean = float(values.mean()) if values is not None and len(values) else math.nan
    worse = -mean if race.wish.maximise else mean
    out = runner.state not in (State.RACING, State.ALIKE)
    return runner is not best, out, not runner.keeps, math.inf if math.isnan(mean) else worse


def _candidate(race: Race, runner: Racer, best: Racer | None, efficient: bool) -> Candidate:
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
    )


def _measured(values: Array, error: float, ends: tuple[float, float] | None) -> Measured:
    there = values[~np.isnan(values)]
    if not len(there):
        return Measured(math.nan, math.nan, math.nan)
    found = stats.mean_bounds(there, error, ends)
    return Measured(math.fsum(there) / len(there), found.low, found.high)


def _needed(race: Race, runner: Racer) -> int | None:
    """Return about how many replications show that a setting keeps to all limits; None if nobody knows."""
    error = race.levels.keeps(race.look)
    counts: list[int | None] = []
    for bound in race.wish.bounds:
        values = runner.values[bound.metric]
        if not np.isnan(values).any():
            ends = ends_known(bound.metric, values)
            counts.append(stats.needed_to_show(values, error, bound.limit, bound.under, ends=ends))
        else:
            counts.append(None)
    return for_all(counts)


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
