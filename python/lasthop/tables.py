"""Tidy tables from the nested rows of run documents: one naming of columns everywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

_SHARED: list[tuple[str, pa.DataType]] = [("replication", pa.int64()), ("time_s", pa.float64())]

#: The columns of the probes' tables. Named so that an empty table, or a column of nulls, has its type.
PROBE_SCHEMAS: dict[str, pa.Schema] = {
    "tcp": pa.schema(
        [
            *_SHARED,
            ("flow", pa.string()),
            ("snd_cwnd", pa.float64()),
            ("ssthresh", pa.float64()),
            ("srtt_s", pa.float64()),
            ("minrtt_s", pa.float64()),
            ("rttvar_s", pa.float64()),
            ("rto_s", pa.float64()),
            ("snd_una", pa.int64()),
            ("snd_nxt", pa.int64()),
            ("flight_bytes", pa.int64()),
            ("pipe_bytes", pa.int64()),
            ("sacked_bytes", pa.int64()),
            ("delivery_rate_bps", pa.float64()),
            ("pacing_rate_bps", pa.float64()),
            ("in_recovery", pa.bool_()),
            ("state", pa.string()),
            ("law_state", pa.string()),
            ("mss_bytes", pa.int64()),
        ]
    ),
    "cuts": pa.schema([*_SHARED, ("flow", pa.string()), ("cause", pa.string())]),
    "queue": pa.schema([*_SHARED, ("queue", pa.string()), ("packets", pa.int64())]),
    "flows": pa.schema(
        [
            *_SHARED,
            ("flow", pa.string()),
            ("packets_sent", pa.int64()),
            ("bytes_sent", pa.int64()),
            ("payload_bytes_sent", pa.int64()),
            ("retransmits", pa.int64()),
            ("packets_delivered", pa.int64()),
            ("packets_lost", pa.int64()),
            ("throughput_bps", pa.float64()),
            ("goodput_bps", pa.float64()),
            ("loss", pa.float64()),
            ("delay_mean_s", pa.float64()),
            ("delay_max_s", pa.float64()),
            ("interarrival_mean_s", pa.float64()),
            ("interarrival_std_s", pa.float64()),
            ("jitter_s", pa.float64()),
        ]
    ),
    "packets": pa.schema(
        [
            *_SHARED,
            ("flow", pa.string()),
            ("direction", pa.string()),
            ("kind", pa.string()),
            ("number", pa.int64()),
            ("bytes", pa.int64()),
            ("payload_bytes", pa.int64()),
            ("retransmission", pa.bool_()),
            ("retries", pa.int64()),
            ("received_s", pa.float64()),
            ("dropped_s", pa.float64()),
            ("dropped", pa.string()),
            ("dropped_at", pa.string()),
            ("queueing_s", pa.float64()),
            ("access_s", pa.float64()),
            ("retries_s", pa.float64()),
            ("transmission_s", pa.float64()),
            ("wire_s", pa.float64()),
            ("handoff_s", pa.float64()),
        ]
    ),
}

LOST = "lost_"
"""Begins the columns of losses by reason; a reason that a row does not have counts 0 there."""
DELAYS = ("mean", "p50", "p95", "p99", "max")
"""What is known of delays; all null where nothing arrived."""
SPLIT = ("mean", "queueing", "access", "retries", "transmission", "wire", "handoff")
"""The parts of a delay by cause, and their sum."""
DISTRIBUTIONS = {
    "delay_s": DELAYS,
    "delay_split_s": SPLIT,
    "interarrival_s": ("mean", "std", "p95"),
}
"""Maps of seconds: `delay_s` gives `delay_mean_s`, ..."""


def flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row of a run document with a column for each value, units last in the names.

    `packets_lost` by reason becomes `lost_<reason>`, `delay_s` becomes `delay_mean_s`,
    `delay_p95_s` and so on, `interarrival_s` likewise, `objects` and `pages` become
    `objects_finished`, `objects_response_time_mean_s` and so on, any other map `<key>_<name>`; all
    else keeps its name.
    """
    columns: dict[str, Any] = {}
    for key, value in row.items():
        if key == "packets_lost":
            columns |= {f"{LOST}{reason}": count for reason, count in value.items()}
        elif key in DISTRIBUTIONS:
            columns |= _seconds(key.removesuffix("_s"), DISTRIBUTIONS[key], value)
        elif key in {"objects", "pages"}:
            columns |= {f"{key}_{name}": value[name] for name in ("finished", "unfinished")}
            columns |= _seconds(f"{key}_response_time", DELAYS, value["response_time_s"])
        elif isinstance(value, Mapping):
            columns |= {f"{key}_{name}": number for name, number in value.items()}
        else:
            columns[key] = value
    return columns


def _seconds(
    name: str, measures: tuple[str, ...], times: Mapping[str, Any] | None
) -> dict[str, Any]:
    known = dict.fromkeys(measures) if times is None else times
    return {f"{name}_{measure}_s": number for measure, number in known.items()}


def table(rows: Sequence[Mapping[str, Any]]) -> pa.Table:
    """Return rows as a table with the columns of all of them, in order of appearance.

    What a row lacks is null, and 0 in a column of losses.
    """
    columns = dict.fromkeys(key for row in rows for key in row)
    return pa.Table.from_pydict(
        {
            key: [row.get(key, 0 if key.startswith(LOST) else None) for row in rows]
            for key in columns
        }
    )
