"""Policies for `tcp.variant = "auto"`, learned from a sweep of fixed variants: short lists that a person reads."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from lasthop.core.listeners import Fraction
from lasthop.errors import UsageError
from lasthop.study.goals import Goal
from lasthop.study.rules import Example
from lasthop.study.scores import AUTO, Average, Scores, averages
from lasthop.study.swept import Results
from lasthop.study.trees import Checked, learn
from lasthop.study.trials import Trials

#: How many policies are tried; each but the first is learned with what endpoints measured under those before it.
ROUNDS = 3
#: A variant is worth having beside others where the mean regret of the best of them falls by this much.
LEAST_GAIN = 0.002
#: More variants than these one policy does not use: rules do not tell them apart.
MOST_VARIANTS = 6


@dataclass(frozen=True)
class Learned:
    """A policy and what it is worth.

    Attributes:
        checked: The rules, with their regret where they were learned and elsewhere, as fixed variants foretell it.
        tried: Their mean regret where they were learned, when they ran.
        goal: What they were learned by.
        team: The variants that the rules could choose from.
        of_best: The mean regret of the best of these variants in each condition: what rules that err nowhere would
            have.
        fixed: The mean regret of each fixed variant, the smallest first.
        about: What they were learned from.
    """

    checked: Checked
    tried: float
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

    The variants that it chooses from are a few that together have hardly any regret. What an endpoint measures
    in a condition comes from runs of their own, with each of these variants in use: a path looks different to a
    sender that fills its queue and to one that does not. The policy is then tried, and learned again with what
    endpoints measured under it, since its own choices change that; of those that were tried the best one is
    taken (Ross, Gordon and Bagnell, A reduction of imitation learning and structured prediction to no-regret
    online learning, AISTATS 2011).

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
    trials, steps = Trials(results, scores, team), len(team) + ROUNDS
    examples: list[Example] = []
    for number, variant in enumerate(team):
        part = _part(fraction, number / steps, 1 / steps)
        for trial in trials.play(f'{{ default = "{variant}" }}', part):
            examples += trial.examples
    if not examples:
        raise UsageError("nothing was measured: no TCP flow chose a variant under any condition")
    found: list[tuple[float, Checked]] = []
    for number in range(ROUNDS):
        checked = learn(examples)
        part = _part(fraction, (len(team) + number) / steps, 1 / steps)
        tried = trials.play(checked.rules.inline(), part)
        found.append((1 - float(np.mean([trial.share for trial in tried])), checked))
        if number + 1 < ROUNDS:
            # What the policy meets weighs as much as what its variants meet.
            for trial in tried:
                examples += [replace(e, weight=len(team) * e.weight) for e in trial.examples]
    lost, checked = min(found, key=lambda each: each[0])
    count = len({each.condition for each in examples})
    about = f"learned from {results.name} by {aim.label}, {count} conditions"
    return Learned(checked, lost, aim, team, of_best, tuple(averages(scores)), about)


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
