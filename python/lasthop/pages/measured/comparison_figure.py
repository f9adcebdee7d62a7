"""Measured series over simulated ones: the mean of the replications, their range, and each file as a line."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from lasthop.data.measured.comparison import Pair
from lasthop.data.measured.model import Array, Series
from lasthop.data.measured.quantities import DRAWN, QUANTITIES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from lasthop.pages.figures.palette import Palette

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


def draw(pairs: Sequence[Pair], palette: Palette, width: str = "two") -> Figure:
    """Draw pairs side by side, a panel for each quantity, as wide as ``one`` or ``two`` columns of a paper."""
    from matplotlib.figure import Figure

    from lasthop.pages.figures import style

    shown = list(pairs)[:MOST_COLUMNS]
    keys = list(dict.fromkeys(key for pair in shown for key in drawn(pair)))
    inches = style.COLUMN_INCHES if width == "one" else style.PAGE_INCHES
    figure = Figure(
        figsize=(inches, (0.9 if width == "one" else 0.5) + 1.45 * len(keys)), layout="constrained"
    )
    grid = figure.subplots(len(keys), len(shown), sharex=True, sharey="row", squeeze=False)
    for column, pair in enumerate(shown):
        for row, key in enumerate(keys):
            axes = grid[row][column]
            _panel(axes, pair, key, palette)
            if row == 0:
                axes.set_title(pair.name)
            if column == 0:
                axes.set_ylabel(NAMES.get(key, (QUANTITIES[key].label,))[0])
        grid[-1][column].set_xlabel("time (s)")
    for axes in grid.flat:
        axes.set_ylim(bottom=0)
        axes.set_xlim(left=0)
    handles, labels = grid[0][0].get_legend_handles_labels()
    figure.legend(
        handles, labels, loc="outside upper center", ncols=1 if width == "one" else len(labels)
    )
    return figure


def _panel(axes: Axes, pair: Pair, key: str, palette: Palette) -> None:
    scale = NAMES.get(key, ("", QUANTITIES[key].scale))[1]
    simulated, files = palette.series[0], palette.series[1]
    series = [flow.series[key] for flow in pair.simulated if key in flow.series]
    if series:
        times, low, mean, high = _band(series)
        if len(series) > 1:
            name = f"simulated, range of {len(series)} runs"
            axes.fill_between(
                times, low * scale, high * scale, color=simulated, alpha=0.22, lw=0, label=name
            )
        name = "simulated, mean" if len(series) > 1 else "simulated"
        axes.plot(times, mean * scale, color=simulated, ls="--", lw=1.1, label=name)
    for place, flow in enumerate(pair.measured):
        if key in flow.series:
            each = flow.series[key]
            label = None if place else "measured"
            axes.plot(each.times, each.values * scale, color=files, lw=1.3, label=label)


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
