"""Words of papers: from a table and the named settings to statements to judge.

A word is about every cell that fits: `above` of two settings holds one statement for each combination of the
axes that it does not name. Words that need several comparisons (`rank`, `monotone`, ...) make one statement
of them, which is denied when one is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise, permutations
from typing import Any

from lasthop.errors import UsageError
from lasthop.numbers import words
from lasthop.study.claims.differences_of_means import Comparison
from lasthop.study.claims.effects import Stronger
from lasthop.study.claims.majority import Mostly
from lasthop.study.claims.statements import Atom, Statement, single
from lasthop.study.claims.tables import Array, Setting, Table

Bounds = tuple[float | None, float | None]
"""Between what a ratio is said to lie; None: no bound."""

Given = Mapping[str, Any]
"""The values of a word's keys in a claim, checked and read."""


@dataclass(frozen=True)
class Word:
    """A word: its keys (those it must have, those it may) and what it makes of a table."""

    needs: tuple[str, ...]
    may: tuple[str, ...]
    make: Callable[[Table, Given], list[Statement]]
    says: str
    of_all: Callable[[Sequence[Statement]], Statement] | None = None
    """Combines its statements about each setting into one about all, in place of their average."""


def _pair(low: float | None, high: float | None) -> Word:
    """Make the word that the ratio of a to b is between two bounds."""

    def make(table: Table, given: Given) -> list[Statement]:
        return _of_pairs(table, given, low, high)

    return Word(("a", "b"), (), make, _between(low, high))


def _between(low: float | None, high: float | None) -> str:
    least, most = "0" if low is None else f"{low:g}", "oo" if high is None else f"{high:g}"
    return f"a / b is shown to be in ({least}, {most})"


def _of_pairs(table: Table, given: Given, low: float | None, high: float | None) -> list[Statement]:
    free = {**given["a"], **given["b"]}
    if set(given["a"]) != set(given["b"]):
        raise UsageError("a and b must name the same axes")
    a, b = table.own(given["a"]), table.own(given["b"])
    found: list[Atom] = []
    for context in table.contexts(free):
        greater, lesser = table.at({**context, **a}), table.at({**context, **b})
        if greater is not None and lesser is not None:
            name = _said(table, against(table, a, b), context)
            found.append(Comparison("", name, greater, lesser, low, high))
    return single(found)


def against(table: Table, a: Setting, b: Setting) -> str:
    """Write what is compared with what: ``window 10 against 1``."""
    if len(a) == 1 and a.keys() == b.keys():
        (axis, value), *_ = b.items()
        return f"{table.label(a)} against {table.shown.alone(axis, value)}"
    return f"{table.label(a)} against {table.label(b)}"


def _said(table: Table, what: str, context: Setting) -> str:
    return f"{what}; {table.label(context)}" if context else what


def _above(table: Table, given: Given) -> list[Statement]:
    return _of_pairs(table, given, 1 + given.get("by", words.MATTERS), None)


def _below(table: Table, given: Given) -> list[Statement]:
    return _of_pairs(table, given, None, 1 / (1 + given.get("by", words.MATTERS)))


def _not_above(table: Table, given: Given) -> list[Statement]:
    return _of_pairs(table, given, None, 1 + given.get("by", words.MATTERS))


def _about(table: Table, given: Given) -> list[Statement]:
    if "value" in given:
        low, high = sorted(part * given["value"] for part in words.ABOUT)
        return _values(table, low, high)
    if not {"a", "b", "by"} <= set(given):
        raise UsageError("about needs value, or a, b and by")
    low, high = (1 + part * given["by"] for part in words.ABOUT)
    return _of_pairs(table, given, low, high)


def _ratio(table: Table, given: Given) -> list[Statement]:
    low, high = given.get("at_least"), given.get("at_most")
    if low is None and high is None:
        raise UsageError("ratio needs at_least, at_most or both, such as at_least = 2")
    if low is not None and high is not None and low >= high:
        raise UsageError(f"at_least must be under at_most, not {low:g} and {high:g}")
    return _of_pairs(table, given, low, high)


def _up_to(settings: Sequence[Statement]) -> Statement:
    """Say that some setting is about there, and none beyond."""
    atoms = [atom for each in settings for atom in each.parts if isinstance(atom, Comparison)]
    none_beyond = Statement("", "none beyond", tuple(replace(each, low=None) for each in atoms))
    some_there = Statement(
        "", "some there", tuple(replace(each, high=None) for each in atoms), "any", None
    )
    return Statement("", "the largest", (some_there, none_beyond), main=None)


