"""The choice of what answers a study: a metric along an axis, its best settings, and what they cost."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np

from lasthop.core.quantities.better import is_less_better
from lasthop.numbers import stats
from lasthop.numbers.words import ABOVE, MATTERS
from lasthop.study import phrases
from lasthop.study.answering.noticed import Tier, is_given, noticed
from lasthop.study.answering.splitting import (
    MOST_PAIRS,
    MOST_STEPS,
    MOST_VALUES,
    Candidate,
    Split,
    is_even,
    judged,
    turns,
    winners,
)
from lasthop.study.cells import scenario_of, some_cells
from lasthop.study.claims.tables import Table
from lasthop.study.claims.verdicts import PairedVerdict
from lasthop.study.judgement import settings_of
from lasthop.study.spec import Study
from lasthop.study.swept import Results


class Kind(StrEnum):
    """What is known."""

    DECIDED = "decided"
    """The best beat the rest, whatever the other axes."""
    MOSTLY = "mostly decided"
    """They do in half of the cells of the other axes or more, and lose in none."""
    AVERAGED = "decided on average"
    """They do on average over the cells of the other axes, which count alike, and lose in none."""
    PARTLY = "decided in part"
    """They do in some cells of the other axes, and lose in none."""
    DEPENDS = "depends"
    """What is best differs between cells of the other axes."""
    SAME = "same"
    """All settings are shown to be the same within what matters."""
    UNDECIDED = "undecided"
    ALONE = "one setting"
    """There is nothing to compare."""


WITH_SPLIT = (Kind.DECIDED, Kind.MOSTLY, Kind.AVERAGED, Kind.PARTLY)
"""Kinds in which some settings are shown to differ from the rest."""


@dataclass(frozen=True)
class Chosen:
    """What answers.

    Attributes:
        kind: What is known.
        candidate: The metric along an axis; None where there is one setting.
        split: The best and the rest, where they are known or looked for.
        size: The ratio by which the candidate differs at most.
        winners: The cells of the other axes in which settings are best, where it depends on them.
        watched: A metric that people fear to lose, along the same axis; None where there is none.
        losses: Further metrics that people notice, by which the best are worse.
        needed: About how many replications of each cell would decide, where that is known and wanted.
        averaged: Whether they would on average over the other axes, and not everywhere.
        decided: What is decided, but does not answer: what is noticed sooner looks worse with it.
    """

    kind: Kind
    candidate: Candidate | None = None
    split: Split | None = None
    size: float = 1.0
    winners: Mapping[tuple[str, ...], Sequence[str]] | None = None
    watched: Candidate | None = None
    losses: tuple[tuple[Candidate, Split], ...] = ()
    needed: int | None = None
    averaged: bool = False
    decided: Chosen | None = None

    @property
    def is_split(self) -> bool:
        """Whether some settings are shown to differ from the rest."""
        return self.kind in WITH_SPLIT

    @property
    def has_best(self) -> bool:
        """Whether they are better, which neither is of what nobody wants more or less of."""
        return self.is_split and self.candidate is not None and not self.candidate.is_neutral


def chosen(results: Results, study: Study, tables: Mapping[str, Table]) -> Chosen:
    """Return what answers a study.

    It is along an axis that the study compares; else along one that people choose, and along conditions where
    there is none. Of what is decided that is noticed first answers, and of several such metrics the one that
    differs most. A study's `answer_by` says the metric.
    """
    return choose(candidates(results, study, tables), study.answer_by)


def choose(known: Sequence[Candidate], answer_by: str | None = None) -> Chosen:
    """Return what answers of these candidates, which are in the order in which they are noticed; see `chosen`."""
    if not known:
        return Chosen(Kind.ALONE)
    wanted = [each for each in known if answer_by in (None, each.metric)] or known
    found = [best for candidate in wanted if (best := _best(list(_found(candidate))))]
    if found:
        best = min(found, key=_order)
        doubts = [] if answer_by else list(_doubts(best, known))
        # What is noticed sooner, and known in a part of the cells, says more than that it is undecided in all.
        sooner = [each for each in found if any(each.candidate is doubt for doubt in doubts)]
        if sooner and not _order(first := min(sooner, key=_order))[0]:
            return _beside(first, known)
        if doubts:
            return replace(_undecided(_first_of(doubts)), decided=best)
        return best if best.kind is Kind.DEPENDS else _beside(best, known)
    if all(map(is_even, wanted)):
        return Chosen(Kind.SAME, wanted[0])
    open_ = [each for each in wanted if not is_even(each)]
    return _undecided(_first_of([each for each in open_ if _shows(each)] or open_))


def _shows(candidate: Candidate) -> bool:
    """Return whether two settings look as if they differed by what people notice, in any cell."""
    spans = [max(here.values()) - min(here.values()) for here in candidate.means.values() if here]
    return max(spans, default=0.0) >= candidate.noticed.step


def _first_of(known: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates that are noticed first."""
    return [each for each in known if each.noticed.tier == known[0].noticed.tier]


