"""Handoffs in captures, read by a reader that shares nothing with the writer, against the results' parts.

The gap is from the last data frame that got through with the old access point, to the station or from it, to the
first with the new one. The parts begin with the last beacon from the old access point. A station that goes out of
its reach later, or that scans its own channel first and hears it there, gets data for that much longer: the gap is
shorter by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lasthop_validation import handoff_mobile_ip as mobile_ip
from lasthop_validation.checking import Check
from lasthop_validation.handoff_capture import NANOSECOND, captures, seen, steps, twice
from lasthop_validation.handoff_scenarios import (
    FRAME_INTERVAL_S,
    Going,
    bouncing,
    goings,
    shown,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from lasthop.pages.figures.palette import Palette

ACCESS_S = 0.001
"""A DIFS, the longest first backoff (31 slots of 20 us) and a short frame of another station before one's own."""
COUNT = 0.5
"""The bound of a count: whole numbers."""

GROUPS = (
    "gap in the capture against the parts",
    "gap in the capture against the results' gap",
    "from the last beacon to the association",
    "from the last beacon to the request",
    "authentication to association",
    "delivered twice",
    "TCP, one handoff after the other",
    *mobile_ip.GROUPS,
)


def checks(quick: bool) -> list[Check]:
    """Return the checks of single handoffs, of a hundred in a row, and of those between networks."""
    found = []
    for going in goings(quick):
        with captures(going.text) as (run, folder):
            found += _of_one(going, run, folder)
    least = 10 if quick else 100
    with captures(bouncing(least + 5), snap=128) as (run, folder):
        found += _of_many(least, run, folder)
    found += mobile_ip.checks(quick)
    return sorted(found, key=lambda check: GROUPS.index(check.group))


def figure(palette: Palette) -> Figure:
    """Draw a handoff as the station's capture shows it, above the results' parts."""
    from lasthop_validation import handoff_timeline

    going = shown()
    with captures(going.text) as (run, folder):
        return handoff_timeline.draw(seen(going, folder), run["handoffs"][-1], palette)


# One handoff.


def _of_one(going: Going, run: Mapping[str, Any], folder: Path) -> list[Check]:
    moments, parts = seen(going, folder), run["handoffs"][-1]
    whole = sum(
        parts[f"{part}_s"] for part in ("detection", "scan", "authentication", "association")
    )
    longer = moments.left - moments.last_beacon
    rows = [
        (moments.gap, whole - longer, FRAME_INTERVAL_S, "a packet every 20 ms"),
        (moments.gap, parts["gap_s"], 2 * NANOSECOND, "the same two frames"),
        (moments.associated - moments.last_beacon, whole, 2 * NANOSECOND, "the same frames"),
        (moments.first_request - moments.last_beacon, parts["detection_s"] + parts["scan_s"],
         ACCESS_S, "the request waits for the medium"),
        (moments.associated - moments.authenticated, parts["association_s"], 2 * NANOSECOND,
         "the same frames"),
        (twice(folder), 0.0, COUNT, "none"),
    ]  # fmt: skip
    return [
        Check(group, going.name, measured, expected, bound, reason, absolute=True)
        for group, (measured, expected, bound, reason) in zip(GROUPS, rows, strict=False)
    ]


# Many handoffs.


def _of_many(least: int, run: Mapping[str, Any], folder: Path) -> list[Check]:
    group = "TCP, one handoff after the other"
    joins = [handoff["at_s"] for handoff in run["handoffs"] if handoff["from"] is not None]
    stays = list(pairwise(joins))
    transfers = steps(folder / "server-eth0.pcapng")
    idle = sum(
        not any(start < at < end for at in times) for times in transfers for start, end in stays
    )
    return [
        Check(group, "handoffs", len(joins), least, COUNT,
              "one for each time that the station goes over", absolute=True, at_least=True),
        Check(group, "stays in which a transfer does not get on", idle, 0.0, COUNT,
              "five seconds each, and gaps far shorter than a retransmission timeout", absolute=True),
        Check(group, "segments delivered twice", twice(folder), 0.0, COUNT, "none",
              absolute=True),
    ]  # fmt: skip
