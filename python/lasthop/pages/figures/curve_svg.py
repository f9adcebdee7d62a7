"""A chart as SVG in a page: the `Chart` that `curves` draws for papers, without matplotlib.

Places along the x axis are in per cent of a panel, heights in pixels: one SVG fits every width and its
text never scales. Names stand at the ends of their lines where there is room, else in a key above. Colours
are classes, which the page's style has for light and dark.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from html import escape
from itertools import pairwise
from typing import Any

from markupsafe import Markup

from lasthop.pages.figures import marks, takeaway
from lasthop.pages.figures.chart import MOST_MARKED, Chart, Curve
from lasthop.pages.figures.inline_svg import (
    WIDE,
    Scale,
    even,
    mark,
    path,
    steps,
    stretched,
    svg,
    text,
    tick_said,
)
from lasthop.pages.figures.inline_svg import key as key_of
from lasthop.pages.figures.marks import Plot

HEIGHT = 190
"""Height of a panel's plot, px."""

TOP, ROW = 8, 14
"""Room above the plot, and the height of a line of names below it, px."""

GAP = 14
"""Least distance of names at line ends, px."""

DIRECT = 13
"""Characters of the longest name that has room at the end of its line on a phone."""

NARROW, LETTER = 230, 6.6
"""Width of a panel on a phone, and of a letter of its ticks, px."""

ASIDE = 0.06
"""Distance of marks of neighbouring curves over a name, in the distance of names."""

MOST_LOG = 6
"""Gaps between ticks of a logarithmic axis, at most."""


def _labelled(label: str, *, log: bool) -> str:
    """Return the label of an axis, which says whether that is logarithmic behind its unit."""
    if not log:
        return label
    return f"{label[:-1]}, logarithmic)" if label.endswith(")") else f"{label} (logarithmic)"


def figure(chart: Chart, caption: str, name: str, *, from_zero: bool = True) -> dict[str, Any]:
    """Return a chart for the template's macro `figure`: its panels as SVG, its labels, and its numbers."""
    chart = replace(
        chart, panels=[(title, [marks.thinned(c) for c in drawn]) for title, drawn in chart.panels]
    )
    labels = list(dict.fromkeys(c.label for _, drawn in chart.panels for c in drawn if c.points))
    direct = labels != [""] and max(map(len, labels), default=0) <= DIRECT and _are_lines(chart)
    across = _across(chart)
    whole = [curve for _, drawn in chart.panels for curve in drawn]
    shared = None if chart.y_labels else _up(whole, chart, from_zero)
    panels = []
    for at, (title, drawn) in enumerate(chart.panels):
        plot = Plot(across, shared or _up(drawn, chart, from_zero), TOP, HEIGHT)
        head = (title, "".join(chart.y_labels[at : at + 1]))
        titled = ": ".join(part for part in head if part)
        picture = _panel(chart, drawn, labels, plot, titled or caption, direct)
        panels.append({"title": titled, "svg": picture})
    return {
        "name": name,
        "caption": caption,
        "y_label": "" if chart.y_labels else _labelled(chart.y_label, log=chart.y_log),
        "x_label": _labelled(chart.x_label, log=chart.log),
        "panels": panels,
        "is_named": direct,
        "key": [] if direct or labels == [""] else _key(whole, labels),
        "numbers": _numbers(chart),
    }


def _are_lines(chart: Chart) -> bool:
    return all(c.form in ("line", "steps") for _, drawn in chart.panels for c in drawn)


def _across(chart: Chart) -> Scale:
    if chart.x_ends is not None:
        return Scale(*chart.x_ends, log=chart.log)
    places = [p.x for _, drawn in chart.panels for c in drawn for p in c.points]
    if not chart.ordered:  # also the names of which nothing is known have their place
        places += [place for place, _ in chart.ticks]
    if not places:
        return Scale(0.0, 1.0)
    low, high = min(places), max(places)
    if chart.log and low > 0:
        return _decades(low, high)
    room = 0.04 * (high - low) if chart.ordered and high > low else 0.5
    return Scale(low - room, high + room)


def _up(drawn: Sequence[Curve], chart: Chart, from_zero: bool) -> Scale:
    if chart.y_ends is not None:
        return Scale(*chart.y_ends, log=chart.y_log)
    values = [
        x for c in drawn for p in c.points for x in (p.mean - p.reach[0], p.mean + p.reach[1])
    ]
    if chart.limit is not None:
        values.append(chart.limit[0])
    if chart.y_log and min(values, default=0.0) > 0:
        return _decades(min(values), max(values))
    return even(values or [0.0, 1.0], zero=from_zero and min(values, default=0.0) >= 0)


def _decades(low: float, high: float) -> Scale:
    room = (high / low) ** 0.04 if high > low else 2.0
    return Scale(low / room, high * room, log=True)


