"""The table of variants that endpoints have picked, which `lasthop run` shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lasthop.cli import fitting_tables
from lasthop.cli.terminal import Terminal
from lasthop.core.quantities.shown import Column
from lasthop.pages.picture import tabled

MOST = 20
"""The largest number of choices of a flow that are shown; --json has all."""

MEASURED = (
    Column("RTT\n{}", "measured.rtt", 1),
    Column("loss\n{}", "measured.loss", 2),
    Column("inflation", "measured.delay_inflation", 2),
    Column("rate\n{}", "measured.rate"),
    Column("segments", "measured.segments"),
)
"""Columns of the measured path."""


def show(console: Terminal, summary: Mapping[str, Any]) -> None:
    """Print what each flow has picked; of several replications how often only, as means."""
    for flow in summary["flows"]:
        if "picked" not in flow:
            continue
        counts = ", ".join(f"{name} {_count(n)}" for name, n in flow["picked"].items())
        console.print(f"{flow['name']} picked: {counts}", highlight=False)
        listed = flow.get("choices", [])
        if listed:
            names = [f"{row['at_s']:6.2f}  {row['variant']}" for row in listed[:MOST]]
            fitting_tables.show(console, "Picked (at s)", names, _columns(listed[:MOST]))
        if len(listed) > MOST:
            console.print(f"{len(listed) - MOST:,} changes more: --json", highlight=False)


def _count(value: Any) -> str:
    return f"{value['mean']:.4g}" if isinstance(value, Mapping) else f"{value}"


def _columns(rows: Sequence[Mapping[str, Any]]) -> list[fitting_tables.Filled]:
    rules = ("rule", [str(row["rule"] or "default") for row in rows])
    return [rules, *tabled.filled(rows, MEASURED)]
