"""A congestion window above the interarrival times of another flow's packets, on one line of time."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure

from lasthop.pages.figures import style
from lasthop.pages.figures.palette import Palette

Array = npt.NDArray[np.float64]


def timeline(window: tuple[Array, Array], gaps: tuple[Array, Array], palette: Palette) -> Figure:
    """Draw a congestion window above the interarrival times of another flow's packets."""
    figure = Figure(figsize=(style.PAGE_INCHES, 3.6), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True)
    above.step(*window, where="post", color=palette.series[0], lw=0.9)
    above.set_ylabel("cwnd (segments)")
    above.set_title("the transfer's congestion window")
    times, values = gaps
    below.plot(times, 1e3 * values, ls="", marker=".", ms=1.5, color=palette.series[1])
    below.set_ylabel("interarrival (ms)")
    below.set_title("the film's packets at n0")
    below.set_xlabel("time (s)")
    for axes in (above, below):
        axes.set_ylim(bottom=0)
        axes.set_xlim(0, float(times[-1]))
    return figure
