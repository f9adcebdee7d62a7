"""What became of packets: how long they took, where their time went, why they were lost, why windows were cut."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from lasthop.picture.roles import roles

POINTS = 160
"""Points of a distribution's line."""

PARTS = {
    "queueing": "queue",
    "access": "access to the medium",
    "retries": "retries",
    "transmission": "transmission",
    "wire": "wires",
    "handoff": "handoff",
}
"""Where the time of a packet goes, as `delay_split_s` has it."""

MOST = 24
"""Of more flows those with most of it have a bar."""

Bars = dict[str, Any]
"""A title, a unit, the names of parts, and rows of a name and a value for each part."""


def distributions(document: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return which share of what each flow sent had arrived after so long; None without the probe `packets`.

    Lost packets never arrive: where a line ends below 100 % the rest is lost, so that no delay is
    of survivors only.
    """
    packets = document["probes"].get("packets")
    if not packets:
        return None
    start = document["duration_s"] - document["measured_s"]
    sent = np.array(packets["time_s"], dtype=float)
    took = np.array([np.nan if t is None else t for t in packets["received_s"]], dtype=float) - sent
    ended = ~np.isnan(took) | np.array([t is not None for t in packets["dropped_s"]], dtype=bool)
    data = np.array([way == "data" for way in packets["direction"]], dtype=bool)
    counted = data & ended & (sent >= start)
    names = np.array(packets["flow"], dtype=object)
    shown, said = roles(document["flows"])
    arrived = counted & ~np.isnan(took)
    if not arrived.any():
        return None
    low, high = 1e3 * took[arrived].min(), 1e3 * took[arrived].max()
    grid = np.geomspace(max(low, 1e-3) * 0.95, max(high, 2e-3) * 1.05, POINTS)
    lines = []
    for role in shown:
        own = counted & np.isin(names, role.flows)
        if own.any():
            there = np.sort(1e3 * took[own & arrived])
            share = 100 * np.searchsorted(there, grid, side="right") / int(own.sum())
            values = [float(f"{v:.4g}") for v in share]
            name = role.name.replace("mean of", "all")
            lines.append({"name": name, "values": values, "colour": role.colour})
    return {
        "title": "Share of a flow's packets that had arrived after a given time",
        "unit": "%",
        "x": [float(f"{v:.5g}") for v in grid],
        "x_unit": "ms",
        "lines": lines,
        "note": said,
    }


def bars(document: Mapping[str, Any]) -> list[Bars]:
    """Return delay by cause, losses by cause and window cuts by cause, each where there is any."""
    flows = document["flows"]
    split = [(flow["name"], flow["delay_split_s"]) for flow in flows if flow.get("delay_split_s")]
    parts = [(name, [1e3 * (times[key] or 0.0) for key in PARTS]) for name, times in split]
    found = [
        _bars("Mean delay of a packet that arrived, by cause", "ms", list(PARTS.values()), parts),
        _counted(flows, "packets_lost", "Packets lost, by cause", "packets"),
        _counted(flows, "window_cuts", "Window cuts, by cause", "cuts"),
    ]
    return [each for each in found if each["rows"]]


def _counted(flows: list[dict[str, Any]], key: str, title: str, unit: str) -> Bars:
    causes = dict.fromkeys(
        cause for flow in flows for cause, count in (flow.get(key) or {}).items() if count
    )
    rows = [(f["name"], [(f.get(key) or {}).get(cause, 0) for cause in causes]) for f in flows]
    return _bars(title, unit, [cause.replace("_", " ") for cause in causes], rows)


def _bars(title: str, unit: str, parts: list[str], rows: list[tuple[str, list[float]]]) -> Bars:
    """Return bars of what is more than nothing: the parts that some row has, the rows with some part."""
    there = [i for i in range(len(parts)) if any(values[i] > 0 for _, values in rows)]
    kept = [
        {"name": name, "values": [float(f"{values[i]:.5g}") for i in there]}
        for name, values in rows
        if any(values[i] > 0 for i in there)
    ]
    whole = {name: sum(values) for name, values in rows}
    kept.sort(key=lambda row: -whole[str(row["name"])])
    said = f"These are the {MOST} flows of {len(kept)} with the most." if len(kept) > MOST else ""
    shown = [parts[i] for i in there]
    return {"title": title, "unit": unit, "parts": shown, "rows": kept[:MOST], "note": said}
