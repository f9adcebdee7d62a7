"""Trees that pick a variant, grown to tell paths apart by what it costs to err, and written as rules.

A tree (Breiman, Friedman, Olshen and Stone, Classification and Regression Trees, 1984) grows at the leaf where a
bound gains most: what the best variants of both sides carry more than the best of the whole, and the part of the
variants' differences that it explains. Without the latter it would miss a bound that pays only together with the
next. A quantity that is not known is below every bound. How large a tree pays is found by cross-validation
(section 3.4): the smallest whose regret on conditions left out is within a standard error of the least.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lasthop.core.metrics.leaves import Array
from lasthop.study.rules import UNITS, Condition, Example, Rule, Rules

#: More bounds than these nobody reads.
MOST_SPLITS = 40
#: Bounds that are tried of each quantity: quantiles of what was measured.
BOUNDS = 40
#: The least part of the examples on each side of a bound: of fewer its worth is chance.
LEAST_TAKEN = 0.005
#: Parts into which conditions are divided for cross-validation.
FOLDS = 10

Places = npt.NDArray[np.intp]


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


@dataclass(frozen=True)
class Split:
    """A leaf that was split: its number, the bound, and the numbers of the leaves below and above it."""

    node: int
    bound: Condition
    below: int
    above: int


@dataclass(frozen=True)
class Tree:
    """A tree.

    Attributes:
        variants: What it picks from.
        splits: In the order in which it grew: the first of them are a smaller tree.
        picks: Of each node the variant that it picks as a leaf, and why.
    """

    variants: tuple[str, ...]
    splits: tuple[Split, ...]
    picks: tuple[tuple[str, str], ...]

    def rules(self, count: int) -> Rules:
        """Write the tree of the first splits as rules.

        What is above a bound comes first, with that bound: what reaches the rules after it is below, so that
        these need not say it.
        """
        splits = {split.node: split for split in self.splits[:count]}
        leaves = list(self._leaves(0, (), splits))
        _, default, _ = leaves.pop()
        return Rules(default, tuple(Rule(*leaf) for leaf in leaves))

    def _leaves(
        self, node: int, when: tuple[Condition, ...], splits: dict[int, Split]
    ) -> Iterator[tuple[tuple[Condition, ...], str, str]]:
        if node not in splits or len(self._picked(node, splits)) == 1:
            yield when, *self.picks[node]
            return
        split = splits[node]
        others = tuple(bound for bound in when if bound.quantity != split.bound.quantity)
        yield from self._leaves(split.above, (*others, split.bound), splits)
        yield from self._leaves(split.below, when, splits)

    def _picked(self, node: int, splits: dict[int, Split]) -> set[str]:
        if node not in splits:
            return {self.picks[node][0]}
        split = splits[node]
        return self._picked(split.below, splits) | self._picked(split.above, splits)

    def regrets(self, examples: Sequence[Example]) -> Array:
        """Return the regret in each example of the trees of no split, one, and so on: shape (trees, examples)."""
        table = np.array([[each.scores[v] for v in self.variants] for each in examples])
        known = known_of(examples)
        node = np.zeros(len(examples), dtype=np.intp)
        picks = np.array([self.variants.index(variant) for variant, _ in self.picks])
        rows = np.arange(len(examples))
        found = [1 - table[:, picks[0]]]
        for split in self.splits:
            here = node == split.node
            above = known[:, list(UNITS).index(split.bound.quantity)] >= split.bound.value
            node[here] = np.where(above[here], split.above, split.below)
            found.append(1 - table[rows, picks[node]])
        return np.array(found)


def known_of(examples: Sequence[Example]) -> Array:
    """Return what is known, a column for each quantity; below every bound where it is not."""
    return np.array(
        [[each.known.get(quantity, -np.inf) for quantity in UNITS] for each in examples]
    )


def learn(examples: Sequence[Example]) -> Checked:
    """Learn rules, as many as pay on conditions that they were not learned from."""
    conditions = {c: place for place, c in enumerate(dict.fromkeys(e.condition for e in examples))}
    weights = np.array([each.weight for each in examples])
    whole = grow(examples)
    regrets = whole.regrets(examples)
    if len(conditions) < 2:
        kept = whole.rules(len(whole.splits))
        return Checked(kept, float(np.average(regrets[-1], weights=weights)), None)
    folds = min(FOLDS, len(conditions))
    fold = np.array([conditions[each.condition] % folds for each in examples])
    left_out = np.zeros_like(regrets)
    for part in range(folds):
        found = grow([e for e, own in zip(examples, fold, strict=True) if own != part])
        outside = np.flatnonzero(fold == part)
        by_size = found.regrets([examples[place] for place in outside.tolist()])
        sizes = np.minimum(np.arange(len(left_out)), len(by_size) - 1)
        left_out[:, outside] = by_size[sizes]
    size = _smallest(left_out, np.array([conditions[e.condition] for e in examples]), weights)
    regret, left = (float(np.average(of[size], weights=weights)) for of in (regrets, left_out))
    return Checked(whole.rules(size), regret, left)


def _smallest(by_size: Array, condition: npt.NDArray[np.intp], weights: Array) -> int:
    """Return the size of the smallest tree whose regret is within a standard error of the best one's.

    The difference is taken condition by condition, since examples of one condition are alike.
    """
    best = int((by_size @ weights).argmin())
    total = np.bincount(condition, weights)
    for size in range(best):
        gaps = np.bincount(condition, weights * (by_size[size] - by_size[best])) / total
        if gaps.mean() <= gaps.std(ddof=1) / np.sqrt(len(gaps)):
            return size
    return best


def grow(examples: Sequence[Example], most: int = MOST_SPLITS) -> Tree:
    """Grow a tree of at most so many splits, as long as any gains where it is learned."""
    growing = _Growing(examples)
    leaves: list[tuple[float, int, Places, Condition]] = []
    picks: list[tuple[str, str]] = []
    splits: list[Split] = []

    def add(rows: Places) -> int:
        picks.append(growing.pick(rows))
        gain, bound = growing.best(rows)
        if bound is not None:
            heapq.heappush(leaves, (-gain, len(picks) - 1, rows, bound))
        return len(picks) - 1

    add(np.arange(len(examples)))
    while leaves and len(splits) < most:
        _, node, rows, bound = heapq.heappop(leaves)
        above = growing.above(rows, bound)
        splits.append(Split(node, bound, add(rows[~above]), add(rows[above])))
    return Tree(growing.variants, tuple(splits), tuple(picks))


class _Growing:
    """The examples that a tree grows from, with the bounds that are tried."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self.variants = tuple(examples[0].scores)
        shares = np.array([[each.scores[v] for v in self.variants] for each in examples])
        self._weights = np.array([each.weight for each in examples])
        self._worth = self._weights[:, None] * (shares - shares.mean(axis=1, keepdims=True))
        self._known = known_of(examples)
        self._bounds = [_bounds(column) for column in self._known.T]
        self._bins = [
            np.searchsorted(bounds, column, "right")
            for bounds, column in zip(self._bounds, self._known.T, strict=True)
        ]

    def pick(self, rows: Places) -> tuple[str, str]:
        """Return the best variant of some examples, and why it is taken."""
        worth, weight = self._worth[rows].sum(axis=0), self._weights[rows].sum()
        order = worth.argsort(kind="stable")[::-1]
        best = int(order[0])
        part = f"{weight / self._weights.sum():.1%} of the examples"
        if len(order) > 1:
            other = int(order[1])
            less = 100 * (worth[best] - worth[other]) / weight
            part += f", {less:.2g} points of regret less than {self.variants[other]}"
        return self.variants[best], part

    def above(self, rows: Places, bound: Condition) -> npt.NDArray[np.bool_]:
        """Return which of some examples are above a bound."""
        column = self._known[rows, list(UNITS).index(bound.quantity)]
        found: npt.NDArray[np.bool_] = column >= bound.value
        return found

    def best(self, rows: Places) -> tuple[float, Condition | None]:
        """Return the bound that gains most among some examples, and its gain; no bound where none gains."""
        least = LEAST_TAKEN * self._weights.sum()
        gain, best = 1e-12 * float(self._weights.sum()), None
        for place, quantity in enumerate(UNITS):
            bounds = self._bounds[place]
            if not len(bounds):
                continue
            bins, size = self._bins[place][rows], len(bounds) + 1
            weight = np.bincount(bins, self._weights[rows], size).cumsum()
            worth = [np.bincount(bins, of, size).cumsum() for of in self._worth[rows].T]
            gains = _gains(weight, np.array(worth).T, least)
            most = int(gains.argmax())
            if gains[most] > gain:
                gain, best = float(gains[most]), Condition(quantity, "above", float(bounds[most]))
        return gain, best


def _gains(weight: Array, worth: Array, least: float) -> Array:
    """Return what each bound gains, of cumulative weights and worths; nothing where a side has too few."""
    below, all_worth, all_weight = worth[:-1], worth[-1], weight[-1]
    above, light = all_worth - below, weight[:-1]
    heavy = all_weight - light
    enough = (light >= least) & (heavy >= least)
    light, heavy = np.where(enough, light, 1.0), np.where(enough, heavy, 1.0)
    carried = below.max(axis=1) + above.max(axis=1) - all_worth.max()
    explained = (below**2).sum(axis=1) / light + (above**2).sum(axis=1) / heavy
    explained -= (all_worth**2).sum() / all_weight
    gains: Array = np.where(enough, carried + explained, 0.0)
    return gains


def _bounds(column: Array) -> Array:
    """Return bounds that a person reads, two digits, spread over what is known of a quantity."""
    known = column[np.isfinite(column)]
    if not len(known):
        return known
    parts = np.quantile(known, np.linspace(0, 1, BOUNDS + 2)[1:-1])
    return np.unique([float(f"{value:.2g}") for value in parts])
