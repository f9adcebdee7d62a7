"""The table of variants that endpoints have picked, which `lasthop run` shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lasthop.cli import fitting
from lasthop.cli.terminal import Terminal

MOST = 20
"""So many choices of a flow are shown, the first ones; --json has all."""

#: What is shown of what was measured: heading, quantity, factor to the unit, digits.
MEASURED = (
    ("RTT\nms", "rtt", 1e3, 1),
    ("loss\n%", "loss", 100, 2),
    ("inflation", "delay_inflation", 1, 2),
    ("rate\nkbit/s", "rate", 1e-3, 0),
    ("segments", "segments", 1, 0),
)


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
            fitting.show(console, "Picked (at s)", names, _columns(listed[:MOST]))
        if len(listed) > MOST:
            console.print(f"{len(listed) - MOST:,} changes more: --json", highlight=False)


def _count(value: Any) -> str:
    return f"{value['mean']:.4g}" if isinstance(value, Mapping) else f"{value}"


def _columns(rows: Sequence[Mapping[str, Any]]) -> list[fitting.Filled]:
    measured = [
        (
            heading,
            [
                f"{row['measured'][key] * factor:,.{digits}f}" if key in row["measured"] else "-"
                for row in rows
            ],
        )
        for heading, key, factor, digits in MEASURED
    ]
    return [("rule", [str(row["rule"] or "default") for row in rows]), *measured]
