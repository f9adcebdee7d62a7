"""Policies for `tcp.variant = "auto"`, learned from a sweep of fixed variants: short lists that a person reads."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lasthop.core.job import Job
from lasthop.core.jobs import run_jobs
from lasthop.core.listeners import Fraction
from lasthop.errors import UsageError
from lasthop.study.cells import override
from lasthop.study.goals import Goal
from lasthop.study.manifest import restored
from lasthop.study.rules import Checked, Example, learn
from lasthop.study.scores import AUTO, Average, Scores, averages
from lasthop.study.swept import Results

#: Runs for what an endpoint measures, of each condition and variant, or policy.
RUNS = 2
#: How often a policy is tried, and learned again with what endpoints then measured.
ROUNDS = 2
#: A variant is worth having beside others where the mean regret of the best of them falls by this much.
LEAST_GAIN = 0.002
#: More variants than these one policy does not use: rules do not tell them apart.
MOST_VARIANTS = 6


@dataclass(frozen=True)
class Learned:
    """A policy and what it is worth.

    Attributes:
        checked: The rules, with their regret where they were learned and elsewhere.
        goal: What they were learned by.
        team: The variants that the rules could choose from.
        of_best: The mean regret of the best of these variants in each condition: what rules that err nowhere would
            have.
        fixed: The mean regret of each fixed variant, the smallest first.
        about: What they were learned from.
    """

    checked: Checked
    goal: Goal
    team: tuple[str, ...]
    of_best: float
    fixed: tuple[Average, ...]
    about: str

    def toml(self) -> str:
        """Write it as a file for ``tcp.policy``."""
        return self.checked.rules.toml(self.about, self.goal.name)


def learn_policy(
    results: Results,
    goal: str | None = None,
    *,
    fraction: Fraction | None = None,
) -> Learned:
    """Learn a policy from a sweep over conditions and fixed variants.

    The variants that it chooses from are a few that together have hardly any regret. What an endpoint measures in
    a condition comes from runs of their own, `RUNS` for each of these variants in use: a path looks different to a
    sender that fills its queue and to one that does not. The policy is then tried, and learned again with what
    endpoints measured under it (Ross, Gordon and Bagnell, A reduction of imitation learning and structured
    prediction to no-regret online learning, AISTATS 2011), since its own choices change that.

    Args:
        results: Of a study with an axis ``tcp.variant``.
        goal: What is to be good: goodput, delay, power, fairness, or a metric; by default the study's first.
        fraction: Told how much of these runs is done, 0 to 1.

    Raises:
        UsageError: There is no such axis or metric, or fewer than two fixed variants.
    """
    aim = Goal.of(results, goal)
    scores = Scores.of(results, aim)
    scores = scores.choosing([v for v in scores.variants if v != AUTO])
    team, of_best = team_of(scores)
    ours, steps = scores.choosing(team), len(team) + ROUNDS
    alone = [f'{{ default = "{variant}" }}' for variant in team]
    examples = _examples(results, ours, alone, _part(fraction, 0, len(team) / steps))
    if not examples:
        raise UsageError("nothing was measured: no TCP flow chose a variant under any condition")
    checked = learn(examples)
    for number in range(ROUNDS):
        part = _part(fraction, (len(team) + number) / steps, 1 / steps)
        more = _examples(results, ours, [checked.rules.inline()], part)
        # What the policy meets weighs as much as what its variants meet.
        examples += [replace(each, weight=len(team) * each.weight) for each in more]
        checked = learn(examples)
    count = len({each.condition for each in examples})
    about = f"learned from {results.name} by {aim.label}, {count} conditions"
    return Learned(checked, aim, team, of_best, tuple(averages(scores)), about)


def _part(fraction: Fraction | None, begun: float, share: float) -> Fraction:
    """Return what tells of a part of the work."""

    def tell(done: float) -> None:
        if fraction is not None:
            fraction(begun + share * done)

    return tell


def team_of(scores: Scores) -> tuple[tuple[str, ...], float]:
    """Return the variants that a policy may use, and the mean regret of the best of them in each condition.

    Greedily: the variant with the least mean regret, then each time the one that lowers most the regret of the
    best. Which is best is found in one half of the replications and judged in the other, so that luck makes no
    team.
    """
    team: list[int] = []
    least = np.inf
    while len(team) < MOST_VARIANTS:
        others = [place for place in scores.fixed if place not in team]
        if not others:
            break
        found = {place: float(scores.regret_of_best([*team, place]).mean()) for place in others}
        best = min(found, key=found.__getitem__)
        if team and least - found[best] < LEAST_GAIN:
            break
        team.append(best)
        least = found[best]
    return tuple(scores.variants[place] for place in team), float(least)


def _examples(
    results: Results, scores: Scores, policies: Sequence[str], fraction: Fraction
) -> list[Example]:
    """Run each condition under each policy, and return what endpoints then knew; a run weighs 1."""
    study = restored(results.manifest)
    jobs, places = [], []
    for place, condition in enumerate(scores.conditions):
        asked = [override(key, value) for key, value in condition]
        for policy in policies:
            changes = (*study.changes, *asked, f"tcp.variant={AUTO}", f"tcp.policy={policy}")
            for number in range(RUNS):
                jobs.append(
                    Job(study.scenario, study.file, changes, study.seed, number, study.files)
                )
                places.append(place)
    means = scores.values.mean(axis=2)
    best = means[np.arange(len(means)), scores.best(means, scores.fixed)]
    lost = scores.loss(means, best[:, None])
    found = []
    for place, document in zip(places, run_jobs(jobs, fraction=fraction), strict=True):
        by_variant = dict(zip(scores.variants, (1 - lost[place]).tolist(), strict=True))
        for known, weight in _known(document["flows"] if document else []):
            found.append(Example(scores.conditions[place], known, by_variant, weight))
    return found


def _known(flows: Sequence[Mapping[str, Any]]) -> Iterator[tuple[Mapping[str, float], float]]:
    """Yield what an endpoint knew when it chose, and in which part of its choices.

    Choices that are not listed were as the one before; for them counts what is known at the end.
    """
    flow = next((each for each in flows if each.get("choices")), None)
    if flow is not None:
        count, listed = sum(flow["picked"].values()), flow["choices"]
        yield from ((choice["measured"], 1 / count) for choice in listed)
        if count > len(listed):
            yield flow["measured"], 1 - len(listed) / count
