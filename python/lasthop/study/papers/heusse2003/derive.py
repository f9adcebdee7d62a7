"""Throughput and attempts of fast and of slow hosts as one table each, by host."""

from __future__ import annotations

from collections.abc import Mapping

from lasthop.claims import Table

HOSTS = ("fast", "slow")


def tables(made: Mapping[str, Table]) -> dict[str, Table]:
    """Return each of the two measures, `throughput` (bit/s) and `attempts` (a run's), with the axis "host"."""
    found = {}
    for measure in ("throughput", "attempts"):
        of = {host: made[f"{host}.{measure}"] for host in HOSTS if f"{host}.{measure}" in made}
        rows = [
            ({**dict(zip(table.axes, key, strict=True)), "host": host}, values)
            for host, table in of.items()
            for key, values in table.cells.items()
        ]
        if rows:
            found[measure] = Table.of(measure, rows)
    return found
