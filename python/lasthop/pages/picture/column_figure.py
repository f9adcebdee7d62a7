"""A column of a probe over time, as a matplotlib figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lasthop.errors import UsageError, offered
from lasthop.extras import needed
from lasthop.pages.picture.grids import column, groups

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAMES = ("flow", "queue", "station")
"""Columns that say whose a row is."""


def plot(
    probes: dict[str, Any], what: str, whose: str | Sequence[str] | None, ax: Axes | None
) -> Axes:
    """Draw a column of the first replication's probes, a line for each flow, queue or station."""
    numeric = {
        key: table
        for table in probes.values()
        for key, values in table.items()
        if key not in ("time_s", *NAMES) and any(isinstance(v, int | float) for v in values)
    }
    if what not in numeric:
        there = ", ".join(numeric) or 'nothing: run with probes=["tcp"] or others'
        near = offered(what, list(numeric), there)
        raise UsageError(f"no probe has a column {what!r}{near}")
    table = numeric[what]
    key = next(name for name in NAMES if name in table)
    wanted = [whose] if isinstance(whose, str) else whose
    rows = {name: at for name, at in groups(table[key]) if wanted is None or name in wanted}
    if not rows:
        there = ", ".join(dict.fromkeys(table[key]))
        raise UsageError(f"no {key} {whose!r} has {what}; there are: {there}")
    if ax is None:
        ax = needed("matplotlib.figure").Figure(layout="constrained").subplots()
    assert ax is not None
    for name, own in rows.items():
        times, values = column(table["time_s"], own), column(table[what], own)
        ax.step(times, values, where="post", label=name)
    ax.set_xlabel("time (s)")
    ax.set_ylabel(what.replace("_", " "))
    if len(rows) > 1:
        ax.legend()
    return ax
