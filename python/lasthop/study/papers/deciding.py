"""Replications until the claims are decided: more go to the settings of open parts only, as in a race.

All settings begin with a few replications; at each look every part that is decided keeps its verdict, and
the settings of those that are open get half as many again. The error of a claim is spent over the looks
(`stats.Spending`), so that its verdict at any look holds at 95 %, whenever one stops and for whatever
reason. A part that would need more replications than are allowed gets none.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lasthop.numbers import stats
from lasthop.study import axes, claims
from lasthop.study.claims import JudgedClaim, Table, Verdict
from lasthop.study.claims.judging import open_cells
from lasthop.study.judgement import tables_of
from lasthop.study.papers import paper_tables, paper_verdicts, power
from lasthop.study.papers.folder import Paper
from lasthop.study.papers.plans import Part
from lasthop.study.sweeping import Hooks, sweep_counts

LEAST, MOST, GROWTH = 20, power.MOST, 1.5
"""Replications of a setting at the first look and at the last, and how much each look has more.

From 20 on safe intervals err at all looks together in 1.9 to 3 % where values are exponential or lognormal, in
5.4 % where they are Pareto with a shape of 2.5; Student's, from ten on, erred in 10, 18 and 27 %."""

SECOND = 30
"""Replications at the second look of --quick: 29 equal ones are the fewest that show two settings to be alike."""

EARLY = 0.25
"""The power by which error is spent: looks that grow by half then have about as much each."""

BUDGET_S = 600.0
"""Wall time unless another is asked for, s."""


@dataclass
class Decided:
    """The results: by claim, and the number of runs.

    Attributes:
        judged: The claims, each part as it was at the look that decided it.
        found: The tables of each study's parts.
        runs: Runs there are.
        most: Replications of the setting that has the most.
        looks: How often was looked.
        budget_over: Whether time ended it.
        counts: Replications of each cell of each part.
    """

    judged: dict[str, JudgedClaim] = field(default_factory=dict)
    found: dict[str, list[dict[str, Table]]] = field(default_factory=dict)
    runs: int = 0
    most: int = 0
    looks: int = 0
    budget_over: bool = False
    counts: list[list[int]] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Return what was done, ready for JSON."""
        undecided = [id_ for id_, each in self.judged.items() if _open(each)]
        return {
            "looks": self.looks,
            "runs": self.runs,
            "most_replications": self.most,
            "budget_over": self.budget_over,
            "undecided": undecided,
        }


def run(
    paper: Paper,
    parts: Sequence[Part],
    directory: Path,
    workers: int | None,
    budget_s: float,
    told: Callable[[int, str], None],
) -> Decided:
    """Run until no part can be decided any more, or the budget is over; Ctrl-C ends it with what is known."""
    end = time.monotonic() + budget_s
    at = stats.looks(LEAST, MOST, GROWTH)
    spending = stats.Spending(at, power=EARLY)
    counts = [[at[0]] * len(axes.settings(part.study.axes)) for part in parts]
    done = Decided()
    for look in range(len(at)):
        try:
            _extend(parts, counts, directory, workers, end, done)
        except KeyboardInterrupt:
            if not done.judged:
                raise
            break
        made = paper_tables.tables(paper, done.found)
        _judge(paper, made, spending.level_at(look), done)
        done.looks = look + 1
        left = sum(_open(each) for each in done.judged.values())
        told(done.runs, f"{left} claims open, {at[look]} replications")
        done.budget_over = time.monotonic() > end
        wanted = _wanted(paper, parts, made, done, at[-1])
        if done.budget_over or look + 1 == len(at) or not any(map(any, wanted)):
            break
        counts = [
            [at[look + 1] if more else count for more, count in zip(*pair, strict=True)]
            for pair in zip(wanted, counts, strict=True)
        ]
    return done


def further(
    paper: Paper, parts: Sequence[Part], directory: Path, workers: int | None, runs: int
) -> Decided:
    """Give `runs` further runs to the claims that need the fewest (`power.cheapest`), after those of the study.

    These get `SECOND` replications, a number that no result changes, if that is enough. There are two looks, so
    each has half of the error, and what is decided at the first keeps its verdict.
    """
    each = 1 - (1 - stats.CONFIDENCE) / 2
    counts = [[part.study.replications] * len(axes.settings(part.study.axes)) for part in parts]
    done = Decided(looks=2)
    _extend(parts, counts, directory, workers, math.inf, done)
    made = paper_tables.tables(paper, done.found)
    _judge(paper, made, each, done)
    more = power.cheapest(paper, parts, made, list(done.judged.values()), counts, runs, SECOND)
    _extend(parts, more.counts, directory, workers, math.inf, done)
    _judge(paper, paper_tables.tables(paper, done.found), each, done)
    return done


def _extend(
    parts: Sequence[Part],
    counts: Sequence[Sequence[int]],
    directory: Path,
    workers: int | None,
    end: float,
    done: Decided,
) -> None:
    """Give every setting its replications, as long as there is time."""
    found: dict[str, list[dict[str, Table]]] = {}
    runs = most = 0
    for part, own in zip(parts, counts, strict=True):
        left = max(end - time.monotonic(), 1.0)
        study = replace(part.study, budget_s=left if math.isfinite(left) else None)
        results = sweep_counts(study, directory / part.place, own, workers, Hooks())
        found.setdefault(part.id, []).append(tables_of(results))
        there = [results.count(row) for row in results.rows]
        runs, most = runs + sum(there), max(most, *there)
    done.found, done.runs, done.most = found, runs, most
    done.counts = [list(own) for own in counts]


def _judge(paper: Paper, made: Mapping[str, Table], level: float, done: Decided) -> None:
    """Judge at a look's level; parts that were decided before keep what they had."""
    for claim in paper_verdicts.judgeable(paper, made):
        now = claims.judge_claim(claim, made, level)
        before = {part.name: part for part in _parts(done.judged.get(claim.id))}
        kept = tuple(
            before[part.name]
            if part.name in before and before[part.name].verdict in claims.DECIDED
            else part
            for part in now.parts
        )
        done.judged[claim.id] = replace(now, parts=kept, level=stats.CONFIDENCE)


def _parts(judged: JudgedClaim | None) -> Sequence[claims.JudgedPart]:
    return () if judged is None else judged.parts


def _open(judged: JudgedClaim) -> bool:
    return any(part.verdict is Verdict.UNDECIDED for part in judged.parts)


def _wanted(
    paper: Paper, parts: Sequence[Part], made: Mapping[str, Table], done: Decided, most: int
) -> list[list[bool]]:
    """Return for each part's cells whether some claim needs more replications of it.

    Where nobody knows how many replications would tell, a part gets some once all others are decided.
    """
    needed = _needed(made, done, lambda count: count is not None and count <= most)
    needed = needed or _needed(made, done, lambda count: count is None)
    return [
        [power.is_needed(paper, part.id, raw, needed) for raw in axes.settings(part.study.axes)]
        for part in parts
    ]


Needed = dict[str, set[frozenset[tuple[str, Any]]]]
"""Settings by measure."""


def _needed(
    made: Mapping[str, Table], done: Decided, worth: Callable[[int | None], bool]
) -> Needed:
    found: Needed = {}
    for each in done.judged.values():
        for measure, settings in open_cells(each, made, worth).items():
            own = found.setdefault(measure, set())
            own.update(frozenset(setting.items()) for setting in settings)
    return found
