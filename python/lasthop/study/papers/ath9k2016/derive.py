"""The throughput of each station and of all three, as one table by station."""

from __future__ import annotations

from collections.abc import Mapping

from lasthop.claims import Table

STATIONS = {"fast1": "fast 1", "fast2": "fast 2", "slow": "slow"}


def tables(made: Mapping[str, Table]) -> dict[str, Table]:
    """Return `throughput` (bit/s) with the axis "station": each of the three, and "all", their sum."""
    if not STATIONS.keys() <= made.keys():
        return {}
    rows = []
    for key in made["slow"].cells:
        setting = dict(zip(made["slow"].axes, key, strict=True))
        own = {name: made[measure].cells[key] for measure, name in STATIONS.items()}
        own["all"] = own["fast 1"] + own["fast 2"] + own["slow"]
        rows += [({**setting, "station": name}, values) for name, values in own.items()]
    return {"throughput": Table.of("throughput", rows)}
