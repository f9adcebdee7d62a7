"""What the bulk transfer gains and voice loses along the windows, under one setting of the audit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lasthop.claims import Table
from lasthop.papers.petrovic2003.traffic.experiments import BULK_BESIDE_VOICE, VOICE, places
from lasthop.papers.petrovic2003.traffic.rows import estimate

SIZE = "600 B"
"""The middle of the printed sizes of voice packets."""
SETTINGS = ("RTS/CTS beside voice", "FEC beside voice")
"""What is unstated and a cell's operator can choose."""


def traded(tables: Mapping[str, Table]) -> list[dict[str, Any]]:
    """Return by window: voice lost or late in %, bulk goodput in kbit/s, half widths of 95 % intervals."""
    found = []
    for place in places(VOICE):
        if f"{place.keys['udp_bytes']} B" != SIZE:
            continue
        lost = estimate(tables.get(VOICE.metric), place.setting, VOICE.scale)
        bulk = estimate(tables.get(BULK_BESIDE_VOICE), place.setting, 1e-3)
        found.append(
            {
                "window": place.keys["window"],
                "lost": lost["mean"],
                "lost_ci95": lost["ci95"],
                "bulk": bulk["mean"],
                "bulk_ci95": bulk["ci95"],
            }
        )
    return found
