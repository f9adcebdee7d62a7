"""Scenarios side by side, what asymmetry leaves, and figure 5: windows over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lasthop.claims import Table
from lasthop.core.job import Job
from lasthop.core.jobs import run_jobs
from lasthop.core.listeners import Count
from lasthop.pages.figures.chart import Chart, Curve, Point
from lasthop.pages.report import Figure, of_curves
from lasthop.study.papers.folder import Paper

Array = npt.NDArray[np.float64]

BESIDE = {
    "goodput": ("alone.goodput", "shared.goodput"),
    "wlan.goodput": ("wlan_alone.goodput", "wlan_shared.goodput"),
}
"""By measure with an axis of scenarios, those of scenarios 1 and 2."""
WINDOWS = ("newreno", "linux26-vegas", "linux26-veno", "linux26-westwood", "linux26-bic")
EVERY, DURATION = "100 ms", "30 s"
RUNS = 10
"""Runs of each variant whose windows are averaged."""
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
    """Return of each variant the least mean goodput over DL:UL as a part of the greatest.

    A replication has the part plus what it changes of it, to the first order (the delta method): their mean is the
    ratio of the means, and their spread that of it. The mean of each replication's own ratio is another number.
    """
    rows = []
    for context in table.contexts(["ratio"]):
        cells = [table.at({**context, "ratio": ratio}) for ratio in table.values("ratio")]
        there = [cell for cell in cells if cell is not None]
        count = min((len(cell) for cell in there), default=0)
        values = np.array([cell[:count] for cell in there])
        if count:
            means = values.mean(axis=1)
            least, greatest = means.argmin(), means.argmax()
            part = means[least] / means[greatest]
            apart = (values[least] - part * values[greatest]) / means[greatest]
            rows.append((context, part + apart))
        else:
            rows.append((context, np.empty(0)))
    return Table.of("ratio.kept", rows)


def more(
    paper: Paper, wanted: Sequence[str], seed: int, replications: int, told: Count
) -> tuple[dict[str, Table], dict[str, Figure]]:
    """Run the cells of figure 5: its picture, and the mean windows, in segments."""
    if "alone" not in wanted:
        return {}, {}
    study = paper.study("alone", seed)
    count = min(RUNS, replications)
    jobs = [
        Job(
            study.scenario,
            study.file,
            (*study.changes, f"tcp.variant={name}", f"duration={DURATION}"),
            seed,
            replication,
        )
        for name in WINDOWS
        for replication in range(count)
    ]
    done = run_jobs(jobs, progress=told, probes=["tcp"], probe_every=EVERY)
    runs = [_window(run) for run in done]
    names = [paper.axes["tcp"].values[variant] for variant in WINDOWS]
    each = [runs[at * count : (at + 1) * count] for at in range(len(names))]
    means = [
        ({"tcp": name}, np.array([window.mean() for _, window in own]))
        for name, own in zip(names, each, strict=True)
    ]
    panels = [(name, [_curve(*own[0])]) for name, own in zip(names, each, strict=True)]
    chart = Chart(panels, "time (s)", "cwnd (segments)", [], log=False, ordered=True)
    drawn = {"figure05": of_curves(chart, CAPTION, name="figure05")}
    return {"window": Table.of("window", means, paper.shown("window"))}, drawn


def _window(run: Mapping[str, Any] | None) -> tuple[Array, Array]:
    """Return times in s, and the window at each in segments."""
    assert run is not None  # nothing was interrupted
    rows = run["probes"]["tcp"]
    return np.array(rows["time_s"], float), np.array(rows["snd_cwnd"], float)


def _curve(times: Array, windows: Array) -> Curve:
    pairs = zip(times.tolist(), windows.tolist(), strict=True)
    return Curve("", [Point(time, window, None) for time, window in pairs])
