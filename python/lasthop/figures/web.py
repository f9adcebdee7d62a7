"""Figures of response times by window and case, simulated beside published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from lasthop.figures import style
from lasthop.figures.style import Palette


@dataclass(frozen=True)
class Time:
    """One cell: published and simulated response time, s, with the half width of its interval."""

    published: float
    mean: float
    ci95: float | None


@dataclass(frozen=True)
class Panel:
    """The cells of one packet size, by (case, window in packets)."""

    title: str
    times: Mapping[tuple[str, int], Time]


def response(panels: Sequence[Panel], palette: Palette) -> Figure:
    """Draw response time over the window, a curve for each case, a panel for each packet size."""
    figure = Figure(figsize=(style.PAGE_INCHES, 3.4), layout="constrained")
    grid = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
    cases = list(dict.fromkeys(case for case, _ in panels[0].times))
    for axes, panel in zip(grid, panels, strict=True):
        _curves(axes, panel, cases, palette)
    grid[0].set_ylabel("response time of a page (s)")
    names = [
        Line2D([], [], color=colour, marker=marker, label=case)
        for case, colour, marker in zip(cases, palette.series, style.MARKERS, strict=False)
    ]
    kinds = [
        Line2D([], [], color=palette.ink, marker="o", label="simulated, 95 % interval"),
        Line2D([], [], color=palette.ink, ls=":", marker="o", mfc="none", label="published"),
    ]
    figure.legend(handles=names + kinds, loc="outside upper center", ncols=6)
    return figure


def _curves(axes: Axes, panel: Panel, cases: Sequence[str], palette: Palette) -> None:
    windows = sorted({window for _, window in panel.times})
    for place, case in enumerate(cases):
        times = [panel.times[case, window] for window in windows]
        # Spread a little sideways, so that bars of one window do not hide each other.
        at = [window * 1.04 ** (place - 1.5) for window in windows]
        colour, marker = palette.series[place], style.MARKERS[place]
        published = [t.published for t in times]
        axes.plot(at, published, ls=":", lw=1, marker=marker, mfc="none", color=colour)
        bars = [t.ci95 or 0.0 for t in times]
        axes.errorbar(at, [t.mean for t in times], yerr=bars, marker=marker, color=colour)
    axes.set_title(panel.title)
    axes.set_yscale("log")
    ticks = [0.1, 0.2, 0.5, 1, 2, 5, 10]
    axes.set_yticks(ticks, labels=[f"{tick:g}" for tick in ticks])
    axes.set_xlabel("TCP window (packets)")
    style.plain_log_ticks(axes, windows)
