"""Small charts of a run for the terminal: goodput and delay of each flow as a line of block characters."""

from __future__ import annotations

import numpy as np

from lasthop.jobs import run_jobs
from lasthop.listeners import Fraction
from lasthop.metrics.leaves import Array
from lasthop.picture.grids import column, groups
from lasthop.picture.roles import roles
from lasthop.prepared import Prepared

BLOCKS = "▁▂▃▄▅▆▇█"

STEPS = 36
"""Characters of a line at most: more show no more."""

BESIDE = 44
"""Columns of the name and the range beside a line."""

NAME = 14
"""Characters of a name; a longer one is cut."""

WHAT = (
    ("goodput", "goodput_bps", 1e-3, ("kbit/s", "Mbit/s")),
    ("delay", "delay_mean_s", 1e3, ("ms", "s")),
)
"""Of each chart its label, its column, the factor to its unit, and that unit and a thousand of it."""


def charts(asked: Prepared, threads: int | None, told: Fraction, width: int = 80) -> list[str]:
    """Run the first replication again and return a line for the goodput and delay of each flow, so wide at most.

    Each character is the mean over a step of the run, warm-up included; a blank: nothing arrived.
    """
    steps = max(4, min(STEPS, width - BESIDE))
    step = asked.outline()["duration_s"] / steps
    (document,) = run_jobs(
        [asked.job()],
        threads,
        fraction=told,
        laws=asked.laws or None,
        law=asked.law,
        probes=("flows",),
        probe_every=f"{step!r} s",
    )
    assert document is not None  # there is one job, and it was not interrupted
    table = document["probes"]["flows"]
    rows = dict(groups(table["flow"]))
    shown, said = roles(document["flows"])
    lines = [f"In time, {document['duration_s']:g} s, each character the mean of {step:.3g} s:"]
    for role in shown:
        if len(role.flows) > 1:
            continue
        (flow,) = role.flows
        own = rows.get(flow, [])
        places = [min(round(table["time_s"][row] / step), steps) - 1 for row in own]
        for label, key, factor, units in WHAT:
            values = np.full(steps, np.nan)
            values[places] = factor * column(table[key], own)
            if not np.isnan(values).all():
                top = _said(float(np.nanmax(values)), units)
                lines.append(f"{_cut(flow):<{NAME}} {label:<7} {blocks(values)} 0 to {top}")
    if said:
        lines.append(
            f"Of {len(document['flows'])} flows those of each kind with most and least goodput are shown."
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
