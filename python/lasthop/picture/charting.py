"""A run's time charts as plain series: goodput, delay, window, round-trip time, queues; and what happened when."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from lasthop.metrics.leaves import Array
from lasthop.picture import airing, bursts
from lasthop.picture.grids import Line, column, groups, held, plain
from lasthop.picture.roles import MOST, Role, roles

STEPS = 600
"""Steps of the grid: about what a wide screen has room for."""

AVERAGED = 10
"""Steps over which a goodput is a mean: data in order come in lumps, the more so after a loss."""

CLIP = 1.15
"""A threshold far above the window says only that it does not bind: it ends at so many times the top window."""

MARKS = 40
"""Of more handoffs the first are marked."""

Document = Mapping[str, Any]

_NOTHING: dict[str, Any] = {"flow": (), "queue": ()}
"""A probe that was not on."""


def series_of(document: Document) -> dict[str, Any]:
    """Return `times` (s, warm-up included), `charts`, `marks` and `notes` of a run with probes.

    What a probe that was not on would show is left out.
    A chart has a title, a unit and lines; one of `kind` "air" what `airing` and `bursts` say of it.
    """
    step = document["duration_s"] / STEPS
    times = step * np.arange(STEPS + 1)
    shown, said = roles(document["flows"])
    probes = document["probes"]
    flows, tcp, queue = (probes.get(name, _NOTHING) for name in ("flows", "tcp", "queue"))
    rates = _flows(flows, shown, times, "goodput_bps", 1e-3)
    delays = _flows(flows, shown, times, "delay_mean_s", 1e3)
    charts = [
        _chart(
            f"Goodput, mean over {max(AVERAGED * step, _step(flows, step)):.3g} s", "kbit/s", rates
        ),
        _chart("One-way delay of packets that arrived, mean of each step", "ms", delays),
        _chart(
            "Congestion window (slow-start threshold dashed and clipped)",
            "segments",
            _windows(tcp, shown, times),
        ),
        _chart("Smoothed round-trip time", "ms", _of_tcp(tcp, shown, times, "srtt_s", 1e3)),
        _chart("Packets waiting in the longest queues", "packets", _queues(queue, times)),
    ]
    charts = [chart for chart in charts if chart["lines"]]
    charts += [*airing.charts(document), *bursts.charts(document)]
    notes = [said] if said else []
    plain_times = [float(f"{t:.6g}") for t in times]
    return {"times": plain_times, "charts": charts, "marks": _marks(document), "notes": notes}


def _chart(title: str, unit: str, lines: list[Line]) -> dict[str, Any]:
    return {"title": title, "unit": unit, "lines": lines}


def _flows(
    table: Mapping[str, Any], shown: list[Role], times: Array, key: str, factor: float
) -> list[Line]:
    """Return a column of the probe `flows`: its rows are steps, `time_s` their ends."""
    rows, own = dict(groups(table["flow"])), _step(table, float(times[1] - times[0]))

    def of(flow: str) -> Array | None:
        if flow not in rows:
            return None
        at, values = column(table["time_s"], rows[flow]), column(table[key], rows[flow])
        grid = _within(at, values, times, own)
        is_lumpy = key == "goodput_bps" and own < AVERAGED * (times[1] - times[0])
        return _smoothed(grid) if is_lumpy else grid

    return _lines(shown, of, factor)


def _step(table: Mapping[str, Any], default: float) -> float:
    """Return the length of the steps of the probe `flows`, s; `default` where there are no two."""
    ends = np.unique(np.asarray(table.get("time_s", ()), dtype=float))
    # The last step may be shorter, by a nanosecond for each that does not fit.
    return float(np.median(np.diff(ends))) if len(ends) > 1 else default


def _within(ends: Array, values: Array, times: Array, step: float) -> Array:
    """Return at each time the value of the step that it is in, by the steps' ends; NaN where there is none."""
    # Times that are a step's end belong to it: ends are whole nanoseconds, and come a little earlier each.
    before = times - 1e-3 * step
    places = np.searchsorted(ends, before)
    inside = np.minimum(places, len(ends) - 1)
    is_in = (places < len(ends)) & (before > ends[inside] - step)
    return np.where(is_in, values[inside], np.nan)


def _smoothed(values: Array) -> Array:
    """Return the mean over the last steps, of those that there are."""
    known = np.concatenate(([0.0], np.cumsum(~np.isnan(values))))
    sums = np.concatenate(([0.0], np.nancumsum(values)))
    ends = np.arange(1, len(values) + 1)
    starts = np.maximum(ends - AVERAGED, 0)
    count = known[ends] - known[starts]
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(np.isnan(values), np.nan, (sums[ends] - sums[starts]) / count)


def _of_tcp(
    table: Mapping[str, Any], shown: list[Role], times: Array, key: str, factor: float = 1.0
) -> list[Line]:
    rows = dict(groups(table["flow"]))

    def of(flow: str) -> Array | None:
        if flow not in rows:
            return None
        return held(column(table["time_s"], rows[flow]), column(table[key], rows[flow]), times)

    return _lines(shown, of, factor)


def _windows(table: Mapping[str, Any], shown: list[Role], times: Array) -> list[Line]:
    """Return windows, each followed by its threshold."""
    windows = _of_tcp(table, shown, times, "snd_cwnd")
    single = [role for role in shown if len(role.flows) == 1]
    bounds = {line["colour"]: line for line in _of_tcp(table, single, times, "ssthresh")}
    lines: list[Line] = []
    for line in windows:
        lines.append(line)
        bound = bounds.get(line["colour"])
        if bound is not None:
            top = CLIP * max(value for value in line["values"] if value is not None)
            clipped = [None if v is None else min(v, round(top, 3)) for v in bound["values"]]
            lines.append({**bound, "name": "ssthresh", "values": clipped, "dash": True})
    return lines


def _lines(shown: list[Role], of: Callable[[str], Array | None], factor: float) -> list[Line]:
    lines: list[Line] = []
    for role in shown:
        found = [values for values in map(of, role.flows) if values is not None]
        if not found:
            continue
        values = factor * _mean(np.array(found))
        if not np.isnan(values).all():
            lines.append(
                {"name": role.name, "values": plain(values), "dash": False, "colour": role.colour}
            )
    return lines


def _mean(rows: Array) -> Array:
    """Return the mean over flows of what is known; NaN where nothing is."""
    count = (~np.isnan(rows)).sum(axis=0)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(count > 0, np.nansum(rows, axis=0) / count, np.nan))


def _queues(table: Mapping[str, Any], times: Array) -> list[Line]:
    found = []
    for name, rows in groups(table["queue"]):
        packets = column(table["packets"], rows)
        if packets.max() > 1:  # a queue that never fills says nothing
            values = np.nan_to_num(held(column(table["time_s"], rows), packets, times))
            found.append((float(values.mean()), name, values))
    longest = sorted(found, key=lambda each: -each[0])[:MOST]
    return [{"name": name, "values": plain(v), "dash": False} for _, name, v in longest]


def _marks(document: Document) -> list[dict[str, Any]]:
    """Return what happened when: the end of the warm-up, and handoffs."""
    warm = document["duration_s"] - document["measured_s"]
    marks: list[dict[str, Any]] = [{"at": warm, "text": "measured from here"}] if warm > 0 else []
    changes = [each for each in document.get("handoffs", []) if each["from"] is not None]
    return marks + [
        {"at": each["at_s"], "text": f"{each['station']} to {each['to']}"}
        for each in changes[:MARKS]
    ]
