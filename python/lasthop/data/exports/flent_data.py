"""Flent's data files, version 4: gzipped JSON of metadata, x_values, results and raw_values.

The test is called ``tcp_ndown``, so that Flent's plots of it draw the TCP flows: ``TCP download::1`` and so on,
goodput in Mbit/s, with ``::tcp_cwnd`` (segments) and ``::tcp_rtt`` (smoothed, ms) as Flent's socket statistics
have them. UDP flows are ``UDP::1`` ..., delays ``<series>::delay`` (mean one-way delay, ms). Simulated time begins
at 1970-01-01.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from typing import IO, Any

from lasthop.core import api
from lasthop.core.engine import version
from lasthop.data.exports.selection import Selection, states, steps, warmup_s

VERSION = 4
EPOCH = "1970-01-01T00:00:00.000000Z"

Values = Sequence[float | None]


def write(run: api.Run, selection: Selection, file: IO[bytes]) -> None:
    """Write the flows that are selection."""
    text = json.dumps(document(run, selection), allow_nan=False).encode()
    # No name and no time in the header: the same run gives the same bytes.
    with gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as packed:
        packed.write(text)


def document(run: api.Run, selection: Selection) -> dict[str, Any]:
    """Return what the file has, before it is packed."""
    flows = selection.of(run)
    numbers = {"tcp": 0, "udp": 0}
    series: dict[str, tuple[str, Mapping[float, float | None]]] = {}
    for flow in flows:
        transport = flow["transport"]
        numbers[transport] += 1
        kind = "TCP download" if transport == "tcp" else "UDP"
        series |= _series(run, flow["name"], f"{kind}::{numbers[transport]}", transport == "tcp")
    times = sorted({time for _, points in series.values() for time in points})
    results: dict[str, Values] = {
        name: [points.get(time) for time in times] for name, (_, points) in series.items()
    }
    raw = {
        name: [{"t": time, "val": value} for time, value in points.items() if value is not None]
        for name, (_, points) in series.items()
    }
    meta = {name: {"UNITS": unit} | _mean(results[name]) for name, (unit, _) in series.items()}
    metadata = _metadata(run, selection, flows) | {
        "SERIES_META": meta,
        "TEST_PARAMETERS": {"download_streams": str(numbers["tcp"])},
    }
    return {
        "version": VERSION,
        "metadata": metadata,
        "x_values": times,
        "results": results,
        "raw_values": raw,
    }


def _series(
    run: api.Run, flow: str, name: str, is_tcp: bool
) -> dict[str, tuple[str, dict[float, float | None]]]:
    rows = steps(run, flow)
    ends = [row["time_s"] for row in rows]

    def column(values: Values) -> dict[float, float | None]:
        return dict(zip(ends, values, strict=True))

    found = {
        name: ("Mbits/s", column([row["goodput_bps"] / 1e6 for row in rows])),
        f"{name}::delay": ("ms", column([_ms(row["delay_mean_s"]) for row in rows])),
    }
    if is_tcp:
        known = [state or {} for state in states(run, flow, ends)]
        cwnd = [state.get("snd_cwnd") for state in known]
        rtt = [_ms(state.get("srtt_s")) for state in known]
        found[f"{name}::tcp_cwnd"] = ("packets", column(cwnd))
        found[f"{name}::tcp_rtt"] = ("ms", column(rtt))
    return found


def _ms(seconds: float | None) -> float | None:
    return None if seconds is None else seconds * 1e3


def _mean(values: Values) -> dict[str, float]:
    known = [value for value in values if value is not None]
    return {"MEAN_VALUE": sum(known) / len(known)} if known else {}


def _metadata(
    run: api.Run, selection: Selection, flows: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    result = run.documents[0]
    hosts = list(dict.fromkeys(flow["to"] for flow in flows))
    return {
        "NAME": "tcp_ndown",
        "TITLE": result["scenario"],
        "NOTE": f"simulated by lasthop {version()}, seed {result['seed']}: "
        + ", ".join(flow["name"] for flow in flows),
        "DATA_FILENAME": "lasthop.flent.gz",
        "FLENT_VERSION": f"lasthop {version()}",
        "TIME": EPOCH,
        "T0": EPOCH,
        "LENGTH": result["measured_s"],
        "DELAY": warmup_s(run),
        "TOTAL_LENGTH": result["duration_s"],
        "STEP_SIZE": selection.step_s,
        "LOCAL_HOST": flows[0]["from"],
        "HOST": hosts[0],
        "HOSTS": hosts,
        "IP_VERSION": 4,
    }
