"""Flent's data files (``.flent.gz``, versions 3 and 4): rates of the flows, what their sockets said, pings."""

from __future__ import annotations

import numpy as np

from lasthop.data.measured.model import Flow, Measured, Series, known
from lasthop.data.measured.walking import Place

SUMS = (" sum", " avg", " totals", "::sum", "::avg")
"""Ends of the names of series that are made of others."""


def is_one(document: Place) -> bool:
    """Return whether a document looks like Flent's."""
    there = document.value
    return isinstance(there, dict) and {"x_values", "results", "metadata"} <= there.keys()


def read(document: Place) -> Measured:
    """Read a document; raises MeasuredError."""
    times = [each.number() for each in document.at("x_values").each()]
    if len(times) < 2:
        document.at("x_values").fail("has fewer than two times")
    metadata = document.at("metadata")
    begin = metadata.maybe("DELAY") or 0.0
    length = metadata.maybe("LENGTH") or times[-1] - begin
    columns = _columns(document.at("results"), times, (begin, begin + length))
    flows = [
        _flow(name, columns)
        for name in columns
        if _is_flow(name) and not np.isnan(columns[name].values).all()
    ]
    if not flows:
        document.at("results").fail("has no series of a flow or of pings")
    version = metadata.find("FLENT_VERSION")
    return Measured(
        document.file,
        f"Flent {version.text()}" if version else "Flent",
        length,
        tuple(flows),
        max(round(float(np.median(np.diff(times))), 3), 1e-3),
    )


def _columns(results: Place, times: list[float], window: tuple[float, float]) -> dict[str, Series]:
    begin, end = window
    if not isinstance(results.value, dict):
        results.fail("is not an object")
    found = {}
    for name in results.value:
        column = results.find(name)
        if column is None:
            continue
        values = [None if each.value is None else each.number() for each in column.each()]
        if len(values) != len(times):
            column.fail(f"has {len(values)} values for {len(times)} times")
        points = zip(times, values, strict=True)
        found[name] = Series.of([(t - begin, v) for t, v in points if begin < t <= end])
    return found


def _is_flow(name: str) -> bool:
    whole = name.count("::") == 0 or name.rsplit("::", 1)[1].isdigit()
    kind = name.lower().startswith(("tcp", "udp", "ping"))
    return whole and kind and not name.lower().endswith(SUMS)


def _flow(name: str, columns: dict[str, Series]) -> Flow:
    own = columns[name]
    if name.lower().startswith("ping"):
        rtt = Series(own.times, own.values / 1e3)
        there = rtt.values[~np.isnan(rtt.values)]
        values = {
            "rtt_s.mean": rtt.mean(),
            "rtt_s.p95": float(np.quantile(there, 0.95)),
            "rtt_s.min": float(there.min()),
        }
        return Flow(name, "ping", known(values), {"rtt_s.mean": rtt})
    series = {"goodput_bps": Series(own.times, own.values * 1e6)}
    for ending, quantity, scale in (
        ("tcp_rtt", "srtt_s.mean", 1e-3),
        ("tcp_cwnd", "cwnd_segments.mean", 1.0),
        ("tcp_delivery_rate", "delivery_rate_bps", 1e6),
        ("delay", "delay_s.mean", 1e-3),
    ):
        if (found := columns.get(f"{name}::{ending}")) is not None:
            series[quantity] = Series(found.times, found.values * scale)
    values = {quantity: each.mean() for quantity, each in series.items()}
    transport = "udp" if name.lower().startswith("udp") else "tcp"
    return Flow(name, transport, known(values), series)
