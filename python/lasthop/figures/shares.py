"""Figures of fairness: how stations share a cell, and how often one is starved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from lasthop.claims import STARVED
from lasthop.figures import style
from lasthop.figures.style import Palette


@dataclass(frozen=True)
class Starving:
    """How many of so many runs had a starved station, with an interval of the probability."""

    runs: int
    starved: int
    low: float
    high: float


@dataclass(frozen=True)
class Group:
    """Stations of many runs: parts of the fair share, and starving by packet size in bytes."""

    label: str
    parts: Sequence[float]
    starving: Mapping[int, Starving]


def fairness(groups: Sequence[Group], printed: Sequence[float], palette: Palette) -> Figure:
    """Draw the distribution of shares and the probability of a starved station, by group.

    `printed` are shares of stations that a paper prints, drawn as a distribution of its own.
    """
    figure = Figure(figsize=(style.PAGE_INCHES, 2.9), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(3, 2))
    _distribution(left, groups, printed, palette)
    _probability(right, groups, palette)
    return figure


def _distribution(
    axes: Axes, groups: Sequence[Group], printed: Sequence[float], palette: Palette
) -> None:
    lines = ("-", "--")
    for group, colour, line in zip(groups, palette.series, lines, strict=False):
        axes.ecdf(group.parts, color=colour, ls=line, label=f"simulated, {group.label}")
    if printed:
        axes.ecdf(
            printed, color=palette.ink, lw=1, ls=":", label="published, 4 cells with RTS (table 2)"
        )
    axes.axvspan(0, STARVED, color=palette.faint, lw=0)
    axes.annotate(
        "starved",
        (STARVED, 0.5),
        xytext=(4, 0),
        textcoords="offset points",
        fontsize=7,
        va="center",
        bbox={"facecolor": palette.paper, "edgecolor": "none", "pad": 1},
    )
    axes.set_xlim(0, max([2.5, *printed]))
    axes.set_ylim(0, 1.01)
    axes.set_xlabel("goodput of a station / fair share")
    axes.set_ylabel("part of stations at or below")
    axes.set_title("How stations share")
    axes.legend(loc="lower right")


def _probability(axes: Axes, groups: Sequence[Group], palette: Palette) -> None:
    sizes = sorted({size for group in groups for size in group.starving})
    for place, (group, colour) in enumerate(zip(groups, palette.series, strict=False)):
        at = np.arange(len(sizes)) + 0.16 * (2 * place - 1)
        found = [group.starving[size] for size in sizes]
        middle = [100 * each.starved / each.runs if each.runs else 0.0 for each in found]
        below = [m - 100 * each.low for m, each in zip(middle, found, strict=True)]
        above = [100 * each.high - m for m, each in zip(middle, found, strict=True)]
        axes.errorbar(
            at,
            middle,
            yerr=(below, above),
            ls="",
            marker=style.MARKERS[place],
            color=colour,
            label=group.label,
        )
    axes.set_xticks(range(len(sizes)), labels=[str(size) for size in sizes])
    axes.grid(visible=False, axis="x")
    top = max(100 * each.high for group in groups for each in group.starving.values())
    axes.set_ylim(-0.02 * top, 1.3 * top)  # room for markers at zero, and for the legend
    axes.set_xlabel("packet size (bytes)")
    axes.set_ylabel("runs with a starved station (%)")
    axes.set_title("How often one is starved")
    axes.legend(loc="upper center", ncols=len(groups))