def _doubts(found: Chosen, known: Sequence[Candidate]) -> Iterator[Candidate]:
    """Yield what is noticed sooner than a finding, looks worse with it, and is undecided.

    A goodput that is shown to be higher is no answer while calls seem to suffer.
    """
    candidate, split = found.candidate, found.split
    if candidate is None or split is None:
        return
    sooner = [each for each in known if each.noticed.tier < candidate.noticed.tier]
    for each in (x for x in sooner if x.axis == candidate.axis):
        if each.split(split.rest, split.best).mostly:
            continue
        sign = 1.0 if each.higher else -1.0
        worse = [
            sign * (each.means[context][a] - each.means[context][b])
            for context in each.cells
            for a, b in each.between(context, split.rest, split.best)
        ]
        if worse and math.fsum(worse) / len(worse) >= each.noticed.step:
            yield each


def _found(candidate: Candidate) -> Iterator[Chosen]:
    """Yield what is known of a candidate."""
    for split in (*candidate.splits(), *candidate.outer_splits()):
        if split.lost or not split.judged:
            continue
        if split.mostly:
            kind = Kind.DECIDED if split.everywhere else Kind.MOSTLY
            yield Chosen(kind, candidate, split, split.size)
            continue
        averaged = candidate.mean and candidate.mean.split(split.best, split.rest)
        if averaged and averaged.everywhere:
            yield Chosen(Kind.AVERAGED, candidate, split, averaged.size)
        elif split.partly:
            yield Chosen(Kind.PARTLY, candidate, split, split.size)
    if turns(candidate):
        yield Chosen(Kind.DEPENDS, candidate, winners=winners(candidate))


def candidates(results: Results, study: Study, tables: Mapping[str, Table]) -> list[Candidate]:
    """Return what may answer, what is noticed first first; all verdicts on them are right together with 95 %."""
    flows = scenario_of(study, some_cells(study, [0])[0]).outline()["flows"]
    how = {name: noticed(name, flows) for name in tables}
    least = min((each.tier for each in how.values()), default=Tier.OTHER)
    # Counters are no candidates where anything else is measured.
    names = [
        name
        for name in sorted(tables, key=lambda name: how[name].tier)
        if how[name].tier < Tier.OTHER or Tier.OTHER in (least, *_asked_tier(study, name))
    ]
    margins = {(each.axis, each.metric): each.margin for each in study.compare}
    found = []
    for name in names:
        for axis in _axes(tables[name], results, study):
            margin = margins.get((axis, name))
            cells = _known(settings_of(tables[name], axis))
            higher = not is_less_better(name)
            beyond = MATTERS if margin is None else margin
            places = {phrases.of_settings(each): each for each in tables[name].contexts([axis])}
            places = {context: places[context] for context in cells}
            each = Candidate(axis, name, how[name], higher, beyond, cells, places)
            found.append(replace(each, mean=_averaged(each, tables[name])))
    found = [each for each in found if each.pairs]
    if sum(each.pairs for each in found) > MOST_PAIRS:
        found = [replace(each, by_mean=each.mean is not None) for each in found]
    count = sum(
        (0 if each.by_mean else each.pairs) + (each.mean.pairs if each.mean else 0)
        for each in found
    )
    level = stats.bonferroni(count or 1)
    return [
        replace(each, level=level, mean=each.mean and replace(each.mean, level=level))
        for each in found
    ]


def _averaged(candidate: Candidate, table: Table) -> Candidate | None:
    """Return a candidate averaged over the other axes; None where there is one cell of them."""
    if len(candidate.cells) < 2:
        return None
    axis = candidate.axis
    settings = [{axis: table.find(axis, value)} for value in candidate.values]
    pooled = table.pooled(settings)
    values = {str(setting[axis]): pooled.at(setting) for setting in settings}
    cells = _known({"": {name: x for name, x in values.items() if x is not None}})
    return replace(candidate, cells=cells, noticed=replace(candidate.noticed, step=0.0))


def _asked_tier(study: Study, name: str) -> tuple[Tier, ...]:
    return (Tier.OTHER,) if study.answer_by == name else ()


def _axes(table: Table, results: Results, study: Study) -> list[str]:
    """Return the axes that may answer: those that the study compares, else those that people choose."""
    group = {key: len(keys) for keys in results.groups for key in keys}
    few = [
        axis
        for axis in table.axes
        if 1 < len(table.values(axis)) <= (MOST_VALUES if group[axis] == 1 else MOST_STEPS)
    ]
    compared = {each.axis for each in study.compare}
    asked = [axis for axis in few if axis in compared]
    return asked or [axis for axis in few if not is_given(axis)] or few


