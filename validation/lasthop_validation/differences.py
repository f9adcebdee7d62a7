"""A comparison at a glance: each check's difference in units of its bound, a line for each group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from lasthop.pages.figures import style
from lasthop.pages.figures.palette import Palette
from lasthop_validation.checking import Check, Outcome

REACH = 30.0
"""Bounds; what is farther off is drawn at the edge."""


def differences(title: str, groups: Mapping[str, Sequence[Check]], palette: Palette) -> Figure:
    """Draw the checks of a comparison: inside the band they are within their bound."""
    figure = Figure(figsize=(style.PAGE_INCHES, 1.1 + 0.19 * len(groups)), layout="constrained")
    axes = figure.subplots()
    axes.axvspan(-1, 1, color=palette.faint, lw=0, alpha=0.6)
    axes.axvline(0, color=palette.ink, lw=0.6)
    blue, red, _, purple, gold, _ = palette.series
    colours = {
        Outcome.OK: blue,
        Outcome.UNDECIDED: gold,
        Outcome.OFF: red,
        Outcome.DIFFERS: purple,
    }
    looks = {
        outcome: (colours[outcome], marker)
        for outcome, marker in zip(Outcome, style.MARKERS, strict=False)
    }
    for place, rows in enumerate(groups.values()):
        for row in rows:
            colour, marker = looks[row.outcome]
            axes.errorbar(
                max(-REACH, min(REACH, row.difference / _unit(row))),
                place,
                xerr=min(row.chance / _unit(row), REACH),
                color=colour,
                marker=marker,
                elinewidth=0.5,
                capsize=0,
                alpha=0.8,
            )
    axes.set_xscale("symlog", linthresh=2)
    axes.set_xlim(-1.2 * REACH, 1.2 * REACH)
    ticks = [-30, -10, -5, -2, -1, 0, 1, 2, 5, 10, 30]
    axes.set_xticks(ticks, labels=[str(tick) for tick in ticks])
    axes.minorticks_off()
    axes.set_yticks(range(len(groups)), labels=list(groups))
    axes.set_ylim(len(groups) - 0.5, -0.5)
    axes.set_xlabel("(measured - expected) / bound; bars: chance")
    axes.set_title(title)
    seen = {row.outcome for rows in groups.values() for row in rows}
    handles = [
        Line2D([], [], color=colour, marker=marker, ls="", label=str(outcome))
        for outcome, (colour, marker) in looks.items()
        if outcome in seen
    ]
    figure.legend(handles=handles, loc="outside lower right", ncols=4)
    return figure


def _unit(row: Check) -> float:
    """Return what a difference is drawn in: the bound, or chance where nothing else is allowed for."""
    return row.bound or row.chance or 1.0
