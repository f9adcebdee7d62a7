"""A measure over an axis: means with intervals, a line for each value of another axis, panels for a third."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from textwrap import fill

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from lasthop.pages.figures import style
from lasthop.pages.figures.chart import MOST_MARKED, Form
from lasthop.pages.figures.chart import Chart as Chart
from lasthop.pages.figures.chart import Curve as Curve
from lasthop.pages.figures.chart import Point as Point
from lasthop.pages.figures.palette import Palette

LINES = ("-", "--", "-.", ":", (0, (6, 2, 1, 2, 1, 2)), (0, (1, 1)))
"""Dashes of the lines: with the markers they say in print what colours say on a screen."""

SHAPES: Mapping[Form, str] = {"dot": "o", "up": "^", "down": "v", "square": "s", "cross": "x"}
"""The marks of curves whose points have a shape and a size of their own."""

MOST_LINES = 12
MOST_PANELS = 6
LABEL_WIDTH = 28
"""Characters of a line of a panel's own label."""

SHORT_LABEL = 8
"""Characters of a label of which five fit in a row of the legend."""


def curves(chart: Chart, width: str, palette: Palette, *, from_zero: bool = True) -> Figure:
    """Draw a chart in the width of ``one`` column of a paper or of ``two``, the y axis `from_zero`."""
    inches = style.COLUMN_INCHES if width == "one" else style.PAGE_INCHES
    across = 1 if width == "one" else min(len(chart.panels), chart.across)
    down = -(-len(chart.panels) // across)
    labels = _labels(chart)
    lines = len(labels)
    per_row = _per_row(labels, width)
    height = 2.35 * down + 0.17 * (-(-lines // per_row)) * (lines > 1)
    figure = Figure(figsize=(inches, height), layout="constrained")
    own = bool(chart.y_labels)
    grid = list(figure.subplots(down, across, sharex=True, sharey=not own, squeeze=False).flat)
    for axes, (title, drawn) in zip(grid, chart.panels, strict=False):
        _panel(axes, chart, drawn, palette)
        axes.set_title(title)
    for axes in grid[len(chart.panels) :]:
        axes.set_visible(False)
    for place, (axes, (_, drawn)) in enumerate(zip(grid, chart.panels, strict=False)):
        free = chart.y_ends is None and not chart.y_log
        if from_zero and free and (own or place == 0) and _from_zero(chart, drawn):
            # Last: it ends the automatic scaling, whose margin is a part of what lies between the points.
            axes.set_ylim(0, 1.03 * axes.get_ylim()[1])
    for axes, label in zip(grid, chart.y_labels, strict=False):
        axes.set_ylabel(fill(label, LABEL_WIDTH))
    figure.supxlabel(chart.x_label, fontsize=8)
    if not own:
        figure.supylabel(chart.y_label, fontsize=8)
    if chart.title and lines <= 1:
        figure.suptitle(chart.title, fontsize=9)
    if lines > 1:
        found = [axes.get_legend_handles_labels() for axes in figure.axes]
        handles = {label: handle for each in found for handle, label in zip(*each, strict=True)}
        figure.legend(
            [handles[label] for label in labels],
            labels,
            loc="outside upper center",
            ncols=min(lines, per_row),
            title=chart.title or None,  # a title by itself would lie on the legend
            title_fontsize=9,
        )
    return figure


def _labels(chart: Chart) -> list[str]:
    """Return the names of the lines that have a point in some panel."""
    every = [curve for _, curves_ in chart.panels for curve in curves_]
    drawn = {curve.label for curve in every if curve.points}
    return [label for label in dict.fromkeys(c.label for c in every) if label in drawn]


def _per_row(labels: Sequence[str], width: str) -> int:
    if width == "one":
        return 2
    return 5 if max(map(len, labels), default=0) <= SHORT_LABEL else 4


def _panel(axes: Axes, chart: Chart, drawn: Sequence[Curve], palette: Palette) -> None:
    places = [place for place, _ in chart.ticks]
    for number, curve in enumerate(drawn):
        if not curve.points:
            continue  # not run: its colour stays its own
        shift = number - (len(drawn) - 1) / 2
        at = [_aside(point.x, shift, places, chart.log) for point in curve.points]
        _curve(axes, chart, curve, at, number, palette)
    if chart.limit is not None:
        level, said = chart.limit
        axes.axhline(level, color=palette.ink, linewidth=0.9, linestyle=(0, (4, 2)))
        axes.annotate(
            said,
            (0.99, level),
            xycoords=axes.get_yaxis_transform(),
            xytext=(0, 2),
            textcoords="offset points",
            ha="right",
            fontsize=7,
        )
    if chart.log:
        axes.set_xscale("log")
    if places and (len(places) <= 8 or not chart.ordered):
        axes.set_xticks(places, labels=[name for _, name in chart.ticks])
        axes.minorticks_off()
    if not chart.ordered:
        axes.set_xlim(-0.5, len(places) - 0.5)
    if chart.x_ends is not None:
        axes.set_xlim(*chart.x_ends)
    if chart.upright is not None:
        axes.axvline(chart.upright, color=palette.ink, linewidth=0.9)
    _scale_up(axes, chart)


def _scale_up(axes: Axes, chart: Chart) -> None:
    """Give the y axis its scale, its ends and its ticks, where the chart says them."""
    if chart.y_log:
        axes.set_yscale("log")
    if chart.y_ends is not None:
        axes.set_ylim(*chart.y_ends)
    if chart.y_ticks:
        axes.set_yticks(
            [place for place, _ in chart.y_ticks], labels=[name for _, name in chart.y_ticks]
        )
        axes.minorticks_off()


def _curve(
    axes: Axes, chart: Chart, curve: Curve, at: Sequence[float], number: int, palette: Palette
) -> None:
    place = curve.tone if isinstance(curve.tone, int) else number
    colour = palette.series[place % len(palette.series)]
    halves = list(zip(*(point.reach for point in curve.points), strict=True))
    means = [point.mean for point in curve.points]
    if curve.form == "band":
        ends = [(p.mean - p.reach[0], p.mean + p.reach[1]) for p in curve.points]
        low, high = zip(*ends, strict=True)
        axes.fill_between(at, low, high, color=colour, alpha=0.22, lw=0, label=curve.label)
        return
    if curve.form in SHAPES:
        sizes = [(1.5 * point.radius) ** 2 for point in curve.points]  # 0.75 pt a px
        axes.scatter(
            at, means, s=sizes, c=colour, marker=SHAPES[curve.form], label=curve.label, lw=1
        )
        return
    is_line = chart.ordered and chart.joined and curve.form in ("line", "steps")
    is_marked = curve.form == "line" and (len(at) <= MOST_MARKED or not chart.joined)
    marker = style.MARKERS[number % len(style.MARKERS)] if is_marked else ""
    axes.errorbar(
        at,
        means,
        yerr=halves if any(map(any, halves)) else None,
        color=colour,
        alpha=1.0 if chart.joined else 0.8,
        mfc=colour if number < len(style.MARKERS) else "none",
        ls=LINES[1 if curve.dashed else place % len(LINES)] if is_line else "",
        drawstyle="steps-post" if curve.form == "steps" else "default",
        label=curve.label,
        marker="." if curve.form == "dots" else marker,
        markersize=1.5 if curve.form == "dots" else None,
    )


def _from_zero(chart: Chart, drawn: Sequence[Curve]) -> bool:
    """Return whether no panel of this scale has a value below zero."""
    panels = [drawn] if chart.y_labels else [each for _, each in chart.panels]
    return all(_lowest(each) >= 0 for each in panels)


def _lowest(drawn: Sequence[Curve]) -> float:
    return min((p.mean for curve in drawn for p in curve.points), default=0.0)


def _aside(x: float, shift: float, places: Sequence[float], log: bool) -> float:
    """Move a point a little, so that bars at one place do not hide each other; not where places are any."""
    if not places:
        return x
    if log:
        return float(x * 1.025**shift)
    gaps = [b - a for a, b in pairwise(places)]
    return float(x + 0.03 * shift * min(gaps, default=1.0))
