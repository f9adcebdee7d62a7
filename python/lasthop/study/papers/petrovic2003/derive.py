"""Table 2: the throughput of each station, the highest first, of the total and each station's share of it."""

from __future__ import annotations

from collections.abc import Mapping

from lasthop.claims import Table

STATIONS = 5


def tables(made: Mapping[str, Table]) -> dict[str, Table]:
    """Return the throughput by rank of station, bit/s, with fixed routes and with DSDV."""
    return {f"{of}station": _stations(made, of) for of in ("", "routed.") if f"{of}total" in made}


def _stations(made: Mapping[str, Table], of: str) -> Table:
    """Return it replication by replication, of the measures whose names begin so."""
    rows = []
    for rank in range(1, STATIONS + 1):
        shares = made[f"{of}share{rank}"]
        for key, total in made[f"{of}total"].cells.items():
            setting = dict(zip(shares.axes, key, strict=True))
            rows.append(({**setting, "rank": rank}, total * shares.cells[key]))
    return Table.of(f"{of}station", rows)
