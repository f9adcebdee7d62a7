"""Measured series over simulated ones: the mean of the replications, their range, and each file as a line."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from lasthop.data.measured.comparison import Pair
from lasthop.data.measured.model import Array, Series
from lasthop.data.measured.quantities import DRAWN, QUANTITIES
from lasthop.pages.figures.chart import Chart, Curve, Point

MOST_COLUMNS = 3
NAMES = {
    "goodput_bps": ("goodput (Mbit/s)", 1e-6),
    "rtt_s.mean": ("round trip (ms)", 1e3),
    "srtt_s.mean": ("smoothed RTT (ms)", 1e3),
    "cwnd_segments.mean": ("window (segments)", 1.0),
}
"""The label of an axis and the factor to it, where they differ from the table's."""


def drawn(pair: Pair) -> list[str]:
    """Return the quantities of a pair that are there over time, measured and simulated."""
    return [
        key
        for key in DRAWN
        if all(key in flow.series for flow in (*pair.measured[:1], *pair.simulated[:1]))
    ]


def chart(pairs: Sequence[Pair]) -> Chart:
    """Return pairs side by side, a row of panels for each quantity."""
    shown = list(pairs)[:MOST_COLUMNS]
    panels, labels, rows = [], [], []
    for key in dict.fromkeys(key for pair in shown for key in drawn(pair)):
        for pair in shown:
            lines = _lines(pair, key)
            label = NAMES.get(key, (QUANTITIES[key].label,))[0]
            panels.append((pair.name if len(shown) > 1 else "", lines))
            labels.append(label)
            rows += [[pair.name, label, *row] for line in lines for row in _rows(line)]
    times = [p.x for _, lines in panels for line in lines for p in line.points]
    return Chart(
        panels,
        "time (s)",
        "",
        [],
        log=False,
        ordered=True,
        y_labels=labels,
        x_ends=(0.0, max(times, default=0.0) or 1.0),
        across=len(shown),
        table=(["flow", "quantity", "line", "time_s", "value", "least", "largest"], rows),
    )


def _rows(line: Curve) -> list[list[Any]]:
    """Return the points of a line for a table: of a band the ends only."""
    if line.form == "band":
        return [
            [line.label, p.x, None, p.mean - (p.half or 0.0), p.mean + (p.half or 0.0)]
            for p in line.points
        ]
    return [[line.label, p.x, p.mean, None, None] for p in line.points]


def _lines(pair: Pair, key: str) -> list[Curve]:
    """Return the range and the mean of the simulated runs, and a line for each measured file."""
    scale = NAMES.get(key, ("", QUANTITIES[key].scale))[1]
    series = [flow.series[key] for flow in pair.simulated if key in flow.series]
    found = []
    if series:
        times, low, mean, high = _band(series)
        if len(series) > 1:
            ends = _points(times, (low + high) / 2 * scale, (high - low) / 2 * scale)
            found.append(Curve(f"simulated, range of {len(series)} runs", ends, "band", 0))
        name = "simulated, mean" if len(series) > 1 else "simulated"
        found.append(Curve(name, _points(times, mean * scale), tone=0, dashed=True))
    for flow in pair.measured:
        if key in flow.series:
            own = flow.series[key]
            found.append(Curve("measured", _points(own.times, own.values * scale), tone=1))
    return found


def _points(times: Array, values: Array, halves: Array | None = None) -> list[Point]:
    known = zip(
        times, values, np.full(len(times), np.nan) if halves is None else halves, strict=True
    )
    return [
        Point(float(x), float(y), None if halves is None else float(half))
        for x, y, half in known
        if np.isfinite(y)
    ]


def _band(series: Sequence[Series]) -> tuple[Array, Array, Array, Array]:
    """Return times, least, mean and largest over replications, step by step."""
    length = max(len(each.times) for each in series)
    table = np.full((len(series), length), np.nan)
    for row, each in enumerate(series):
        table[row, : len(each.values)] = each.values
    times = max((each.times for each in series), key=len)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # a step in which no run has a value
        return times, np.nanmin(table, 0), np.nanmean(table, 0), np.nanmax(table, 0)
