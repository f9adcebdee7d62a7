"""Figures of voice beside bulk transfer: what is lost by packet size and window, and what it buys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from lasthop.figures import style
from lasthop.figures.style import Palette

USABLE = 2
"""Per cent of voice packets lost or late up to which petrovic2003 calls voice usable."""

LINEAR = 0.5
"""Per cent below which the axis of a trade-off is linear, down to nothing lost."""


@dataclass(frozen=True)
class Call:
    """One cell: voice lost or late in %, published and simulated; half width of the 95 % interval."""

    published: float
    lost: float
    lost_ci95: float | None


@dataclass(frozen=True)
class Paid:
    """Voice lost or late in %, and the bulk goodput beside it in kbit/s, at a window in packets.

    Half widths of 95 % intervals; None of a single run.
    """

    window: int
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
        axes.axhline(USABLE, color=palette.ink, lw=0.8, ls="--")
    _name_limit(simulated)
    simulated.set_yscale("log")
    _percents(simulated)
    simulated.set_ylabel("voice packets lost or late (%)")
    _legend(figure, palette, [f"window {window}" for window in windows])
    return figure


def trade(lines: Mapping[str, Sequence[Paid]], palette: Palette) -> Figure:
    """Draw voice lost or late over bulk goodput: lines by name, along each the window grows.

    The first and the last window of each line are written beside it. Logarithmic down to `LINEAR`, then linear.
    """
    figure = Figure(figsize=(style.PAGE_INCHES, 3.8), layout="constrained")
    axes = figure.subplots()
    for place, points in enumerate(lines.values()):
        colour = palette.series[place]
        axes.errorbar(
            [point.bulk for point in points],
            [point.lost for point in points],
            xerr=[point.bulk_ci95 or 0.0 for point in points],
            yerr=[point.lost_ci95 or 0.0 for point in points],
            color=colour,
            marker=style.MARKERS[place],
            elinewidth=0.8,
        )
        for point, side in ((points[0], -1), (points[-1], 1)):
            axes.annotate(
                str(point.window),
                (point.bulk, point.lost),
                (6 * side, 4 * side),
                textcoords="offset points",
                color=colour,
                fontsize=7,
                ha="left" if side > 0 else "right",
                va="bottom" if side > 0 else "top",
            )
    axes.axhline(USABLE, color=palette.ink, lw=0.8, ls="--")
    _name_limit(axes)
    axes.set_yscale("symlog", linthresh=LINEAR)  # nothing lost is worth showing
    _percents(axes)
    axes.set_ylim(bottom=-0.3 * LINEAR)  # room for a name below a point at 0
    axes.set_xlabel("goodput of the bulk transfer (kbit/s)")
    axes.set_ylabel("voice packets lost or late (%)")
    _legend(figure, palette, list(lines))
    return figure


def _ends(calls: Calls) -> tuple[list[int], list[int]]:
    return sorted({size for size, _ in calls}), sorted({window for _, window in calls})


def _name_limit(axes: Axes) -> None:
    """Say what the line is: what the paper calls usable."""
    axes.annotate(
        f"usable: under {USABLE} %",
        (0, USABLE),
        (3, -3),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        va="top",
        fontsize=6.5,
    )


def _percents(axes: Axes) -> None:
    """Write out the ticks of a logarithmic axis of per cents, within what is drawn."""
    low, high = axes.get_ylim()
    low, high = min(low, 0.8 * USABLE), max(high, 1.25 * USABLE)
    ticks = [tick for tick in (0, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50) if low <= tick <= high]
    axes.set_yticks(ticks, labels=[f"{tick:g}" for tick in ticks])
    axes.set_ylim(low, high)
    axes.minorticks_off()


def _legend(figure: Figure, palette: Palette, names: list[str]) -> None:
    handles = [
        Line2D([], [], color=colour, marker=marker, label=name)
        for name, colour, marker in zip(names, palette.series, style.MARKERS, strict=False)
    ]
    figure.legend(handles=handles, loc="outside upper center", ncols=len(names))
