"""The runs of an evaluation: each scenario with the law and with the reference, by the same random numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from lasthop.core import metrics
from lasthop.core.how import Running
from lasthop.core.job import Job
from lasthop.core.jobs import MOST_REPLICATIONS, run_each
from lasthop.core.listeners import Fraction
from lasthop.errors import UsageError
from lasthop.numbers import stats
from lasthop.study.claims.differences_of_means import Comparison, level_of_each
from lasthop.study.evaluating.casting import Cast
from lasthop.study.evaluating.criteria import Criterion, Part, criteria
from lasthop.study.evaluating.dossier import Dossier, Found, Judgement

REPLICATIONS = 20
"""Replications of each scenario by default."""

Values = dict[str, list[float]]
"""A number for each replication, by the name of the measure."""

Key = tuple[str, tuple[str, ...]]
"""The scenario's text and its changes, which criteria can share."""


@dataclass
class _Scene:
    """Runs of one scenario with one TCP: what is measured, and what was found."""

    job: Job
    names: dict[str, None] = field(default_factory=dict)
    found: Values = field(default_factory=dict)
    resolved: Any = None

    def take(self, replication: int, document: Mapping[str, Any]) -> None:
        if self.resolved is None:
            self.resolved = metrics.resolve(list(self.names), document)
            self.found = {name: [np.nan] * self.job.count for name in self.names}
        for name, metric in zip(self.names, self.resolved.all, strict=True):
            self.found[name][replication] = metric.of(document)


def evaluate(
    law: str | Cast,
    *,
    replications: int = REPLICATIONS,
    workers: int | None = None,
    told: Fraction = lambda part: None,
    asked: Sequence[Criterion] | None = None,
) -> Dossier:
    """Evaluate a congestion control by the criteria of RFC 9743 (or `asked`, some of them).

    Args:
        law: A variant, or a law in Python as FILE.py:CLASS; or what was read of it.
        replications: Independent runs of each scenario.
        workers: How many runs at a time; by default one for each core. Laws in Python run one after the other.
        told: Told how much is done, 0 to 1.
        asked: The criteria; by default all.

    Raises:
        UsageError: There is no such variant, or a number of replications is out of range.
        LawError: The law in Python is wrong.
    """
    if not 1 <= replications <= MOST_REPLICATIONS:
        raise UsageError(f"replications are from 1 to {MOST_REPLICATIONS:,}, not {replications}")
    cast = law if isinstance(law, Cast) else Cast.of(law)
    chosen = criteria() if asked is None else tuple(asked)
    scenes: dict[Key, _Scene] = {}

    def scene(criterion: Criterion, name: str) -> _Scene:
        job = cast.job(criterion, name, replications)
        return scenes.setdefault((job.text, job.overrides), _Scene(job))

    pairs = []
    for criterion in chosen:
        pair = scene(criterion, cast.name), scene(criterion, cast.called(criterion.against))
        for each in pair:
            each.names.update((part.of, None) for part in criterion.parts)
        pairs.append((criterion, *pair))
    _run(list(scenes.values()), workers, told)
    found = [
        Found(
            criterion,
            cast.called(criterion.against),
            tuple(
                _judged(part, mine, reference, level_of_each(len(criterion.parts)))
                for part in criterion.parts
            ),
        )
        for criterion, mine, reference in pairs
    ]
    return Dossier(cast.name, replications, tuple(found), cast.laws)


def _run(scenes: Sequence[_Scene], workers: int | None, told: Fraction) -> None:
    """Run all, laws from outside apart: those in Python go one after the other, and the rest does not."""
    own = [each for each in scenes if not each.job.laws]
    outside = [each for each in scenes if each.job.laws]
    done = 0.0
    for batch in filter(None, (own, outside)):
        part = len(batch) / len(scenes)
        how = Running(workers=workers, fraction=_within(done, part, told))
        count = batch[0].job.count

        def hand_on(place: int, document: dict[str, Any], batch=batch, count=count) -> None:  # type: ignore[no-untyped-def]
            batch[place // count].take(place % count, document)

        run_each([replace(each.job) for each in batch], hand_on, how)
        done += part


def _within(done: float, part: float, told: Fraction) -> Callable[[float], None]:
    return lambda fraction: told(done + part * fraction)


def _judged(part: Part, mine: _Scene, reference: _Scene, level: float) -> Judgement:
    rule = part.rule
    values = np.asarray(mine.found[part.of])
    if rule.alone:
        against = np.ones(len(values))
    elif mine is reference:
        return Judgement.of_itself(part, float(np.mean(values)))
    else:
        against = np.asarray(reference.found[part.of])
    judged = Comparison("", part.says, values, against, rule.least, rule.most).judge(level)
    value, other = (float(np.mean(each)) if len(each) else np.nan for each in (values, against))
    found = judged.interval or stats.Interval(-np.inf, np.inf)
    if rule.alone and judged.interval:
        found = stats.Interval(max(found.low, 0.0), min(found.high, 1.0))
    return Judgement(
        part,
        value,
        None if rule.alone else other,
        judged.ratio,
        found.low,
        found.high,
        judged.outcome,
        judged.needed,
    )
