"""The table of a run's handoffs: each with its parts, its gap and what it cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lasthop.core.quantities.shown import Column

COLUMNS = (
    Column("at\n{}", "at_s", 1, shown_in="s"),
    Column("de-\ntect", "detection_s"),
    Column("scan", "scan_s", when="any"),
    Column("asso-\nciate", "associating_s", when="any"),
    Column("regi-\nster", "registering_s", when="any"),
    Column("re-\nsume", "resumption_s", when="any"),
    Column("gap", "gap_s"),
    Column("lost", "lost", when="any"),
    Column("late", "delayed", when="any"),
    Column("tun-\nnel", "tunnelled", when="any"),
)
"""With Mobile IP the parts add up to the gap; without, they begin with the last beacon, and the gap with the last
packet."""

MOST = 30
"""The largest number of handoffs shown, the first ones."""

#: Columns that combine several parts of the document.
SUMS = {
    "associating_s": ("authentication_s", "association_s"),
    "registering_s": ("discovery_s", "registration_s"),
}


def rows(summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a row for each change of access point or agent; to find the first one is none.

    Of several replications there are means: with intervals the table would be too wide.
    """
    changes = [each for each in summary.get("handoffs", []) if each["from"] is not None]
    several = len({each["station"] for each in changes}) > 1
    return [_row(each, each["station"] + " " if several else "") for each in changes]


def title(count: int) -> str:
    """Return the heading of a table of `count` handoffs."""
    shown = f", the first {MOST} of {count}; --json has all" if count > MOST else ""
    return f"Handoffs (times in ms){shown}"


def _row(change: dict[str, Any], station: str) -> dict[str, Any]:
    row = {key: _mean(value) for key, value in change.items()}
    for key, parts in SUMS.items():
        known = [row[part] for part in parts if row.get(part) is not None]
        row[key] = sum(known) if known else None
    trigger = change["trigger"].replace("_", " ")
    return row | {"name": f"{station}{change['from']} > {change['to']}\n({trigger})"}


def _mean(value: Any) -> Any:
    return value.get("mean") if isinstance(value, dict) else value
