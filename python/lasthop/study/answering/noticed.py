"""Metrics by what people notice first, and axes by whether anybody chooses them.

A call that breaks up is noticed before a page that waits, and that before a slow download. What is told of a study
begins with what is noticed first. Counters (retries, drops) tell why, and never answer.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from fnmatch import fnmatchcase
from typing import Any

from lasthop.core.quantities import Named, named


class Tier(IntEnum):
    """What is noticed, the first first."""

    CALLS = 0
    WEB = 1
    DELAY = 2
    GOODPUT = 3
    FAIRNESS = 4
    OTHER = 5
    """Counters and shares, which answer only where a study measures nothing else."""


@dataclass(frozen=True)
class Noticed:
    """How a metric is noticed.

    Attributes:
        tier: How soon.
        step: A difference under which it is not, in the metric's unit; 0 where only the ratio counts.
    """

    tier: Tier
    step: float = 0.0


CALL = 0.01
"""A loss that a call shows: by the E-model of G.711 with concealment (ITU-T G.107, Bpl 25.1) 1 % costs an R factor
of 3.6, which is 0.1 of MOS."""

MOS = 0.1
"""As much as a loss of `CALL`."""

PACKET_S = 0.02
"""The time in a packet of a call by default (RFC 3551, section 4.2): a shorter delay moves none of them."""

INSTANT_S = 0.1
"""A response that is faster seems instantaneous (Nielsen 1993, "Usability Engineering", section 5.5)."""

UNFAIR = 0.05
"""A step of Jain's index, by our own choice: of two flows one gets 61 % at an index of 0.95, and not 50 %."""

STEPS: dict[str, Noticed] = {
    "mos": Noticed(Tier.CALLS, MOS),
    "r_factor": Noticed(Tier.CALLS, 3.6),
    "unusable": Noticed(Tier.CALLS, CALL),
    "pictures.unusable": Noticed(Tier.CALLS, CALL),
    "loss": Noticed(Tier.CALLS, CALL),
    "objects.response_time_s": Noticed(Tier.WEB, INSTANT_S),
    "pages.response_time_s": Noticed(Tier.WEB, INSTANT_S),
    "delay_s": Noticed(Tier.DELAY, PACKET_S),
    "jitter_s": Noticed(Tier.DELAY, PACKET_S),
    "gap_s": Noticed(Tier.DELAY, PACKET_S),
    "down.delay_s": Noticed(Tier.DELAY, PACKET_S),
    "up.delay_s": Noticed(Tier.DELAY, PACKET_S),
    "jain": Noticed(Tier.FAIRNESS, UNFAIR),
}
"""What is noticed of quantities, by their names; rates are `Tier.GOODPUT`, all others `Tier.OTHER`."""

RATE = re.compile(r"(goodput|throughput)_bps$")

GIVEN = re.compile(
    r"(^|\.)(stations|positions?|waypoints|speed|seed|duration|warmup|error_per_extra_head|payload|interval)$"
    r"|^(channel|radio|node|mobility)\.|^link\.[^.]+\.(rate|delay|loss|ber)$"
)
"""Axes that nobody chooses: the place, the path, the load. They say where an answer holds."""


def is_given(axis: str) -> bool:
    """Return whether an axis is a condition and no choice.

    >>> is_given("link.0.delay"), is_given("cell.0.stations"), is_given("link.0.queue.packets")
    (True, True, False)
    """
    return bool(GIVEN.search(axis))


def noticed(metric: str, flows: Sequence[Mapping[str, Any]]) -> Noticed:
    """Return how a metric is noticed; `flows` are those of a run, with their names and transports.

    What TCP loses it sends again: nobody hears that, and it shows in the goodput.
    """
    found = named(metric)
    if found is None or found.part == "std" or found.across in ("starved", "count"):
        return Noticed(Tier.OTHER)
    if found.across == "jain":
        return STEPS["jain"]
    name = found.quantity.name
    if RATE.search(name) and found.quantity.of != ("link",):
        return Noticed(Tier.GOODPUT)
    if name == "loss" and not _are_calls(found, flows):
        return Noticed(Tier.OTHER)
    return STEPS.get(name, Noticed(Tier.OTHER))


def _are_calls(found: Named, flows: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether all flows of a metric are without TCP; a loss may also be that of a queue."""
    pattern = found.objects.removeprefix("flow.") or "*"
    transports = {flow["transport"] for flow in flows if fnmatchcase(flow["name"], pattern)}
    return bool(transports) and "tcp" not in transports
