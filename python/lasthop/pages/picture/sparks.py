"""Small charts of a run for the terminal: goodput and delay of each flow as a line of block characters."""

from __future__ import annotations

import numpy as np

from lasthop.core.job import Job
from lasthop.core.listeners import Fraction
from lasthop.core.metrics.leaves import Array
from lasthop.pages.picture.watching import drawn

BLOCKS = "▁▂▃▄▅▆▇█"

STEPS = 36
"""Characters of a line at most: more show no more."""

BESIDE = 44
"""Columns of the name and the range beside a line."""

NAME = 14
"""Characters of a name; a longer one is cut."""

WHAT = {
    "goodput_bps": ("goodput", ("kbit/s", "Mbit/s")),
    "delay_mean_s": ("delay", ("ms", "s")),
}
"""By column the label of its chart, its unit and a thousand of it."""


def charts(asked: Job, workers: int | None, told: Fraction, width: int = 80) -> list[str]:
    """Run the first replication again and return a line for the goodput and delay of each flow, so wide at most.

    Each character is the mean over a step of the run, warm-up included; a blank: nothing arrived.
    """
    steps, outline = max(4, min(STEPS, width - BESIDE)), asked.outline()
    made = drawn(asked, ("flows",), steps, workers, told)
    series, duration_s = made["series"], outline["duration_s"]
    every = f"each character the mean of {duration_s / steps:.3g} s:"
    lines = [f"In time, {duration_s:g} s, {every}"]
    found: dict[str, list[str]] = {}
    for chart in series["charts"]:
        label, units = WHAT[chart["of"]]
        for line in chart["lines"]:
            if flow := line.get("flow"):
                # The grid begins at 0, and a step has its mean at its end.
                values = np.array(line["values"][1:], dtype=float)
                top = _said(float(np.nanmax(values)), units)
                spark = f"{_cut(flow):<{NAME}} {label:<7} {blocks(values)} 0 to {top}"
                found.setdefault(flow, []).append(spark)
    lines += [line for each in found.values() for line in each]
    if series["notes"]:
        lines.append(
            f"Of {len(outline['flows'])} flows those of each kind with most and least goodput are shown."
        )
    return lines


def blocks(values: Array) -> str:
    """Return a character for each value, from nothing to the largest; a blank where there is none."""
    top = np.nanmax(values)
    levels = np.zeros(len(values)) if top <= 0 else values / top * (len(BLOCKS) - 1)
    return "".join(
        " " if np.isnan(value) else BLOCKS[round(float(level))]
        for value, level in zip(values, levels, strict=True)
    )


def _said(value: float, units: tuple[str, str]) -> str:
    return f"{value:,.4g} {units[0]}" if value < 9999.5 else f"{value / 1000:,.4g} {units[1]}"


def _cut(name: str) -> str:
    return name if len(name) <= NAME else f"{name[: NAME - 1]}…"
