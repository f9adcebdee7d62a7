"""Rules for `tcp.variant = "auto"`, and how a list of them is learned: readable, and as long as pays elsewhere.

A decision list (Rivest, Learning Decision Lists, Machine Learning 2(3), 1987), learned by prepending (Webb, Recent
progress in learning decision lists by prepending inferred rules, SPICIS 1994): each new rule is the one or two
bounds and the variant that gain most over what the list picks so far, and goes before it. Exceptions thus come to
be above what they are exceptions from. How many rules pay is found by cross-validation (Breiman, Friedman, Olshen
and Stone, Classification and Regression Trees, 1984, section 3.4): the shortest list whose regret on conditions
left out is within a standard error of the least.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from lasthop.core.metrics.leaves import Array
from lasthop.study.scores import Condition as Setting

Mask = npt.NDArray[np.bool_]

#: Quantities for rules, with the factor to their printed unit, and that unit.
UNITS = {
    "rtt": (1e3, " ms"),
    "min_rtt": (1e3, " ms"),
    "delay_inflation": (1.0, ""),
    "rtt_spread": (1.0, ""),
    "loss": (1.0, ""),
    "loss_burst": (1.0, ""),
    "marked": (1.0, ""),
    "timeouts": (1.0, ""),
    "rate": (1e-3, " kbps"),
}
#: More rules than these nobody reads.
MOST_RULES = 12
#: Parts into which conditions are divided for cross-validation.
FOLDS = 10
#: Bounds that are tried of each quantity: quantiles of what was measured.
BOUNDS = 10
#: The least part of the examples that a rule takes: of fewer its worth is chance.
LEAST_TAKEN = 0.02


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
    """An endpoint's measurements when it chose, each variant's mean in that condition over the best one's (at
    most 1), and how much it weighs."""

    condition: Setting
    known: Mapping[str, float]
    scores: Mapping[str, float]
    weight: float = 1.0


@dataclass(frozen=True)
class Rules:
    """A list of rules: the first that holds is obeyed, the default where none does."""

    default: str
    rules: tuple[Rule, ...] = ()

    def pick(self, known: Mapping[str, float]) -> str:
        """Return the variant for what is known of a path."""
        return next((rule.variant for rule in self.rules if rule.holds(known)), self.default)

    def last(self, count: int) -> Rules:
        """Return the list with its last rules only."""
        return Rules(self.default, self.rules[len(self.rules) - count :])

    def regrets(self, examples: Sequence[Example]) -> list[float]:
        """Return the regret of what it picks in each example."""
        return [1 - each.scores[self.pick(each.known)] for each in examples]

    def inline(self) -> str:
        """Write it as a table in a line."""
        rules = [
            f'{{ when = {{ {", ".join(bound.toml() for bound in rule.when)} }}, use = "{rule.variant}" }}'
            for rule in self.rules
        ]
        return f'{{ default = "{self.default}", rule = [{", ".join(rules)}] }}'

    def toml(self, about: str, goal: str) -> str:
        """Write it as a file for ``tcp.policy``."""
        lines = [f'about = "{about}"', f'goal = "{goal}"', f'default = "{self.default}"']
        for rule in self.rules:
            when = ", ".join(bound.toml() for bound in rule.when)
            lines += ["", "[[rule]]", f"when = {{ {when} }}", f'use = "{rule.variant}"']
            lines += [f'why = "{rule.why}"']
        return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Checked:
    """A list and its regret.

    Attributes:
        rules: The list.
        regret: The mean regret on what it was learned from.
        left_out: The mean regret on conditions left out, in the cross-validation that found its length; None
            where there are too few conditions.
    """

    rules: Rules
    regret: float
    left_out: float | None


def learn(examples: Sequence[Example]) -> Checked:
    """Learn a list as long as pays on conditions that it was not learned from."""
    conditions = {c: place for place, c in enumerate(dict.fromkeys(e.condition for e in examples))}
    weights = np.array([each.weight for each in examples])
    whole = longest(examples)
    if len(conditions) < 2:
        return Checked(whole, float(np.average(whole.regrets(examples), weights=weights)), None)
    folds = min(FOLDS, len(conditions))
    fold = np.array([conditions[each.condition] % folds for each in examples])
    by_length = np.zeros((len(whole.rules) + 1, len(examples)))
    for part in range(folds):
        found = longest([e for e, own in zip(examples, fold, strict=True) if own != part])
        outside = np.flatnonzero(fold == part).tolist()
        left_out = [examples[place] for place in outside]
        for length in range(len(by_length)):
            by_length[length, outside] = found.last(min(length, len(found.rules))).regrets(left_out)
    length = _shortest(by_length, np.array([conditions[e.condition] for e in examples]), weights)
    kept = whole.last(length)
    regret, left = (
        float(np.average(each, weights=weights))
        for each in (kept.regrets(examples), by_length[length])
    )
    return Checked(kept, regret, left)


def _shortest(by_length: Array, condition: npt.NDArray[np.intp], weights: Array) -> int:
    """Return the least length whose regret is within a standard error of the best one's.

    The difference is taken condition by condition, since examples of one condition are alike.
    """
    best = int((by_length @ weights).argmin())
    total = np.bincount(condition, weights)
    for length in range(best):
        gaps = np.bincount(condition, weights * (by_length[length] - by_length[best])) / total
        if gaps.mean() <= gaps.std(ddof=1) / np.sqrt(len(gaps)):
            return length
    return best


def longest(examples: Sequence[Example]) -> Rules:
    """Learn a list of as many rules as gain anything where they are learned."""
    variants = list(examples[0].scores)
    table = np.array([[each.scores[v] for v in variants] for each in examples])
    weights = np.array([each.weight for each in examples])
    default = int((weights @ table).argmax())
    paths = _Paths(examples)
    now = table[:, default].copy()
    rules: list[Rule] = []
    while len(rules) < MOST_RULES and paths.bounds:
        gains = weights[:, None] * (table - now[:, None])
        when, variant = _best_pair(paths, gains, weights)
        if not when:
            break
        when = _refined(when, paths, gains[:, variant], weights)
        taken = paths.mask(when)
        part = float(weights[taken].sum())
        less = f"{100 * float(gains[taken, variant].sum()) / part:.2g} points of regret less"
        why = f"{part / weights.sum():.1%} of the examples, {less} than by the rules below"
        rules.insert(0, Rule(when, variants[variant], why))
        now[taken] = table[taken, variant]
    return Rules(variants[default], tuple(rules))


def _best_pair(paths: _Paths, gains: Array, weights: Array) -> tuple[tuple[Condition, ...], int]:
    """Return the one or two bounds, and the variant, that gain most; no bounds where none gains enough."""
    quantities = np.array([bound.quantity for bound in paths.bounds])
    # One bound is a pair with itself; two of one quantity are no pair.
    allowed = (quantities[:, None] != quantities) | np.eye(len(quantities), dtype=bool)
    allowed &= paths.sums(weights) >= LEAST_TAKEN * weights.sum()
    gained = [np.where(allowed, paths.sums(gain), 0.0) for gain in gains.T]
    variant, a, b = np.unravel_index(int(np.argmax(gained)), (len(gained), *allowed.shape))
    if gained[variant][a, b] <= 0:
        return (), 0
    return tuple(paths.bounds[place] for place in sorted({int(a), int(b)})), int(variant)


class _Paths:
    """What is known in each example, by quantity; NaN where it is not, which is on neither side of a bound.

    `bounds` are bounds of each quantity, spread over what was measured. They part its values into bins, so that
    what any two of them select together is a sum over bins.
    """

    def __init__(self, examples: Sequence[Example]) -> None:
        self._known = {
            quantity: np.array([each.known.get(quantity, np.nan) for each in examples])
            for quantity in UNITS
        }
        self.middles = {quantity: _middles(known) for quantity, known in self._known.items()}
        self.bounds: list[Condition] = []
        bins: list[npt.NDArray[np.intp]] = []
        selected: list[range] = []
        self._count = 0
        for quantity, middles in self.middles.items():
            values = _spread(middles)
            # The last bin, which no bound selects, is of those in which it is not known: NaN is above all numbers.
            bins.append(
                self._count + np.searchsorted([*values, np.inf], self._known[quantity], "right")
            )
            first, self._count = self._count, self._count + len(values) + 2
            for place, value in enumerate(values):
                self.bounds += [Condition(quantity, side, value) for side in ("above", "below")]
                middle = first + place + 1
                selected += [range(middle, self._count - 1), range(first, middle)]
        self._pairs = [a * self._count + b for a in bins for b in bins]
        self._selects = np.zeros((len(selected), self._count))
        for row, columns in zip(self._selects, selected, strict=True):
            row[columns.start : columns.stop] = 1

    def sums(self, values: Array) -> Array:
        """Return the sum of values over what each two bounds select together, shape (bounds, bounds)."""
        of_bins = np.zeros(self._count**2)
        for pair in self._pairs:
            of_bins += np.bincount(pair, values, self._count**2)
        found: Array = self._selects @ of_bins.reshape(self._count, -1) @ self._selects.T
        return found

    def mask(self, when: tuple[Condition, ...]) -> Mask:
        """Return the examples in which all bounds hold."""
        found = np.ones(len(next(iter(self._known.values()))), dtype=bool)
        for bound in when:
            known = self._known[bound.quantity]
            found &= known >= bound.value if bound.side == "above" else known < bound.value
        return found


def _refined(
    when: tuple[Condition, ...], paths: _Paths, gain: Array, weights: Array
) -> tuple[Condition, ...]:
    """Move each bound in turn to the best of all places between two measured values."""
    least = LEAST_TAKEN * weights.sum()

    def worth(when: tuple[Condition, ...]) -> float:
        mask = paths.mask(when)
        return float(gain[mask].sum()) if weights[mask].sum() >= least else -np.inf

    for place, bound in enumerate(when):
        values = (bound.value, *paths.middles[bound.quantity])
        moved = [replace(bound, value=value) for value in values]
        when = max(((*when[:place], each, *when[place + 1 :]) for each in moved), key=worth)
    return when


def _middles(known: Array) -> list[float]:
    values = np.unique(known[~np.isnan(known)])
    return list(dict.fromkeys(_round((a + b) / 2) for a, b in pairwise(values)))


def _spread(middles: Sequence[float]) -> list[float]:
    """Return at most `BOUNDS` of them, evenly by their number."""
    if len(middles) <= BOUNDS:
        return list(middles)
    return [middles[round(part * (len(middles) - 1))] for part in np.linspace(0, 1, BOUNDS)]


def _round(value: float) -> float:
    """Two digits: a bound that a person reads."""
    return float(f"{value:.2g}")
