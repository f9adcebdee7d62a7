"""What each choice does near a recommendation: its other values, with the rest as recommended."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from lasthop.core.idle import owners
from lasthop.core.quantities import unit_of
from lasthop.core.quantities.units import shown_unit
from lasthop.numbers.numerals import plain
from lasthop.study import phrases
from lasthop.study.advice.candidates import Candidate, Measured
from lasthop.study.advice.choices import Choice
from lasthop.study.advice.racing import State
from lasthop.study.advice.wishes import Bound, Wish

MOST_NAMED = 3
"""Values that are listed one by one, at most; of more the first and the last are named."""

SAME = "the same in all runs"

LEAST_ROOM = 30
"""Letters of an effect in a line, at least, however narrow a terminal is."""


@dataclass(frozen=True)
class Around:
    """Other values of a choice, one after the other in its order, of which the same can be said.

    Attributes:
        choice: The keys of the choice, as they were given.
        values: The values that were tried.
        said: The effect in words.
    """

    choice: str
    values: tuple[Any, ...]
    said: str

    @property
    def named(self) -> str:
        """The values in words."""
        return named(self.values)

    def as_dict(self) -> dict[str, Any]:
        """Return the fields, ready for JSON."""
        return {"choice": self.choice, "values": list(self.values), "said": self.said}


def named(values: Sequence[Any]) -> str:
    """Name some values of a choice: "NewReno, SACK" and "36 to 200"."""
    words = [phrases.of_value(value) for value in values]
    is_range = len(words) > MOST_NAMED and all(isinstance(v, int | float) for v in values)
    return f"{words[0]} to {words[-1]}" if is_range else ", ".join(words)


def lines(found: Sequence[Around], room: int = 1000) -> list[str]:
    """Write the effects as lines of text of at most `room` letters, one choice below the other."""
    if not found:
        return []
    width = max(len(phrases.of_key(each.choice)) for each in found) + 2
    room = max(room, width + LEAST_ROOM)
    written, before = ["Where the other choices are as recommended:"], ""
    for each in found:
        choice = "" if each.choice == before else phrases.of_key(each.choice)
        text = f"  {choice:{width}}{each.named}: {each.said}"
        written += textwrap.wrap(text, room, subsequent_indent=" " * (width + 4))
        before = each.choice
    return written


def around(
    best: Candidate, candidates: Sequence[Candidate], choices: Sequence[Choice], wish: Wish
) -> tuple[Around, ...]:
    """Return what each choice does where the others are as recommended, of all values that were tried."""
    found = []
    for choice in choices:
        line = list(_line(best, candidates, choice))
        for _, group in groupby(line, key=lambda each: _kind(best, each, wish)):
            alike = list(group)
            values = tuple(each.setting[choice.name] for each in alike)
            found.append(Around(choice.name, values, _said(best, alike, wish)))
    return tuple(found)


def with_reach(found: Sequence[Around], scenario: str) -> tuple[Around, ...]:
    """Add to choices that change nothing what would reach the elements which have tables of their own."""
    idle = {each.choice for each in found} - {each.choice for each in found if each.said != SAME}
    return tuple(
        replace(each, said=SAME + owners(scenario, each.choice.partition("+")[0]))
        if each.choice in idle
        else each
        for each in found
    )


def _line(best: Candidate, candidates: Sequence[Candidate], choice: Choice) -> Iterator[Candidate]:
    """Yield the candidates that differ from the best in this choice alone, in the order of its values."""
    others = {key: value for key, value in best.setting.items() if key != choice.name}
    there = {
        str(each.setting[choice.name]): each
        for each in candidates
        if each is not best and others.items() <= each.setting.items()
    }
    yield from (there[str(value)] for value in choice.values if str(value) in there)


def _kind(best: Candidate, each: Candidate, wish: Wish) -> tuple[str, ...]:
    """Return of which kind an effect is; neighbours of one kind are told together."""
    if each.same_as == best.same_as:
        return ("same",)
    if each.state == State.BREAKS:
        return ("breaks", each.because)
    if each.state == State.NO_VALUE:
        return ("nothing", each.because)
    if wish.bounds and not each.keeps:
        return ("open", *(bound.text for bound in _open(each, wish)))
    low, high = _behind(best, each, wish)
    if low > 0:
        return ("worse",)
    if each.state == State.BELOW:
        return ("below", each.because)
    if high <= wish.indifferent and each.state == State.ALIKE:
        return ("within",)
    return ("alike",) if each.state == State.ALIKE else ("may",)


def _said(best: Candidate, alike: Sequence[Candidate], wish: Wish) -> str:
    kind = _kind(best, alike[0], wish)
    match kind[0]:
        case "same":
            return SAME
        case "breaks":
            broken = [bound for bound in wish.bounds if bound.text in kind[1].split(", ")]
            return "breaks " + " and ".join(f"{b.text} ({_sizes(alike, b)})" for b in broken)
        case "nothing":
            return f"in some runs {phrases.of_missing(kind[1].split(', '))}"
        case "open":
            bounds = [bound for bound in wish.bounds if bound.text in kind[1:]]
            return "not shown to keep " + " and ".join(
                f"{b.text} ({_sizes(alike, b)})" for b in bounds
            )
        case "worse":
            return _worse(best, alike, wish)
        case "below":
            return f"shown to be worse than {kind[1]}"
        case "within":
            return f"as good within {100 * wish.indifferent:g} %"
        case "alike":
            return f"not shown to be worse, nor better by {100 * wish.indifferent:g} %"
        case _:
            return "may be better or worse: more runs would tell"


def _worse(best: Candidate, alike: Sequence[Candidate], wish: Wish) -> str:
    way = "less" if wish.maximise else "more"
    what = phrases.of_metric(wish.metric)
    mean = abs(best.measured[wish.metric].mean)
    parts = [100 * each.behind.mean / mean for each in alike if each.behind is not None]
    size = _range([plain(part, 2) for part in (min(parts), max(parts))])
    if len(alike) > 1:
        return f"{what} {size} % {way}"
    low, high = (plain(100 * end, 2) for end in _behind(best, alike[0], wish))
    return f"{what} {size} % {way} ({low} to {high} %)"


def _behind(best: Candidate, each: Candidate, wish: Wish) -> tuple[float, float]:
    """Return the interval of how far one is behind, as shares of the recommended setting's mean."""
    mean = abs(best.measured[wish.metric].mean)
    if each.behind is None or not mean:
        return -math.inf, math.inf
    return each.behind.low / mean, each.behind.high / mean


def _open(each: Candidate, wish: Wish) -> list[Bound]:
    """Return the limits that its interval does not keep to, or else the nearest.

    A limit is judged at a level of its own, so that a setting may be open whose intervals keep to all.
    """
    found = [bound for bound in wish.bounds if not _keeps(each.measured[bound.metric], bound)]
    return found or [max(wish.bounds, key=each.over)]


def _keeps(found: Measured, bound: Bound) -> bool:
    return found.high < bound.limit if bound.under else found.low > bound.limit


def _sizes(alike: Sequence[Candidate], bound: Bound) -> str:
    unit, factor = shown_unit(bound.unit or unit_of(bound.metric))
    means = [factor * each.measured[bound.metric].mean for each in alike]
    return f"{_range([plain(end, 3) for end in (min(means), max(means))])} {unit}".rstrip()


def _range(ends: Sequence[str]) -> str:
    low, high = ends
    return low if low == high else f"{low} to {high}"