def _known(cells: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the cells that have a value, where there are two or more to compare."""
    found = {
        context: {value: x for value, x in here.items() if len(x) and not np.isnan(x).all()}
        for context, here in cells.items()
    }
    return {context: here for context, here in found.items() if len(here) > 1}


def _best(found: Sequence[Chosen]) -> Chosen | None:
    """Return what is known best of one candidate, with how much the candidate differs at most.

    Of splits that hold alike the one with the fewest best answers, where it makes a difference that matters.
    """
    if not found:
        return None
    first = min(found, key=_holds)
    alike = [each for each in found if _holds(each) == _holds(first) and each.split is not None]
    if not alike:
        return first
    size = max(each.size for each in alike)
    clear = [each for each in alike if each.size >= ABOVE] or alike
    return replace(
        min(clear, key=lambda each: len(each.split.best if each.split else ())), size=size
    )


def _holds(found: Chosen) -> tuple[float, ...]:
    """Return how far a finding holds, the farthest the least: whether it is noticed, and of what cells."""
    candidate, split = found.candidate, found.split
    assert candidate is not None
    if split is None:
        return 0, math.inf
    left_out = len(candidate.values) - len(split.best) - len(split.rest)
    is_part = found.kind is Kind.PARTLY
    cells = -len(split.won) if is_part else 0
    small = is_too_small(candidate, split)
    return small, 2 * is_part + (left_out > 0), left_out, list(Kind).index(found.kind), cells


def _order(found: Chosen) -> tuple[float, ...]:
    """Return the place of a finding among those of other candidates: the first answers.

    What nobody notices comes last. What holds in a part of the cells, or of some settings only, comes behind what
    holds of all; then what is noticed first counts, and then how much differs.
    """
    assert found.candidate is not None
    small, part, *rest = _holds(found)
    return small, part, found.candidate.noticed.tier, *rest, -found.size


def is_too_small(candidate: Candidate, split: Split) -> bool:
    """Return whether nobody notices the difference, in any cell where it is decided; in any, where in none is."""
    step, sizes = candidate.noticed.step, []
    for context in split.won or split.judged:
        if context not in candidate.cells:
            continue
        means = candidate.means[context]
        sizes += [
            abs(means[a] - means[b]) for a, b in candidate.between(context, split.best, split.rest)
        ]
    return max(sizes, default=math.inf) < step


def _beside(found: Chosen, known: Sequence[Candidate]) -> Chosen:
    """Return an answer with what people fear to lose by it."""
    assert found.candidate is not None
    assert found.split is not None
    axis, metric = found.candidate.axis, found.candidate.metric
    others = [each for each in known if each.axis == axis and each.metric != metric]
    if found.kind is Kind.AVERAGED:
        others = [replace(each, by_mean=each.mean is not None) for each in others]
    watched = next(_feared(found.candidate, others), None)
    losses = tuple(_lost(found.split, [each for each in others if each is not watched]))
    return replace(found, watched=watched, losses=losses)


def _feared(candidate: Candidate, others: Sequence[Candidate]) -> Iterator[Candidate]:
    """Yield what people fear to lose: the goodput, or beside the goodput what they notice first."""
    if candidate.noticed.tier != Tier.GOODPUT:
        yield from (each for each in others if each.noticed.tier == Tier.GOODPUT)
    else:
        yield from (each for each in others if each.noticed.tier < Tier.GOODPUT)


def _lost(split: Split, others: Sequence[Candidate]) -> Iterator[tuple[Candidate, Split]]:
    """Yield metrics by which the rest are better than the best, in half of the cells or more."""
    for each in others:
        if each.is_neutral:
            continue
        against = judged(each).split(split.rest, split.best)
        everywhere = replace(against, judged=tuple(each.cells), won=())
        if against.mostly and not is_too_small(each, everywhere):
            yield each, everywhere


def _undecided(open_: Sequence[Candidate]) -> Chosen:
    """Return the split that the fewest replications would decide, everywhere or on average."""
    found = []
    for each in open_:
        for split in each.splits():
            if split.lost:
                continue
            found.append(Chosen(Kind.UNDECIDED, each, split, needed=each.needed(split)))
            if each.mean is not None:
                needed = each.mean.needed(split)
                found.append(Chosen(Kind.UNDECIDED, each, split, needed=needed, averaged=True))
    known = [each for each in found if each.needed is not None]
    if not known:
        return Chosen(Kind.UNDECIDED, open_[0])
    return min(known, key=lambda each: each.needed or math.inf)


def effects(candidate: Candidate, split: Split, cells: Sequence[str]) -> list[float]:
    """Return the ratios of the means of the best to those of the rest, in these cells; infinite over nothing."""
    found = []
    for context in cells:
        means = candidate.means[context]
        for a, b in candidate.between(context, split.best, split.rest):
            found.append(means[a] / means[b] if means[b] else (math.inf if means[a] else 1.0))
    return found


def verdicts_beside(candidate: Candidate, split: Split) -> list[PairedVerdict]:
    """Return the verdicts on the best against the rest by another metric, in all cells."""
    about = judged(candidate)
    return [
        about.words[context, a, b]
        for context in about.cells
        for a, b in about.between(context, split.best, split.rest)
    ]
