"""The table of variants that endpoints have picked, which `lasthop run` shows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

MOST = 20
"""So many choices of a flow are shown, the first ones; --json has all."""

#: What is shown of what was measured: heading, quantity, factor to the unit, digits.
MEASURED = (
    ("RTT ms", "rtt", 1e3, 1),
    ("loss %", "loss", 100, 2),
    ("inflation", "delay_inflation", 1, 2),
    ("rate kbit/s", "rate", 1e-3, 0),
    ("segments", "segments", 1, 0),
)


def show(console: Console, summary: Mapping[str, Any]) -> None:
    """Print what each flow has picked; of several replications how often only, as means."""
    for flow in summary["flows"]:
        if "picked" not in flow:
            continue
        counts = ", ".join(f"{name} {_count(n)}" for name, n in flow["picked"].items())
        console.print(f"{flow['name']} picked: {counts}", highlight=False)
        listed = flow.get("choices", [])
        if listed:
            console.print(_table(listed[:MOST]))
        if len(listed) > MOST:
            console.print(f"{len(listed) - MOST:,} changes more: --json", highlight=False)


def _count(value: Any) -> str:
    return f"{value['mean']:.4g}" if isinstance(value, Mapping) else f"{value}"


def _table(rows: list[Mapping[str, Any]]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("at s", justify="right")
    table.add_column("variant")
    table.add_column("rule")
    for heading, *_ in MEASURED:
        table.add_column(heading, justify="right")
    for row in rows:
        known = row["measured"]
        cells = [
            f"{known[key] * factor:,.{digits}f}" if key in known else "-"
            for _, key, factor, digits in MEASURED
        ]
        rule = str(row["rule"]) if row["rule"] else "default"
        table.add_row(f"{row['at_s']:.2f}", row["variant"], rule, *cells)
    return table
