"""The quantities of a run: those that the core declares with the fields of a result, and ratios of them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lasthop import _core

#: Keys whose sum is divided by that of others.
Ratio = tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True)
class Quantity:
    """A quantity of a run.

    Attributes:
        name: Its path in a row of `lasthop run --json`, from the row on: ``delay_s``.
        unit: ``bit/s``, ``s``, ``B``, ``packets``, ``1`` for a share or an index, empty for other counts.
        words: What people call it.
        of: The kinds of objects that have it, see `KINDS`; ``run`` for the run as a whole.
        parts: The statistics or causes that it consists of, each with what several objects' numbers add up to.
        together: What several objects' numbers add up to: ``sum``, ``max``, ``by`` and a weight, or ``alone``.
        ratio: The keys whose sums are divided, where it is a ratio.
        ends: The least and the largest possible value, in its unit.
        by_name: Whether it is a map of counts, by names that the core gives.
        optional: Whether its key is absent in some runs.
    """

    name: str
    unit: str
    words: str
    of: tuple[str, ...]
    parts: Mapping[str, tuple[str, ...]]
    together: tuple[str, ...] = ("alone",)
    ratio: Ratio | None = None
    ends: tuple[float, float] = (0.0, 1.0)
    by_name: bool = False
    optional: bool = False


def _declared(held: Mapping[str, Any]) -> Quantity:
    """Return a quantity as the core declares it; what a cell has is what its stations have."""
    kind = held["of"] or "run"
    together = tuple(held["together"].split())
    low, high = held["ends"]
    return Quantity(
        held["name"],
        held["unit"],
        held["words"],
        ("station", "cell") if kind == "station" else (kind,),
        {part: tuple(said.split()) for part, said in held["parts"]},
        together,
        ((together[0],), (together[2],)) if "over" in together else None,
        (-math.inf if low is None else low, math.inf if high is None else high),
        held["by_name"],
        held["optional"],
    )


def _ratio(kinds: str, name: str, words: str, above: str, below: str) -> Quantity:
    ratio = tuple(above.split()), tuple(below.split())
    return Quantity(name, "1", words, tuple(kinds.split()), {}, ratio=ratio)


_HELD = json.loads(_core.quantities())

#: Kinds of objects and the keys of their rows in a document, in the document's order.
KINDS: dict[str, str] = dict(_HELD["kinds"])

#: Rows within rows of the same kind, by kind: the connections of a split path.
WITHIN: list[tuple[str, str]] = [(f"{path}.", kind) for path, kind in _HELD["within"]]

#: Endings of names and the units that they say.
ENDINGS: dict[str, str] = dict(_HELD["endings"])

QUANTITIES: tuple[Quantity, ...] = (
    *map(_declared, _HELD["quantities"]),
    _ratio("flow", "loss", "loss", "packets_lost", "packets_lost packets_delivered"),
    _ratio("station cell", "retry_rate", "retries of the attempts", "retries", "attempts"),
    _ratio(
        "station cell lan_station",
        "collision_rate",
        "collisions of the attempts",
        "collisions",
        "attempts",
    ),
    _ratio(
        "station cell", "error_rate", "channel errors of the attempts", "channel_errors", "attempts"
    ),
    _ratio("queue", "loss", "loss", "drops", "offered"),
)
"""All of them."""
