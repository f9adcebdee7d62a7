"""The table of handoffs that `lasthop run` shows: each with its parts, its gap and what it cost."""

from __future__ import annotations

from typing import Any

#: Heading, key, factor to the unit, digits after the point. With Mobile IP the parts add up to the gap; without,
#: they begin with the last beacon, and the gap with the last packet.
COLUMNS: list[tuple[str, str, float, int]] = [
    ("at\ns", "at_s", 1, 1),
    ("de-\ntect", "detection_s", 1e3, 0),
    ("scan", "scan_s", 1e3, 0),
    ("asso-\nciate", "associating_s", 1e3, 0),
    ("regi-\nster", "registering_s", 1e3, 0),
    ("re-\nsume", "resumption_s", 1e3, 0),
    ("gap", "gap_s", 1e3, 0),
    ("lost", "lost", 1, 0),
    ("late", "delayed", 1, 0),
    ("tun-\nnel", "tunnelled", 1, 0),
]
#: Columns that are shown only where one row has more than a zero there.
IF_ANY = {key for _, key, *_ in COLUMNS} - {"at_s", "detection_s", "gap_s"}
MOST = 30
"""So many are shown, the first ones."""

#: What is one column here, and its parts in the document.
SUMS = {
    "associating_s": ("authentication_s", "association_s"),
    "registering_s": ("discovery_s", "registration_s"),
}


def rows(summary: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a row for each change of access point or agent; to find the first one is none.

    Of several replications there are means: with intervals the table would be too wide.
    """
    changes = [each for each in summary.get("handoffs", []) if each["from"] is not None]
    several = len({each["station"] for each in changes}) > 1
    return [_row(each, each["station"] + " " if several else "") for each in changes]


def title(count: int) -> str:
    """Return the heading of a table of so many."""
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
