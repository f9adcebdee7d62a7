"""How well each TCP does under each condition of a study, and its regret on average over the conditions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lasthop.core.metrics.leaves import Array
from lasthop.errors import UsageError
from lasthop.numbers import stats
from lasthop.study.axes import Value
from lasthop.study.goals import Goal
from lasthop.study.swept import Results

AUTO = "auto"
AXIS = "tcp.variant"

Condition = tuple[tuple[str, Value], ...]
"""The settings of the other axes."""


@dataclass(frozen=True)
class Scores:
    """What is measured of each variant under each condition, by a goal.

    Conditions that cannot tell variants apart are left out: in which a run has no value, all runs of all variants
    give the same, or what losses are a share of (the best mean; of times each mean) is not above zero in one half
    of the runs. A variant that carried nothing where another carried something is judged: it misses all.

    Attributes:
        goal: The goal.
        conditions: Those that are judged.
        variants: Of the axis, in its order; ``auto`` is one of them where it was swept.
        values: By condition, variant and replication, in the goal's unit. The same replication of two variants
            has the same random numbers.
        left_out: How many conditions are not judged.
    """

    goal: Goal
    conditions: tuple[Condition, ...]
    variants: tuple[str, ...]
    values: Array
    left_out: int

    @classmethod
    def of(cls, results: Results, goal: Goal) -> Scores:
        """Read them from a study; raises UsageError where nothing can be compared."""
        if AXIS not in results.keys:
            raise UsageError(f'no variants to compare: the study has no axis "{AXIS}"')
        cells: dict[Condition, dict[str, Array]] = {}
        for row in results.rows:
            settings = dict(row.settings)
            variant = str(settings.pop(AXIS))
            values = goal.values(results, row.number)
            cells.setdefault(tuple(settings.items()), {})[variant] = values
        variants = tuple(dict.fromkeys(v for of in cells.values() for v in of))
        if len([v for v in variants if v != AUTO]) < 2:
            raise UsageError(f'nothing to compare: "{AXIS}" has fewer than two fixed variants')
        runs = min(len(values) for of in cells.values() for values in of.values())
        whole = {condition: of for condition, of in cells.items() if len(of) == len(variants)}
        table = np.array([[of[v][:runs] for v in variants] for of in whole.values()])
        if not table.size:
            raise UsageError("nothing to compare: the study has no runs of all variants yet")
        known = ~np.isnan(table).any(axis=(1, 2))
        telling = table.max(axis=(1, 2)) > table.min(axis=(1, 2))
        halves = _halves(table)
        fixed = [place for place, variant in enumerate(variants) if variant != AUTO]
        for chosen_by, judged_by in (halves, halves[::-1]):
            best = _best(chosen_by, fixed, goal)
            below = judged_by if goal.lower else judged_by[np.arange(len(best)), best][:, None]
            telling &= (below > 0).all(axis=1)
        kept = known & telling
        conditions = tuple(c for c, is_kept in zip(whole, kept, strict=True) if is_kept)
        if not conditions:
            raise UsageError(f"no condition tells variants apart by {goal.label}")
        return cls(goal, conditions, variants, table[kept], len(cells) - len(conditions))

    @property
    def fixed(self) -> list[int]:
        """The places of the variants that are not ``auto``."""
        return [place for place, variant in enumerate(self.variants) if variant != AUTO]

    def choosing(self, variants: Sequence[str]) -> Scores:
        """Return those of some variants."""
        places = [self.variants.index(v) for v in variants]
        return Scores(
            self.goal, self.conditions, tuple(variants), self.values[:, places], self.left_out
        )

    def regrets(self) -> Array:
        """Return the regret of each variant in each condition, shape (conditions, variants).

        The best fixed variant is found in one half of the replications (the even ones, then the odd ones) and
        compared in the other; the two are averaged. A variant that only was lucky is thus not taken for the best.
        Where the half is too short to find the true best, the regret is too small by what was missed.
        """
        return self._crossed(self._regret)

    def regret_of_best(self, among: Sequence[int]) -> Array:
        """Return the same of the best of some variants, found as the best of all is; one number a condition."""

        def lost(chosen_by: Array, judged_by: Array) -> Array:
            rows = np.arange(len(judged_by))
            best = judged_by[rows, self.best(chosen_by, self.fixed)]
            return self.loss(judged_by[rows, self.best(chosen_by, among)], best)

        return self._crossed(lost)

    def _crossed(self, lost: Callable[[Array, Array], Array]) -> Array:
        first, second = _halves(self.values)
        return (lost(first, second) + lost(second, first)) / 2

    def upper(self) -> Array:
        """Return the same where the best is found in the runs that judge it: biased upwards by its luck."""
        means = self.values.mean(axis=2)
        return self._regret(means, means)

    def best(self, means: Array, among: Sequence[int]) -> npt.NDArray[np.intp]:
        """Return the place of the best of some variants in each condition."""
        return _best(means, among, self.goal)

    def _regret(self, chosen_by: Array, judged_by: Array) -> Array:
        best = self.best(chosen_by, self.fixed)
        return self.loss(judged_by, judged_by[np.arange(len(best)), best][:, None])

    def loss(self, values: Array, best: Array) -> Array:
        """Return the share of the best that is missed: 1 - value / best, of times 1 - best / value."""
        loss: Array = 1 - (best / values if self.goal.lower else values / best)
        return loss


def _best(means: Array, among: Sequence[int], goal: Goal) -> npt.NDArray[np.intp]:
    column = means[:, among]
    found = column.argmin(axis=1) if goal.lower else column.argmax(axis=1)
    places: npt.NDArray[np.intp] = np.asarray(among, dtype=np.intp)[found]
    return places


def _halves(values: Array) -> tuple[Array, Array]:
    """Return the means of the even replications and of the odd ones; of a single one twice."""
    first = values[:, :, ::2].mean(axis=2)
    return first, values[:, :, 1::2].mean(axis=2) if values.shape[2] > 1 else first


@dataclass(frozen=True)
class Average:
    """A variant's regret on average over the conditions of a study.

    Attributes:
        variant: The variant.
        regret: The mean, as in `Scores.regrets`.
        low: The interval of the mean, 95 %, of conditions drawn at random; infinite for a single condition.
        high: Its upper end.
        most: The mean where the best is found in the same runs: an upper bound but for the conditions' chance.
        tenth: The regret that a tenth of the conditions exceed.
    """

    variant: str
    regret: float
    low: float
    high: float
    most: float
    tenth: float

    def as_dict(self) -> dict[str, Any]:
        """Return the fields, ready for JSON; None where an interval has no end."""
        pairs = asdict(self).items()
        return {k: v if isinstance(v, str) or math.isfinite(v) else None for k, v in pairs}


def averages(scores: Scores) -> list[Average]:
    """Return the regret of each variant on average over the conditions, the smallest first."""
    crossed, upper = scores.regrets(), scores.upper()
    found = []
    for place, variant in enumerate(scores.variants):
        mean = float(crossed[:, place].mean())
        interval = stats.mean_interval(crossed[:, place].tolist())
        most, tenth = float(upper[:, place].mean()), float(np.quantile(upper[:, place], 0.9))
        found.append(Average(variant, mean, interval.low, interval.high, most, tenth))
    return sorted(found, key=lambda each: each.regret)
