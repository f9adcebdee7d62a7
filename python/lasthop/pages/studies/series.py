"""Time series of one run of a study: windows, acknowledged data and queues on one grid of times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lasthop.core.listeners import Fraction
from lasthop.core.metrics.leaves import Array
from lasthop.pages.picture import grids
from lasthop.pages.picture.grids import Line
from lasthop.pages.picture.watching import with_probes
from lasthop.study.cells import Cell, scenario_of
from lasthop.study.spec import Study

STEPS = 600
"""Steps of the grid: about what a wide screen has room for."""

FLOWS, QUEUES = 6, 6
"""Of more flows or queues the first are shown: each has a colour."""

AVERAGED = 12
"""Steps over which a rate is a mean: acknowledgements come in lumps, the more so after a loss."""

BYTE_BITS = 8


def run_of(study: Study, cell: Cell, workers: int | None, told: Fraction) -> dict[str, Any]:
    """Run a cell's first replication with its probes on, which change no result; return its document."""
    asked = scenario_of(study, cell)
    probes = ("tcp", "queue", *(("frames",) if asked.outline().get("wimax") else ()))
    return with_probes(asked, probes, STEPS, workers, told)


def series_of(document: Mapping[str, Any], steps: int = STEPS) -> dict[str, Any]:
    """Return what a page shows of a run with the probes ``tcp`` and ``queue``, and of ``flows`` where it was on.

    `times` in s from the start of the run, warm-up included; `charts` have a
    title, a unit and lines. A step has the last state in it; a rate is the mean over some.
    """
    step = document["duration_s"] / steps
    times = step * np.arange(steps + 1)
    probes = document["probes"]
    tcp, queue = probes["tcp"], probes["queue"]
    charts = [_chart("Congestion window", "segments", _windows(tcp, times))]
    if "flows" in probes:
        over = f"mean over {100 * _averaged(steps) / steps:g} % of the run"
        charts.insert(0, _chart(f"Goodput, {over}", "kbit/s", _goodputs(probes["flows"], times)))
        charts.append(
            _chart("One-way delay, mean of each step", "ms", _delays(probes["flows"], times))
        )
    else:
        title = f"Acknowledged data, mean over {100 * AVERAGED / STEPS:g} % of the run"
        charts.append(_chart(title, "kbit/s", _rates(tcp, times)))
    charts.append(_chart("Packets waiting", "packets", _queues(queue, times)))
    shown = [chart for chart in charts if chart["lines"]]
    return {"times": [round(float(t), 6) for t in times], "charts": shown}


def _chart(title: str, unit: str, lines: Sequence[Line]) -> dict[str, Any]:
    return {"title": title, "unit": unit, "lines": list(lines)}


def _windows(tcp: Mapping[str, Any], times: Array) -> list[Line]:
    lines: list[Line] = []
    for flow, rows in grids.groups(tcp["flow"], FLOWS):
        at = grids.column(tcp["time_s"], rows)
        for column, dash in (("snd_cwnd", False), ("ssthresh", True)):
            values = grids.held(at, grids.column(tcp[column], rows), times)
            if not np.isnan(values).all():
                name = f"{flow} {'ssthresh' if dash else 'cwnd'}"
                lines.append({"name": name, "values": grids.plain(values), "dash": dash})
    return lines


def _averaged(steps: int) -> int:
    """Return the number of steps over which a rate is averaged, where a run has `steps`."""
    return max(1, AVERAGED * steps // STEPS)


def _goodputs(flows: Mapping[str, Any], times: Array) -> list[Line]:
    """Return the goodput of each flow, which has a row for each step."""
    lines: list[Line] = []
    over = _averaged(len(times) - 1)
    for flow, rows in grids.groups(flows["flow"], FLOWS):
        rate = grids.column(flows["goodput_bps"], rows) / 1000
        sums = np.concatenate([[0.0], np.cumsum(np.nan_to_num(rate))])
        first = np.maximum(np.arange(len(rate)) + 1 - over, 0)
        mean = (sums[1:] - sums[first]) / (np.arange(len(rate)) + 1 - first)
        values = grids.held(grids.column(flows["time_s"], rows), mean, times)
        lines.append({"name": flow, "values": grids.plain(values), "dash": False})
    return lines


def _delays(flows: Mapping[str, Any], times: Array) -> list[Line]:
    """Return the mean delay of what arrived in each step; none where nothing did."""
    lines: list[Line] = []
    for flow, rows in grids.groups(flows["flow"], FLOWS):
        delay = grids.column(flows["delay_mean_s"], rows) * 1000
        values = grids.held(grids.column(flows["time_s"], rows), delay, times)
        lines.append({"name": flow, "values": grids.plain(values), "dash": False})
    return lines


def _rates(tcp: Mapping[str, Any], times: Array) -> list[Line]:
    """Return what was acknowledged, as a rate over the last `AVERAGED` steps."""
    lines: list[Line] = []
    for flow, rows in grids.groups(tcp["flow"], FLOWS):
        acked = grids.held(
            grids.column(tcp["time_s"], rows), grids.column(tcp["snd_una"], rows), times
        )
        acked = np.nan_to_num(acked, nan=float(tcp["snd_una"][rows[0]]))
        before = np.maximum(np.arange(len(times)) - AVERAGED, 0)
        with np.errstate(invalid="ignore", divide="ignore"):
            rate = BYTE_BITS * (acked - acked[before]) / (times - times[before]) / 1000
        # A connection that is closed and made anew begins its sequence numbers again.
        rate[rate < 0] = np.nan
        lines.append({"name": flow, "values": grids.plain(rate), "dash": False})
    return lines


def _queues(queue: Mapping[str, Any], times: Array) -> list[Line]:
    found = []
    for name, rows in grids.groups(queue["queue"], len(queue["queue"])):
        packets = grids.column(queue["packets"], rows)
        if packets.max() > 1:  # a queue that never fills says nothing
            values = np.nan_to_num(grids.held(grids.column(queue["time_s"], rows), packets, times))
            found.append((float(values.mean()), name, values))
    longest = sorted(found, key=lambda each: -each[0])[:QUEUES]
    return [{"name": name, "values": grids.plain(v), "dash": False} for _, name, v in longest]
