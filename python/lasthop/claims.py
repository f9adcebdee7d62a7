"""Judging what a paper claims, with words whose thresholds are fixed before any run.

A claim is a set of comparisons. Each comparison is *shown*, *denied* (its negation is shown) or
*open*, by an interval; together they make a verdict:

- **holds**: every comparison is shown;
- **contradicted**: at least one is denied and none is shown;
- **mixed**: some are shown and some are denied;
- **cannot tell**: anything else, such as some shown and the others open.

*Above, below, raises, lowers* mean by over 2 %: the ratio of the greater mean to the lesser is
shown to be over 1.02. It is denied when that ratio is shown to be under 1.02. The intervals of one
claim are simultaneous at 95 % (Bonferroni, over all comparisons of that claim), paired by
replication (see `lasthop.stats`). *Mostly* counts events: more inside a group of runs than outside
it, by an exact test over replications at 5 % (`judge_majority`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from lasthop import stats

ABOVE = 1.02
"""The ratio of means over which one thing is *above* another."""

STARVED = 0.05
"""A station with under this part of its fair share is *starved*."""

LEAST_EVENTS = 10
"""Of fewer events none is said to be the greater part: "mostly" is no word for a handful."""


class Outcome(StrEnum):
    """What the data say of one comparison."""

    SHOWN = "shown"
    DENIED = "denied"
    OPEN = "open"


class Verdict(StrEnum):
    """What the data say of a claim."""

    HOLDS = "holds"
    CONTRADICTED = "contradicted"
    MIXED = "mixed"
    CANNOT_TELL = "cannot tell"


@dataclass(frozen=True)
class Comparison:
    """That `greater` lies above `lesser`: values in one unit, the i-th of both of one replication.

    `part` names the part of the claim that it belongs to, `label` the cells compared.
    """

    part: str
    label: str
    greater: Sequence[float]
    lesser: Sequence[float]


@dataclass(frozen=True)
class Judged:
    """A comparison and its outcome; `ratio` and its bounds have no unit."""

    part: str
    label: str
    outcome: Outcome
    ratio: float | None
    low: float | None
    high: float | None

    def as_dict(self) -> dict[str, Any]:
        """Return the fields, ready for JSON."""
        return {
            "part": self.part,
            "label": self.label,
            "outcome": str(self.outcome),
            "ratio": self.ratio,
            "low": self.low,
            "high": self.high,
        }


def verdict(outcomes: Sequence[Outcome]) -> Verdict:
    """Return the verdict on a claim from the outcomes of its comparisons."""
    seen = Counter(outcomes)
    shown, denied = seen[Outcome.SHOWN], seen[Outcome.DENIED]
    if shown and denied:
        return Verdict.MIXED
    if denied:
        return Verdict.CONTRADICTED
    return Verdict.HOLDS if shown and not seen[Outcome.OPEN] else Verdict.CANNOT_TELL


def judge_above(comparisons: Sequence[Comparison], level: float = stats.CONFIDENCE) -> list[Judged]:
    """Judge each comparison by intervals that hold together at `level`."""
    each = stats.bonferroni(len(comparisons), level)
    return [_above(comparison, each) for comparison in comparisons]


def judge_points(comparisons: Sequence[Comparison]) -> list[Judged]:
    """Judge comparisons of printed numbers, which carry no interval, by the numbers themselves."""
    judged = []
    for c in comparisons:
        (a,), (b,) = c.greater, c.lesser
        outcome = Outcome.SHOWN if a > ABOVE * b else Outcome.DENIED
        judged.append(Judged(c.part, c.label, outcome, a / b if b > 0 else None, None, None))
    return judged


def _above(c: Comparison, level: float) -> Judged:
    margin = stats.paired_difference(c.greater, c.lesser, level, scale=ABOVE)
    outcome = _sign(margin)
    total_a, total_b = math.fsum(c.greater), math.fsum(c.lesser)
    ratio = total_a / total_b if total_b > 0 else None
    interval = stats.ratio_interval(c.greater, c.lesser, level)
    low, high = (interval.low, interval.high) if interval else (None, None)
    return Judged(c.part, c.label, outcome, ratio, low, high)


def _sign(margin: stats.Interval) -> Outcome:
    if margin.low > 0:
        return Outcome.SHOWN
    return Outcome.DENIED if margin.high < 0 else Outcome.OPEN


def evidence(judged: Sequence[Judged], level: float | None) -> dict[str, Any]:
    """Return the numbers behind a verdict: counts, parts with verdicts of their own, comparisons.

    `level` is that at which each interval was made; None for printed numbers.
    """
    parts = dict.fromkeys(j.part for j in judged)
    return {
        "comparisons": len(judged),
        "level_of_each": level,
        **_counts(judged),
        "parts": [
            {"name": part, **_counts(own), "verdict": str(verdict([j.outcome for j in own]))}
            for part in parts
            if (own := [j for j in judged if j.part == part])
        ],
        "details": [j.as_dict() for j in judged],
    }


def _counts(judged: Sequence[Judged]) -> dict[str, int]:
    seen = Counter(j.outcome for j in judged)
    return {str(outcome): seen[outcome] for outcome in Outcome}


@dataclass(frozen=True)
class Majority:
    """Whether most events fall inside; see `judge_majority`.

    `more`, `fewer` and `level` count the replications with more events inside than outside, with
    fewer, and with as many. `p` is two-sided, without unit.
    """

    outcome: Outcome
    events: int
    more: int
    fewer: int
    level: int
    p: float

    def as_dict(self) -> dict[str, Any]:
        """Return the fields, ready for JSON."""
        return {
            "events": self.events,
            "least_events": LEAST_EVENTS,
            "replications_more": self.more,
            "replications_fewer": self.fewer,
            "replications_level": self.level,
            "p": self.p,
        }


def judge_majority(
    inside: Sequence[int], outside: Sequence[int], level: float = stats.CONFIDENCE
) -> Majority:
    """Judge "mostly": that more events fall inside than outside two equally large groups of runs.

    `inside[i]` and `outside[i]` count the events of replication i. The replication is the unit:
    runs of one replication share random numbers, so that they are no independent trials. If
    neither group were favoured, each replication's difference would be as likely with the other
    sign; the test goes through all these signs (`stats.flip_test`), so that it is exact for any
    number of events, and needs six replications that differ to show anything at 95 %. Of under
    `LEAST_EVENTS` events nothing is said to be the greater part.
    """
    differences = [a - b for a, b in zip(inside, outside, strict=True)]
    events = sum(inside) + sum(outside)
    p = stats.flip_test(differences)
    outcome = Outcome.OPEN
    if events >= LEAST_EVENTS and p <= 1 - level:
        outcome = Outcome.SHOWN if sum(differences) > 0 else Outcome.DENIED
    more, fewer = sum(d > 0 for d in differences), sum(d < 0 for d in differences)
    return Majority(outcome, events, more, fewer, len(differences) - more - fewer, p)
