"""Small charts for the documentation: SVG of a few kilobytes that light and dark pages can show.

A picture has a ground of its own, since a page's switch between light and dark reaches no `<img>`: it follows the
system, and is readable on either page.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise

from lasthop.pages.figures.inline_svg import Scale, steps

#: Size of a picture, and its margins (left, top, right, bottom), px.
WIDTH, HEIGHT = 720, 260
MARGIN = (58, 34, 150, 40)

#: Most points of a line: one for each second pixel of the chart.
POINTS = 270

#: Colours of the pages: of text, of secondary text, of the ground, of rules, and of three series.
LIGHT = ("#16191d", "#69717b", "#ffffff", "#e3e6ea", "#0b63b5", "#a8480b", "#7a3fb0")
DARK = ("#eceef0", "#929aa4", "#15181c", "#2c3137", "#66b2ff", "#f2a05c", "#c49bf0")

#: Height of a row of words, px; a line of fewer points has no gaps; how many steps without a point are one.
ROW, FEW, GAP = 15, 20, 2.5

Point = tuple[float, float]


@dataclass
class Series:
    """A line with its name; with `half`, half the interval of each point; `joined` or points alone."""

    name: str
    points: Sequence[Point]
    half: Sequence[float] = ()
    joined: bool = True


@dataclass
class Chart:
    """A chart: its title, its axes with their units, what it shows, and a level to compare with."""

    title: str
    x: str
    y: str
    series: list[Series] = field(default_factory=list)
    level: tuple[float, str] | None = None
    named: Sequence[tuple[float, str]] = ()  #: places on the x axis with words in place of numbers
    top: float | None = None
    log: bool = False  #: whether the x axis is logarithmic

    def svg(self) -> str:
        """Return the chart as a file."""
        return frame(self.title, "".join(self._inside()), HEIGHT)

    def _inside(self) -> list[str]:
        points = [point for each in self.series for point in each.points]
        low, high = min(x for x, _ in points), max(x for x, _ in points)
        if self.named:
            low, high = low - 0.5, high + 0.5
        tops = [
            y + (each.half[n] if each.half else 0)
            for each in self.series
            for n, (_, y) in enumerate(thinned(each.points))
        ]
        most = self.top or max([*tops, self.level[0] if self.level else 0.0]) * 1.05 or 1.0
        left, top, right, bottom = MARGIN
        breadth, depth = WIDTH - left - right, HEIGHT - top - bottom

        def at(x: float, y: float) -> Point:
            part = (
                math.log(x / low) / math.log(high / low) if self.log else (x - low) / (high - low)
            )
            return left + breadth * part, top + depth * (1 - min(y, most) / most)

        lines = [text(left - 48, top - 12, f"{self.y}", "s")]
        for tick in ticks(0, most):
            _, y = at(low, tick)
            lines.append(f'<path d="M{left} {y:.1f}h{breadth}" class="r"/>')
            lines.append(text(left - 6, y + 4, number(tick), "s e"))
        places = self.named or [
            (x, number(x))
            for x in (sorted({x for x, _ in points}) if self.log else ticks(low, high))
        ]
        for x, words in places:
            lines.append(text(at(x, 0)[0], HEIGHT - bottom + 16, words, "s m"))
        lines.append(text(left + breadth, HEIGHT - 8, self.x, "s e"))
        if self.level:
            _, y = at(low, self.level[0])
            lines.append(f'<path d="M{left} {y:.1f}h{breadth}" class="l"/>')
        names = []
        for n, each in enumerate(self.series):
            lines += _drawn(each, f"c{n}", at)
            names.append((at(*each.points[-1])[1], n, each.name))
        if self.level:
            lines.append(text(left + 6, at(low, self.level[0])[1] - 5, self.level[1], "s h"))
        return lines + _labels(names, left + breadth + 10)


def _drawn(series: Series, colour: str, at: object) -> list[str]:
    """Return a line, or points with their intervals."""
    assert callable(at)
    shown = thinned(series.points)
    places = [at(x, y) for x, y in shown]
    parts = []
    if series.joined:
        for piece in pieces(shown, places):
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in piece)
            parts.append(f'<polyline points="{path}" class="{colour}"/>')
    if series.half:
        for (x, y), half, (across, down) in zip(shown, series.half, places, strict=True):
            ends = [at(x, max(0.0, y + sign * half))[1] for sign in (1, -1)]
            parts.append(f'<path d="M{across:.1f} {ends[0]:.1f}V{ends[1]:.1f}" class="{colour}"/>')
            parts.append(f'<circle cx="{across:.1f}" cy="{down:.1f}" r="3.4" class="{colour} f"/>')
    return parts


def _labels(names: Sequence[tuple[float, int, str]], x: float) -> list[str]:
    """Return the name of each line at its end, none upon another."""
    parts, below = [], HEIGHT - MARGIN[3] + 4.0 + ROW
    for y, n, name in sorted(names, reverse=True):
        below = min(y + 4, below - ROW)
        parts.append(text(x, below, name, f"t{n}"))
    return parts


def pieces(points: Sequence[Point], places: Sequence[Point]) -> list[list[Point]]:
    """Return the places of a line in pieces: nothing is drawn where nothing was measured."""
    steps = sorted(after[0] - before[0] for before, after in pairwise(points))
    if not steps or len(points) < FEW:
        return [list(places)]
    longest = GAP * steps[len(steps) // 2]
    found: list[list[Point]] = [[]]
    last = points[0][0]
    for (x, _), place in zip(points, places, strict=True):
        if x - last > longest:
            found.append([])
        found[-1].append(place)
        last = x
    return found


def thinned(points: Sequence[Point]) -> Sequence[Point]:
    """Return at most `POINTS` of them, the means of neighbours."""
    step = math.ceil(len(points) / POINTS)
    if step <= 1:
        return points
    groups = [points[n : n + step] for n in range(0, len(points), step)]
    return [(sum(x for x, _ in g) / len(g), sum(y for _, y in g) / len(g)) for g in groups]


def ticks(low: float, high: float) -> list[float]:
    """Return round places of an axis, up to seven."""
    return steps(Scale(low, high), 6)


def number(value: float) -> str:
    """Return a number of an axis."""
    return f"{value:,.10g}".replace("-", "\N{MINUS SIGN}")


def text(x: float, y: float, words: str, style: str) -> str:
    """Return words at a place."""
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{style}">{escape(words)}</text>'


def frame(title: str, inside: str, height: int) -> str:
    """Return a picture with its ground, its title and its colours for light and dark."""

    def colours(of: Sequence[str]) -> str:
        ink, soft, ground, rule, *series = of
        rules = [
            f"text{{fill:{ink}}}.s{{fill:{soft}}}.g{{fill:{ground}}}.w{{fill:{rule}}}.l.f{{fill:{ground}}}.h{{paint-order:stroke;stroke:{ground};stroke-width:4px}}.r,.l{{stroke:{rule}}}.l{{stroke:{soft}}}",
            *(
                f".c{n}{{stroke:{c}}}.t{n}{{fill:{c}}}.c{n}.f{{fill:{c}}}"
                for n, c in enumerate(series)
            ),
        ]
        return "".join(rules)

    shape = (
        "text{font:13px system-ui,sans-serif}.s{font-size:12px}.e{text-anchor:end}.m{text-anchor:middle}"
        ".b{font-weight:600;font-size:14px}polyline,path{fill:none;stroke-width:1.8}.r{stroke-width:1}"
        ".l{stroke-dasharray:4 4;stroke-width:1.2}[class^=t]{font-weight:600}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
        f' role="img"><title>{escape(title)}</title><style>{shape}{colours(LIGHT)}'
        f"@media(prefers-color-scheme:dark){{{colours(DARK)}}}</style>"
        f'<rect width="{WIDTH}" height="{height}" rx="8" class="g"/>{inside}</svg>\n'
    )


@dataclass
class Row:
    """An interval with its name, and words at its right; `colour` is a place among the colours, None undecided."""

    name: str
    low: float
    middle: float
    high: float
    words: str
    colour: int | None


@dataclass
class Rows:
    """Intervals below each other, beside a band that they are compared with."""

    title: str
    x: str
    rows: list[Row]
    band: tuple[float, float]

    def svg(self) -> str:
        """Return the chart as a file."""
        left, right, top, pitch = 210, 150, 24, 26
        height = top + pitch * len(self.rows) + 50
        low = min(self.band[0], *(row.low for row in self.rows))
        high = max(self.band[1], *(row.high for row in self.rows))
        breadth, bottom = WIDTH - left - right, top + pitch * len(self.rows)

        def at(x: float) -> float:
            return left + breadth * (x - low) / (high - low)

        parts = [
            f'<rect x="{at(self.band[0]):.1f}" y="{top}" width="{at(self.band[1]) - at(self.band[0]):.1f}"'
            f' height="{bottom - top}" class="w"/>'
        ]
        for tick in ticks(low, high):
            parts.append(f'<path d="M{at(tick):.1f} {top}V{bottom}" class="r"/>')
            parts.append(text(at(tick), bottom + 16, number(tick), "s m"))
        for n, row in enumerate(self.rows):
            y = top + pitch * (n + 0.5)
            colour = "l" if row.colour is None else f"c{row.colour}"
            parts.append(text(left - 12, y + 4, row.name, "e"))
            parts.append(
                f'<path d="M{at(row.low):.1f} {y:.1f}H{at(row.high):.1f}" class="{colour}"/>'
            )
            parts.append(
                f'<circle cx="{at(row.middle):.1f}" cy="{y:.1f}" r="3.6" class="{colour} f"/>'
            )
            style = "s" if row.colour is None else f"t{row.colour}"
            parts.append(text(left + breadth + 14, y + 4, row.words, style))
        parts.append(text(left + breadth, height - 10, self.x, "s e"))
        return frame(self.title, "".join(parts), height)


@dataclass
class Lanes:
    """Spans of time in lanes: (lane, begin, end, colour), with a key of the colours."""

    title: str
    x: str
    lanes: Sequence[str]
    spans: Sequence[tuple[str, float, float, int]]
    key: Sequence[str]

    def svg(self) -> str:
        """Return the chart as a file."""
        left, right, top, pitch = 70, 20, 34, 42
        height = top + pitch * len(self.lanes) + 46
        low, high = min(s[1] for s in self.spans), max(s[2] for s in self.spans)
        scale, bottom = (WIDTH - left - right) / (high - low), top + pitch * len(self.lanes)
        parts = []
        place = left
        for n, words in enumerate(self.key):
            parts.append(text(place, top - 14, words, f"t{n}"))
            place += 20 + 8 * len(words)
        for n, lane in enumerate(self.lanes):
            y = top + pitch * n
            parts.append(text(left - 10, y + 25, lane, "e"))
            parts.append(f'<path d="M{left} {y + 34}H{WIDTH - right}" class="r"/>')
        for name, begin, end, colour in self.spans:
            y = top + pitch * self.lanes.index(name) + 8
            x, wide = left + scale * (begin - low), max(1.0, scale * (end - begin))
            parts.append(
                f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="26" class="c{colour} f"/>'
            )
        for tick in ticks(low, high):
            parts.append(text(left + scale * (tick - low), bottom + 16, number(tick), "s m"))
        parts.append(text(WIDTH - right, height - 10, self.x, "s e"))
        return frame(self.title, "".join(parts), height)
