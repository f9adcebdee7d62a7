"""The map of a duel: each condition a mark at its place, its kind the verdict, its size the effect."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lasthop.pages.duels.duel_words import title_of
from lasthop.pages.figures.chart import Chart, Curve, Form, Point
from lasthop.pages.figures.inline_svg import tick_said
from lasthop.study import phrases
from lasthop.study.claims.tables import quantity
from lasthop.study.claims.verdicts import PairedVerdict
from lasthop.study.dueling.verdict import Against, Duel, words_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

    from lasthop.pages.figures.palette import Palette

MARKS: dict[PairedVerdict, tuple[str, int, Form, str, str]] = {
    PairedVerdict.BETTER: ("^", 2, "up", "good", "better"),
    PairedVerdict.WORSE: ("v", 1, "down", "bad", "worse"),
    PairedVerdict.HIGHER: ("^", 4, "up", "s5", "higher"),
    PairedVerdict.LOWER: ("v", 5, "down", "s6", "lower"),
    PairedVerdict.NO_DIFFERENCE: ("o", 0, "dot", "soft", "no difference that matters"),
    PairedVerdict.IDENTICAL: ("s", 0, "square", "soft", "identical"),
    PairedVerdict.CANNOT_TELL: ("X", 3, "cross", "dunno", "cannot tell"),
}
"""Marker of matplotlib and colour in the palette; form and colour in a page; words."""

OPEN_SIZE = 16
"""Area of a mark that says nothing, square points."""

WIDE_SPAN = 8.0
FEW_DECADES = 300.0
MOST_PANELS = 6

NAMED = 6
"""Values of an axis that are all written at it, at most."""

ASIDE = 0.022
"""How far conditions at one place are drawn from each other, as part of the axis."""


def axes_of(each: Against) -> list[str]:
    """Return the numeric axes, those first with which the effect rises or falls most (ranks)."""
    changes = [place.compared.change for place in each.places]
    known = [i for i, change in enumerate(changes) if change is not None and change > -1]
    effect = np.array([math.log1p(changes[i] or 0.0) for i in known])
    ranked = []
    for key in each.places[0].setting if each.places else ():
        found = [quantity(each.places[i].setting[key]) for i in known]
        numbers = np.array([x[0] for x in found if x is not None])
        if len(numbers) < len(known) or len(set(numbers.tolist())) < 2:
            continue
        ranked.append((abs(_ranks_together(numbers, effect)), key))
    return [key for _, key in sorted(ranked, key=lambda pair: -pair[0])]


def _ranks_together(a: np.ndarray, b: np.ndarray) -> float:
    if len(a) < 3 or np.ptp(b) == 0:
        return 0.0
    first, second = (np.argsort(np.argsort(each)).astype(float) for each in (a, b))
    return float(np.corrcoef(first, second)[0, 1])


def chart(duel: Duel, each: Against) -> Chart:
    """Return the map of a rival and a metric, as a page draws it; it has an axis of numbers, see `axes_of`."""
    keys = axes_of(each)[:2]
    across = [_number(place.setting[keys[0]]) for place in each.places]
    changes = [100 * (place.compared.change or 0.0) for place in each.places]
    up = [_number(place.setting[keys[1]]) for place in each.places] if keys[1:] else changes
    log = _is_wide(across)
    places = list(zip(_apart(across, up, log=log), up, strict=True))
    curves = []
    for word in map(PairedVerdict, words_of([each])):
        _, _, form, tone, said = MARKS[word]
        points = [
            Point(x, y, None, radius=_radius(place.compared.change, word))
            for place, (x, y) in zip(each.places, places, strict=True)
            if place.compared.word is word
        ]
        curves.append(Curve(said, points, form, tone))
    return Chart(
        [("", curves)],
        _label(each, keys[0]),
        _label(each, keys[1]) if keys[1:] else "difference (%)",
        _named(across),
        log=log,
        ordered=True,
        joined=False,
        y_log=bool(keys[1:]) and _is_wide(up),
        y_ticks=_named(up) if keys[1:] else (),
        table=_table(each),
    )


def _is_wide(numbers: Sequence[float]) -> bool:
    return min(numbers) > 0 and max(numbers) / min(numbers) >= WIDE_SPAN


def _named(numbers: Sequence[float]) -> list[tuple[float, str]]:
    """Return the values of an axis as its ticks, where they are few."""
    values = sorted(set(numbers))
    return [(value, tick_said(value)) for value in values] if len(values) <= NAMED else []


def _apart(across: Sequence[float], up: Sequence[float], *, log: bool) -> list[float]:
    """Return where conditions are drawn on the x axis: those at one place beside each other."""
    same: dict[tuple[float, float], list[int]] = {}
    for at, place in enumerate(zip(across, up, strict=True)):
        same.setdefault(place, []).append(at)
    low, high = min(across), max(across)
    found = list(across)
    for group in same.values():
        for n, at in enumerate(group):
            part = ASIDE * (n - (len(group) - 1) / 2)
            found[at] = found[at] * (high / low) ** part if log else found[at] + part * (high - low)
    return found


def _radius(change: float | None, word: PairedVerdict) -> float:
    """Return the radius of a mark, px: its area is that of `_size`."""
    size = OPEN_SIZE if word is PairedVerdict.CANNOT_TELL else _size(change)
    return round(0.9 * math.sqrt(size), 1)


def _table(each: Against) -> tuple[list[str], list[list[Any]]]:
    """Return every condition with its difference and interval, as parts of the rival's, and its verdict."""
    keys = list(each.places[0].setting)
    rows = [
        [
            *place.setting.values(),
            place.compared.change,
            place.compared.low,
            place.compared.high,
            str(place.compared.word),
        ]
        for place in each.places
    ]
    return [*keys, "difference", "low", "high", "verdict"], rows


