"""The sentences of an answer: the best first, then the number it is best by, then what it costs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lasthop.numbers.numerals import counted, listed
from lasthop.numbers.stats.safe import ENOUGH
from lasthop.study.answering import speaking
from lasthop.study.answering.choosing import Chosen, Kind, effects, is_too_small, verdicts_beside
from lasthop.study.answering.noticed import Tier, is_given
from lasthop.study.answering.speaking import Spoken
from lasthop.study.answering.splitting import EVEN, Candidate, Split, judged
from lasthop.study.claims.verdicts import PairedVerdict

Speak = Callable[[str], Spoken]
"""Says a metric in words."""

MOST_LOSSES = 2
"""Further losses that are told."""

CLEAR = 100_000
"""From this number of replications on a difference is too small to look for."""


def sentences(found: Chosen, speak: Speak, runs: int) -> list[str]:
    """Return the sentences of an answer, the first being its shortest form; `runs`: the fewest of a cell."""
    candidate, split = found.candidate, found.split
    if candidate is None:
        return []
    if found.kind is Kind.DEPENDS:
        return _depends(found, candidate, speak)
    if found.kind is Kind.SAME:
        return _same(candidate, speak)
    if found.kind is Kind.UNDECIDED or split is None:
        return _undecided(found, candidate, speak, runs) + _only(found.decided, speak)
    first = f"{speaking.lead(candidate, split.best)}."
    is_neutral = candidate.noticed.tier is Tier.OTHER
    if is_given(candidate.axis) or is_neutral:
        first = f"What matters: {speaking.axis_words(candidate.axis)}."
    said = [first, _main(found, candidate, split, speak, by_name=is_neutral)]
    if left := speaking.left_out(candidate, split):
        between = "is" if len(left) == 1 else "are"
        said.append(f"{speaking.settings(left, 'and')} {between} undecided between them.")
    if found.kind in (Kind.MOSTLY, Kind.PARTLY):
        said.append(_elsewhere(candidate, split))
    if is_too_small(candidate, split):
        step = speak(candidate.metric).numbers([candidate.noticed.step])
        said.append(f"Nobody notices that: it is less than {step}.")
    if found.watched is not None:
        said.append(_watched(found.watched, split, speak))
    said += [_loss(each, against, speak) for each, against in found.losses[:MOST_LOSSES]]
    return said


def _main(
    found: Chosen, candidate: Candidate, split: Split, speak: Speak, *, by_name: bool = False
) -> str:
    """Say by what number the best are best."""
    spoken, rest = speak(candidate.metric), speaking.others(candidate, split)
    it = "it" if len(split.best) == 1 else "them"
    if is_given(candidate.axis) or by_name:
        it = speaking.group(candidate, split.best)
    if found.kind is Kind.AVERAGED and candidate.mean is not None:
        said = speaking.against(effects(candidate.mean, split, [""]), rest)
        where = f"on average over {_others(len(split.judged))}"
        return f"With {it}, {where}, {spoken.noun} {spoken.verb} {said}."
    ours, theirs = (_means(candidate, split.won, group) for group in (split.best, split.rest))
    if _are_apart(spoken, ours, theirs):
        said = f"{spoken.told(ours)}; with {rest}: {spoken.numbers(theirs)}"
    else:
        change = speaking.against(effects(candidate, split, split.won), rest)
        said = f"{spoken.noun} {spoken.verb} {change}{', all else alike' if len(split.won) > 1 else ''}"
    return f"With {it} {said}."


def _are_apart(spoken: Spoken, ours: Sequence[float], theirs: Sequence[float]) -> bool:
    """Return whether the ranges of two groups have a gap that a reader of their numbers sees."""
    is_gap = max(ours) < min(theirs) or min(ours) > max(theirs)
    return is_gap and spoken.numbers(ours) != spoken.numbers(theirs)


def _others(count: int) -> str:
    return f"{counted(count, 'setting')} of the other axes"


def _elsewhere(candidate: Candidate, split: Split) -> str:
    """Say where that is, and what is known of the other cells."""
    open_ = [context for context in split.judged if context not in split.won]
    even = [
        context
        for context in open_
        if all(
            candidate.words[context, a, b] in EVEN
            for a, b in candidate.between(context, split.best, split.rest)
        )
    ]
    where = common(candidate.places, split.won)
    parts = [(even, "the same"), ([x for x in open_ if x not in even], "undecided")]
    said = []
    for cells, word in parts:
        count = counted(len(cells), "other") if where else f"{len(cells)}"
        if cells:
            said.append(f"{word} {common(candidate.places, cells) or f'in {count}'}")
    shown = where or f"in {len(split.won)} of {_others(len(split.judged))}"
    return f"That is so {shown}; it is {listed(said)}."


def common(places: Mapping[str, Mapping[str, Any]], cells: Sequence[str]) -> str:
    """Return what tells cells from all others: "where delay of link 0 is 1 ms"; nothing if no axis does."""
    for axis in next(iter(places.values()), {}):
        values = list(dict.fromkeys(places[context][axis] for context in cells))
        where = [context for context, place in places.items() if place[axis] in values]
        if sorted(where) == sorted(cells):
            said = speaking.settings(list(map(str, values)))
            return f"where {speaking.axis_words(axis)} is {said}"
    return ""


def _means(candidate: Candidate, cells: Sequence[str], values: Sequence[str]) -> list[float]:
    means = [candidate.means[context] for context in cells]
    return [here[value] for here in means for value in values if value in here] or [0.0]


def _watched(candidate: Candidate, split: Split, speak: Speak) -> str:
    """Say whether the best cost what people fear to lose."""
    spoken = speak(candidate.metric)
    words = verdicts_beside(candidate, split)
    told = f"{speaking.begun(spoken.noun)} {spoken.verb}"
    if not words:
        return f"{told} not known there."
    if all(word in EVEN for word in words):
        return f"{told} {_even(words, candidate)}."
    better, worse = (words.count(each) for each in (PairedVerdict.BETTER, PairedVerdict.WORSE))
    if better and worse:
        high, low = (better, worse) if candidate.higher else (worse, better)
        return f"{told} higher in {high} of {len(words)} comparisons and lower in {low}."
    moved = _moved(candidate, split, speak)
    if better or worse:
        count = better or worse
        part = f", decided in {count} of {len(words)} comparisons" if count < len(words) else ""
        about = judged(candidate)
        ratios = effects(about, split, list(about.cells))
        is_worse = (max(ratios) < 1) if candidate.higher else (min(ratios) > 1)
        price = worse and is_worse and not is_too_small(candidate, split)
        return f"{told} {moved}{part}{': that is the price' if price else ''}."
    needed = None if is_too_small(candidate, split) else judged(candidate).needed(split)
    more = f"; about {rounded(needed)} runs of each cell would tell" if _is_worth(needed) else ""
    differ = "differ" if spoken.verb == "are" else "differs"
    return f"Whether {spoken.noun} {differ} is undecided ({moved}){more}."


def _moved(candidate: Candidate, split: Split, speak: Speak) -> str:
    """Say how much higher or lower a metric is: in numbers where a mean is zero or nobody notices the ratio."""
    cells, about = list(candidate.cells), judged(candidate)
    ratios = effects(about, split, list(about.cells))
    if all(0 < ratio < math.inf for ratio in ratios) and not is_too_small(candidate, split):
        return speaking.change(ratios)
    spoken = speak(candidate.metric)
    ours, theirs = (_means(candidate, cells, each) for each in (split.best, split.rest))
    return f"{spoken.numbers(ours)}, against {spoken.numbers(theirs)}"


def _loss(candidate: Candidate, against: Split, speak: Speak) -> str:
    """Say by what else the best are worse."""
    spoken = speak(candidate.metric)
    turned = Split(against.rest, against.best, against.judged, against.won)
    ours, theirs = (_means(candidate, turned.judged, each) for each in (turned.best, turned.rest))
    if _are_apart(spoken, ours, theirs):
        return f"But {spoken.noun} {spoken.verb} {spoken.numbers(ours)}, against {spoken.numbers(theirs)}."
    return f"But {spoken.noun} {spoken.verb} {_moved(candidate, turned, speak)}."


def _same(candidate: Candidate, speak: Speak) -> list[str]:
    spoken = speak(candidate.metric)
    means = _means(candidate, list(candidate.cells), candidate.values)
    values = speaking.settings(candidate.values, "and")
    even = _even(list(judged(candidate).words.values()), candidate)
    said = f"{spoken.noun} {spoken.verb} {even} with {values}: {spoken.numbers(means)}."
    return ["No difference.", speaking.begun(said)]


def _even(words: Sequence[PairedVerdict], candidate: Candidate) -> str:
    """Say that nothing differs: that all runs are equal shows less than a margin that holds."""
    if all(word is PairedVerdict.IDENTICAL for word in words):
        return "identical in all runs"
    return f"the same within {speaking.digits(100 * candidate.beyond)} %"


def _depends(found: Chosen, candidate: Candidate, speak: Speak) -> list[str]:
    spoken, parts = speak(candidate.metric), []
    winners = found.winners or {}
    for values, cells in winners.items():
        where = common(candidate.places, cells) or f"in {len(cells)}"
        if where.startswith("in ") and len(cells) == 1:
            where = f"with {cells[0]}"
        parts.append(f"for {speaking.settings(values)} {where}")
    best = "highest" if candidate.higher else "lowest"
    said = ["It depends.", f"{speaking.begun(spoken.noun)} {spoken.verb} {best} {listed(parts)}."]
    decided, all_ = sum(map(len, winners.values())), len(candidate.cells)
    if decided < all_:
        said.append(f"In {all_ - decided} of {_others(all_)} it is undecided.")
    return said


def _undecided(found: Chosen, candidate: Candidate, speak: Speak, runs: int) -> list[str]:
    axis, spoken = speaking.axis_words(candidate.axis), speak(candidate.metric)
    best = "highest" if candidate.higher else "lowest"
    do = "does" if runs == 1 else "do"
    said = [
        "Undecided.",
        f"{counted(runs, 'run')} of each cell {do} not show for which {axis} {spoken.noun} {spoken.verb} {best}.",
    ]
    if found.split is None or found.needed is None:
        few = f"Fewer than {ENOUGH} runs show nothing but huge effects."
        return [*said, few] if runs < ENOUGH else said
    if not _is_worth(found.needed):
        return [*said, "More runs than anybody makes would tell: it is too small to matter."]
    looks = "looks" if len(found.split.best) == 1 else "look"
    more = f"about {rounded(found.needed)} runs of each cell would tell"
    if found.averaged:
        more += f", on average over {_others(len(candidate.cells))}"
    first = "highest" if candidate.is_neutral else "best"
    return [*said, f"{speaking.lead(candidate, found.split.best)} {looks} {first}: {more}."]


def _only(decided: Chosen | None, speak: Speak) -> list[str]:
    """Say what is decided, though it does not answer."""
    if decided is None or decided.candidate is None or decided.split is None:
        return []
    said = _main(decided, decided.candidate, decided.split, speak, by_name=True)
    told = [f"Decided is only this: {said[:1].lower()}{said[1:]}"]
    if decided.kind in (Kind.MOSTLY, Kind.PARTLY):
        told.append(_elsewhere(decided.candidate, decided.split))
    return told


def _is_worth(needed: int | None) -> bool:
    return needed is not None and needed < CLEAR


def rounded(needed: int | None) -> str:
    """Return a number of replications to two digits, upwards.

    >>> rounded(1171), rounded(36)
    ('1,200', '36')
    """
    count = needed or 0
    step = 10 ** max(len(str(count)) - speaking.DIGITS, 0)
    return f"{-(-count // step) * step:,}"
