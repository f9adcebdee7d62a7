"""A congestion window above the interarrival times of another flow's packets, on one line of time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from lasthop.pages.figures.chart import Chart, Curve, Point

Array = npt.NDArray[np.float64]


def timeline(window: tuple[Array, Array], gaps: tuple[Array, Array]) -> Chart:
    """Return a congestion window (s, segments) above the interarrival times (s) of another flow's packets."""
    times, values = gaps
    panels = [
        ("the transfer's congestion window", Curve("", _points(*window), "steps", 0)),
        ("the film's packets at n0", Curve("", _points(times, 1e3 * values), "dots", 1)),
    ]
    return Chart(
        [(title, [curve]) for title, curve in panels],
        "time (s)",
        "",
        [],
        log=False,
        ordered=True,
        y_labels=("cwnd (segments)", "interarrival (ms)"),
        x_ends=(0.0, float(times[-1])),
        across=1,
    )


def _points(times: Array, values: Array) -> list[Point]:
    return [Point(float(x), float(y), None) for x, y in zip(times, values, strict=True)]