def somewhere(settings: Sequence[Statement]) -> Statement:
    """Say that it is so in one setting at least."""
    return Statement("", "in one setting at least", tuple(settings), "any", None)


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
    return _along(
        table, axis, values, f"{axis} alike", lambda cells: _all_pairs(table, axis, cells, *bounds)
    )


def _all_pairs(
    table: Table, axis: str, cells: Mapping[Any, Array], low: float | None, high: float | None
) -> list[Atom]:
    return [
        Comparison("", against(table, {axis: a}, {axis: b}), cells[a], cells[b], low, high)
        for a, b in combinations(cells, 2)
    ]


def _along(
    table: Table,
    axis: str,
    values: Sequence[Any],
    name: str,
    make: Callable[[dict[Any, Array]], list[Atom]],
    how: str = "all",
    main: int | None = None,
) -> list[Statement]:
    """Make one statement in each context from the cells along an axis; incomplete ones are left out.

    `main` names the comparison that represents it, see `Statement`.
    """
    found = []
    for context in table.contexts([axis]):
        cells = {value: table.at({**context, axis: value}) for value in values}
        there = {value: cell for value, cell in cells.items() if cell is not None}
        if len(there) == len(values) and len(there) > 1:
            statement = Statement("", _said(table, name, context), tuple(make(there)), how, main)
            found.append(statement)
    return found


def _rank(table: Table, given: Given) -> list[Statement]:
    axis = given["along"]
    order = [table.find(axis, value) for value in given["order"]]
    return _along(
        table,
        axis,
        order,
        " > ".join(map(str, order)),
        lambda cells: [_step(table, axis, cells, a, b, words.ABOVE) for a, b in pairwise(order)],
    )


def _step(
    table: Table,
    axis: str,
    cells: Mapping[Any, Array],
    a: Any,
    b: Any,
    low: float | None,
    high: float | None = None,
) -> Atom:
    return Comparison("", against(table, {axis: a}, {axis: b}), cells[a], cells[b], low, high)


def _best(table: Table, given: Given, worst: bool = False) -> list[Statement]:
    axis, found = given["along"], table.find(given["along"], given["value"])
    but = [table.find(axis, value) for value in given.get("but", ())]
    values = [value for value in table.values(axis) if value not in but]
    others = [value for value in values if value != found]

    def atoms(cells: dict[Any, Array]) -> list[Atom]:
        bounds = (None, 1 / words.ABOVE) if worst else (words.ABOVE, None)
        return [_step(table, axis, cells, found, other, *bounds) for other in others]

    name = f"{table.label({axis: found})} {'lowest' if worst else 'highest'}"
    return _along(table, axis, values, name, atoms)


def _worst(table: Table, given: Given) -> list[Statement]:
    return _best(table, given, worst=True)


def _monotone(table: Table, given: Given) -> list[Statement]:
    """Say that the last value of an axis is above the first (or below), and that no step goes back."""
    axis, up = given["along"], given["direction"] == "up"
    values = table.run(axis)
    slack = 1 / words.ABOVE
    least = words.ABOVE if given.get("strictly", False) else slack
    ends: Bounds = (words.ABOVE, None)
    steps: Bounds = (least, None)
    if not up:
        ends, steps = (None, 1 / words.ABOVE), (None, 1 / least)

    def atoms(cells: dict[Any, Array]) -> list[Atom]:
        whole = _step(table, axis, cells, values[-1], values[0], *ends)
        return [whole, *(_step(table, axis, cells, b, a, *steps) for a, b in pairwise(values))]

    name = f"{'grows' if up else 'falls'} with {axis}"
    return _along(table, axis, values, name, atoms, main=0)


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
    a, b = table.own(given["a"]), table.own(given["b"])
    found = []
    for context in table.contexts([axis, *a]):
        atoms: list[Atom] = []
        for place, value in enumerate(values):
            if first <= place <= last:
                continue
            pair = (a, b) if place < first else (b, a)
            high, low = (table.at({**context, **each, axis: value}) for each in pair)
            if high is not None and low is not None:
                name = f"{against(table, *pair)} at {value}"
                atoms.append(Comparison("", name, high, low))
        if atoms:
            name = f"{table.label(a)} meets {table.label(b)} at {axis} {given['at']}"
            found.append(Statement("", _said(table, name, context), tuple(atoms), main=None))
    return found


