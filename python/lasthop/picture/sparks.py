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
"""Characters of a line: with a name and the range it has room in 80 columns."""

NAME = 14
"""Characters of a name; a longer one is cut."""

WHAT = (("goodput", "goodput_bps", 1e-3, "kbit/s"), ("delay", "delay_mean_s", 1e3, "ms"))


def charts(asked: Prepared, threads: int | None, told: Fraction) -> list[str]:
    """Run the first replication again and return a line for each flow's goodput and delay, 80 columns at most.

    Each character is the mean over one of 36 steps of the run, warm-up included; a blank: nothing arrived.
    """
    step = asked.outline()["duration_s"] / STEPS
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
        places = [min(round(table["time_s"][row] / step), STEPS) - 1 for row in own]
        for label, key, factor, unit in WHAT:
            values = np.full(STEPS, np.nan)
            values[places] = factor * column(table[key], own)
            if not np.isnan(values).all():
                top = f"0 to {np.nanmax(values):,.4g} {unit}"
                lines.append(f"{_cut(flow):<{NAME}} {label:<7} {blocks(values)} {top}")
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


def _cut(name: str) -> str:
    return name if len(name) <= NAME else f"{name[: NAME - 1]}…"
