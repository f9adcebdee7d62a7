"""Figures of voice beside bulk transfer: what is lost by packet size and window, and what it buys."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from lasthop.figures import style
from lasthop.figures.style import Palette


@dataclass(frozen=True)
class Call:
    """One cell: voice lost or late in %, published and simulated, and bulk goodput in kbit/s.

    Half widths of 95 % intervals; None of a single run.
    """

    published: float
    lost: float
    lost_ci95: float | None
    bulk: float
    bulk_ci95: float | None


Calls = Mapping[tuple[int, int], Call]
"""By (payload of a voice packet in bytes, TCP window in packets)."""


def loss(calls: Calls, palette: Palette) -> Figure:
    """Draw voice lost or late over packet size, a curve for each window; left simulated, right published."""
    figure = Figure(figsize=(style.PAGE_INCHES, 3.2), layout="constrained")
    simulated, printed = figure.subplots(1, 2, sharey=True)
    sizes, windows = _ends(calls)
    for place, window in enumerate(windows):
        cells = [calls[size, window] for size in sizes]
        at = [size * 1.012 ** (place - 2.5) for size in sizes]
        color, marker = palette.series[place], style.MARKERS[place]
        bars = [cell.lost_ci95 or 0.0 for cell in cells]
        simulated.errorbar(at, [cell.lost for cell in cells], yerr=bars, color=color, marker=marker)
        printed.plot(
            at, [cell.published for cell in cells], ls=":", mfc="none", color=color, marker=marker
        )
    for axes, title in ((simulated, "simulated, 95 % interval"), (printed, "published")):
        axes.set_title(title)
        axes.set_xticks(sizes)
        axes.set_xlabel("voice packet (bytes)")
        _limit(axes, palette)
    simulated.set_yscale("log")
    ticks = [0.2, 0.5, 1, 2, 5, 10, 20]
    simulated.set_yticks(ticks, labels=[f"{tick:g}" for tick in ticks])
    simulated.set_ylabel("voice packets lost or late (%)")
    _legend(figure, palette, [f"window {window}" for window in windows])
    return figure


def trade(calls: Calls, palette: Palette) -> Figure:
    """Draw voice lost or late over bulk goodput: a line for each packet size, along the windows."""
    figure = Figure(figsize=(style.PAGE_INCHES, 3.8), layout="constrained")
    axes = figure.subplots()
    sizes, windows = _ends(calls)
    for place, size in enumerate(sizes):
        cells = [calls[size, window] for window in windows]
        axes.errorbar(
            [cell.bulk for cell in cells],
            [cell.lost for cell in cells],
            xerr=[cell.bulk_ci95 or 0.0 for cell in cells],
            yerr=[cell.lost_ci95 or 0.0 for cell in cells],
            color=palette.series[place],
            marker=style.MARKERS[place],
        )
        for window, cell in zip(windows, cells, strict=True):
            if window in (windows[0], windows[-1]):
                at = (cell.bulk, cell.lost)
                axes.annotate(
                    f"window {window}", at, (5, 5), textcoords="offset points", fontsize=6.5
                )
    _limit(axes, palette)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("goodput of the bulk transfer (kbit/s)")
    axes.set_ylabel("voice packets lost or late (%)")
    _legend(figure, palette, [f"{size} B a voice packet" for size in sizes])
    return figure


def _ends(calls: Calls) -> tuple[list[int], list[int]]:
    return sorted({size for size, _ in calls}), sorted({window for _, window in calls})


def _limit(axes: Axes, palette: Palette) -> None:
    """Draw what the paper calls usable."""
    axes.axhline(2, color=palette.ink, lw=0.8, ls="--")
    axes.annotate(
        "usable: under 2 %",
        (1, 2),
        (-2, -9),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        ha="right",
        fontsize=6.5,
    )


def _legend(figure: Figure, palette: Palette, names: list[str]) -> None:
    handles = [
        Line2D([], [], color=colour, marker=marker, label=name)
        for name, colour, marker in zip(names, palette.series, style.MARKERS, strict=False)
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=len(names))
