"""The cost of picking a variant: `auto` against the best fixed variant, condition by condition."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from lasthop.core.metrics.leaves import Array
from lasthop.core.quantities.better import is_less_better
from lasthop.errors import UsageError
from lasthop.numbers import stats
from lasthop.numbers.numerals import finite
from lasthop.study import phrases
from lasthop.study.axes import Value
from lasthop.study.claims.tables import Table
from lasthop.study.judgement import tables_of
from lasthop.study.scores import AUTO, AXIS
from lasthop.study.swept import Results


@dataclass(frozen=True)
class Regret:
    """The loss of `auto` in one condition against the best fixed variant there.

    Attributes:
        metric: By what.
        condition: The settings of the other axes.
        best: The fixed variant with the best mean.
        best_mean: Its mean, in the metric's unit.
        auto_mean: That of `auto`.
        regret: The share of the best that `auto` misses: 1 - auto / best, of times and losses 1 - best / auto;
            negative where it is better than all.
        low: The interval of the regret: with 95 % it holds for every fixed variant at once, since the best is
            found in the same data.
        high: Its upper end.
        replications: Pairs of runs with the same random numbers.
    """

    metric: str
    condition: dict[str, Value]
    best: str
    best_mean: float
    auto_mean: float
    regret: float
    low: float
    high: float
    replications: int

    @property
    def label(self) -> str:
        """The condition in a few words."""
        return phrases.of_settings(self.condition) or "everywhere"

    def as_dict(self) -> dict[str, Any]:
        """Return the fields, ready for JSON; a bound that the data do not set is None."""
        return asdict(self) | {"low": finite(self.low), "high": finite(self.high)}


def has_regret(results: Results) -> bool:
    """Return whether a study has an axis of variants, with `auto` and a fixed one among them."""
    values = {str(row.settings[AXIS]) for row in results.rows if AXIS in row.settings}
    return AUTO in values and len(values) > 1


def regrets(results: Results, metric: str | None = None) -> list[Regret]:
    """Return the regret of `auto` in each combination of the other axes' values.

    Runs of the same replication share their random numbers, so that they are compared pair by pair.

    Args:
        results: Of a study with an axis ``tcp.variant`` that has ``auto``.
        metric: By what; by default the study's first.

    Raises:
        UsageError: There is no such axis or metric.
    """
    if not has_regret(results):
        raise UsageError(
            f'no regret without an axis "{AXIS}" that has "{AUTO}" and a fixed variant'
        )
    name = results.measured(metric or results.metrics[0])
    table = tables_of(results)[name]
    found = (_regret(table, name, context) for context in table.contexts([AXIS]))
    return [each for each in found if each is not None]


def _regret(table: Table, metric: str, context: dict[str, Value]) -> Regret | None:
    fixed: dict[str, Array] = {}
    for variant in table.values(AXIS):
        values = table.at({**context, AXIS: variant})
        if values is not None and len(values):
            fixed[str(variant)] = np.asarray(values, dtype=float)
    auto = fixed.pop(AUTO, None)
    if auto is None or not fixed:
        return None
    lower = is_less_better(metric)
    means = {name: float(np.nanmean(values)) for name, values in fixed.items()}
    best = (min if lower else max)(means, key=means.__getitem__)
    ours, theirs = _paired(auto, fixed[best])
    # The ratio is at most 1 where the best is better.
    pair = (theirs, ours) if lower else (ours, theirs)
    if math.fsum(pair[1]) <= 0:
        return None
    level = stats.bonferroni(len(fixed))
    interval = stats.safe_ratio_interval(*pair, level)
    low, high = (interval.low, interval.high) if interval else (0.0, math.inf)
    if math.isinf(high):  # too few runs, or too many that are equal, to bound anything
        low = -math.inf
    best_mean, auto_mean = (math.fsum(each) / len(ours) for each in (theirs, ours))
    regret = 1 - math.fsum(pair[0]) / math.fsum(pair[1])
    return Regret(metric, context, best, best_mean, auto_mean, regret, 1 - high, 1 - low, len(ours))


def _paired(a: Array, b: Array) -> tuple[list[float], list[float]]:
    count = min(len(a), len(b))
    there = ~(np.isnan(a[:count]) | np.isnan(b[:count]))
    return a[:count][there].tolist(), b[:count][there].tolist()


def mean_regret(found: Sequence[Regret]) -> float:
    """Return the mean over the conditions."""
    return math.fsum(each.regret for each in found) / len(found)
