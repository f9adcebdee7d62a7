"""Scenarios side by side, what asymmetry leaves, and figure 5: windows over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from lasthop.claims import Table
from lasthop.core.job import Job
from lasthop.core.jobs import run_jobs
from lasthop.core.listeners import Count
from lasthop.pages.figures.curves import Chart, Curve, Point, curves
from lasthop.pages.report import Figure
from lasthop.study.papers.folder import Paper

BESIDE = {
    "goodput": ("alone.goodput", "shared.goodput"),
    "wlan.goodput": ("wlan_alone.goodput", "wlan_shared.goodput"),
}
"""By measure with an axis of scenarios, those of scenarios 1 and 2."""
WINDOWS = ("newreno", "linux26-vegas", "linux26-veno", "linux26-westwood", "linux26-bic")
EVERY, DURATION = "100 ms", "30 s"
CAPTION = "Figure 5: the congestion windows of the variants in scenario 1, PER 0.001, one run each."


def tables(made: Mapping[str, Table]) -> dict[str, Table]:
    """Return goodputs of scenarios 1 and 2 in one table, bit/s, and what asymmetry leaves, 0 to 1."""
    found = {}
    for name, parts in BESIDE.items():
        if set(parts) <= made.keys():
            rows = [
                ({"scenario": number, **dict(zip(made[part].axes, key, strict=True))}, values)
                for number, part in enumerate(parts, 1)
                for key, values in made[part].cells.items()
            ]
            found[name] = Table.of(name, rows)
    if "ratio.goodput" in made:
        found["ratio.kept"] = kept(made["ratio.goodput"])
    return found


def kept(table: Table) -> Table:
    """Return of each variant the least goodput over DL:UL as a part of the greatest, by replication."""
    rows = []
    for context in table.contexts(["ratio"]):
        cells = [table.at({**context, "ratio": ratio}) for ratio in table.values("ratio")]
        there = [cell for cell in cells if cell is not None]
        least = min((len(cell) for cell in there), default=0)
        values = np.array([cell[:least] for cell in there])
        rows.append((context, values.min(axis=0) / values.max(axis=0) if least else np.empty(0)))
    return Table.of("ratio.kept", rows)


def more(
    paper: Paper, wanted: Sequence[str], seed: int, _: int, told: Count
) -> tuple[dict[str, Table], dict[str, Figure]]:
    """Run figure 5."""
    if "alone" not in wanted:
        return {}, {}
    study = paper.study("alone", seed)
    jobs = [
        Job(
            study.scenario,
            study.file,
            (*study.changes, f"tcp.variant={name}", f"duration={DURATION}"),
            seed,
        )
        for name in WINDOWS
    ]
    runs = run_jobs(jobs, progress=told, probes=["tcp"], probe_every=EVERY)
    names = paper.axes["tcp"].values
    panels = [(names[name], [_window(run)]) for name, run in zip(WINDOWS, runs, strict=True)]
    chart = Chart(panels, "time (s)", "cwnd (segments)", [], log=False, ordered=True)
    return {}, {"figure05": Figure(partial(curves, chart, "two"), CAPTION)}


def _window(run: Mapping[str, Any] | None) -> Curve:
    assert run is not None  # nothing was interrupted
    rows = run["probes"]["tcp"]
    pairs = zip(rows["time_s"], rows["snd_cwnd"], strict=True)
    return Curve("", [Point(time, window, None) for time, window in pairs])