def _sensitive(table: Table, given: Given) -> list[Statement]:
    axis = given["along"]

    def atoms(cells: dict[Any, Array]) -> list[Atom]:
        pairs = permutations(cells, 2)
        return [_step(table, axis, cells, a, b, words.SENSITIVE) for a, b in pairs]

    return _along(table, axis, table.values(axis), f"very sensitive to {axis}", atoms, how="any")


def _stronger(table: Table, given: Given) -> list[Statement]:
    effect, along = given["effect"], given["along"]
    before, after = table.ends(effect, given.get("from"), given.get("to"))
    weak, strong = table.ends(along, given.get("low"), given.get("high"))
    found: list[Atom] = []
    for context in table.contexts([effect, along]):
        cells = [
            table.at({**context, along: place, effect: value})
            for place in (strong, weak)
            for value in (before, after)
        ]
        if all(cell is not None for cell in cells):
            places = [table.label({along: place}) for place in (strong, weak)]
            name = f"effect of {effect} {before} to {after}, {places[0]} against {places[1]}"
            there = [cell for cell in cells if cell is not None]
            found.append(Stronger("", _said(table, name, context), *there))
    return single(found)


def _values(table: Table, low: float | None, high: float | None) -> list[Statement]:
    """Make a statement for every cell: its mean is between two bounds."""
    cells: Iterator[tuple[Setting, Array]] = (
        (dict(zip(table.axes, key, strict=True)), values) for key, values in table.cells.items()
    )
    named = ((table.label(setting) or table.said, values) for setting, values in cells)
    ends = table.shown.ends
    return single([Comparison("", name, values, None, low, high, ends) for name, values in named])


def _constant(low: float | None, high: float | None) -> Word:
    said = f"is shown to be {'over' if high is None else 'under'} {low or high:g}"
    return Word((), (), lambda table, _: _values(table, low, high), said)


def _more_often(table: Table, given: Given) -> list[Statement]:
    """Say that events fall mostly into the settings with a, of all that have it or b."""
    free = {**given["a"], **given["b"]}
    a, b = table.own(given["a"]), table.own(given["b"])
    pairs = [
        (inside, outside)
        for context in table.contexts(free)
        if (inside := table.at({**context, **a})) is not None
        and (outside := table.at({**context, **b})) is not None
    ]
    run = [pair for pair in pairs if len(pair[0]) and len(pair[1])]
    name = f"runs with an event, {against(table, a, b)}"
    return single([Mostly.of_cells("", name, run)]) if pairs else []


WORDS: dict[str, Word] = {
    "above": Word(("a", "b"), ("by",), _above, "a is above b by over 2 % (or `by`)"),
    "below": Word(("a", "b"), ("by",), _below, "b is above a by over 2 % (or `by`)"),
    "not_above": Word(
        ("a", "b"), ("by",), _not_above, "a / b is shown to be under 1.02 (or 1 + `by`)"
    ),
    "slightly_above": _pair(*words.SLIGHTLY),
    "halved": _pair(None, words.HALVED),
    "negligible": _pair(1 - words.NEGLIGIBLE, 1 + words.NEGLIGIBLE),
    "little_affected": _pair(words.LITTLE_AFFECTED, None),
    "doubles": _pair(*words.DOUBLES),
    "ratio": Word(
        ("a", "b"),
        ("at_least", "at_most"),
        _ratio,
        "a / b is over `at_least` (2: at least twice) and under `at_most`",
    ),
    "about": Word(
        (), ("a", "b", "by", "value"), _about, "a is 2/3 to 4/3 of `by` above b; or of value"
    ),
    "up_to": Word(
        ("a", "b", "by"), (), _about, "about `by` above b in some setting, and in none more", _up_to
    ),
    "the_same": Word((), ("a", "b", "along", "within"), _same, "within 5 % (or `within`)"),
    "rank": Word(("along", "order"), (), _rank, "each above the next"),
    "best_at": Word(
        ("along", "value"), ("but",), _best, "above every other value, each by over 2 %"
    ),
    "worst_at": Word(
        ("along", "value"), ("but",), _worst, "below every other value, each by over 2 %"
    ),
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
    "very_sensitive": Word(("along",), (), _sensitive, "at least two values differ by over 25 %"),
    "stronger_where": Word(
        ("effect", "along"),
        ("from", "to", "low", "high"),
        _stronger,
        "the effect is stronger at the high end of `along` than at the low end",
    ),
    "more_often": Word(
        ("a", "b"), (), _more_often, "of the runs with an event most are of a, by an exact test"
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
