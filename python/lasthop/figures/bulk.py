"""Figures of a table of throughput by packet size and window, simulated beside published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from lasthop.figures import style
from lasthop.figures.style import Palette


@dataclass(frozen=True)
class Point:
    """One cell: published and simulated throughput, kbit/s, with the half width of its interval."""

    published: float
    mean: float
    ci95: float | None


@dataclass(frozen=True)
class Panel:
    """The cells of one case, by (packet size in bytes, window in packets)."""

    title: str
    points: Mapping[tuple[int, int], Point]

    @property
    def sizes(self) -> list[int]:
        """Packet sizes, rising."""
        return sorted({size for size, _ in self.points})

    @property
    def windows(self) -> list[int]:
        """Windows, rising."""
        return sorted({window for _, window in self.points})


def throughput(panels: Sequence[Panel], palette: Palette) -> Figure:
    """Draw throughput over packet size, a curve for each window, a panel for each case."""
    figure = Figure(figsize=(style.PAGE_INCHES, 5.6), layout="constrained")
    grid = figure.subplots(2, 2, sharex=True, sharey=True).flat
    for axes, panel in zip(grid, panels, strict=True):
        _curves(axes, panel, palette)
    grid[0].set_ylim(bottom=0)  # last: it ends the automatic scaling of all panels
    figure.supxlabel("packet size (bytes of TCP payload)", fontsize=8)
    figure.supylabel("total throughput of 5 stations (kbit/s)", fontsize=8)
    windows = [
        Line2D([], [], color=colour, marker=marker, label=f"window {window}")
        for window, colour, marker in zip(
            panels[0].windows, palette.series, style.MARKERS, strict=False
        )
    ]
    kinds = [
        Line2D([], [], color=palette.ink, marker="o", label="simulated, 95 % interval"),
        Line2D([], [], color=palette.ink, ls=":", marker="o", mfc="none", label="published"),
    ]
    figure.legend(handles=windows + kinds, loc="outside upper center", ncols=6)
    return figure


def _curves(axes: Axes, panel: Panel, palette: Palette) -> None:
    sizes = panel.sizes
    for place, window in enumerate(panel.windows):
        points = [panel.points[size, window] for size in sizes]
        # Spread a little sideways, so that bars of one size do not hide each other.
        at = [size * 1.045 ** (place - 1.5) for size in sizes]
        colour, marker = palette.series[place], style.MARKERS[place]
        axes.plot(
            at, [p.published for p in points], ls=":", lw=1, marker=marker, mfc="none", color=colour
        )
        bars = [p.ci95 or 0.0 for p in points]
        axes.errorbar(at, [p.mean for p in points], yerr=bars, marker=marker, color=colour)
    axes.set_title(panel.title)
    style.plain_log_ticks(axes, sizes)


def ratio_map(panels: Sequence[Panel], palette: Palette) -> Figure:
    """Draw simulated over published throughput as a map: sizes down, windows across."""
    figure = Figure(figsize=(style.PAGE_INCHES, 2.7), layout="constrained")
    grid = figure.subplots(1, len(panels), sharey=True)
    ratios = [_ratios(panel) for panel in panels]
    reach = max(2.0, *(float(np.exp(np.abs(np.log(r)).max())) for r in ratios))
    norm = LogNorm(1 / reach, reach)
    for axes, panel, values in zip(grid, panels, ratios, strict=True):
        image = axes.imshow(values, cmap="PuOr_r", norm=norm, aspect="auto")
        axes.set_title(panel.title)
        axes.set_xticks(range(len(panel.windows)), labels=[str(w) for w in panel.windows])
        axes.set_yticks(range(len(panel.sizes)), labels=[str(s) for s in panel.sizes])
        axes.set_xlabel("window (packets)")
        axes.grid(visible=False)
        axes.spines[:].set_visible(False)
        axes.tick_params(length=0)
        _write_values(axes, values, norm)
    grid[0].set_ylabel("packet size (bytes)")
    bar = figure.colorbar(image, ax=list(grid), pad=0.01, shrink=0.9)
    ticks = [t for t in (0.1, 0.2, 0.5, 0.7, 1, 1.4, 2, 5, 10) if 1 / reach <= t <= reach]
    bar.set_ticks(ticks, labels=[f"{tick:g}" for tick in ticks])
    bar.ax.minorticks_off()
    bar.outline.set_visible(False)
    bar.set_label("simulated / published")
    return figure


def _ratios(panel: Panel) -> np.ndarray:
    return np.array(
        [
            [
                panel.points[size, window].mean / panel.points[size, window].published
                for window in panel.windows
            ]
            for size in panel.sizes
        ]
    )


def _write_values(axes: Axes, values: np.ndarray, norm: LogNorm) -> None:
    for (row, column), value in np.ndenumerate(values):
        red, green, blue, _ = colormaps["PuOr_r"](norm(value))
        dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
        colour = "#ffffff" if dark else "#1f2328"
        axes.text(column, row, f"{value:.2f}", ha="center", va="center", fontsize=7.5, color=colour)
