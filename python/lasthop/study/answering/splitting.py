"""The settings of an axis split in two: the best, each of which beats each of the rest.

All verdicts that an answer is chosen from are one family: they are right together with 95 %, so that a choice
among them does not make a chance finding an answer.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, permutations
from typing import Any

import numpy as np
import numpy.typing as npt

from lasthop.core.quantities.better import higher_is_better
from lasthop.numbers import stats
from lasthop.study.answering.noticed import Noticed
from lasthop.study.claims.verdicts import PairedVerdict, compare, worded

Array = npt.NDArray[np.float64]

MOST_VALUES = 40
"""The values of an axis with more are not compared with each other: their pairs would be too many."""

MOST_STEPS = 12
"""The same of axes that step together: with more steps they are a random design, of which no step is the best."""

MOST_PAIRS = 3_000
"""With more pairs in all, which would take seconds and each need more runs, averages alone are judged."""

MOST_RATIO = 1000.0
"""Ratios count as no more: of a mean of zero there is none."""

PART = 0.25
"""What is decided in a smaller part of the cells says more of them than of the study."""

EVEN = (PairedVerdict.IDENTICAL, PairedVerdict.NO_DIFFERENCE)
TURNED = {
    PairedVerdict.BETTER: PairedVerdict.WORSE,
    PairedVerdict.WORSE: PairedVerdict.BETTER,
}


@dataclass(frozen=True)
class Candidate:
    """A metric along an axis, which may answer.

    Attributes:
        axis: The axis.
        metric: The metric.
        noticed: How people notice the metric.
        higher: Whether more of it is better, or comes first where neither more nor less is.
        beyond: A difference that matters, as a part.
        cells: Values by setting of the other axes, then by setting of this one.
        places: By the names of those cells their settings of the other axes.
        level: The level of each verdict.
        mean: The same averaged over the cells of the other axes, each over its mean; None where there is one.
        by_mean: Whether only the average is judged, as cells are too many.
    """

    axis: str
    metric: str
    noticed: Noticed
    higher: bool
    beyond: float
    cells: Mapping[str, Mapping[str, Array]]
    places: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    level: float = stats.CONFIDENCE
    mean: Candidate | None = None
    by_mean: bool = False

    @cached_property
    def values(self) -> list[str]:
        """The settings along the axis that were run."""
        return list(dict.fromkeys(value for cells in self.cells.values() for value in cells))

    @cached_property
    def means(self) -> dict[str, dict[str, float]]:
        """Means as `cells`; runs without a value are left out."""
        return {
            context: {value: float(np.nanmean(values)) for value, values in cells.items()}
            for context, cells in self.cells.items()
        }

    @property
    def is_neutral(self) -> bool:
        """Whether nobody wants more of it, or less."""
        return higher_is_better(self.metric) is None

    @property
    def pairs(self) -> int:
        """The number of verdicts on it."""
        return sum(math.comb(len(cells), 2) for cells in self.cells.values())

    @cached_property
    def words(self) -> dict[tuple[str, str, str], PairedVerdict]:
        """The verdict on each setting against each other, by cell of the other axes."""
        found: dict[tuple[str, str, str], PairedVerdict] = {}
        if self.by_mean:
            return found
        for context, cells in self.cells.items():
            for a, b in combinations(cells, 2):
                word = worded(
                    cells[a],
                    cells[b],
                    beyond=self.beyond,
                    higher_is_better=self.higher,
                    level=self.level,
                )
                found[context, a, b] = word
                found[context, b, a] = TURNED.get(word, word)
        return found

    def between(
        self, context: str, best: Sequence[str], rest: Sequence[str]
    ) -> list[tuple[str, str]]:
        """Return the pairs of one of the best and one of the rest that were run in a cell."""
        there = self.cells[context]
        return [(a, b) for a in best for b in rest if a in there and b in there]

    def needed(self, split: Split) -> int | None:
        """Return about how many replications of each cell would decide a split everywhere; None: not known."""
        if self.by_mean:
            return None
        counts = [
            self._needed(context, a, b)
            for context in self.cells
            for a, b in self.between(context, split.best, split.rest)
            if self.words[context, a, b] is PairedVerdict.CANNOT_TELL
        ]
        known = [count for count in counts if count is not None]
        return max(known) if known and len(known) == len(counts) else None

    def _needed(self, context: str, a: str, b: str) -> int | None:
        """Return how many replications would tell of two settings; many splits ask for the same two."""
        key = (context, *sorted((a, b)))
        if key not in self._needs:
            cells = self.cells[context]
            self._needs[key] = compare(
                cells[a],
                cells[b],
                beyond=self.beyond,
                higher_is_better=self.higher,
                level=self.level,
            ).needed
        return self._needs[key]

    @cached_property
    def _needs(self) -> dict[tuple[str, ...], int | None]:
        """What `_needed` has found."""
        return {}

    @cached_property
    def ordered(self) -> list[str]:
        """The settings with the best first, by their places in the cells of the other axes."""
        ranks = dict.fromkeys(self.values, 0.0)
        for means in self.means.values():
            ordered = sorted(means, key=lambda value: means[value], reverse=self.higher)
            for rank, value in enumerate(ordered):
                ranks[value] += rank / len(ordered)
        return sorted(self.values, key=lambda value: ranks[value])

    def splits(self) -> Iterator[Split]:
        """Yield the splits of the settings in the order of their means, however they turn out."""
        for count in range(1, len(self.ordered)):
            yield self.split(self.ordered[:count], self.ordered[count:])

    def outer_splits(self) -> Iterator[Split]:
        """Yield the splits that leave out settings between the best and the rest."""
        order = self.ordered
        if len(order) <= MOST_STEPS:
            for first, last in combinations(range(1, len(order)), 2):
                yield self.split(order[:first], order[last:])

    def split(self, best: Sequence[str], rest: Sequence[str]) -> Split:
        """Judge a split: where the best win, and by how much at least; settings without a value are left out."""
        best, rest = ([x for x in self.values if x in each] for each in (best, rest))
        won, lost, judged = [], [], []
        for context in self.cells:
            pairs = self.between(context, best, rest)
            if pairs:
                judged.append(context)
            if self.by_mean:
                continue
            found = [self.words[context, a, b] for a, b in pairs]
            if found and all(word is PairedVerdict.BETTER for word in found):
                won.append(context)
            if PairedVerdict.WORSE in found:
                lost.append(context)
        gaps = [self._gap(self.means[context], best, rest) for context in won]
        size = math.exp(sum(map(math.log, gaps)) / len(gaps)) if gaps else 1.0
        return Split(tuple(best), tuple(rest), tuple(judged), tuple(won), tuple(lost), size)

    def _gap(self, means: Mapping[str, float], best: Sequence[str], rest: Sequence[str]) -> float:
        """Return the ratio between the two groups, of what is noticed."""
        ours = [means[value] for value in best if value in means]
        others = [means[value] for value in rest if value in means]
        high, low = (min(ours), max(others)) if self.higher else (min(others), max(ours))
        least = self.noticed.step or 1e-12
        return min(max(high, least) / max(low, least), MOST_RATIO)


@dataclass(frozen=True)
class Split:
    """The settings of an axis in two groups.

    Attributes:
        best: Those that are better.
        rest: The others.
        judged: The cells of the other axes in which both were run.
        won: Those in which each of the best is shown to be better than each of the rest.
        lost: Those in which one of the rest is shown to be better than one of the best.
        size: The ratio between the nearest two of the groups, the geometric mean over `won`.
    """

    best: tuple[str, ...]
    rest: tuple[str, ...]
    judged: tuple[str, ...]
    won: tuple[str, ...]
    lost: tuple[str, ...] = ()
    size: float = field(default=1.0)

    @property
    def everywhere(self) -> bool:
        """Return whether it is decided with one sign in all cells of the other axes."""
        return bool(self.judged) and len(self.won) == len(self.judged)

    @property
    def mostly(self) -> bool:
        """Return whether it is decided in half of the cells or more, and against in none."""
        return not self.lost and 2 * len(self.won) >= len(self.judged) > 0

    @property
    def partly(self) -> bool:
        """Return whether it is decided in a `PART` of the cells or more, and against in none."""
        return not self.lost and len(self.won) >= PART * len(self.judged) > 0


def judged(candidate: Candidate) -> Candidate:
    """Return what the verdicts on a candidate are about: itself, or its average."""
    return candidate.mean if candidate.by_mean and candidate.mean is not None else candidate


def is_even(candidate: Candidate) -> bool:
    """Return whether all settings are shown to be the same within what matters."""
    candidate = judged(candidate)
    return bool(candidate.words) and all(word in EVEN for word in candidate.words.values())


def winners(candidate: Candidate) -> dict[tuple[str, ...], list[str]]:
    """Return the cells of the other axes in which settings are best: the best mean, and all that it does not beat.

    Cells in which it beats none are left out. More than one group is in it where the best depends on
    the other axes.
    """
    found: dict[tuple[str, ...], list[str]] = {}
    for context, means in () if candidate.by_mean else candidate.means.items():
        top = (max if candidate.higher else min)(means, key=lambda value: means[value])
        best = tuple(
            value
            for value in candidate.values
            if value == top
            or (value in means and candidate.words[context, top, value] is not PairedVerdict.BETTER)
        )
        if len(best) < len(means):
            found.setdefault(best, []).append(context)
    return found


def turns(candidate: Candidate) -> bool:
    """Return whether one setting beats another in some cell of the other axes and is beaten by it in a second.

    The best must be known in a `PART` of the cells.
    """
    if sum(map(len, winners(candidate).values())) < PART * len(candidate.cells):
        return False
    better = {(a, b) for (_, a, b), word in candidate.words.items() if word is PairedVerdict.BETTER}
    return any((b, a) in better for a, b in permutations(candidate.values, 2) if (a, b) in better)
