"""Runs of policies under a study's conditions: what endpoints measured, and how near to the best they came."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lasthop.core import metrics
from lasthop.core.job import Job
from lasthop.core.jobs import run_jobs
from lasthop.core.listeners import Fraction
from lasthop.core.metrics.leaves import Array
from lasthop.study.cells import override
from lasthop.study.manifest import restored
from lasthop.study.rules import Example
from lasthop.study.scores import AUTO, Scores
from lasthop.study.swept import Results

#: Runs of each condition and policy. They are none of the study's: what is known of a run must not say which
#: variant was lucky in it.
RUNS = 1


@dataclass(frozen=True)
class Trial:
    """A policy under one condition.

    Attributes:
        share: Its mean over the best fixed variant's (of times the other way round), on average at most about 1;
            0 where a run had no value.
        examples: What endpoints knew when they chose; a run weighs 1.
    """

    share: float
    examples: tuple[Example, ...]


class Trials:
    """Runs policies under the conditions of a study."""

    def __init__(self, results: Results, scores: Scores, team: Sequence[str]) -> None:
        self._study, self._goal = restored(results.manifest), scores.goal
        self.conditions = scores.conditions
        means = scores.values.mean(axis=2)
        self._best = means[np.arange(len(means)), scores.best(means, scores.fixed)]
        self._loss = scores.loss
        shares = 1 - scores.loss(means, self._best[:, None])
        places = [scores.variants.index(variant) for variant in team]
        self._shares = [dict(zip(team, of[places].tolist(), strict=True)) for of in shares]
        self._first = scores.values.shape[2]

    def play(self, policy: str, fraction: Fraction | None = None) -> list[Trial]:
        """Run a policy, a table in a line, under each condition."""
        places = range(len(self.conditions))
        numbers = range(self._first, self._first + RUNS)
        jobs = [self._job(place, policy, number) for place in places for number in numbers]
        documents = run_jobs(jobs, fraction=fraction)
        return [
            self._trial(place, [d for d in documents[place * RUNS :][:RUNS] if d is not None])
            for place in places
        ]

    def _job(self, place: int, policy: str, number: int) -> Job:
        study = self._study
        asked = [override(key, value) for key, value in self.conditions[place]]
        changes = (*study.changes, *asked, f"tcp.variant={AUTO}", f"tcp.policy={policy}")
        seed = study.seed_beside(changes)
        return Job(study.scenario, study.file, changes, seed, number, study.files)

    def _trial(self, place: int, documents: Sequence[Mapping[str, Any]]) -> Trial:
        known = [each for document in documents for each in _known(document)]
        condition, shares = self.conditions[place], self._shares[place]
        examples = tuple(Example(condition, what, shares, weight) for what, weight in known)
        mean = np.mean([self._value(document) for document in documents])
        lost: Array = self._loss(np.array([mean]), self._best[[place]])
        return Trial(0.0 if np.isnan(lost[0]) else 1 - float(lost[0]), examples)

    def _value(self, document: Mapping[str, Any]) -> float:
        first, *others = (metrics.value(name, document) for name in self._goal.metrics)
        for other in others:
            first /= other
        return first


def _known(document: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, float], float]]:
    """Yield what an endpoint knew when it chose, and for which part of the time since its first choice.

    Choices that are not listed were as the one before. Where one alone is listed, what is known at the end counts
    for the others, by their number.
    """
    flow = next((each for each in document["flows"] if each.get("choices")), None)
    if flow is None:
        return
    count, listed = sum(flow["picked"].values()), flow["choices"]
    if len(listed) == 1:
        yield listed[0]["measured"], 1 / count
        if count > 1:
            yield flow["measured"], 1 - 1 / count
        return
    ends = [*(each["at_s"] for each in listed[1:]), document["duration_s"]]
    whole = ends[-1] - listed[0]["at_s"]
    for choice, end in zip(listed, ends, strict=True):
        yield choice["measured"], (end - choice["at_s"]) / whole
