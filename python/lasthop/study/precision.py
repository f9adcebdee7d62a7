"""When a cell has had enough replications."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from lasthop import stats
from lasthop.study.spec import Precision


class StoppingRule(Protocol):
    """Says how many replications more a cell needs."""

    def more(self, cell_values: Sequence[float]) -> int:
        """Return how many replications more are wanted after these, in their order; 0: enough.

        Values are NaN where a replication has none. The answer depends on nothing else, so a study
        resumed from its store comes to the same numbers as one that was never stopped.
        """
        ...


@dataclass(frozen=True)
class TInterval:
    """Stops when Student's t interval of the mean is narrow enough.

    The next round is as large as the spread so far says that it must be, and no larger than all before together.
    """

    precision: Precision

    def more(self, cell_values: Sequence[float]) -> int:
        """Return how many replications more; see StoppingRule."""
        wish, count = self.precision, len(cell_values)
        if count < wish.min_replications:
            return wish.min_replications - count
        room = wish.max_replications - count
        values = [value for value in cell_values if not math.isnan(value)]
        half = stats.half_width(values, wish.level)
        if half is None:
            return min(room, count)
        mean = math.fsum(values) / len(values)
        goal = wish.absolute if wish.relative is None else wish.relative * abs(mean)
        if goal is None or half <= goal:
            return 0
        needed = count * (half / goal) ** 2 if goal > 0 else math.inf
        return max(0, min(room, count, max(1, math.ceil(min(needed, 2.0 * count)) - count)))
