"""Ratios of a duel for a paper: in what share of the conditions the first has how much of a rival's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lasthop.core.quantities.better import higher_is_better
from lasthop.pages.duels.duel_words import set_said
from lasthop.pages.figures.chart import Chart, Curve, Point
from lasthop.study import phrases
from lasthop.study.claims.verdicts import PairedVerdict
from lasthop.study.dueling.duel_answer import first_of, metrics_said
from lasthop.study.dueling.verdict import Against, Duel

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from lasthop.pages.figures.palette import Palette

PANEL_INCHES = 1.75
"""Height of a panel."""

DASHES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))
"""Lines of rivals, told apart without colours too."""

LEAST_SPAN = 1.25
"""The axis goes at least from one over this to this, so that no difference looks like none."""


LEAST = 1e-12
"""The place of a ratio of 0 on an axis that has none: left of all that is shown."""


def ratios(each: Against) -> list[float]:
    """Return the first's mean over the rival's in each condition where it is known, ascending, with 0."""
    found = [
        1.0
        if place.compared.word is PairedVerdict.IDENTICAL
        else None
        if place.compared.change is None
        else 1.0 + place.compared.change
        for place in each.places
    ]
    return sorted(ratio for ratio in found if ratio is not None and ratio >= 0)


def chart(found: Duel, metric: str) -> Chart | None:
    """Return the ratios of a metric as a page draws them; None where none is known."""
    shown = [each for each in found.against if each.metric == metric and ratios(each)]
    if not shown:
        return None
    span, first = span_of(shown), first_of(found)
    curves, rows = [], []
    for each in shown:
        known = ratios(each)
        parts = [(n + 1) / len(known) for n in range(len(known))]
        own = zip([1 / span, *known, span], [0.0, *parts, 1.0], strict=True)
        curves.append(
            Curve(phrases.of_law(each.rival), [Point(x, y, None) for x, y in own], "steps")
        )
        rows += [(each.rival, x, y) for x, y in zip(known, parts, strict=True)]
    wanted = higher_is_better(metric)
    side = {True: "right", False: "left", None: ""}[wanted]
    better = f" ({first} is better {side} of the line)" if side else ""
    said = metrics_said(found.alone.metrics)[metric]
    return Chart(
        [("", curves)],
        f"{said} of {first} over that of a rival{better}",
        "share of the conditions",
        [],
        log=True,
        ordered=True,
        x_ends=(1 / span, span),
        y_ends=(0.0, 1.0),
        upright=1.0,
        table=(["rival", "ratio", "share of conditions"], rows),
    )


def span_of(shown: Sequence[Against]) -> float:
    """Return how far the axis of ratios goes: from one over this to this."""
    above = [ratio for each in shown for ratio in ratios(each) if ratio > 0]
    return max([LEAST_SPAN, *(1.05 * ratio for ratio in above), *(1.05 / r for r in above)])


def draw(sets: Sequence[tuple[str, Duel]], palette: Palette, *, width: str = "two") -> Figure:
    """Draw a row of panels for each set of conditions and a column for each metric; where narrow, below.

    `sets` are duels of the same TCPs by what their conditions are called.
    """
    from matplotlib.figure import Figure

    from lasthop.pages.figures import style

    panels = [(name, found, metric) for name, found in sets for metric in found.alone.metrics]
    most = max(len(found.alone.metrics) for _, found in sets)
    across = 1 if width == "one" else most
    down = -(-len(panels) // across)
    inches = style.COLUMN_INCHES if width == "one" else style.PAGE_INCHES
    figure = Figure(figsize=(inches, PANEL_INCHES * down + 0.35), layout="constrained")
    grid = list(figure.subplots(down, across, squeeze=False, sharey=True).flat)
    for axes, (name, found, metric) in zip(grid, panels, strict=False):
        _panel(axes, found, metric, palette)
        axes.set_title(set_said(name) if len(sets) > 1 else "")
        axes.set_ylabel("share of conditions" if axes in grid[::across] else "")
    for axes in grid[len(panels) :]:
        axes.set_visible(False)
    drawn: dict[str, Artist] = {}
    for axes in grid:
        handles, labels = axes.get_legend_handles_labels()
        drawn |= dict(zip(labels, handles, strict=True))
    columns = 2 if width == "one" else 4
    figure.legend(drawn.values(), drawn, loc="outside upper center", ncols=columns)
    return figure


def _panel(axes: Axes, found: Duel, metric: str, palette: Palette) -> None:
    unknown = 0
    shown = [each for each in found.against if each.metric == metric]
    span = span_of(shown)
    for place, each in enumerate(shown):
        known = ratios(each)
        if not known:
            continue
        unknown += len(each.places) - len(known)
        axes.ecdf(
            [max(ratio, LEAST) for ratio in known],
            label=f"against {phrases.of_law(each.rival)}",
            color=palette.series[place % len(palette.series)],
            ls=DASHES[place % len(DASHES)],
            lw=1.3,
        )
    axes.axvline(1.0, color=palette.ink, lw=0.6, zorder=1)
    axes.set_xscale("log")
    axes.set_xlim(1 / span, span)
    _ticks(axes, span)
    axes.set_ylim(0, 1)
    axes.set_yticks([0, 0.25, 0.5, 0.75, 1])
    said = metrics_said(found.alone.metrics)[metric]
    more = f" ({unknown} unknown)" if unknown else ""
    axes.set_xlabel(f"{said}, {first_of(found)} / rival{more}")
    wanted = higher_is_better(metric)
    if wanted is None:
        return
    lower = not wanted
    axes.text(
        0.02 if lower else 0.98,
        0.04 if not lower else 0.9,
        f"\N{LEFTWARDS ARROW} {first_of(found)} better"
        if lower
        else f"{first_of(found)} better \N{RIGHTWARDS ARROW}",
        ha="left" if lower else "right",
        transform=axes.transAxes,
        fontsize=7,
        color=palette.ink,
    )


def _ticks(axes: Axes, span: float) -> None:
    """Mark round ratios by their numbers: those of a logarithmic axis would be powers of ten, or none at all."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

    steps = (
        [1.1, 1.2]
        if span < 1.5
        else [1.5, 2]
        if span < 3
        else [2, 5]
        if span < 12
        else [10, 100]
        if span < 200
        else [10, 100, 1000, 10_000]
    )
    at = [step for step in steps if step <= span]
    axes.xaxis.set_major_locator(FixedLocator([*(1 / step for step in reversed(at)), 1, *at]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}" if x >= 1 else f"{x:.2g}"))
