"""802.16 frames as maps: symbols across, a line a frame, bursts in their stations' colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from lasthop.pages.figures import style
from lasthop.pages.figures.frame_map import WORDS, Map, Part, up_from, used
from lasthop.pages.figures.palette import Palette

HATCHES = ("", "//", "\\\\", "xx", "..", "++")
"""Of more stations than there are colours the next ones have a hatch too."""


def frame_maps(
    maps: Sequence[Map], stations: Sequence[str], width: str, palette: Palette
) -> Figure:
    """Draw frames one above the other, the first at the top; `stations` have the same colours in all."""
    inches = style.PAGE_INCHES if width == "two" else style.COLUMN_INCHES
    figure = Figure(layout="constrained")
    axes = figure.subplots()
    symbols = max(part.first + part.symbols for each in maps for part in each.parts)
    uses: dict[str, Patch] = {}
    for place, each in enumerate(maps):
        for part in each.parts:
            looks = _looks(part, stations, palette)
            axes.broken_barh(
                [(part.first, part.symbols)],
                (place - 0.36, 0.72),
                lw=0.5,
                edgecolor=palette.ink,
                **looks,
            )
            if part.station:
                _name(axes, part, place, symbols / inches, palette)
            key = part.station or WORDS[part.use]
            uses.setdefault(key, Patch(label=key, lw=0.5, edgecolor=palette.ink, **looks))
        up = up_from(each)
        axes.plot([up, up], [place - 0.47, place + 0.47], color=palette.ink, lw=1.6)
    axes.set_yticks(range(len(maps)), labels=[f"{each.frame}" for each in maps])
    axes.set_ylabel("frame")
    axes.set_ylim(len(maps) - 0.45, -0.55)
    axes.set_xlim(0, symbols)
    axes.set_xlabel("symbol (left of the bar: downlink, right of it: uplink)")
    axes.grid(visible=False)
    known = used(maps, stations)
    columns = 5 if width == "two" else 2
    lines = -(-len(known) // columns)
    figure.set_size_inches(inches, 0.65 + 0.4 * len(maps) + 0.17 * lines)
    figure.legend(
        handles=[uses[key] for key in known],
        loc="outside lower center",
        ncols=columns,
        handlelength=1.4,
    )
    return figure


def _looks(part: Part, stations: Sequence[str], palette: Palette) -> dict[str, Any]:
    if part.station:
        place = stations.index(part.station)
        count = len(palette.series)
        hatch = HATCHES[place // count % len(HATCHES)]
        return {"facecolor": palette.series[place % count], "hatch": hatch}
    return {
        "preamble": {"facecolor": palette.ink},
        "broadcast": {"facecolor": palette.faint},
        "ranging": {"facecolor": palette.paper, "hatch": "......"},
        "requests": {"facecolor": palette.paper, "hatch": "/////"},
        "gap": {"facecolor": palette.paper, "hatch": "xxxxxx"},
        "unused": {"facecolor": palette.paper},
    }[part.use]


def _name(axes: Axes, part: Part, place: int, symbols_an_inch: float, palette: Palette) -> None:
    """Write a station's name into its burst where there is room for it."""
    if part.symbols / symbols_an_inch > 0.075 * len(part.station) + 0.04:
        middle = part.first + part.symbols / 2
        colour = palette.paper
        axes.text(middle, place, part.station, ha="center", va="center", color=colour, fontsize=7)
