"""A race of settings: replications go where they decide.

Successive elimination (Maron and Moore 1994; Even-Dar, Mannor and Mansour 2006) over paired
differences: all settings run the same replications; at each look those that are shown to break a
limit, or to be below another that is shown to keep to all, run no more; nor do those that are shown not
to be better than the leader by what matters, as long as it leads. What is concluded is right with
probability 1 - error (`bounds`).

Long ranges begin with a few values. From the second look on the settings halfway from the leader to
its neighbours join the race, as in COMPASS (Hong and Nelson 2006), until there is nothing between:
the recommended setting is then the best of all that were tried, and none next to it on a range was
left untried. Nothing is promised of settings far from it that were never tried.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from lasthop.core.listeners import Stage
from lasthop.numbers import stats
from lasthop.study.advice.choices import Grid, Place, overrides
from lasthop.study.advice.evaluating import Evaluator
from lasthop.study.advice.levels import Array, Levels, ends_known, lower
from lasthop.study.advice.wishes import Bound, Wish

LEADERS = 50
"""The largest number of the best that are compared with all others at a look; more find next to nothing."""

ROUNDS = 30
"""The largest number of refinements of the search at one look."""


class State(StrEnum):
    """States of a setting."""

    RACING = "racing"
    ALIKE = "alike"
    """Shown not to be better than the leader by what matters: it needs no more runs."""
    BELOW = "below another"
    BREAKS = "breaks a limit"
    NO_VALUE = "has no value"


@dataclass
class Racer:
    """A setting in the race: its values by measure, and its state."""

    place: Place
    values: dict[str, Array] = field(default_factory=dict)
    state: State = State.RACING
    because: str = ""
    keeps: bool = False
    """Shown to keep every limit, except for events that no run had."""
    always: bool = False
    """Shown to keep every limit, whatever happens in under `RARE` of the runs."""

    @property
    def runs(self) -> int:
        """The number of replications."""
        return len(next(iter(self.values.values()))) if self.values else 0


class Race:
    """Runs looks until the best is known, or the last look is over; may be interrupted between."""

    def __init__(
        self,
        grid: Grid,
        wish: Wish,
        evaluator: Evaluator,
        error: float,
        at: tuple[int, ...],
        told: Stage | None = None,
    ) -> None:
        self.grid, self.wish, self.evaluator, self.at = grid, wish, evaluator, at
        self.levels = Levels(error, grid.size, len(wish.bounds), at)
        self.runners = {place: Racer(place) for place in grid.coarse()}
        self.look = -1
        self.decided = False
        self.searched = False
        self._told = told

    def run(self) -> None:
        """Race to the end."""
        for look in range(len(self.at)):
            self._extend(look)
            self.judge(look)
            if look > 0:
                self._refine(look)
            if self.decided and self.searched and not self._is_surer_soon(look):
                return

    def forget_unfinished(self) -> None:
        """Leave out the settings that joined at a look that was interrupted."""
        count = self.at[self.look]
        self.runners = {
            place: runner
            for place, runner in self.runners.items()
            if runner.state is not State.RACING or runner.runs >= count
        }

    @property
    def racing(self) -> list[Racer]:
        """Those that are still in the race."""
        return [runner for runner in self.runners.values() if runner.state is State.RACING]

    @property
    def runs(self) -> int:
        """The number of runs."""
        return sum(runner.runs for runner in self.runners.values())

    def objective(self, runners: list[Racer]) -> Array:
        """Return (runners, replications) of what is wanted, more being better."""
        sign = 1.0 if self.wish.maximise else -1.0
        return sign * self._stack(runners, self.wish.metric)

    def leader(self, look: int) -> Racer | None:
        """Return the one with the best mean of those that keep to the limits; None where none does.

        Those that are shown to keep to them go before those whose means do.
        """
        racing = [runner for runner in self.racing if runner.runs >= self.at[look]]
        there = [r for r in racing if r.keeps] or [r for r in racing if self._seems_to_keep(r)]
        if not there:
            return None
        means = self.objective(there).mean(axis=1)
        return there[int(np.argmax(means))]

    def judge(self, look: int) -> None:
        """Take those out of the race that are shown not to be the best; see whether one is left."""
        self.look = look
        for runner in self.racing:
            self._judge_limits(runner, look)
        self._judge_below(look)
        self._judge_alike(look)
        leader = self.leader(look)
        racing = self.racing
        self.decided = not racing or (leader is not None and leader.keeps and racing == [leader])

    def margins(self, runner: Racer) -> dict[str, Array]:
        """Return by limit how far each replication keeps to it, in the measure's unit."""
        found = {}
        for bound in self.wish.bounds:
            values = runner.values[bound.metric][: self.at[self.look]]
            found[bound.text] = bound.limit - values if bound.under else values - bound.limit
        return found

    def bounds_of(self, runner: Racer, metric: str, error: float) -> stats.Interval:
        """Return one-sided bounds of the mean of a measure at the last look."""
        values = runner.values[metric][: self.at[self.look]]
        return stats.mean_bounds(values, error, ends_known(metric, values))

    def _is_surer_soon(self, look: int) -> bool:
        """Return whether more runs of the leader alone may show that rare events do not break a limit either."""
        leader = self.leader(look)
        may = leader is not None and bool(self.wish.bounds) and not leader.always
        return may and self.at[look] < self.levels.for_rare <= self.at[-1]

    def _stack(self, runners: list[Racer], metric: str) -> Array:
        count = self.at[self.look]
        return np.array([runner.values[metric][:count] for runner in runners])

    def _seems_to_keep(self, runner: Racer) -> bool:
        return all(float(margin.mean()) > 0 for margin in self.margins(runner).values())

    def _judge_limits(self, runner: Racer, look: int) -> None:
        missing = [name for name in self.wish.metrics if np.isnan(runner.values[name]).any()]
        if missing:
            runner.state, runner.because = State.NO_VALUE, ", ".join(missing)
            return
        broken = [b.text for b in self.wish.bounds if self._shown(runner, b, look, keeps=False)]
        if broken:
            runner.state, runner.because = State.BREAKS, ", ".join(broken)
        bet = {bound: self._bet(runner, bound) for bound in self.wish.bounds}
        runner.keeps = all(
            bet[bound] or self._shown(runner, bound, look, keeps=True) for bound in bet
        )
        runner.always = runner.keeps and (
            self.at[look] >= self.levels.for_rare or all(bet.values())
        )

    def _shown(self, runner: Racer, bound: Bound, look: int, *, keeps: bool) -> bool:
        """Return whether a limit is shown to be kept, or broken; not symmetric, as a loss is not."""
        error = self.levels.keeps(look) if keeps else self.levels.breaks(look)
        found = self.bounds_of(runner, bound.metric, error)
        is_under = keeps is bound.under
        return found.high < bound.limit if is_under else found.low > bound.limit

    def _bet(self, runner: Racer, bound: Bound) -> bool:
        """Return whether a limit is shown to be kept to whatever was not seen, as the measure has ends."""
        values = runner.values[bound.metric][: self.at[self.look]]
        ends = ends_known(bound.metric, values)
        if ends is None or math.isinf(ends[1 if bound.under else 0]):
            return False
        return stats.betting_shows(values, self.levels.bet, bound.limit, ends, bound.under)

    def _judge_below(self, look: int) -> None:
        """Take out those that are shown to be below another that is shown to keep to all limits."""
        means = {r.place: float(self.objective([r]).mean()) for r in self.racing if r.keeps}
        for place in sorted(means, key=lambda place: -means[place])[:LEADERS]:
            leader, others = self.runners[place], self.racing
            if leader.state is not State.RACING or len(others) < 2:
                continue
            others.remove(leader)
            ahead = stats.difference(self.objective([leader]), self.objective(others))
            for other, bound in zip(others, lower(ahead, self.levels.above(look)), strict=True):
                if bound > 0:
                    other.state, other.because = State.BELOW, _named(self.grid, place)

    def _judge_alike(self, look: int) -> None:
        """Let those rest that are shown not to be better than the leader by what matters.

        Those that rest because of an earlier leader are judged anew, by the replications that they
        have; where these do not show it they race again.
        """
        leader = self.leader(look)
        for runner in self.runners.values():
            if runner is leader or runner.state not in (State.RACING, State.ALIKE):
                continue
            rests = leader is not None and leader.keeps and self._is_alike(runner, leader, look)
            runner.state = State.ALIKE if rests else State.RACING

    def _is_alike(self, runner: Racer, leader: Racer, look: int) -> bool:
        change = self.wish.indifferent if self.wish.maximise else -self.wish.indifferent
        margin = self.ahead(runner, leader, 1 + change)
        return bool(lower(margin, self.levels.above(look)) > 0)

    def ahead(self, runner: Racer, leader: Racer, scale: float = 1.0) -> Array:
        """Return by replication that both have how far `scale` times the leader is ahead."""
        count = min(runner.runs, leader.runs, self.at[self.look])
        sign = 1.0 if self.wish.maximise else -1.0
        name = self.wish.metric
        return sign * stats.difference(
            scale * leader.values[name][:count], runner.values[name][:count]
        )

    def _refine(self, look: int) -> None:
        """Let settings halfway from the leader to its neighbours join, until there are none."""
        for _ in range(ROUNDS):
            leader = self.leader(look)
            if leader is None:
                self.searched = True
                return
            new = self.grid.between(leader.place, self.runners)
            self.searched = not new
            if not new:
                return
            self.runners |= {place: Racer(place) for place in new}
            self._extend(look)
            self.judge(look)

    def _extend(self, look: int) -> None:
        """Give everybody in the race the replications of this look."""
        behind: dict[int, list[Racer]] = {}
        for runner in self.racing:
            if runner.runs < self.at[look]:
                behind.setdefault(runner.runs, []).append(runner)
        for runs, group in behind.items():
            replications = range(runs, self.at[look])
            settings = [overrides(self.grid.setting(runner.place)) for runner in group]
            found = self.evaluator.values(
                settings, self.wish.measured, replications, self._counter(look)
            )
            for row, runner in enumerate(group):
                for name, values in found.items():
                    before = runner.values.get(name, np.empty(0))
                    runner.values[name] = np.concatenate([before, values[row]])

    def _counter(self, look: int) -> Callable[[int], None] | None:
        if self._told is None:
            return None
        before, said = self.runs, self._words(look)
        expected = max(self._forecast(look), before + 1)
        told = self._told
        return lambda done: told(before + done, max(expected, before + done), said)

    def _words(self, look: int) -> str:
        return f"{len(self.racing)} of {len(self.runners)} settings left, {self.at[look]} runs each"

    def _forecast(self, look: int) -> int:
        """Return about how many runs there will be in all, from what is known of each in the race."""
        leader = self.leader(self.look) if self.look >= 0 else None
        if leader is None:
            return self.runs + len(self.racing) * self.at[look]
        level, last = 1 - 2 * self.levels.above(look), self.at[-1]
        total, longest = self.runs, self.at[look]
        for runner in self.racing:
            if runner is leader or runner.runs < self.at[self.look]:
                continue
            ahead = self.ahead(runner, leader).tolist()
            needed = min(stats.runs_to_show(ahead, level) or last, last)
            longest = max(longest, needed)
            total += max(0, needed - runner.runs)
        return total + max(0, longest - leader.runs)


def _named(grid: Grid, place: Place) -> str:
    return ", ".join(f"{name}={value}" for name, value in grid.setting(place).items())
