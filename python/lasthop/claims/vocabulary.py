"""What papers say, word by word: from a table and what is named, to statements to judge.

A word is said of every cell that fits: `above` of two settings holds one statement for each
combination of the axes that it does not name. Words that need several comparisons (`rank`,
`monotone`, ...) make one statement of them, which is denied when one is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations
from typing import Any

from lasthop.claims import words
from lasthop.claims.comparing import Comparison
from lasthop.claims.effects import Stronger
from lasthop.claims.statements import Atom, Statement, single
from lasthop.claims.tables import Array, Setting, Table, label
from lasthop.errors import UsageError

Given = Mapping[str, Any]
"""What a claim gives for a word, by key, checked and read."""


@dataclass(frozen=True)
class Word:
    """A word: its keys (those it must have, those it may) and what it makes of a table."""

    needs: tuple[str, ...]
    may: tuple[str, ...]
    make: Callable[[Table, Given], list[Statement]]
    says: str


def _pair(low: float | None, high: float | None, meets: bool = False) -> Word:
    """Make the word that the ratio of a to b is between two bounds."""

    def make(table: Table, given: Given) -> list[Statement]:
        return _of_pairs(table, given, low, high, meets)

    return Word(("a", "b"), (), make, _between(low, high, meets))


def _between(low: float | None, high: float | None, meets: bool) -> str:
    said = "the interval of a / b meets" if meets else "a / b is shown to be in"
    return f"{said} ({'0' if low is None else f'{low:g}'}, {'oo' if high is None else f'{high:g}'})"


def _of_pairs(
    table: Table, given: Given, low: float | None, high: float | None, meets: bool = False
) -> list[Statement]:
    free = {**given["a"], **given["b"]}
    if set(given["a"]) != set(given["b"]):
        raise UsageError("a and b must name the same axes")
    a, b = _own(table, given["a"]), _own(table, given["b"])
    found: list[Atom] = []
    for context in table.contexts(free):
        greater, lesser = table.at({**context, **a}), table.at({**context, **b})
        if greater is not None and lesser is not None:
            name = _said(f"{label(a)} against {label(b)}", context)
            found.append(Comparison("", name, greater, lesser, low, high, meets))
    return single(found)


def _own(table: Table, setting: Setting) -> dict[str, Any]:
    return {axis: table.find(axis, value) for axis, value in setting.items()}


def _said(what: str, context: Setting) -> str:
    return f"{what}; {label(context)}" if context else what


def _above(table: Table, given: Given) -> list[Statement]:
    return _of_pairs(table, given, 1 + given.get("by", words.MATTERS), None)


def _below(table: Table, given: Given) -> list[Statement]:
    swapped = {**given, "a": given["b"], "b": given["a"]}
    return _above(table, swapped)


def _about(table: Table, given: Given) -> list[Statement]:
    if "value" in given:
        low, high = (part * given["value"] for part in words.ABOUT)
        return _values(table, low, high, meets=True)
    if not {"a", "b", "by"} <= set(given):
        raise UsageError("about needs value, or a, b and by")
    low, high = sorted(1 + part * given["by"] for part in words.ABOUT)
    return _of_pairs(table, given, low, high, meets=True)


def _same(table: Table, given: Given) -> list[Statement]:
    within = given.get("within", words.SAME)
    if "along" in given:
        return _alike(table, given["along"], table.values(given["along"]), within)
    if not {"a", "b"} <= set(given):
        raise UsageError("the_same needs along, or a and b")
    return _of_pairs(table, given, 1 - within, 1 + within)


def _alike(table: Table, axis: str, values: Sequence[Any], within: float) -> list[Statement]:
    """Say that all of these values of an axis are within a part of each other, pair by pair."""
    bounds = (1 - within, 1 + within)
    return _along(table, axis, values, f"{axis} alike", lambda cells: _all_pairs(cells, *bounds))


def _all_pairs(cells: Mapping[Any, Array], low: float | None, high: float | None) -> list[Atom]:
    return [
        Comparison("", f"{a} against {b}", cells[a], cells[b], low, high)
        for a, b in combinations(cells, 2)
    ]


def _along(
    table: Table,
    axis: str,
    values: Sequence[Any],
    name: str,
    make: Callable[[dict[Any, Array]], list[Atom]],
    how: str = "all",
) -> list[Statement]:
    """Make one statement in each context from the cells along an axis; incomplete ones are left out."""
    found = []
    for context in table.contexts([axis]):
        cells = {value: table.at({**context, axis: value}) for value in values}
        there = {value: cell for value, cell in cells.items() if cell is not None}
        if len(there) == len(values) and len(there) > 1:
            found.append(Statement("", _said(name, context), tuple(make(there)), how))
    return found


def _rank(table: Table, given: Given) -> list[Statement]:
    axis = given["along"]
    order = [table.find(axis, value) for value in given["order"]]
    return _along(
        table,
        axis,
        order,
        " > ".join(map(str, order)),
        lambda cells: [_step(cells, a, b, words.ABOVE) for a, b in pairwise(order)],
    )


def _step(cells: Mapping[Any, Array], a: Any, b: Any, low: float) -> Atom:
    return Comparison("", f"{a} over {b}", cells[a], cells[b], low)


def _best(table: Table, given: Given, worst: bool = False) -> list[Statement]:
    axis, found = given["along"], table.find(given["along"], given["value"])
    but = [table.find(axis, value) for value in given.get("but", ())]
    values = [value for value in table.values(axis) if value not in but]
    others = [value for value in values if value != found]

    def atoms(cells: dict[Any, Array]) -> list[Atom]:
        pairs = [(other, found) if worst else (found, other) for other in others]
        return [_step(cells, a, b, words.ABOVE) for a, b in pairs]

    return _along(table, axis, values, f"{found} {'worst' if worst else 'best'}", atoms)


def _worst(table: Table, given: Given) -> list[Statement]:
    return _best(table, given, worst=True)


def _monotone(table: Table, given: Given) -> list[Statement]:
    axis, up = given["along"], given["direction"] == "up"
    rising = table.values(axis) if up else table.values(axis)[::-1]
    step = words.ABOVE if given.get("strictly", False) else 1 / words.ABOVE

    def atoms(cells: dict[Any, Array]) -> list[Atom]:
        steps = [_step(cells, b, a, step) for a, b in pairwise(rising)]
        ends = [] if step > 1 else [_step(cells, rising[-1], rising[0], words.ABOVE)]
        return [*ends, *steps]

    return _along(table, axis, rising, f"{'grows' if up else 'falls'} with {axis}", atoms)


def _constant_beyond(table: Table, given: Given) -> list[Statement]:
    axis = given["along"]
    values = table.values(axis)
    beyond = values[values.index(table.find(axis, given["from"])) :]
    return _alike(table, axis, beyond, given.get("within", words.SAME))


def _crossover(table: Table, given: Given) -> list[Statement]:
    """Say that a is above b up to `at` and below it beyond; `at` itself may be either."""
    axis = given["along"]
    at = given["at"] if isinstance(given["at"], (list, tuple)) else [given["at"]]
    values = table.values(axis)
    first, last = (values.index(table.find(axis, value)) for value in (at[0], at[-1]))
    a, b = _own(table, given["a"]), _own(table, given["b"])
    found = []
    for context in table.contexts([axis, *a]):
        atoms: list[Atom] = []
        for place, value in enumerate(values):
            if first <= place <= last:
                continue
            pair = (a, b) if place < first else (b, a)
            high, low = (table.at({**context, **each, axis: value}) for each in pair)
            if high is not None and low is not None:
                name = f"{label(pair[0])} over {label(pair[1])} at {value}"
                atoms.append(Comparison("", name, high, low))
        if atoms:
            name = f"{label(a)} meets {label(b)} at {axis} {given['at']}"
            found.append(Statement("", _said(name, context), tuple(atoms)))
    return found


def _sensitive(table: Table, given: Given) -> list[Statement]:
    axis = given["along"]

    def atoms(cells: dict[Any, Array]) -> list[Atom]:
        return [_step(cells, a, b, words.SENSITIVE) for a, b in permutations(cells, 2)]

    return _along(table, axis, table.values(axis), f"very sensitive to {axis}", atoms, how="any")


def _stronger(table: Table, given: Given) -> list[Statement]:
    effect, along = given["effect"], given["along"]
    before, after = _ends(table, effect, given.get("from"), given.get("to"))
    weak, strong = _ends(table, along, given.get("low"), given.get("high"))
    found: list[Atom] = []
    for context in table.contexts([effect, along]):
        cells = [
            table.at({**context, along: place, effect: value})
            for place in (strong, weak)
            for value in (before, after)
        ]
        if all(cell is not None for cell in cells):
            name = f"{effect} {before} to {after}: stronger at {along} {strong} than {weak}"
            there = [cell for cell in cells if cell is not None]
            found.append(Stronger("", _said(name, context), *there))
    return single(found)


def _ends(table: Table, axis: str, first: Any, last: Any) -> tuple[Any, Any]:
    values = table.values(axis)
    return (
        values[0] if first is None else table.find(axis, first),
        values[-1] if last is None else table.find(axis, last),
    )


def _values(
    table: Table, low: float | None, high: float | None, meets: bool = False
) -> list[Statement]:
    """Say of every cell's mean itself that it is between two bounds."""
    cells: Iterator[tuple[Setting, Array]] = (
        (dict(zip(table.axes, key, strict=True)), values) for key, values in table.cells.items()
    )
    named = ((label(setting) or table.metric, values) for setting, values in cells)
    return single([Comparison("", name, values, None, low, high, meets) for name, values in named])


