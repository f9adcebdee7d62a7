"""The data of a figure of curves, for whatever draws it: matplotlib for papers, SVG inside a page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    """A mean at a place on the axis, with the half width of its interval where there is one.

    The interval is drawn no farther than `ends`, what the quantity is never under or over.
    """

    x: float
    mean: float
    half: float | None
    ends: tuple[float, float] = (-math.inf, math.inf)

    @property
    def reach(self) -> tuple[float, float]:
        """The lengths of the interval below and above."""
        half = self.half or 0.0
        low, high = self.ends
        return max(min(half, self.mean - low), 0.0), max(min(half, high - self.mean), 0.0)


@dataclass(frozen=True)
class Curve:
    """The means of a line."""

    label: str
    points: Sequence[Point]


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
