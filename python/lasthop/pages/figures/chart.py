"""The data of a chart, for whatever draws it: matplotlib for papers, SVG inside a page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

Form = Literal["line", "steps", "dots", "band", "dot", "up", "down", "square", "cross"]
"""How the points of a curve are drawn: joined, joined by steps, as fine dots, as the area between the ends of
their intervals, or each as a mark of this shape and its own radius."""

MOST_MARKED = 60
"""Points of a line beyond which it is a line alone."""

Ends = tuple[float, float]


@dataclass(frozen=True)
class Point:
    """A mean at a place on the axis, with the half width of its interval where there is one.

    The interval is drawn no farther than `ends`, what the quantity is never under or over. `radius` is that
    of its mark, px.
    """

    x: float
    mean: float
    half: float | None
    ends: Ends = (-math.inf, math.inf)
    radius: float = 3.0

    @property
    def reach(self) -> tuple[float, float]:
        """The lengths of the interval below and above."""
        half = self.half or 0.0
        low, high = self.ends
        return max(min(half, self.mean - low), 0.0), max(min(half, high - self.mean), 0.0)


@dataclass(frozen=True)
class Curve:
    """The means of a line, or the marks of one kind.

    `tone` is its place among the colours, by default that of its label among all labels, or the name of a
    colour that means something on a page, such as ``good``.
    """

    label: str
    points: Sequence[Point]
    form: Form = "line"
    tone: int | str | None = None
    dashed: bool = False


@dataclass(frozen=True)
class Chart:
    """The data of a figure.

    Attributes:
        panels: The curves of each panel, by its title.
        x_label, y_label: With their units.
        ticks: Places on the axis that have values, and how these are written; none: as the axis finds fit.
        log: Whether the axis is logarithmic.
        ordered: Whether the values are numbers, so that lines may join them.
        joined: Whether they do: not where other axes are drawn at random beside.
        y_labels: A label for each panel, each with a scale of its own, in place of `y_label`.
        title: Over all panels.
        limit: A line across, in the unit of the y axis, and what is written at it.
        y_log, y_ticks: As `log` and `ticks`, of the y axis.
        x_ends, y_ends: The ends of an axis; None: a little beyond the points.
        upright: A line from top to bottom, in the unit of the x axis.
        across: Panels side by side in a paper of two columns, at most.
        table: What a CSV has in place of the points: headings, and rows.
    """

    panels: Sequence[tuple[str, Sequence[Curve]]]
    x_label: str
    y_label: str
    ticks: Sequence[tuple[float, str]]
    log: bool
    ordered: bool
    joined: bool = True
    y_labels: Sequence[str] = ()
    title: str = ""
    limit: tuple[float, str] | None = None
    y_log: bool = False
    y_ticks: Sequence[tuple[float, str]] = ()
    x_ends: Ends | None = None
    y_ends: Ends | None = None
    upright: float | None = None
    across: int = 3
    table: tuple[Sequence[str], Sequence[Sequence[Any]]] | None = None

    def numbers(self) -> dict[str, Any]:
        """Return the numbers and words that it shows, for a recipe: all but how its marks look."""
        return asdict(self, dict_factory=lambda pairs: {k: v for k, v in pairs if k not in _LOOKS})


_LOOKS = frozenset(
    (
        *("form", "tone", "dashed", "radius", "y_log", "y_ticks", "x_ends", "y_ends"),
        *("upright", "across", "table"),
    )
)
