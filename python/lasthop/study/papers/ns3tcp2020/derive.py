"""CUBIC's congestion window at the times that tcp-validation.cc names, and its extremes where it is checked."""

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
from lasthop.study import axes
from lasthop.study.papers.folder import Paper

Array = npt.NDArray[np.float64]

EVERY = "2 ms"
AT = {
    "first maximum": {"off": 5.4593, "on": 5.4593},
    "after it": {"off": 5.80304, "on": 5.7939},
    "second maximum": {"off": 14.2815, "on": 14.3477},
    "third maximum": {"off": 18.048, "on": 18.064},
}
"""By what the program's comments call it: when it is, by ECN, s (cases cubic-50ms-no-ecn and cubic-50ms-ecn)."""
PRINTED = {"first maximum": 511, "after it": 173, "second maximum": 236, "third maximum": 234}
"""The windows in the comments, segments."""
CHECKED = {
    "first maximum": (5.43, 5.465),
    "after it": (5.795, 6.0),
    "second maximum": (14.0, 14.328),
    "third maximum": (17.0, 18.2),
}
"""The spans in which TraceFirstCwnd checks each window, s."""
CAPTION = (
    "The congestion window of CUBIC by the end of its first slow start, without ECN, one run each."
)


def more(
    paper: Paper, wanted: Sequence[str], seed: int, replications: int, told: Count
) -> tuple[dict[str, Table], dict[str, Figure]]:
    """Run the cells of the study of CUBIC.

    Returns the windows at the named times (`cwnd`, segments), how far they are from print as a part of it (`off`),
    and the extremes in the spans (`least`, `most`).
    """
    if "cubic" not in wanted:
        return {}, {}
    study = paper.study("cubic", seed)
    settings = axes.settings(study.axes)
    jobs = [
        Job(study.scenario, study.file, (*study.changes, *_changes(raw)), seed, number)
        for raw in settings
        for number in range(replications)
    ]
    done = run_jobs(jobs, progress=told, probes=["tcp"], probe_every=EVERY)
    rows: dict[str, list[tuple[dict[str, Any], Array]]] = {
        name: [] for name in ("cwnd", "off", "least", "most")
    }
    panels = []
    for place, raw in enumerate(settings):
        named = paper.named(raw)
        runs = [_window(run) for run in done[place * replications : (place + 1) * replications]]
        for moment, times in AT.items():
            setting = {**named, "moment": moment}
            spans = [held_in(run, *CHECKED[moment]) for run in runs]
            windows = np.array([at(run, times[named["ecn"]]) for run in runs])
            rows["cwnd"].append((setting, windows))
            rows["off"].append((setting, np.abs(windows / PRINTED[moment] - 1)))
            rows["least"].append((setting, np.array([span.min() for span in spans])))
            rows["most"].append((setting, np.array([span.max() for span in spans])))
        if named["ecn"] == "off":
            panels.append((named["exit"], [_curve(*runs[0])]))
    chart = Chart(panels, "time (s)", "cwnd (segments)", [], log=False, ordered=True)
    found = {name: Table.of(name, held, paper.shown(name)) for name, held in rows.items()}
    return found, {"windows": of_curves(chart, CAPTION, name="windows")}


def _changes(raw: Mapping[str, Any]) -> list[str]:
    said = {True: "true", False: "false"}
    return [f"{key}={said.get(value, value)}" for key, value in raw.items()]


def _window(run: Mapping[str, Any] | None) -> tuple[Array, Array]:
    """Return times in s, and the window at each in segments."""
    assert run is not None  # nothing was interrupted
    rows = run["probes"]["tcp"]
    return np.array(rows["time_s"], float), np.array(rows["snd_cwnd"], float)


def at(run: tuple[Array, Array], time: float) -> float:
    """Return the last window that was seen up to a time."""
    times, windows = run
    return float(windows[np.searchsorted(times, time, side="right") - 1])


def held_in(run: tuple[Array, Array], begin: float, end: float) -> Array:
    """Return the windows that held in a span of time, that of its begin first."""
    times, windows = run
    inside = (times > begin) & (times < end)
    return np.concatenate([[at(run, begin)], windows[inside]])


def _curve(times: Array, windows: Array) -> Curve:
    pairs = zip(times.tolist(), windows.tolist(), strict=True)
    return Curve("", [Point(time, window, None) for time, window in pairs])
