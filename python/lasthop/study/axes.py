"""Axes of a study: what varies, and which combinations are run."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lasthop.core.mistakes import apart, count
from lasthop.errors import Steps, offered
from lasthop.study import designs
from lasthop.study.places import Document

Value = str | int | float | bool
"""A value of an axis: as in a scenario, with its unit where it has one."""

#: More cells than this are a mistake in an axis, not a study.
MOST_CELLS = 100_000


@dataclass(frozen=True)
class Axis:
    """A key of the scenario and the values that it takes.

    Attributes:
        key: As `--set` has it: ``tcp.variant``, ``flow.bulk.tcp.window``.
        values: In the order of the file, each once, or of axes that step together each combination once.
    """

    key: str
    values: tuple[Value, ...]


OWN = ("paired", "random", "design")
"""Keys of `[axes]` that are no axes."""


def read(
    document: Document, table: Mapping[str, Any], seed: int = 1
) -> tuple[tuple[Axis, ...], ...]:
    """Read ``[axes]``: groups of axes, those of a group stepping together; raises StudyError.

    With ``random = 200`` ranges without steps, distributions and choices make one group, drawn by `seed`.
    """
    found: dict[str, tuple[Axis, Steps]] = {}
    asked, before = _asked(document, table, seed), count()
    drawn: list[Axis] = []
    for key, path, value in _flat(("axes",), table):
        if key in OWN:
            continue
        with apart():
            if asked is not None and designs.is_drawn(value):
                drawn.append(Axis(key, designs.draw(document, path, value, asked)))
                found[key] = drawn[-1], path
            else:
                found[key] = Axis(key, _values(document, path, value)), path
    if count() > before:  # what steps together is then not known
        _refuse_repeated(document, table, found)
        return ()
    groups: list[tuple[Axis, ...]] = []
    taken: set[str] = set()
    if asked is not None:
        if not drawn:
            said = "nothing to draw: no axis is a range without steps, a distribution or a choice"
            document.fail(("axes", "random"), said)
        groups.append(_distinct(drawn))
        taken |= {axis.key for axis in drawn}
    for number, names in enumerate(document.get(("axes", "paired"), table, list, [])):
        group = _paired(document, ("axes", "paired", number), names, found)
        for axis in group:
            if axis.key in taken:
                said = "is drawn at random" if axis in drawn else "is in two pairs"
                document.fail(("axes", "paired", number), f'"{axis.key}" {said}')
            taken.add(axis.key)
        groups.append(group)
    for key, (axis, path) in found.items():
        if key not in taken:
            with apart():
                _refuse_twice(document, path, axis.values)
    heads = {group[0].key: group for group in groups}
    return tuple(
        heads.get(key, (axis,))
        for key, (axis, _) in found.items()
        if key in heads or key not in taken
    )


def _refuse_repeated(
    document: Document, table: Mapping[str, Any], found: Mapping[str, tuple[Axis, Steps]]
) -> None:
    """Refuse a key that is in two axes which no pair contains."""
    pairs = table.get("paired")
    listed = [pair for pair in pairs if isinstance(pair, list)] if isinstance(pairs, list) else []
    paired = {str(name) for pair in listed for name in pair}
    for key, (axis, path) in found.items():
        if key not in paired:
            with apart():
                _refuse_twice(document, path, axis.values)


def _asked(document: Document, table: Mapping[str, Any], seed: int) -> tuple[int, str, int] | None:
    """Return how many settings are drawn, by which design and seed; None where none are."""
    if "random" not in table:
        if "design" in table:
            document.fail(("axes", "design"), "a design needs random settings: add random = 200")
        return None
    count = document.get(("axes", "random"), table, int)
    if not 2 <= count <= MOST_CELLS:
        document.fail(
            ("axes", "random"), f"from 2 to {MOST_CELLS:,} settings, not {count}", "out-of-range"
        )
    design = document.get(("axes", "design"), table, str, designs.DESIGNS[0])
    if design not in designs.DESIGNS:
        allowed = ", ".join(designs.DESIGNS)
        document.fail(
            ("axes", "design"), f'unknown design "{design}"; allowed: {allowed}', "unknown-name"
        )
    return count, design, seed


def _distinct(drawn: Sequence[Axis]) -> tuple[Axis, ...]:
    """Return the drawn settings, each once: of a few whole numbers the same may be drawn twice."""
    rows = dict.fromkeys(zip(*(axis.values for axis in drawn), strict=True))
    columns = zip(*rows, strict=True)
    return tuple(Axis(axis.key, column) for axis, column in zip(drawn, columns, strict=True))


def settings(groups: Sequence[Sequence[Axis]]) -> list[dict[str, Value]]:
    """Return every combination, the last axis varying fastest; one without any setting where there is no axis."""
    steps = [
        [
            dict(zip((a.key for a in group), together, strict=True))
            for together in zip(*(a.values for a in group), strict=True)
        ]
        for group in groups
    ]
    return [
        {k: v for part in parts for k, v in part.items()} for parts in itertools.product(*steps)
    ]


def _flat(path: Steps, table: Mapping[str, Any]) -> list[tuple[str, Steps, Any]]:
    """Yield dotted keys, quoted or not, with their places and values."""
    rows: list[tuple[str, Steps, Any]] = []
    for key, value in table.items():
        here = (*path, key)
        is_axis = isinstance(value, Mapping) and (
            {"from", "to"} & value.keys() or designs.is_leaf(value)
        )
        if isinstance(value, Mapping) and not is_axis:
            rows += _flat(here, value)
        else:
            rows.append((".".join(str(part) for part in here[1:]), here, value))
    return rows


def _paired(
    document: Document, path: Steps, names: Any, found: Mapping[str, tuple[Axis, Steps]]
) -> tuple[Axis, ...]:
    if not isinstance(names, list) or len(names) < 2:
        document.fail(path, 'a pair is a list of axes, such as ["a", "b"]', "wrong-kind")
    group = []
    for place, name in enumerate(names):
        if not isinstance(name, str) or name not in found:
            said = f'no axis "{name}"{offered(str(name), found, word="allowed")}'
            document.fail((*path, place), said, "unknown-name")
        group.append(found[name][0])
    sizes = {len(axis.values) for axis in group}
    if len(sizes) > 1:
        counts = ", ".join(f"{axis.key} has {len(axis.values)}" for axis in group)
        document.fail(path, f"paired axes step together, but {counts} values")
    together = list(zip(*(axis.values for axis in group), strict=True))
    _refuse_twice(document, found[group[-1].key][1], together)
    return tuple(group)


def _refuse_twice(document: Document, path: Steps, values: Sequence[Any]) -> None:
    """Refuse a value, or a combination of values, that an earlier one equals."""
    seen = set()
    for place, each in enumerate(values):
        if each in seen:
            said = " with ".join(map(repr, each)) if isinstance(each, tuple) else repr(each)
            document.fail((*path, place), f"{said} is there twice")
        seen.add(each)


def _values(document: Document, path: Steps, value: Any) -> tuple[Value, ...]:
    if isinstance(value, Mapping):
        return _range(document, path, value)
    if value == []:
        document.fail(path, "an axis has at least one value", "out-of-range")
    if not isinstance(value, list):
        document.fail(
            path,
            'an axis is a list of values, or { from = 1, to = 100, steps = 5, scale = "log" }',
            "wrong-kind",
        )
    for place, each in enumerate(value):
        if not isinstance(each, (str, int, float, bool)):
            document.fail(
                (*path, place),
                "a value of an axis is a string, a number, true or false",
                "wrong-kind",
            )
    return tuple(value)


def _range(document: Document, path: Steps, table: Mapping[str, Any]) -> tuple[Value, ...]:
    """Return the values of a range, both ends included; whole numbers where both ends are whole, else floats."""
    if designs.is_leaf(table):
        document.fail(
            path, "a distribution or a choice needs random settings: add random = 200 to [axes]"
        )
    document.only(path, table, ("from", "to", "steps", "scale", "unit"))
    low = document.get((*path, "from"), table, float)
    high = document.get((*path, "to"), table, float)
    steps = document.get((*path, "steps"), table, int)
    scale = document.get((*path, "scale"), table, str, "linear")
    unit = document.get((*path, "unit"), table, str, "")
    if scale not in ("linear", "log"):
        document.fail(
            (*path, "scale"), f'unknown scale "{scale}"; allowed: linear, log', "unknown-name"
        )
    if not 2 <= steps <= MOST_CELLS:
        document.fail(
            (*path, "steps"),
            f"a range has from 2 to {MOST_CELLS:,} steps, not {steps}",
            "out-of-range",
        )
    if scale == "log" and min(low, high) <= 0:
        document.fail(path, "a log range has both ends above zero", "out-of-range")
    if not (math.isfinite(low) and math.isfinite(high)) or low == high:
        document.fail(path, "the ends of a range are two different numbers", "out-of-range")
    whole = isinstance(table["from"], int) and isinstance(table["to"], int)
    numbers = [_between(low, high, step / (steps - 1), scale) for step in range(steps)]
    # Twelve digits: 10 ** 0.3 * 10 ** 0.3 is a number that a person can read.
    exact: list[Value] = [round(x) if whole else float(f"{x:.12g}") for x in numbers]
    values = dict.fromkeys(exact)
    return tuple(f"{value} {unit}" for value in values) if unit else tuple(values)


def _between(low: float, high: float, part: float, scale: str) -> float:
    if scale == "log":
        return math.exp(math.log(low) + part * (math.log(high) - math.log(low)))
    return low + part * (high - low)
