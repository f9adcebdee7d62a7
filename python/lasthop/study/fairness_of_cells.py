"""Jain's index with its interval, in each cell of a study that measures it or the shares behind it.

Within a run: the mean of each replication's index, from a metric ``jain`` or from ``.shares``; the favoured
flow may change from run to run. In the long run: the index of the expected shares, from ``goodput_bps.each``
and its like, see `lasthop.numbers.stats.jain_interval`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

import numpy as np

from lasthop.core.metrics.leaves import Array
from lasthop.core.quantities import KINDS
from lasthop.numbers import stats
from lasthop.study import phrases
from lasthop.study.rows import Row
from lasthop.study.swept import Results

WITHIN, LONG = "within a run", "in the long run"

SHARED = re.compile(
    r"(^|\.)((acked_|active_)?goodput_bps|((active|transport)_)?throughput_bps|airtime_share)$"
)
"""Quantities that stations or flows share, so that an index has a meaning: not delays."""

SEVERAL = frozenset("*?[")
"""Signs of names that mean several objects."""


@dataclass(frozen=True)
class Fairness:
    """Jain's index of one cell: `of` what, and whether within a run or in the long run."""

    cell: str
    of: str
    over: str
    index: float
    interval: stats.Interval
    replications: int

    def as_dict(self) -> dict[str, Any]:
        """Return the fields, ready for JSON."""
        return {
            "cell": self.cell,
            "of": self.of,
            "over": self.over,
            "index": self.index,
            "low": self.interval.low,
            "high": self.interval.high,
            "replications": self.replications,
        }


def fairness(results: Results, known: Collection[int] = ()) -> list[Fairness]:
    """Return Jain's index of each cell where the study measures it; each interval alone holds with 95 %.

    In cells that are `known`, by number, nothing is random, and an index is what it is.
    """
    found = []
    for row in results.rows:
        for each in _of_cell(results, row):
            exact = stats.Interval(each.index, each.index)
            found.append(replace(each, interval=exact) if row.number in known else each)
    return found


def _of_cell(results: Results, row: Row) -> Iterator[Fairness]:
    cell = phrases.of_settings(row.settings)
    for of, over, shares in _measured(results, row):
        there = shares[~np.isnan(shares).all(axis=1)]
        there = np.nan_to_num(there)
        if not there.any():
            continue
        if over == LONG:
            index = stats.jain(there.mean(axis=0).tolist()) or math.nan
            yield Fairness(cell, of, over, index, stats.jain_interval(there.tolist()), len(there))
            continue
        each = there[:, 0]
        interval = stats.mean_bounds(each, (1 - stats.CONFIDENCE) / 2, (0.0, 1.0))
        yield Fairness(cell, of, over, math.fsum(each) / len(each), interval, len(each))


def _measured(results: Results, row: Row) -> Iterator[tuple[str, str, Array]]:
    """Yield of what, over what, and by replication the index of the run, or a column for each share."""
    for asked in results.manifest["asked"]:
        stem, _, how = asked.rpartition(".")
        if how == "jain":
            values = results.values(asked, row.number) if asked in row.metrics else np.empty(0)
            yield stem or "goodput_bps", WITHIN, values[:, np.newaxis]
        elif how == "shares":
            named = re.compile(re.escape(stem) + r"\.share\d+")
            parts = _columns(results, row, [m for m in row.metrics if named.fullmatch(m)])
            squares = parts.shape[1] * (parts**2).sum(axis=1)
            yield stem, WITHIN, (1 / np.where(squares > 0, squares, np.nan))[:, np.newaxis]
        elif how == "each" and SHARED.search(stem):
            pattern = stem if "." in stem else f"*.{stem}"
            names = [m for m in row.metrics if fnmatchcase(m, pattern) and not SEVERAL & set(m)]
            names = [m for m in names if not _is_again(m, names)]
            if len(names) > 1:
                yield stem, LONG, _columns(results, row, names)


def _is_again(name: str, names: Sequence[str]) -> bool:
    """Return whether a name is another with its kind before it: `flow.bulk.goodput_bps`."""
    kind, _, rest = name.partition(".")
    return kind in (*KINDS, "cell") and rest in names


def _columns(results: Results, row: Row, names: list[str]) -> Array:
    if not names:
        return np.empty((0, 1))
    return np.column_stack([results.values(name, row.number) for name in names])
