"""The page of a comparison."""

from __future__ import annotations

import math
from typing import Any

from lasthop.data.measured.comparison import Comparison, Pair, Row
from lasthop.data.measured.simulated import Simulated
from lasthop.numbers import stats
from lasthop.numbers.numerals import counted
from lasthop.pages import report
from lasthop.pages.figures import curve_svg
from lasthop.pages.measured.comparison_figure import chart, drawn


def headline(comparison: Comparison, scenario: str, runs: Simulated) -> str:
    """Say what was run."""
    number = len(comparison.runs)
    several = counted(number, "replication")
    place = f", captured at {runs.place}" if runs.place else ""
    return f"{scenario}: {several} of {comparison.runs[0].seconds:.4g} s, seed {runs.seed}{place}"


def page(comparison: Comparison, scenario: str, text: str, said: str) -> str:
    """Return a comparison as one HTML file; `said` is its headline."""
    figures = {pair.name: _figure(pair) for pair in comparison.pairs if drawn(pair)}
    several = len(comparison.files) > 1
    return report.render(
        "compare.html.j2",
        scenario=scenario,
        text=text,
        headline=said,
        said=comparison.said,
        files=[
            {"file": e.file, "format": e.format, "seconds": e.seconds} for e in comparison.files
        ],
        several=several,
        notes=comparison.notes,
        pairs=[
            {
                "name": pair.name,
                "measured": pair.measured_name,
                "rows": [row_of(row) for row in comparison.rows[pair.name]],
            }
            for pair in comparison.pairs
        ],
        figures=figures,
    )


def _figure(pair: Pair) -> dict[str, Any]:
    told = f"Flow {pair.name}: measured ({pair.measured_name}) over simulated"
    return curve_svg.figure(chart([pair]), told, f"{pair.name}-measured")


def row_of(row: Row) -> dict[str, Any]:
    """Return the cells of a row, as text."""
    quantity = row.quantity
    shown, half = quantity.shown, row.simulated.ci95
    interval = "-"
    if row.low is not None and row.high is not None:
        low = row.low if len(row.measured) > 1 else max(row.low, 0.0)
        interval = f"{shown(low)} to {shown(row.high)}"
    return {
        "name": quantity.label,
        "measured": shown(row.mean),
        "simulated": stats.shown_mean(row.simulated.mean, half, (0.0, math.inf), shown, shown),
        "interval": interval,
        "part": report.percent(row.part),
        "inside": {True: "inside", False: "outside", None: "-"}[row.inside],
    }
