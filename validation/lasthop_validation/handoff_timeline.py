"""A handoff on a line of time: frames by kind and channel as captured, and the parts of the results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from matplotlib.figure import Figure

from lasthop.data import pcapng
from lasthop.pages.figures import style
from lasthop.pages.figures.palette import Palette
from lasthop_validation.handoff_capture import NANOSECOND, Seen

KINDS = {
    pcapng.BEACON: "beacon",
    pcapng.PROBE_REQUEST: "probe",
    pcapng.PROBE_RESPONSE: "probe",
    pcapng.AUTHENTICATION: "authentication",
    pcapng.REASSOCIATION_REQUEST: "association",
    pcapng.REASSOCIATION_RESPONSE: "association",
    pcapng.DATA: "data, each attempt",
}
"""The rows of the figure, from the bottom up."""
PARTS = ("detection", "scan", "authentication", "association")
MARGIN_S = 0.06


def draw(seen: Seen, parts: Mapping[str, Any], palette: Palette) -> Figure:
    """Draw what the station sent and heard around `seen`, and the parts of the same handoff in the results."""
    figure = Figure(figsize=(style.PAGE_INCHES, 2.8), layout="constrained")
    axes = figure.subplots()
    rows = list(dict.fromkeys(KINDS.values()))
    frequencies = sorted({frame.frequency_mhz for frame in seen.frames})
    for frequency, colour, marker in zip(frequencies, palette.series, style.MARKERS, strict=False):
        shown = [f for f in seen.frames if f.frequency_mhz == frequency and f.kind in KINDS]
        axes.plot(
            [1000 * (f.at * NANOSECOND - seen.last_beacon) for f in shown],
            [rows.index(KINDS[f.kind]) for f in shown],
            color=colour, marker=marker, ls="", ms=3, label=f"{frequency} MHz",
        )  # fmt: skip
    begin = 0.0
    for part, colour in zip(PARTS, palette.series[2:], strict=False):
        width = 1000 * parts[f"{part}_s"]
        axes.barh(len(rows), width, left=begin, height=0.7, color=colour, label=part)
        begin += width
    axes.set_yticks(range(len(rows) + 1), labels=[*rows, "parts"])
    gap = [1000 * (at - seen.last_beacon) for at in (seen.last_before, seen.first_after)]
    axes.axvspan(*gap, color=palette.faint, lw=0, alpha=0.6, zorder=0, label="gap")
    axes.set_xlim(1000 * -MARGIN_S, 1000 * (seen.associated - seen.last_beacon + MARGIN_S))
    axes.set_xlabel("ms since the last beacon of the old access point")
    axes.set_title("A handoff: what the station sent and heard, and the parts in the results")
    figure.legend(loc="outside lower center", ncols=4)
    return figure
