"""The marks of a chart inside a page: lines, steps, areas, dots and shapes, thinned to what a screen can show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from lasthop.pages.figures.chart import MOST_MARKED, Curve, Point
from lasthop.pages.figures.inline_svg import WIDE, Scale, mark, path

TONES = 6
"""Colours of lines; of more lines those that follow have the same and are dashed."""

MOST_POINTS = 600
"""Points of a line that a screen can tell apart, about."""

MOST_DOTS = 1_000
"""Dots of a curve in a page, about."""


@dataclass(frozen=True)
class Plot:
    """Where a panel draws: its scales, and the top and height of the plot, px."""

    across: Scale
    up: Scale
    top: float
    height: float

    def x(self, value: float) -> str:
        """Return where a value of the x axis is, as SVG has it."""
        return f"{self.across.at(value):.4g}%"

    def y(self, value: float) -> float:
        """Return how far below the upper edge a value of the y axis is, px."""
        return round(self.top + self.height * (1 - self.up.at(value) / 100), 1)

    def within(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point is in a stretched box over the plot, to a pixel across and a tenth of one up."""
        return round(WIDE * self.across.at(x) / 100), round(
            self.height * (1 - self.up.at(y) / 100), 1
        )


def tone(curve: Curve, place: int) -> str:
    """Return the class of a curve's colour, `place` being that of its label."""
    if isinstance(curve.tone, str):
        return curve.tone
    at = place if curve.tone is None else curve.tone
    return f"s{at % TONES + 1}" + (" again" if at >= TONES or curve.dashed else "")


def drawn(curve: Curve, plot: Plot, tone: str, *, is_joined: bool) -> tuple[str, list[str]]:
    """Return a curve's paths for a stretched box, and its marks of other shapes than dots, for outside of that."""
    if curve.form == "band":
        return path(f"area {tone}", _area(curve, plot)), []
    inside = []
    is_line = curve.form == "steps" or (curve.form == "line" and is_joined)
    if is_line:
        line = _line([plot.within(p.x, p.mean) for p in curve.points], curve.form == "steps")
        inside.append(path("", line))
    if curve.form != "steps" and (reaches := _reaches(curve, plot)):
        inside.append(path("", reaches))
    shaped: list[str] = []
    if curve.form == "dots":
        inside.append(path("dots", dots(plot, curve.points)))
    elif curve.form == "line" and not (is_line and len(curve.points) > MOST_MARKED):
        inside.append(path("at", dots(plot, curve.points)))
    elif curve.form not in ("line", "steps"):
        shaped = [mark(curve.form, plot.x(p.x), plot.y(p.mean), p.radius) for p in curve.points]
        shaped = [f'<g class="{tone}">', *shaped, "</g>"]
    return f'<g class="{tone}">{"".join(inside)}</g>' if inside else "", shaped


def dots(plot: Plot, points: Sequence[Point]) -> str:
    """Return a dot at each point, as steps of a path with round ends."""
    places = dict.fromkeys(plot.within(p.x, p.mean) for p in points)
    return "".join(f"M{x:g} {y:g}h0" for x, y in places)


def _reaches(curve: Curve, plot: Plot) -> str:
    """Return the intervals of points that no dot hides, as steps of a path."""
    steps = []
    for point in curve.points:
        below, above = point.reach
        x, low = plot.within(point.x, point.mean - below)
        _, high = plot.within(point.x, point.mean + above)
        _, middle = plot.within(point.x, point.mean)
        if max(low - middle, middle - high) > (point.radius if curve.form == "line" else 0):
            steps.append(f"M{x:g} {low:g}V{high:g}")
    return "".join(steps)


def _line(places: Sequence[tuple[float, float]], is_stepped: bool) -> str:
    x, y = places[0]
    found = [f"M{x:g} {y:g}"]
    for (_, before), (x, y) in pairwise(places):
        if is_stepped:
            found.append(f"H{x:g}" + (f"V{y:g}" if y != before else ""))
        else:
            found.append(f"L{x:g} {y:g}")
    return "".join(found)


def _area(curve: Curve, plot: Plot) -> str:
    over = [plot.within(p.x, p.mean + p.reach[1]) for p in curve.points]
    under = [plot.within(p.x, p.mean - p.reach[0]) for p in reversed(curve.points)]
    return _line([*over, *under], is_stepped=False) + "Z"


def thinned(curve: Curve) -> Curve:
    """Return a curve with no more points than a page shows; those that stand out stay."""
    most = {"dots": MOST_DOTS, "line": MOST_POINTS, "steps": MOST_POINTS}.get(curve.form)
    if most is None or len(curve.points) <= most:
        return curve
    return replace(curve, points=_extremes(curve.points, most))


def _extremes(points: Sequence[Point], most: int) -> list[Point]:
    """Return first and last, lowest and highest of each group of neighbours, in their order, about `most`."""
    size = -(-4 * len(points) // most)
    kept: dict[int, Point] = {}
    for begin in range(0, len(points), size):
        group = range(begin, min(begin + size, len(points)))
        low, high = (f(group, key=lambda at: points[at].mean) for f in (min, max))
        kept |= {at: points[at] for at in sorted((group[0], low, high, group[-1]))}
    return list(kept.values())
