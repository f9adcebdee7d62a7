"""The vocabulary: kinds of objects, names of their measures, units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lasthop.errors import UsageError, nearest
from lasthop.metrics.leaves import Leaf, Step
from lasthop.quantities import bare, now, parts_of, unit_of

KINDS = {
    "flow": "flows",
    "station": "stations",
    "subscriber": "subscribers",
    "wimax": "wimax",
    "lan": "lans",
    "lan_station": "lan_stations",
    "cell": "cells",
    "queue": "queues",
    "link": "links",
}
"""Kinds of objects and where they stand in a document; cells are what the stations' rows say of them.

`subscriber` and `wimax` are 802.16's; `lan` and `lan_station` those of shared wired LANs.
"""

RATIOS: dict[str, dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "flow": {
        "loss": (("packets_lost",), ("packets_lost", "packets_delivered")),
        # With `measures = ["efficiency"]`: against a radio that loses nothing.
        "efficiency": (("goodput_bps",), ("reachable_bps",)),
    },
    "station": {
        "collision_rate": (("collisions",), ("attempts",)),
        "error_rate": (("channel_errors",), ("attempts",)),
        "retry_rate": (("retries",), ("attempts",)),
    },
    "lan_station": {"collision_rate": (("collisions",), ("attempts",))},
    "queue": {"loss": (("drops",), ("offered",))},
}
"""Ratios of sums of keys: 0 to 1, nothing where the lower sum is zero."""

RATIOS["cell"] = RATIOS["station"]


class MissingError(UsageError):
    """No such thing; `depth` parts of the name were understood."""

    def __init__(self, message: str, depth: int = 0) -> None:
        super().__init__(message)
        self.depth = depth


@dataclass(frozen=True)
class Measure:
    """A measure of one object: leaves above, leaves below (for a ratio), its key and unit."""

    above: tuple[Leaf, ...]
    below: tuple[Leaf, ...]
    key: str
    statistic: str
    unit: str
    counts: bool
    """Whether it is a count that adds up over objects."""


@dataclass(frozen=True)
class Object:
    """A flow, station, cell, queue or link, with a row of a run's document that shows its keys."""

    kind: str
    name: str
    row: Mapping[str, Any]
    roots: tuple[tuple[Step, ...], ...]
    """Where its rows are: one, or of a cell those of its stations."""


def measure_of(obj: Object, parts: list[str]) -> Measure:
    """Find a measure of an object, named as a run's document has it; raises MissingError."""
    ratio = _ratios(obj).get(parts[0])
    if ratio and len(parts) == 1:
        above, below = (tuple(Leaf((*r, k)) for r in obj.roots for k in keys) for keys in ratio)
        return Measure(above, below, parts[0], "", "1", counts=False)
    inside: Any = obj.row
    path: tuple[str, ...] = ()
    spread: tuple[str, ...] = ()
    for depth, part in enumerate(parts):
        spread = spread or parts_of(".".join(path))
        if inside is None and spread:
            inside = dict.fromkeys(spread, 0.0)
        if not isinstance(inside, Mapping):
            raise MissingError(f"{parts[depth - 1]!r} has no {part!r}", depth)
        if part not in inside:
            raise _missing(obj, parts, depth, inside)
        inside, path = inside[part], (*path, part)
    if isinstance(inside, (str, list)):
        raise MissingError(f"{parts[-1]!r} is not a number", len(parts) - 1)
    leaves = tuple(Leaf((*root, *path)) for root in obj.roots)
    is_spread = bool(spread or parts_of(".".join(path)))
    statistic = "" if not is_spread else path[-1] if spread else "mean"
    number = isinstance(inside, int) and not path[-1].startswith("max")
    counts = number or (isinstance(inside, Mapping) and not is_spread)
    return Measure(leaves, (), path[0], statistic, unit_of(".".join(path)), counts)


def _missing(obj: Object, parts: list[str], depth: int, inside: Mapping[str, Any]) -> MissingError:
    """Say that there is no such measure: what an old name is called now, or what there is."""
    if depth == 0 and (new := now(".".join(parts), obj.row)):
        return MissingError(f"{'.'.join(parts)!r} is called {new!r} now", len(parts))
    known = known_keys(obj) if depth == 0 else list(inside)
    there = f"(there are: {', '.join(known)})"
    return MissingError(f"no measure {parts[depth]!r}{nearest(parts[depth], known)} {there}", depth)


def _ratios(obj: Object) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the ratios whose keys a run of it has."""
    ratios = RATIOS.get(obj.kind, {})
    return {name: keys for name, keys in ratios.items() if all(k in obj.row for k in sum(keys, ()))}


def known_keys(obj: Object) -> list[str]:
    """Name what is known of an object, for messages: with what may be left out left out."""
    numbers = (k for k, v in obj.row.items() if not isinstance(v, (str, list)))
    return [*_ratios(obj), *map(bare, numbers)]
