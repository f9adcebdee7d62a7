"""Table 2: the throughput of each station, the highest first, of the total and each station's share of it."""

from __future__ import annotations

from collections.abc import Mapping

from lasthop.claims import Table

STATIONS = 5


def tables(made: Mapping[str, Table]) -> dict[str, Table]:
    """Return the throughput by rank of station, bit/s, replication by replication."""
    if "total" not in made:
        return {}
    rows = []
    for rank in range(1, STATIONS + 1):
        shares = made[f"share{rank}"]
        for key, total in made["total"].cells.items():
            setting = dict(zip(shares.axes, key, strict=True))
            rows.append(({**setting, "rank": rank}, total * shares.cells[key]))
    return {"station": Table.of("station", rows)}