def _constant(low: float | None, high: float | None) -> Word:
    said = f"is shown to be {'over' if high is None else 'under'} {low or high:g}"
    return Word((), (), lambda table, _: _values(table, low, high), said)


WORDS: dict[str, Word] = {
    "above": Word(("a", "b"), ("by",), _above, "a is above b by over 2 % (or `by`)"),
    "below": Word(("a", "b"), ("by",), _below, "b is above a by over 2 % (or `by`)"),
    "slightly_above": _pair(*words.SLIGHTLY),
    "halved": _pair(None, words.HALVED),
    "negligible": _pair(1 - words.NEGLIGIBLE, 1 + words.NEGLIGIBLE),
    "little_affected": _pair(words.LITTLE_AFFECTED, None),
    "doubles": _pair(*words.DOUBLES, meets=True),
    "about": Word((), ("a", "b", "by", "value"), _about, "a is about `by` above b; or about value"),
    "the_same": Word((), ("a", "b", "along", "within"), _same, "within 5 % (or `within`)"),
    "rank": Word(("along", "order"), (), _rank, "each above the next"),
    "best_at": Word(("along", "value"), ("but",), _best, "above every other value"),
    "worst_at": Word(("along", "value"), ("but",), _worst, "below every other value"),
    "monotone": Word(
        ("along", "direction"),
        ("strictly",),
        _monotone,
        "the end above the beginning, and no step back by over 2 %; strictly: each step above",
    ),
    "constant_beyond": Word(
        ("along", "from"), ("within",), _constant_beyond, "from there on all within 5 %"
    ),
    "crossover_at": Word(
        ("along", "at", "a", "b"), (), _crossover, "a above b before, below it beyond"
    ),
    "very_sensitive": Word(("along",), (), _sensitive, "some two values differ by over 25 %"),
    "stronger_where": Word(
        ("effect", "along"),
        ("from", "to", "low", "high"),
        _stronger,
        "the effect is stronger at the high end of `along` than at the low end",
    ),
    "close_to_one": _constant(words.CLOSE_TO_ONE, None),
    "low_index": _constant(None, words.LOW_INDEX),
    "starved": _constant(None, words.STARVED),
    "over": Word(("value",), (), lambda t, g: _values(t, g["value"], None), "the mean is over it"),
    "under": Word(
        ("value",), (), lambda t, g: _values(t, None, g["value"]), "the mean is under it"
    ),
}
"""Every word by name."""
