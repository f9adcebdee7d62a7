"""Clusters of an ad hoc network: where stations are, in their clusters' colours, clusterheads marked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from lasthop.pages.figures import style
from lasthop.pages.figures.palette import Palette

ACROSS = 3
"""Pictures side by side."""


@dataclass(frozen=True)
class Standing:
    """A station in a picture: its place, m, its cluster (None: in none), the clusters to which it speaks."""

    node: str
    x_m: float
    y_m: float
    cluster: int | None
    speaks_to: tuple[int, ...]


@dataclass(frozen=True)
class Picture:
    """All stations at an election, or when a clusterhead has failed."""

    time_s: float
    stations: tuple[Standing, ...]

    def talks(self) -> Iterator[tuple[Standing, Standing]]:
        """Yield the pairs of clusterheads that talk to each other."""
        heads = [each for each in self.stations if each.speaks_to]
        for place, one in enumerate(heads):
            for other in heads[place + 1 :]:
                if other.cluster in one.speaks_to and one.cluster in other.speaks_to:
                    yield one, other


def bounds(pictures: Sequence[Picture]) -> tuple[float, float, float, float]:
    """Return west, south and the sides of what all pictures show, m."""
    xs = [each.x_m for picture in pictures for each in picture.stations]
    ys = [each.y_m for picture in pictures for each in picture.stations]
    edge = 0.06 * max(max(xs) - min(xs), max(ys) - min(ys), 1.0)
    return (
        min(xs) - edge,
        min(ys) - edge,
        max(xs) - min(xs) + 2 * edge,
        max(ys) - min(ys) + 2 * edge,
    )


def sequence(pictures: Sequence[Picture], palette: Palette) -> Figure:
    """Draw pictures in the order of time, a row after the other."""
    rows = ceil(len(pictures) / ACROSS)
    west, south, wide, high = bounds(pictures)
    figure = Figure(figsize=(style.PAGE_INCHES, 2.5 * rows), layout="constrained")
    panels = list(figure.subplots(rows, ACROSS, squeeze=False, sharex=True, sharey=True).flat)
    for picture, axes in zip(pictures, panels, strict=False):
        _panel(axes, picture, palette)
        axes.set(xlim=(west, west + wide), ylim=(south, south + high), aspect="equal")
    for axes in panels[len(pictures) :]:
        axes.set_visible(False)
    figure.supxlabel("east, m", size=8)
    figure.supylabel("north, m", size=8)
    return figure


def _panel(axes: Axes, picture: Picture, palette: Palette) -> None:
    for one, other in picture.talks():
        axes.plot([one.x_m, other.x_m], [one.y_m, other.y_m], color=palette.ink, lw=0.8, zorder=1)
    for each in picture.stations:
        colour = (
            palette.faint
            if each.cluster is None
            else palette.series[each.cluster % len(palette.series)]
        )
        marker = style.MARKERS[(each.cluster or 0) // len(palette.series) % len(style.MARKERS)]
        is_head = bool(each.speaks_to)
        axes.plot(
            [each.x_m],
            [each.y_m],
            marker="x" if each.cluster is None else marker,
            color=colour,
            markeredgecolor=palette.ink if is_head else colour,
            markeredgewidth=1.6 if is_head else 0.8,
            markersize=8 if is_head else 5,
            zorder=2,
        )
    axes.set_title(f"{picture.time_s:g} s")
