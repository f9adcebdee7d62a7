"""Judging "mostly": that events fall inside a group of runs more often than outside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lasthop import stats
from lasthop.claims.outcomes import Outcome
from lasthop.claims.words import LEAST_EVENTS


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
