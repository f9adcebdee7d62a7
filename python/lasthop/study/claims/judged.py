"""A comparison with its outcome, and the bounds between which its ratio was claimed to lie."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lasthop.numbers import stats
from lasthop.numbers.numerals import finite
from lasthop.numbers.words import ABOVE
from lasthop.study.claims import judged_as
from lasthop.study.claims.outcomes import Outcome


@dataclass(frozen=True)
class Judged:
    """A comparison and its outcome; `ratio` and its bounds have no unit (alone: the values').

    Attributes:
        part: The part of the claim that it belongs to.
        label: What is compared, and where.
        outcome: Whether it is shown.
        ratio: That of the means (alone: the mean); None where there is none.
        direction: Whether it is shown to go the claimed way, without a threshold.
        find: Finds the interval of the ratio, which takes longer than the outcome.
        need: Finds how many replications would decide it.
        above: With `below` what was claimed: the bounds between which the ratio lies.
        alone: One mean, compared with nothing.
        strength: Whether the ratio is that of two effects, or of counts.
        count: How many replications it rests on; 0 for printed numbers.
        identical: Whether both sides are the same in all of them.
    """

    part: str
    label: str
    outcome: Outcome
    ratio: float | None
    direction: Outcome
    find: Callable[[], stats.Interval | None] = lambda: None
    need: Callable[[], int | None] = lambda: None
    above: float | None = None
    below: float | None = None
    alone: bool = False
    strength: bool = False
    count: int = 0
    identical: bool = False

    @cached_property
    def interval(self) -> stats.Interval | None:
        """The interval of the ratio; None where nothing bounds it."""
        return self.find()

    @cached_property
    def needed(self) -> int | None:
        """About how many replications would decide it, were the means and spreads those seen so far.

        With 80 % probability; None where it is decided or the data say nothing of it.
        """
        if self.outcome is not Outcome.OPEN or (found := self.need()) is None:
            return None
        return max(found, math.ceil(1.25 * self.count))  # what there is was not enough

    @property
    def low(self) -> float | None:
        """The lower end of the interval."""
        return finite(self.interval.low) if self.interval else None

    @property
    def high(self) -> float | None:
        """The upper end of the interval."""
        return finite(self.interval.high) if self.interval else None

    @property
    def seems(self) -> bool:
        """Return whether the mean goes the claimed way, by however little."""
        low, high = ways(self.above, self.below, self.alone)
        return self.outcome is Outcome.SHOWN if self.ratio is None else low <= self.ratio <= high

    def room(self) -> float:
        """Return how far the ratio is inside its bounds, in logarithms; less than 0 outside."""
        if self.ratio is None:
            return math.inf
        here = math.log(max(self.ratio, 1e-12))
        room = [here - math.log(self.above)] if self.above else []
        room += [math.log(self.below) - here] if self.below else []
        return min(room, default=math.inf)

    def as_dict(self) -> dict[str, Any]:
        """Return the fields, ready for JSON."""
        return {
            "part": self.part,
            "label": self.label,
            "judged_as": judged_as.of_comparison(self),
            "outcome": str(self.outcome),
            "ratio": self.ratio,
            "low": self.low,
            "high": self.high,
            "above": self.above,
            "below": self.below,
            "alone": self.alone,
            "identical": self.identical,
            "replications_needed": self.needed,
        }


def ways(above: float | None, below: float | None, alone: bool) -> tuple[float, float]:
    """Return the claimed bounds, with any difference in place of one by over 2 %; the same is none."""
    low = -math.inf if above is None else above
    high = math.inf if below is None else below
    if alone:
        return low, high
    more, less = math.nextafter(1.0, 2.0), math.nextafter(1.0, 0.0)
    return more if low == ABOVE else low, less if high == 1 / ABOVE else high