def draw(duel: Duel, against: Sequence[Against], palette: Palette, width: str = "two") -> Figure:
    """Draw a map for each rival and metric."""
    from matplotlib.figure import Figure

    from lasthop.pages.figures import style

    shown = list(against)[:MOST_PANELS]
    across = 1 if width == "one" else min(len(shown), 2)
    down = -(-len(shown) // across)
    inches = style.COLUMN_INCHES if width == "one" else style.PAGE_INCHES
    figure = Figure(figsize=(inches, 2.7 * down + 0.5), layout="constrained")
    grid = list(figure.subplots(down, across, squeeze=False).flat)
    for axes, each in zip(grid, shown, strict=False):
        _map(axes, duel, each, palette)
    for axes in grid[len(shown) :]:
        axes.set_visible(False)
    found = dict(
        pair
        for axes in figure.axes
        for pair in zip(*reversed(axes.get_legend_handles_labels()), strict=True)
    )
    figure.legend(
        list(found.values()),
        list(found),
        loc="outside upper center",
        ncols=2 if width == "one" else 4,
    )
    return figure


def _map(axes: Axes, duel: Duel, each: Against, palette: Palette) -> None:
    keys = axes_of(each)
    axes.set_title(title_of(duel, each))
    if not keys:
        axes.text(0.5, 0.5, "no axis of numbers", ha="center", transform=axes.transAxes)
        return
    for word, (marker, colour, _, _, words) in MARKS.items():
        there = [place for place in each.places if place.compared.word is word]
        if not there:
            continue
        x = [_number(place.setting[keys[0]]) for place in there]
        y = [
            _number(place.setting[keys[1]])
            if len(keys) > 1
            else 100 * (place.compared.change or 0.0)
            for place in there
        ]
        # Without a verdict the effect is noise.
        told = word is not PairedVerdict.CANNOT_TELL
        sizes = [_size(place.compared.change) if told else OPEN_SIZE for place in there]
        hue = palette.series[colour]
        axes.scatter(
            x,
            y,
            s=sizes,
            marker=marker,
            color=hue,
            edgecolors=palette.paper,
            lw=0.6,
            label=words,
            zorder=3,
        )
    axes.set_xlabel(_label(each, keys[0]))
    axes.set_ylabel(_label(each, keys[1]) if len(keys) > 1 else "difference (%)")
    sides = ((axes.set_xscale, axes.xaxis), (axes.set_yscale, axes.yaxis))
    for key, (scale, axis) in zip(keys[:2], sides, strict=False):
        numbers = [_number(place.setting[key]) for place in each.places]
        if _is_wide(numbers):
            scale("log")
            _mark(axis, max(numbers) / min(numbers))


def _mark(axis: Axis, span: float) -> None:
    """Mark a logarithmic axis by plain numbers, as many as have room."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if span < FEW_DECADES else (1,)))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}"))


def _number(value: object) -> float:
    found = quantity(value)
    return found[0] if found else 0.0


def _label(each: Against, key: str) -> str:
    found = quantity(each.places[0].setting[key])
    said = phrases.of_key(key)
    return f"{said} ({found[1]})" if found and found[1] else said


def _size(change: float | None) -> float:
    """Return the area of a mark: of a difference of nothing 14, of a tenth 32, of twice as much 110."""
    effect = abs(math.log(max(1 + (change or 0.0), 0.05)))
    return 14 + 180 * min(effect, 1.5) ** 0.9 if change is not None else 30
