"""Policies for `tcp.variant = "auto"`, learned from a sweep of fixed variants: short lists that a person reads.

A greedy decision list (Rivest, Learning Decision Lists, 1987): the default is the variant with the best mean
score; each rule is the one or two bounds and the variant that gain most over the default on what no earlier
rule takes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise

import numpy as np
import numpy.typing as npt

from lasthop.core import api
from lasthop.core.job import Job
from lasthop.core.jobs import run_jobs
from lasthop.core.listeners import Fraction
from lasthop.errors import UsageError
from lasthop.study.axes import Value
from lasthop.study.judgement import LOWER_IS_BETTER, tables_of
from lasthop.study.manifest import restored
from lasthop.study.regret import AUTO, AXIS
from lasthop.study.swept import Results

Mask = npt.NDArray[np.bool_]

#: Quantities for rules, with the factor to their printed unit, and that unit.
UNITS = {
    "rtt": (1e3, " ms"),
    "min_rtt": (1e3, " ms"),
    "delay_inflation": (1.0, ""),
    "loss": (1.0, ""),
    "timeouts": (1.0, ""),
    "rate": (1e-3, " kbps"),
}
#: A rule gains at least this much of the mean score: less is not worth reading.
LEAST_GAIN = 0.005
MOST_RULES = 4
#: Runs for what an endpoint measures, of each condition and variant.
RUNS = 2


@dataclass(frozen=True)
class Condition:
    """A bound of a quantity, in the unit of results (s, bit/s); above includes it."""

    quantity: str
    side: str
    value: float

    def holds(self, known: Mapping[str, float]) -> bool:
        """Return whether it holds; what is not known is on neither side."""
        value = known.get(self.quantity)
        return value is not None and (
            value >= self.value if self.side == "above" else value < self.value
        )

    def toml(self) -> str:
        """Write it as policies do."""
        factor, unit = UNITS[self.quantity]
        number = f"{self.value * factor:.6g}"
        return f"{self.quantity}_{self.side} = " + (f'"{number}{unit}"' if unit else number)


@dataclass(frozen=True)
class Rule:
    """A rule: all bounds, the variant, and why it is there."""

    when: tuple[Condition, ...]
    variant: str
    why: str

    def holds(self, known: Mapping[str, float]) -> bool:
        """Return whether all bounds hold."""
        return all(bound.holds(known) for bound in self.when)


@dataclass(frozen=True)
class Example:
    """An endpoint's measurements in a condition, and each variant's mean there over the best one's (at most
    1)."""

    condition: tuple[tuple[str, Value], ...]
    known: Mapping[str, float]
    scores: Mapping[str, float]


@dataclass(frozen=True)
class Learned:
    """A policy and what it is worth.

    Attributes:
        default: The variant where no rule holds.
        rules: In the order in which they are asked.
        regret: The mean of how much worse the variant picked is than the best, on what it was learned from.
        cross_validated: The same on conditions that it was not learned from, each left out in turn.
        fixed: The mean regret of each fixed variant.
        about: What it was learned from.
    """

    default: str
    rules: tuple[Rule, ...]
    regret: float
    cross_validated: float | None = None
    fixed: Mapping[str, float] = field(default_factory=dict)
    about: str = ""

    def pick(self, known: Mapping[str, float]) -> str:
        """Return the variant for what is known of a path."""
        return next((rule.variant for rule in self.rules if rule.holds(known)), self.default)

    def toml(self) -> str:
        """Write it as a file for ``tcp.policy``."""
        lines = [f'about = "{self.about}"', f'default = "{self.default}"']
        for rule in self.rules:
            when = ", ".join(bound.toml() for bound in rule.when)
            lines += ["", "[[rule]]", f"when = {{ {when} }}", f'use = "{rule.variant}"']
            lines += [f'why = "{rule.why}"']
        return "\n".join(lines) + "\n"


def learn_policy(
    results: Results,
    metric: str | None = None,
    *,
    fraction: Fraction | None = None,
) -> Learned:
    """Learn a policy from a sweep over conditions and fixed variants.

    What an endpoint measures in a condition comes from runs of their own, `RUNS` for each variant in use: a path
    looks different to a sender that fills its queue and to one that does not.

    Args:
        results: Of a study with an axis ``tcp.variant``.
        metric: What is to be good; by default the study's first.
        fraction: Told how much of these runs is done, 0 to 1.

    Raises:
        UsageError: There is no such axis or metric, or fewer than two fixed variants.
    """
    name = results.measured(metric or results.metrics[0])
    scores = _scores(results, name)
    examples = _examples(results, scores, fraction)
    if not examples:
        raise UsageError("nothing was measured: no TCP flow sent ten segments under any condition")
    whole = learn(examples)
    conditions = list(dict.fromkeys(each.condition for each in examples))
    left_out = [
        regret_of(learn([e for e in examples if e.condition != out]), own)
        for out in conditions
        if (own := [e for e in examples if e.condition == out]) and len(conditions) > 1
    ]
    return Learned(
        whole.default,
        whole.rules,
        whole.regret,
        math.fsum(left_out) / len(left_out) if left_out else None,
        {v: _mean([1 - e.scores[v] for e in examples]) for v in examples[0].scores},
        f"learned from {results.name} by {name}, {len(conditions)} conditions",
    )


def learn(examples: Sequence[Example]) -> Learned:
    """Learn a decision list."""
    variants = list(examples[0].scores)
    table = np.array([[each.scores[v] for v in variants] for each in examples])
    default = int(np.argmax(table.mean(axis=0)))
    candidates = _candidates(examples)
    left = np.ones(len(examples), dtype=bool)
    rules: list[Rule] = []
    while len(rules) < MOST_RULES:
        gains = np.where(left[:, None], table - table[:, [default]], 0.0)
        # What a rule takes no later rule can do better: what is still lost there speaks against it.
        worth = gains - np.where(left[:, None], 1 - table, 0.0)
        found = [
            (float(worth[mask, v].sum()), -len(when), gain, when, mask, v)
            for when, mask in candidates
            for v in range(len(variants))
            if (gain := float(gains[mask, v].sum())) >= LEAST_GAIN * len(examples)
        ]
        if not found:
            break
        _, _, gain, when, mask, variant = max(found, key=lambda each: each[:3])
        taken = left & mask
        better = f"{gain / taken.sum():.1%} better than {variants[default]}"
        why = f"{int(taken.sum())} of {len(examples)} examples, {better}"
        rules.append(Rule(when, variants[variant], why))
        left &= ~taken
    learned = Learned(variants[default], tuple(rules), 0.0)
    return Learned(variants[default], tuple(rules), regret_of(learned, examples))


def regret_of(learned: Learned, examples: Sequence[Example]) -> float:
    """Return the mean regret of what a policy picks."""
    return _mean([1 - each.scores[learned.pick(each.known)] for each in examples])


def _candidates(examples: Sequence[Example]) -> list[tuple[tuple[Condition, ...], Mask]]:
    """Return single bounds between neighbouring values, and pairs of different quantities, with the
    conditions that they select."""
    single: list[tuple[Condition, Mask]] = []
    for quantity in UNITS:
        known = sorted({e.known[quantity] for e in examples if quantity in e.known})
        middles = [_round((a + b) / 2) for a, b in pairwise(known)]
        for value in dict.fromkeys(middles[:: max(1, len(middles) // 12)]):
            for side in ("above", "below"):
                bound = Condition(quantity, side, value)
                single.append((bound, np.array([bound.holds(e.known) for e in examples])))
    found: list[tuple[tuple[Condition, ...], Mask]] = [((bound,), mask) for bound, mask in single]
    for (a, mask_a), (b, mask_b) in combinations(single, 2):
        if a.quantity != b.quantity:
            found.append(((a, b), mask_a & mask_b))
    return found


def _round(value: float) -> float:
    """Two digits: a bound that a person reads."""
    return float(f"{value:.2g}")


def _scores(results: Results, metric: str) -> dict[tuple[tuple[str, Value], ...], dict[str, float]]:
    """Return each fixed variant's mean over the best one's, by condition."""
    if AXIS not in results.keys:
        raise UsageError(f'nothing to learn from: the study has no axis "{AXIS}"')
    results.values(metric, results.rows[0].number)  # refuses a metric that is not there
    table, lower = tables_of(results)[metric], bool(LOWER_IS_BETTER.search(metric))
    variants = [v for v in table.values(AXIS) if v != AUTO]
    if len(variants) < 2:
        raise UsageError(f'nothing to learn from: "{AXIS}" has fewer than two fixed variants')
    found = {}
    for context in table.contexts([AXIS]):
        cells = {str(v): table.at({**context, AXIS: v}) for v in variants}
        means = {v: float(np.nanmean(c)) for v, c in cells.items() if c is not None and len(c)}
        best = (min if lower else max)(means.values(), default=0.0)
        if len(means) == len(variants) and best > 0:
            of = {v: best / mean if lower else mean / best for v, mean in means.items()}
            found[tuple(context.items())] = of
    return found


def _examples(
    results: Results,
    scores: Mapping[tuple[tuple[str, Value], ...], dict[str, float]],
    fraction: Fraction | None,
) -> list[Example]:
    study = restored(results.manifest)
    jobs, conditions = [], []
    for condition, of in scores.items():
        for variant in of:
            asked = api.as_overrides(dict(condition))
            policy = f'tcp.policy={{ default = "{variant}" }}'
            changes = (*study.changes, *asked, f"tcp.variant={AUTO}", policy)
            for number in range(RUNS):
                jobs.append(
                    Job(study.scenario, study.file, changes, study.seed, number, study.files)
                )
                conditions.append(condition)
    found = []
    for condition, document in zip(conditions, run_jobs(jobs, fraction=fraction), strict=True):
        flows = document["flows"] if document else []
        known = next((f["measured"] for f in flows if "loss" in f.get("measured", {})), None)
        if known is not None:
            found.append(Example(condition, known, scores[condition]))
    return found


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)
