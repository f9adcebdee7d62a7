"""Forest plots: every comparison behind a claim a dot with its interval, by part, the claimed side shaded."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from textwrap import wrap
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

from lasthop.pages.figures import style
from lasthop.pages.figures.palette import Palette

LABELLED = 16
"""Dots of a part are named up to this number."""
ROW, THIN_ROW, HEAD = 0.165, 0.07, 0.52
"""Heights, inches: of a named dot, of one without a name, of a part's title and axis."""
TALLEST = 5.0
"""Of one part, inches."""
WIDE_LABEL, NARROW_LABEL = 62, 30
"""Characters of a label."""

COLOURS = {"shown": 2, "denied": 1, "open": 0}
MARKS = {"shown": "o", "denied": "X", "open": "s"}


@dataclass(frozen=True)
class Dot:
    """A comparison: its ratio (or mean) with its interval, what is printed of it, and what it shows."""

    label: str
    outcome: str
    value: float
    low: float | None
    high: float | None
    printed: float | None


@dataclass(frozen=True)
class Panel:
    """A part of a claim.

    `above` and `below` bound the claimed side; `alone`: means, not ratios; `whole`: the effect over all
    settings; `axis`: what the axis is of.
    """

    title: str
    dots: Sequence[Dot]
    whole: Dot | None
    above: float | None
    below: float | None
    alone: bool
    axis: str

    @property
    def named(self) -> bool:
        """Return whether the dots have room for their names."""
        return len(self.dots) <= LABELLED

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.dots) + (self.whole is not None)

    @property
    def gap(self) -> float:
        """The height of the mark of all settings, rows."""
        return 1.0 if self.named else 2.5

    @property
    def top(self) -> float:
        """The row of the mark of all settings."""
        return len(self.dots) - 1 + self.gap

    @property
    def height(self) -> float:
        """Its height, inches."""
        return (
            HEAD
            + 0.13 * (len(self.title) // NARROW_LABEL)
            + min(self.rows * (ROW if self.named else THIN_ROW), TALLEST)
        )


def panels(claim: Mapping[str, Any]) -> list[Panel]:
    """Return what is drawn of a judged claim (`papers.judging.document`); parts without any run are left out."""
    found = [_panel(part) for part in claim["parts"]]
    return [panel for panel in found if panel is not None]


def _panel(part: Mapping[str, Any]) -> Panel | None:
    details = part["details"]
    scale = part["scale"] if details and details[0]["alone"] else 1.0
    dots = [dot for each in details if each["was_run"] and (dot := _dot(each, scale)) is not None]
    dots.sort(key=lambda dot: dot.value)
    if not dots:
        return None
    what = "mean"
    if not details[0]["alone"]:
        what, dots = _common(dots, {each["compared"] for each in details if each["was_run"]})
    effect = part["effect"] if len(dots) > 1 else None
    whole = None if effect is None else _dot(effect, scale)
    ends = [None if details[0][k] is None else details[0][k] * scale for k in ("above", "below")]
    title = f"{part['name']}: {part['verdict']}"
    alone = details[0]["alone"]
    axis = (f"mean ({part['unit']})" if part["unit"] else "mean") if alone else what
    return Panel(title, dots, whole, ends[0], ends[1], alone, axis)


def _common(dots: Sequence[Dot], compared: set[str]) -> tuple[str, list[Dot]]:
    """Return what all dots compare, for the axis, and the dots with the rest of their names."""
    what = f"ratio, {next(iter(compared))}" if len(compared) == 1 else "ratio"
    if len({dot.label.partition("; ")[0] for dot in dots}) > 1:
        return what, list(dots)
    return what, [replace(dot, label=dot.label.partition("; ")[2]) for dot in dots]


def _dot(each: Mapping[str, Any], scale: float) -> Dot | None:
    value = each["ratio"]
    if value is None or (value <= 0 and not each["alone"]):
        return None
    low, high, printed = (
        None if x is None else x * scale for x in (each["low"], each["high"], each.get("printed"))
    )
    return Dot(each["label"], each["outcome"], value * scale, low, high, printed)


def forest(parts: Sequence[Panel], width: str, palette: Palette) -> Figure:
    """Draw a claim in the width of ``one`` column of a paper or of ``two``."""
    inches = style.COLUMN_INCHES if width == "one" else style.PAGE_INCHES
    heights = [panel.height for panel in parts]
    figure = Figure(figsize=(inches, sum(heights) + 0.35), layout="constrained")
    grid = figure.subplots(len(parts), 1, squeeze=False, gridspec_kw={"height_ratios": heights})
    for axes, panel in zip(grid[:, 0], parts, strict=True):
        _draw(axes, panel, palette, NARROW_LABEL if width == "one" else WIDE_LABEL)
    figure.legend(
        handles=_legend(parts, palette),
        loc="outside lower center",
        ncols=5 if width == "two" else 2,
    )
    return figure


def _draw(axes: Axes, panel: Panel, palette: Palette, most: int) -> None:
    ends = _ends(panel)
    for row, dot in enumerate(panel.dots):
        _mark(axes, dot, row, palette, size=4.5 if panel.named else 2.6)
    if panel.whole is not None:
        _mark(axes, panel.whole, panel.top, palette, size=7.5, marker="D")
        axes.axhline(panel.top - 0.5 * panel.gap, color=palette.faint, lw=0.6)
    left = ends[0] if panel.above is None else max(panel.above, ends[0])
    right = ends[1] if panel.below is None else min(panel.below, ends[1])
    axes.axvspan(left, right, color=palette.series[2], alpha=0.10, lw=0)
    if not panel.alone:
        axes.axvline(1, color=palette.ink, lw=0.8)
        axes.set_xscale("log")
        _ratio_ticks(axes, ends)
    axes.set_xlim(*ends)
    above = panel.top + 0.7 * panel.gap if panel.whole is not None else panel.rows - 0.3
    axes.set_ylim(-0.7, above)
    _names(axes, panel, most)
    axes.set_title("\n".join(wrap(panel.title, most)), fontsize=8)
    axes.set_xlabel(_short(panel.axis, most + 30), fontsize=7)
    axes.grid(axis="y", visible=False)


def _mark(
    axes: Axes, dot: Dot, row: float, palette: Palette, size: float, marker: str | None = None
) -> None:
    colour = palette.series[COLOURS[dot.outcome]]
    if dot.low is not None and dot.high is not None:
        axes.plot([dot.low, dot.high], [row, row], color=colour, lw=1.1, solid_capstyle="butt")
    axes.plot(dot.value, row, ls="", marker=marker or MARKS[dot.outcome], ms=size, color=colour)
    if dot.printed is not None and (dot.printed > 0):
        axes.plot(
            dot.printed, row, ls="", marker="o", ms=size + 1.5, mfc="none", mec=palette.ink, mew=0.8
        )


def _ends(panel: Panel) -> tuple[float, float]:
    """Return where the axis begins and ends: all means, most of each interval."""
    every = [*panel.dots, *([panel.whole] if panel.whole else [])]
    values = [
        x for d in every for x in (d.value, d.printed) if x is not None and (panel.alone or x > 0)
    ]
    bounds = [x for x in (panel.above, panel.below) if x is not None]
    values += bounds if panel.alone else [*bounds, 1.0]
    low, high = min(values), max(values)
    if panel.alone:
        room = 0.12 * (high - low or abs(high) or 1.0)
        reach = [x for d in every for x in (d.low, d.high) if x is not None and math.isfinite(x)]
        far = 0.5 * (high - low) + room
        return max(min([low - room, *reach]), low - far), min(
            max([high + room, *reach]), high + far
        )
    room = max(1.1, (high / low) ** 0.08)
    reach = [x for d in every for x in (d.low, d.high) if x is not None and 0 < x < math.inf]
    far = max(1.6, (high / low) ** 0.5)
    first = max(min([low / room, *reach]), low / far)
    return first, min(max([high * room, *reach]), high * far)


def _ratio_ticks(axes: Axes, ends: tuple[float, float]) -> None:
    span = ends[1] / ends[0]
    places = (
        (1.0,)
        if span > 400
        else (1.0, 2.0, 5.0)
        if span > 4
        else (1, 1.2, 1.5, 2, 3, 4, 5, 6, 7, 8, 9)
    )
    axes.xaxis.set_major_locator(LogLocator(base=10, subs=places))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.tick_params(axis="x", which="minor", bottom=False)


def _names(axes: Axes, panel: Panel, most: int) -> None:
    rows: list[float] = list(range(len(panel.dots))) if panel.named else []
    labels = [_short(dot.label, most) for dot in panel.dots] if panel.named else []
    if panel.whole is not None:
        rows, labels = [*rows, panel.top], [*labels, "all settings"]
    if not panel.named:
        middle = len(panel.dots) // 2
        rows, labels = [middle, *rows], [f"{len(panel.dots)} settings", *labels]
    axes.set_yticks(rows, labels=labels, fontsize=6.5)
    axes.tick_params(axis="y", length=0)


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _legend(parts: Sequence[Panel], palette: Palette) -> list[Line2D]:
    seen = {dot.outcome for panel in parts for dot in panel.dots}
    found = [
        Line2D([], [], color=palette.series[COLOURS[word]], marker=MARKS[word], label=word)
        for word in MARKS
        if word in seen
    ]
    if any(panel.whole for panel in parts):
        found.append(
            Line2D([], [], ls="", marker="D", color=palette.ink, label="all settings together")
        )
    if any(dot.printed is not None for panel in parts for dot in panel.dots):
        found.append(
            Line2D([], [], ls="", marker="o", mfc="none", mec=palette.ink, label="printed")
        )
    return found
