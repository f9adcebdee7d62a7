"""A paper's figures that paper.toml names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lasthop.pages.figures.chart import Chart, Curve, Point
from lasthop.pages.report import Figure, of_curves
from lasthop.study.claims import Table
from lasthop.study.papers.folder import Paper
from lasthop.study.papers.nearness import estimate
from lasthop.study.phrases import written


def of_paper(paper: Paper, made: Mapping[str, Table]) -> dict[str, Figure]:
    """Return the figures of which there are results, by file name."""
    drawn = {}
    for name, held in paper.figures.items():
        if held["measure"] not in made:
            continue
        chart = _chart(paper, made[held["measure"]], held)
        if any(len(curve.points) > 1 for _, lines in chart.panels for curve in lines):
            width, from_zero = held.get("width", "two"), held.get("from_zero", True)
            drawn[name] = of_curves(chart, held["caption"], width, from_zero=from_zero, name=name)
    return drawn


def _chart(paper: Paper, table: Table, held: Mapping[str, Any]) -> Chart:
    chosen = table.where(held.get("where", {}))
    x, by, panel = held["x"], held["by"], held.get("panel", [])
    names = panel if isinstance(panel, list) else [panel]
    panels = []
    for title in chosen.contexts([axis for axis in chosen.axes if axis not in names]):
        inside = chosen.where(title)
        lines = [
            Curve(
                table.shown.value(by, value),
                _points(inside.where({by: value}), x, table.shown.scale),
            )
            for value in inside.values(by)
        ]
        if any(line.points for line in lines):
            panels.append((table.label(title), lines))
    ticks = [(float(value), written(value)) for value in chosen.values(x)]
    label = f"{held['shows']} ({table.shown.unit})" if table.shown.unit else held["shows"]
    return Chart(
        panels, held.get("x_label", x), label, ticks, log=held.get("log", False), ordered=True
    )


def _points(table: Table, x: str, scale: float) -> list[Point]:
    found = []
    place = table.place(x)
    for key, values in table.cells.items():
        known = estimate(values, scale)
        if known["mean"] is not None:
            found.append(Point(float(key[place]), known["mean"], known["ci95"]))
    return sorted(found, key=lambda point: point.x)
