"""The choices: lists and ranges of settings, and the grid that they span.

A long range is not walked through: the race begins with a few values of it (`coarse`), and goes finer
around the best (`lasthop.study.advice.racing`).
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from lasthop.core.command_lines import argument
from lasthop.errors import UsageError

COARSE = 7
"""Values of a long range to begin with."""

SHORT = 9
"""Ranges of this size or smaller are not thinned."""

FAR = 8.0
"""From this ratio of its ends on a range is thinned geometrically, else evenly."""

MOST_VALUES = 100_000
"""More values of one range than anybody means."""

Place = tuple[int, ...]
"""A setting by the place of its value in each choice."""


@dataclass(frozen=True)
class Choice:
    """Keys of a scenario that get the same value, and the values that they may have.

    `ordered` values are numbers of a range, between which it makes sense to look.
    """

    keys: tuple[str, ...]
    values: tuple[Any, ...]
    ordered: bool = False

    @property
    def name(self) -> str:
        """The keys as they are given on the command line."""
        return "+".join(self.keys)

    def coarse(self) -> list[int]:
        """Return the places of the values to begin with, the ends included."""
        count = len(self.values)
        if not self.ordered or count <= SHORT:
            return list(range(count))
        low, high = (_number(self.values[place]) for place in (0, -1))
        parts = [n / (COARSE - 1) for n in range(COARSE)]
        if low > 0 and high / low >= FAR:
            wanted = [low * (high / low) ** part for part in parts]
        else:
            wanted = [low + (high - low) * part for part in parts]
        sizes = [_number(value) for value in self.values]
        return sorted({min(range(count), key=lambda n: abs(sizes[n] - w)) for w in wanted})


@dataclass(frozen=True)
class Grid:
    """All combinations of the choices."""

    choices: tuple[Choice, ...]

    @property
    def size(self) -> int:
        """The number of settings."""
        return math.prod(len(choice.values) for choice in self.choices)

    def setting(self, place: Place) -> dict[str, Any]:
        """Return the setting at a place: values by the choices' names."""
        pairs = zip(self.choices, place, strict=True)
        return {choice.name: choice.values[n] for choice, n in pairs}

    def coarse(self) -> Iterator[Place]:
        """Yield the places to begin with."""
        yield from product(*(choice.coarse() for choice in self.choices))

    def between(self, place: Place, tried: Iterable[Place]) -> list[Place]:
        """Return the places halfway from `place` to its nearest tried neighbours along each range."""
        there, found = set(tried), []
        for axis, choice in enumerate(self.choices):
            if not choice.ordered:
                continue
            line = [p[axis] for p in there if _same_but(p, place, axis)]
            for side in (
                [n for n in line if n < place[axis]],
                [n for n in line if n > place[axis]],
            ):
                nearest = min(side, key=lambda n: abs(n - place[axis]), default=None)
                if nearest is not None and abs(nearest - place[axis]) > 1:
                    middle = (nearest + place[axis]) // 2
                    found.append((*place[:axis], middle, *place[axis + 1 :]))
        return found


def _same_but(a: Place, b: Place, axis: int) -> bool:
    return all(x == y for n, (x, y) in enumerate(zip(a, b, strict=True)) if n != axis)


def overrides(setting: Mapping[str, Any]) -> dict[str, Any]:
    """Return the changes to a scenario that make a setting: keys that go together one by one."""
    return {key: value for name, value in setting.items() for key in name.split("+")}


def grid_of(choose: Mapping[str, Iterable[Any]] | Sequence[str]) -> Grid:
    """Make a grid from ``{"mac.retry_limit": range(1, 8)}`` or ``["mac.retry_limit=1..7"]``.

    Raises UsageError where there is nothing to choose, or a key twice.
    """
    if isinstance(choose, str):
        choose = [choose]
    if isinstance(choose, Mapping):
        choices = [_given(name, values) for name, values in choose.items()]
    else:
        choices = [parse(text) for text in choose]
    keys = [key for choice in choices for key in choice.keys]
    for key in keys:
        if keys.count(key) > 1:
            raise UsageError(f"choose: {key} is given twice")
    grid = Grid(tuple(choices))
    if grid.size < 2:
        alone = "".join(f"; {','.join(c.keys)} has one value, {c.values[0]!r}" for c in choices)
        raise UsageError(
            f"there is nothing to choose from{alone}; give {argument('--choose')} KEY=VALUE,VALUE or "
            "KEY=FROM..TO, such as queue.packets=20,50,100"
        )
    return grid


def parse(text: str) -> Choice:
    """Read ``key=a,b,c``, ``key=1..7``, ``key=10..200:10``, ``key=1..9 Mbps``; keys joined by ``+``."""
    name, equals, values = text.partition("=")
    if not equals or not name.strip() or not values.strip():
        raise UsageError(f"{argument('--choose')} {text!r} must be KEY=VALUE,VALUE or KEY=FROM..TO")
    number = r"([-+]?\d+(?:\.\d+)?)"
    found = re.fullmatch(rf"\s*{number}\.\.{number}(?::{number})?\s*([A-Za-z%/]*)\s*", values)
    if found:
        low, high, step = float(found[1]), float(found[2]), float(found[3] or 1)
        return Choice(_keys(name), _range(text, low, high, step, found[4]), ordered=True)
    if ".." in values:
        raise UsageError(
            f"{argument('--choose')} {text!r}: a range is FROM..TO or FROM..TO:STEP, in numbers"
        )
    return _given(name, [_read(value.strip()) for value in values.split(",")])


def _read(text: str) -> Any:
    """Read a value as a scenario has it: 3, true, or else a text such as 3 ms."""
    try:
        return tomllib.loads(f"v={text}")["v"]
    except (tomllib.TOMLDecodeError, RecursionError):
        return text


def _range(text: str, low: float, high: float, step: float, unit: str) -> tuple[Any, ...]:
    if high <= low or step <= 0 or (high - low) / step >= MOST_VALUES:
        raise UsageError(
            f"{argument('--choose')} {text!r}: a range must go up in steps above 0 and have an end"
        )
    count = int((high - low) / step + 1e-9) + 1
    numbers = [low + n * step for n in range(count)]
    plain = [int(x) if x == int(x) else round(x, 12) for x in numbers]
    return tuple(f"{x} {unit}" for x in plain) if unit else tuple(plain)


def _given(name: str, values: Iterable[Any]) -> Choice:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise UsageError(f"choose {name}: allowed: a list or a range of values, not {values!r}")
    listed = tuple(values)
    if len(set(map(str, listed))) != len(listed) or not listed or "" in listed:
        raise UsageError(f"choose {name}: give at least one value, and each only once")
    return Choice(_keys(name), listed, ordered=isinstance(values, range))


def _keys(name: str) -> tuple[str, ...]:
    return tuple(key.strip() for key in name.split("+"))


def _number(value: Any) -> float:
    return float(str(value).split()[0])
