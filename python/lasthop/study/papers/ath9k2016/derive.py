"""The throughput of each station and of all, as one table by station for each of the two tests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lasthop.claims import Table

STATIONS = {"fast1": "fast 1", "fast2": "fast 2", "slow": "slow"}


def tables(made: Mapping[str, Table]) -> dict[str, Table]:
    """Return `throughput` (bit/s) with the axis "station": each of the three, and "all", their sum.

    `together` has the same axis, for all thirty.
    """
    found = {}
    if STATIONS.keys() <= made.keys():
        found["throughput"] = Table.of("throughput", list(_of_three(made)))
    if "total" in made:
        cells = made["total"].cells.items()
        axes = made["total"].axes
        rows = [
            ({**dict(zip(axes, key, strict=True)), "station": "all 30"}, values)
            for key, values in cells
        ]
        found["together"] = Table.of("together", rows)
    return found


def _of_three(made: Mapping[str, Table]) -> Iterator[tuple[dict[str, Any], Any]]:
    for key in made["slow"].cells:
        setting = dict(zip(made["slow"].axes, key, strict=True))
        own = {name: made[measure].cells[key] for measure, name in STATIONS.items()}
        own["all"] = own["fast 1"] + own["fast 2"] + own["slow"]
        for name, values in own.items():
            yield {**setting, "station": name}, values
