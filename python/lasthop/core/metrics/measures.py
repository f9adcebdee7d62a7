"""Measures of one object: its quantities, and where their numbers are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lasthop.core.metrics.leaves import Leaf, Step
from lasthop.core.quantities import bare, now, of_kind, part_of, parts_of
from lasthop.core.quantities.listed import Ratio
from lasthop.errors import UsageError, offered


class MissingError(UsageError):
    """No such thing; `depth` parts of the name were understood. The message may be made when it is read."""

    def __init__(self, message: str | Callable[[], str], depth: int = 0) -> None:
        super().__init__(message if isinstance(message, str) else "")
        self._message = message
        self.depth = depth

    def __str__(self) -> str:
        """Return the message."""
        return self._message if isinstance(self._message, str) else self._message()


@dataclass(frozen=True)
class Measure:
    """A measure of one object: leaves above, leaves below (for a ratio), and its unit."""

    above: tuple[Leaf, ...]
    below: tuple[Leaf, ...]
    unit: str
    together: tuple[str, ...] = ("alone",)
    """The way in which numbers of several objects are combined, see `lasthop.core.quantities.Quantity`."""


@dataclass(frozen=True)
class Object:
    """A flow, station, cell, queue or link, with a row of a run's document that shows its keys."""

    kind: str
    name: str
    row: Mapping[str, Any]
    roots: tuple[tuple[Step, ...], ...]
    """The place of its rows: one, or all stations of a cell."""


def measure_of(obj: Object, parts: list[str]) -> Measure:
    """Find a measure of an object, named as a run's document has it; raises MissingError."""
    if len(parts) == 1 and (ratio := _ratios(obj).get(parts[0])):
        above, below = (tuple(Leaf((*r, k)) for r in obj.roots for k in keys) for keys in ratio)
        return Measure(above, below, "1")
    inside: Any = obj.row
    for depth, part in enumerate(parts):
        if inside is None:
            inside = dict.fromkeys(parts_of(".".join(parts[:depth])), 0.0)
        if not isinstance(inside, Mapping):
            raise MissingError(f"{parts[depth - 1]!r} has no {part!r}", depth)
        if part not in inside:
            raise _missing(obj, parts, depth, inside)
        inside = inside[part]
    try:
        quantity, part = part_of(of_kind(obj.kind), ".".join(parts))
    except KeyError:
        raise MissingError(f"{parts[-1]!r} is not a number", len(parts) - 1) from None
    leaves = tuple(Leaf((*root, *parts)) for root in obj.roots)
    together = quantity.parts.get(part or "mean", quantity.together)
    return Measure(leaves, (), quantity.unit, together)


def _missing(obj: Object, parts: list[str], depth: int, inside: Mapping[str, Any]) -> MissingError:
    """Say that there is no such measure: what an old name is called now, or what there is."""
    if depth == 0 and (new := now(".".join(parts), obj.row)):
        return MissingError(f"{'.'.join(parts)!r} is called {new!r} now", len(parts))

    def message() -> str:
        known = known_keys(obj) if depth == 0 else list(inside)
        return f"no measure {parts[depth]!r}{offered(parts[depth], known)}"

    return MissingError(message, depth)


def _ratios(obj: Object) -> dict[str, Ratio]:
    """Return the ratios whose keys a run of it has."""
    ratios = {each.name: each.ratio for each in of_kind(obj.kind).values() if each.ratio}
    return {name: keys for name, keys in ratios.items() if all(k in obj.row for k in sum(keys, ()))}


def known_keys(obj: Object) -> list[str]:
    """Name what is known of an object, for messages: with what may be left out left out."""
    first = {name.partition(".")[0] for name in of_kind(obj.kind)}
    ratios = _ratios(obj)
    return [*ratios, *(bare(key) for key in obj.row if key in first and key not in ratios)]
