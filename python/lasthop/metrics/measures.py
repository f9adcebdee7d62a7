"""The vocabulary: kinds of objects, names of their measures, units."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lasthop.errors import UsageError, nearest
from lasthop.metrics.leaves import Leaf, Step
from lasthop.tables import SPREADS

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

ALIASES = {
    "sent": "packets_sent",
    "delivered": "packets_delivered",
    "lost": "packets_lost",
    "cuts": "window_cuts",
    "ip_throughput": "throughput_bps",
    "wimax2012_goodput": "acked_goodput_bps",
    "mean_rate": "mean_rate_bps",
    "airtime": "airtime_share",
    "busy": "cell_busy_share",
}
"""Short names of keys."""

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

UNITS = {"_bps": "bit/s", "_s": "s", "_bytes": "B", "_share": "1", "_rate": "1"}
"""Endings of keys and their units."""

SHARES = ("jain", "loss", "efficiency", "unusable", "utilisation")
"""Keys of what is 0 to 1 and says so by no ending."""


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
    """Find a measure of an object; raises MissingError."""
    ratio = _ratios(obj).get(parts[0])
    if ratio and len(parts) == 1:
        above, below = (tuple(Leaf((*r, k)) for r in obj.roots for k in keys) for keys in ratio)
        return Measure(above, below, parts[0], "", "1", counts=False)
    inside: Any = obj.row
    path: tuple[str, ...] = ()
    for depth, part in enumerate(parts):
        if inside is None and path[-1] in SPREADS:
            inside = dict.fromkeys(SPREADS[path[-1]], 0.0)
        if not isinstance(inside, Mapping):
            raise MissingError(f"{parts[depth - 1]!r} has no {part!r}", depth)
        key = _key(part, inside, depth == 0)
        if key is None:
            known = known_keys(obj) if depth == 0 else list(inside)
            raise MissingError(
                f"no measure {part!r}{nearest(part, known)} (there is: {', '.join(known)})", depth
            )
        inside, path = inside[key], (*path, key)
    if isinstance(inside, (str, list)):
        raise MissingError(f"{parts[-1]!r} is no number", len(parts) - 1)
    leaves = tuple(Leaf((*root, *path)) for root in obj.roots)
    spread = not SPREADS.keys().isdisjoint(path) or (
        isinstance(inside, Mapping) and "mean" in inside
    )
    statistic = "" if not spread else path[-1] if len(path) > 1 else "mean"
    number = isinstance(inside, int) and not path[-1].startswith("max")
    counts = number or (isinstance(inside, Mapping) and not spread)
    return Measure(leaves, (), path[0], statistic, unit_of(path[0]), counts)


def _ratios(obj: Object) -> dict[str, tuple[tuple[str, ...], tuple[str, ...]]]:
    """Return the ratios whose keys a run of it has."""
    ratios = RATIOS.get(obj.kind, {})
    return {name: keys for name, keys in ratios.items() if all(k in obj.row for k in sum(keys, ()))}


def _key(part: str, row: Mapping[str, Any], top: bool) -> str | None:
    for key in (part, ALIASES.get(part, "") if top else ""):
        if key in row:
            return key
    return next((key for key in row if _bare(key) == part), None)


def _bare(key: str) -> str:
    return re.sub("_(bps|s|bytes|share)$", "", key)


def known_keys(obj: Object) -> list[str]:
    """Name what is known of an object, for messages."""
    short = {key: alias for alias, key in ALIASES.items()}
    numbers = (k for k, v in obj.row.items() if not isinstance(v, (str, list)))
    return [*_ratios(obj), *(short.get(key, _bare(key)) for key in numbers)]


def unit_of(key: str) -> str:
    """Return the unit of a key of a run's document."""
    if key in SHARES:
        return "1"
    ending = next((end for end in UNITS if key.endswith(end)), None)
    return UNITS[ending] if ending else "packets" if "packets" in key else ""
