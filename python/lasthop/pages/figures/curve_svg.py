"""A measure over an axis as SVG in a page: the `Chart` that `curves` draws for papers, without matplotlib.

Places along the x axis are in per cent of a panel, heights in pixels: one SVG fits every width and its
text never scales. Names stand at the ends of their lines. Colours are classes, which the page's style has
for light and dark.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from markupsafe import Markup

from lasthop.numbers.numerals import number
from lasthop.pages.figures.chart import Chart, Curve, Point
from lasthop.pages.figures.inline_svg import Scale, even, steps, svg, text

HEIGHT = 190
"""Height of a panel's plot, px."""

BELOW, TOP = 20, 8
"""Room for the numbers of the x axis, and above the plot, px."""

GAP = 14
"""Least distance of names at line ends, px."""

TONES = 6
"""Colours of lines; of more lines those that follow have the same and are dashed."""

MOST_TICKS = 8


def figure(chart: Chart, caption: str, name: str, *, from_zero: bool = True) -> dict[str, Any]:
    """Return a chart for the template's macro `curves`: its panels as SVG, its labels, and its numbers as CSV."""
    labels = list(dict.fromkeys(c.label for _, drawn in chart.panels for c in drawn if c.points))
    across = _across(chart)
    shared = (
        None if chart.y_labels else _up([c for _, d in chart.panels for c in d], chart, from_zero)
    )
    panels = []
    for at, (title, drawn) in enumerate(chart.panels):
        up = shared or _up(drawn, chart, from_zero)
        said = f"{caption}. {title}".strip()
        picture = _panel(chart, drawn, labels, across, up, said)
        panels.append({"title": title or "".join(chart.y_labels[at : at + 1]), "svg": picture})
    return {
        "name": name,
        "caption": caption,
        "y_label": "" if chart.y_labels else chart.y_label,
        "x_label": chart.x_label + (" (logarithmic)" if chart.log else ""),
        "panels": panels,
        "csv": _csv(chart),
    }


def _across(chart: Chart) -> Scale:
    places = [p.x for _, drawn in chart.panels for c in drawn for p in c.points]
    if not places:
        return Scale(0.0, 1.0)
    low, high = min(places), max(places)
    if chart.log and low > 0:
        room = (high / low) ** 0.03 if high > low else 2.0
        return Scale(low / room, high * room, log=True)
    room = 0.04 * (high - low) if chart.ordered and high > low else 0.5
    return Scale(low - room, high + room)


def _up(drawn: Sequence[Curve], chart: Chart, from_zero: bool) -> Scale:
    values = [
        x for c in drawn for p in c.points for x in (p.mean - p.reach[0], p.mean + p.reach[1])
    ]
    if chart.limit is not None:
        values.append(chart.limit[0])
    return even(values or [0.0, 1.0], zero=from_zero and min(values, default=0.0) >= 0)


def _panel(
    chart: Chart,
    drawn: Sequence[Curve],
    labels: Sequence[str],
    across: Scale,
    up: Scale,
    said: str,
) -> Markup:
    def y(value: float) -> float:
        return round(TOP + HEIGHT * (1 - up.at(value) / 100), 1)

    parts = []
    for tick in steps(up):
        parts.append(f'<line class="g" x1="0" x2="100%" y1="{y(tick):g}" y2="{y(tick):g}"/>')
        parts.append(text(number(tick), 0, y(tick) + 4, anchor="end", dx=-6))
    for place, name in _ticks(chart, across):
        parts.append(text(name, across.at(place), TOP + HEIGHT + 16))
    if chart.limit is not None:
        level, words = chart.limit
        parts.append(f'<line class="limit" x1="0" x2="100%" y1="{y(level):g}" y2="{y(level):g}"/>')
        parts.append(text(words, 100, y(level) - 4, anchor="end"))
    ends = []
    for curve in drawn:
        if curve.points:
            place = labels.index(curve.label)
            parts += _line(chart, curve, place, across, y)
            ends.append((y(curve.points[-1].mean), curve.label, place))
    if labels != [""]:
        parts += _names(ends)
    return svg(parts, HEIGHT + TOP + BELOW, said)


def _ticks(chart: Chart, across: Scale) -> list[tuple[float, str]]:
    ticks = [(place, name) for place, name in chart.ticks if across.shows(place)]
    if not ticks:
        return [(tick, number(tick)) for tick in steps(across)]
    every = -(-len(ticks) // MOST_TICKS) if chart.ordered else 1
    kept: list[tuple[float, str]] = []
    for place, name in ticks[::every]:
        if not kept or across.at(place) - across.at(kept[-1][0]) >= 7:
            kept.append((place, name))
    return kept


def _line(
    chart: Chart, curve: Curve, place: int, across: Scale, y: Callable[[float], float]
) -> list[str]:
    tone = f"s{place % TONES + 1}" + (" again" if place >= TONES else "")

    def x(point: Point) -> str:
        return f"{across.at(point.x):.4g}%"

    parts = []
    if chart.ordered and chart.joined:
        parts += [
            f'<line x1="{x(a)}" x2="{x(b)}" y1="{y(a.mean):g}" y2="{y(b.mean):g}"/>'
            for a, b in pairwise(curve.points)
        ]
    for point in curve.points:
        below, above = point.reach
        if below or above:
            low, high = y(point.mean - below), y(point.mean + above)
            parts.append(f'<line x1="{x(point)}" x2="{x(point)}" y1="{low:g}" y2="{high:g}"/>')
        parts.append(f'<circle cx="{x(point)}" cy="{y(point.mean):g}" r="3"/>')
    return [f'<g class="{tone}">', *parts, "</g>"]


def _names(ends: Sequence[tuple[float, str, int]]) -> list[str]:
    """Write names at the ends of lines, moved apart where they would lie on each other."""
    placed: list[tuple[float, str, int]] = []
    for at, label, place in sorted(ends):
        placed.append((max(at, placed[-1][0] + GAP) if placed else at, label, place))
    over = max((placed[-1][0] if placed else 0.0) - (TOP + HEIGHT), 0.0)
    return [
        text(label, 100, max(at - over, TOP) + 4, f"name s{place % TONES + 1}", "start", 8)
        for at, label, place in placed
    ]


def _csv(chart: Chart) -> str:
    """Return all points, with every digit."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(["panel", "line", "x", "mean", "ci95"])
    for title, drawn in chart.panels:
        for curve in drawn:
            rows.writerows([title, curve.label, p.x, p.mean, p.half] for p in curve.points)
    return text.getvalue()
