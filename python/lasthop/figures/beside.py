"""What real-time traffic pays beside a transfer: on a line of time, and as a trade-off over its throughput."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from lasthop.figures import style
from lasthop.figures.curves import LINES
from lasthop.figures.style import Palette

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Place:
    """A cell: the transfer's goodput (kbit/s) and what it costs, with half widths of 95 % intervals."""

    label: str
    goodput: float
    goodput_ci95: float | None
    cost: float
    cost_ci95: float | None


@dataclass(frozen=True)
class Panel:
    """Lines by name, each along one setting."""

    title: str
    cost: str
    lines: Mapping[str, Sequence[Place]]


def timeline(window: tuple[Array, Array], gaps: tuple[Array, Array], palette: Palette) -> Figure:
    """Draw a congestion window above the interarrival times of another flow's packets."""
    figure = Figure(figsize=(style.PAGE_INCHES, 3.6), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True)
    above.step(*window, where="post", color=palette.series[0], lw=0.9)
    above.set_ylabel("cwnd (segments)")
    above.set_title("the transfer's congestion window")
    times, values = gaps
    below.plot(times, 1e3 * values, ls="", marker=".", ms=1.5, color=palette.series[1])
    below.set_ylabel("interarrival (ms)")
    below.set_title("the film's packets at n0")
    below.set_xlabel("time (s)")
    for axes in (above, below):
        axes.set_ylim(bottom=0)
        axes.set_xlim(0, float(times[-1]))
    return figure


def trade(rows: Sequence[Sequence[Panel]], palette: Palette) -> Figure:
    """Draw costs over goodput: a row of panels for each cost, a line for each name."""
    size = (style.PAGE_INCHES, 0.3 + 2.2 * len(rows))
    figure = Figure(figsize=size, layout="constrained")
    grid = figure.subplots(len(rows), len(rows[0]), sharex="col", sharey="row", squeeze=False)
    for line, panels in zip(grid, rows, strict=True):
        for axes, panel in zip(line, panels, strict=True):
            _panel(axes, panel, palette)
        line[0].set_ylabel(panels[0].cost)
    for axes, panel in zip(grid[0], rows[0], strict=True):
        axes.set_title(panel.title)
    figure.supxlabel("goodput of the transfer (kbit/s)", fontsize=8)
    handles, labels = grid[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=len(labels))
    return figure


def _panel(axes: Axes, panel: Panel, palette: Palette) -> None:
    for number, (name, places) in enumerate(panel.lines.items()):
        axes.errorbar(
            [place.goodput for place in places],
            [place.cost for place in places],
            xerr=[place.goodput_ci95 or 0.0 for place in places],
            yerr=[place.cost_ci95 or 0.0 for place in places],
            color=palette.series[number],
            marker=style.MARKERS[number],
            ls=LINES[number],
            elinewidth=0.6,
            label=name,
        )
    ends = list(panel.lines.values())[-1]  # of one line: those of all would hide each other
    for place in dict.fromkeys((*ends[:1], *ends[-1:])):
        at = (place.goodput, place.cost)
        axes.annotate(place.label, at, (5, -9), textcoords="offset points", fontsize=6.5)
