"""The data of advice: every setting tried, the objective against the limited metric."""

from __future__ import annotations

import math
from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from lasthop.core.quantities.units import shown_unit
from lasthop.pages.figures import style
from lasthop.pages.figures.palette import Palette
from lasthop.study import phrases
from lasthop.study.advice.advice import Advice
from lasthop.study.advice.candidates import Candidate
from lasthop.study.advice.wishes import Bound

PANELS = 3
"""Limits that get a panel, at most."""

LISTED = 12
"""Settings listed where there is no limit to draw against."""


def pareto(advice: Advice, units: dict[str, str], palette: Palette) -> Figure:
    """Draw what is wanted over each limited measure; without limits, the best settings in order.

    The line joins the settings that no other is better than in everything, by the means: giving
    more of one measure, they cost another. Bars are intervals that hold together.
    """
    bounds = list({bound.metric: bound for bound in advice.wish.bounds}.values())[:PANELS]
    if not bounds:
        return _in_order(advice, units, palette)
    width = style.COLUMN_INCHES if len(bounds) == 1 else style.PAGE_INCHES
    figure = Figure(figsize=(max(width, 4.6), 3.3), layout="constrained")
    panels = figure.subplots(1, len(bounds), sharey=True, squeeze=False)[0]
    for axes, bound in zip(panels, bounds, strict=True):
        _panel(axes, advice, bound, units, palette)
    name, _ = _scale(advice.wish.metric, units)
    panels[0].set_ylabel(name)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3)
    panels[0].set_title(_title(advice))
    return figure


def _title(advice: Advice) -> str:
    if advice.recommended is None:
        return (
            "No setting satisfies the limits" if advice.impossible else "None is shown to satisfy"
        )
    return phrases.of_settings(advice.recommended.setting)


def _panel(
    axes: Axes, advice: Advice, bound: Bound, units: dict[str, str], palette: Palette
) -> None:
    x, y = bound.metric, advice.wish.metric
    name, factor = _scale(x, units)
    limit = bound.limit * factor
    points = [each for each in advice.candidates if _finite(each, x) and _finite(each, y)]
    axes.axvline(limit, color=palette.ink, lw=0.8, ls="--")
    for label, group, colour, marker, size in _groups(advice, points, palette):
        if not group:
            continue
        bars = label == "recommended" or (group[0] in advice.alike and len(group) <= LISTED)
        axes.errorbar(
            [factor * each.measured[x].mean for each in group],
            [_scale(y, units)[1] * each.measured[y].mean for each in group],
            xerr=_bars(group, x, factor) if bars else None,
            yerr=_bars(group, y, _scale(y, units)[1]) if bars else None,
            ls="",
            marker=marker,
            color=colour,
            ms=size,
            elinewidth=0.7,
            capsize=0,
            label=label,
            alpha=1.0 if label == "recommended" else 0.7,
            zorder=4 if label == "recommended" else 2,
        )
    _frontier(axes, points, x, y, (factor, _scale(y, units)[1]), advice, palette)
    _reach(axes, limit, [factor * each.measured[x].mean for each in points])
    axes.set_xlabel(f"{name}; limit {'<' if bound.under else '>'} {limit:g}")


def _reach(axes: Axes, limit: float, values: Sequence[float]) -> None:
    """Show every point and the limit; on a logarithmic axis where values are far apart."""
    low, high = min(values, default=limit), max(values, default=limit)
    if low > 0 and limit > 0 and max(high, limit) / min(low, limit) > 30:
        axes.set_xscale("log")
        return
    margin = 0.05 * (max(high, limit) - min(low, limit)) or 1.0
    axes.set_xlim(min(low, limit) - margin, max(high, limit) + margin)


def _groups(
    advice: Advice, points: Sequence[Candidate], palette: Palette
) -> list[tuple[str, list[Candidate], str, str, float]]:
    best, alike = advice.recommended, advice.alike
    blue, red, green, *_ = palette.series
    out = [each for each in points if each is not best and each not in alike]
    broken = [each for each in out if each.state == "breaks a limit"]
    below = [each for each in out if each.state != "breaks a limit"]
    return [
        ("breaks a limit", broken, red, "x", 4),
        ("below another", below, palette.ink, ".", 4),
        ("cannot be told apart from it", [each for each in points if each in alike], blue, "s", 4),
        ("recommended", [each for each in points if each is best], green, "D", 7),
    ]


def _frontier(
    axes: Axes,
    points: Sequence[Candidate],
    x: str,
    y: str,
    factors: tuple[float, float],
    advice: Advice,
    palette: Palette,
) -> None:
    line = sorted(
        (factors[0] * p.measured[x].mean, factors[1] * p.measured[y].mean)
        for p in points
        if p.efficient
    )
    if len(line) > 1 and len(advice.wish.metrics) == 2:
        axes.plot(*zip(*line, strict=True), color=palette.ink, lw=0.8, zorder=1)


def _in_order(advice: Advice, units: dict[str, str], palette: Palette) -> Figure:
    y = advice.wish.metric
    name, factor = _scale(y, units)
    listed = [each for each in advice.candidates if _finite(each, y)][:LISTED]
    height = 0.9 + 0.22 * len(listed)
    figure = Figure(figsize=(style.PAGE_INCHES * 0.75, height), layout="constrained")
    axes = figure.subplots()
    for label, group, colour, marker, size in _groups(advice, listed, palette):
        if group:
            axes.errorbar(
                [factor * each.measured[y].mean for each in group],
                [listed.index(each) for each in group],
                xerr=_bars(group, y, factor),
                ls="",
                marker=marker,
                color=colour,
                ms=size,
                elinewidth=0.8,
                label=label,
            )
    names = [phrases.of_settings(each.setting) for each in listed]
    axes.set_yticks(range(len(listed)), labels=names)
    axes.set_ylim(len(listed) - 0.5, -0.5)
    axes.set_xlabel(name)
    axes.set_title("The best settings tried")
    figure.legend(loc="outside lower right", ncols=3)
    return figure


def _bars(group: Sequence[Candidate], metric: str, factor: float) -> list[list[float]]:
    found = [each.measured[metric] for each in group]
    sides = [[m.mean - m.low for m in found], [m.high - m.mean for m in found]]
    return [[factor * x if math.isfinite(x) else 0.0 for x in side] for side in sides]


def _finite(candidate: Candidate, metric: str) -> bool:
    return math.isfinite(candidate.measured[metric].mean)


def _scale(metric: str, units: dict[str, str]) -> tuple[str, float]:
    """Return a measure's name with its unit as shown, and the factor to it."""
    unit, factor = shown_unit(units.get(metric, ""))
    return (f"{metric} ({unit})" if unit else metric), factor