def _panel(
    chart: Chart,
    drawn: Sequence[Curve],
    labels: Sequence[str],
    plot: Plot,
    said: str,
    direct: bool,
) -> Markup:
    """Draw a panel; where names are `direct` each stands at the end of its line."""
    parts = []
    y_ticks = _y_ticks(chart, plot.up)
    grid = "".join(f"M0 {plot.y(place) - TOP:g}H{WIDE}" for place, _ in y_ticks)
    parts.append(stretched([path("g", grid)], TOP, HEIGHT))
    said_at = [f'<text y="{plot.y(place):g}">{escape(name)}</text>' for place, name in y_ticks]
    parts += ['<g text-anchor="end" transform="translate(-6 4)">', *said_at, "</g>"]
    ticks, rows = _x_ticks(chart, plot.across)
    parts += [
        text(name, plot.across.at(place), TOP + HEIGHT + 16 + ROW * row)
        for place, name, row in ticks
    ]
    if chart.upright is not None:
        x = plot.x(chart.upright)
        parts.append(f'<line class="limit" x1="{x}" x2="{x}" y1="{TOP}" y2="{TOP + HEIGHT}"/>')
    if chart.limit is not None:
        level, words = chart.limit
        y = plot.y(level)
        parts.append(f'<line class="limit" x1="0" x2="100%" y1="{y:g}" y2="{y:g}"/>')
        parts.append(text(words, 100, y - 4, anchor="end"))
    ends, paths, shaped = [], [], []
    is_joined = chart.ordered and chart.joined
    for curve in drawn:
        if curve.points:
            place = labels.index(curve.label)
            tone = marks.tone(curve, place)
            shown = curve if chart.ordered else _beside(curve, place, len(labels))
            inside, outside = marks.drawn(shown, plot, tone, is_joined=is_joined)
            paths.append(inside)
            shaped += outside
            ends.append((plot.y(curve.points[-1].mean), curve.label, tone))
    parts += [stretched(paths, TOP, HEIGHT), *shaped]
    if direct:
        parts += _names(ends)
    return svg(parts, HEIGHT + TOP + 6 + ROW * rows, said)


def _beside(curve: Curve, place: int, count: int) -> Curve:
    """Return a curve over names with its marks a little aside, so that none hides that of another curve."""
    aside = (place - (count - 1) / 2) * min(ASIDE, 0.6 / count)
    return replace(curve, points=[replace(p, x=p.x + aside) for p in curve.points])


def _y_ticks(chart: Chart, up: Scale) -> list[tuple[float, str]]:
    known = [tick for tick in chart.y_ticks if up.shows(tick[0])]
    places = [HEIGHT * up.at(place) / 100 for place, _ in known]
    if known and all(b - a >= ROW for a, b in pairwise(sorted(places))):
        return known
    return [(tick, tick_said(tick)) for tick in steps(up, MOST_LOG if up.log else 4)]


def _x_ticks(chart: Chart, across: Scale) -> tuple[list[tuple[float, str, int]], int]:
    """Return ticks with the row of names that each is in, and how many rows there are.

    Names of things are all there, in rows where they would lie on each other. Of numbers those that were run,
    where they have room on a phone, else round ones.
    """
    known = [(place, name) for place, name in chart.ticks if across.shows(place)]
    if known and not chart.ordered:
        rows: list[float] = []
        placed = []
        for place, name in known:
            middle, half = across.at(place) / 100 * NARROW, LETTER * len(name) / 2
            row = next((n for n, end in enumerate(rows) if middle - half > end), len(rows))
            rows[row : row + 1] = [middle + half + LETTER]
            placed.append((place, name, row))
        return placed, len(rows)
    if not known or _crowded(known, across):
        most = MOST_LOG if across.log else 4
        known = [(tick, tick_said(tick)) for tick in steps(across, most)]
    while _crowded(known, across):
        known = known[::2]
    return [(place, name, 0) for place, name in known], 1


def _crowded(ticks: Sequence[tuple[float, str]], across: Scale) -> bool:
    """Return whether names of ticks lie on each other on a phone."""
    end = -1e9
    for place, name in ticks:
        middle, half = across.at(place) / 100 * NARROW, LETTER * len(name) / 2
        if middle - half < end:
            return True
        end = middle + half + LETTER
    return False


def _names(ends: Sequence[tuple[float, str, str]]) -> list[str]:
    """Write names at the ends of lines, moved apart where they would lie on each other."""
    placed: list[tuple[float, str, str]] = []
    for at, label, tone in sorted(ends):
        placed.append((max(at, placed[-1][0] + GAP) if placed else at, label, tone))
    over = max((placed[-1][0] if placed else 0.0) - (TOP + HEIGHT), 0.0)
    named = [
        f'<text x="100%" y="{max(at - over, TOP):g}" class="{tone}">{escape(label)}</text>'
        for at, label, tone in placed
    ]
    return ['<g class="names" text-anchor="start" transform="translate(8 4)">', *named, "</g>"]


def _key(drawn: Sequence[Curve], labels: Sequence[str]) -> list[dict[str, Any]]:
    """Return what each kind of line or mark is: how it looks, and its label."""
    found = []
    for label in labels:
        curve = next(c for c in drawn if c.label == label and c.points)
        tone = marks.tone(curve, labels.index(label))
        if curve.form == "band":
            look = '<rect class="area" x="0" y="1" width="16" height="10"/>'
        elif curve.form in ("line", "steps"):
            dot = mark("", "8", 6, 3) if len(curve.points) <= MOST_MARKED else ""
            look = f'<line x1="0" x2="16" y1="6" y2="6"/>{dot if curve.form == "line" else ""}'
        else:
            look = mark(curve.form, "8", 6, 4)
        found.append({"svg": key_of(tone, look), "label": label})
    return found


def _numbers(chart: Chart) -> dict[str, Any]:
    """Return all points that are drawn, or the chart's own table."""
    if chart.table is not None:
        return takeaway.kept(*chart.table)
    rows = [
        [title or "".join(chart.y_labels[at : at + 1]), curve.label, p.x, p.mean, p.half]
        for at, (title, drawn) in enumerate(chart.panels)
        for curve in drawn
        for p in curve.points
    ]
    return takeaway.kept(["panel", "line", "x", "mean", "ci95"], rows, 2)
