"""Rules by which a cell has enough replications."""

from __future__ import annotations

import bisect
import math
from collections.abc import Sequence
from typing import Protocol

from lasthop.numbers.stats import sequential
from lasthop.study.spec import Precision


class StoppingRule(Protocol):
    """Says how many replications more a cell needs."""

    def more(self, cell_values: Sequence[float]) -> int:
        """Return how many replications more are wanted after these, in their order; 0: enough.

        Values are NaN where a replication has none. The answer depends on nothing else, so a study
        resumed from its store comes to the same numbers as one that was never stopped.
        """
        ...


class Precise:
    """Stops at the first look at which the interval is narrow enough; see `lasthop.numbers.stats.sequential`.

    Looks that cannot be enough, by the spread so far, are left out: fewer chances to stop too early.
    """

    def __init__(self, wish: Precision) -> None:
        relative = wish.absolute is None
        half = wish.relative if wish.absolute is None else wish.absolute
        assert half is not None  # the reader asks for one of the two
        self._looks = sequential.looks(wish.min_replications, wish.max_replications)
        self._precision = sequential.Precision(half, relative, wish.level)

    def more(self, cell_values: Sequence[float]) -> int:
        """Return how many replications more; see StoppingRule."""
        count = len(cell_values)
        following = bisect.bisect_right(self._looks, count)
        if count < self._looks[0]:
            return self._looks[0] - count
        if following == len(self._looks):
            return 0  # as many as there may be
        values = [value for value in cell_values if not math.isnan(value)]
        if not values:
            return self._looks[following] - count
        look = self._precision.look(values)
        if look.reached:
            return 0
        enough = bisect.bisect_right(self._looks, look.needed or 0) - 1
        return self._looks[max(following, enough)] - count
