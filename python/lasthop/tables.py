"""Tidy tables from the nested rows of run documents: one naming of columns everywhere."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from lasthop import _core
from lasthop.table import Kind, Table

#: What stands in a column, as the core calls it.
KINDS = {"number": Kind.NUMBER, "whole": Kind.WHOLE, "bool": Kind.BOOL, "text": Kind.TEXT}


@cache
def probe_kinds() -> dict[str, dict[str, Kind]]:
    """Return the columns of the probes' tables by probe, so that an empty one, or one of nulls, has its type."""
    return {
        probe: {"replication": Kind.WHOLE, **{name: KINDS[is_] for name, is_ in columns}}
        for probe, columns in json.loads(_core.probe_columns()).items()
    }


LOST = "lost_"
"""Begins the columns of losses by reason; a reason that a row does not have counts 0 there."""
DELAYS = ("mean", "p50", "p95", "p99", "max")
"""What is known of delays; all null where nothing arrived."""
SPREADS = {
    "delay_s": DELAYS,
    "delay_split_s": ("mean", "queueing", "access", "retries", "transmission", "wire", "handoff"),
    "interarrival_s": ("mean", "std", "p95"),
    "ack_delay_s": DELAYS,
    "ack_wait_s": ("mean", "request", "grant", "transmission", "elsewhere"),
    "ack_spacing_s": ("mean", "std", "p95"),
    "wait_s": ("mean", "request", "grant", "transmission"),
    "response_time_s": DELAYS,
}
"""Maps of seconds that are null where nothing arrived, as before a run has begun, and what is known of them.

`delay_s` gives the columns `delay_mean_s`, ...
"""


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
        elif key in SPREADS:
            columns |= _seconds(key.removesuffix("_s"), SPREADS[key], value)
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


def table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Return rows as a table with the columns of all of them, in order of appearance.

    What a row lacks is null, and 0 in a column of losses.
    """
    columns = dict.fromkeys(key for row in rows for key in row)
    return Table.of(
        {
            key: [row.get(key, 0 if key.startswith(LOST) else None) for row in rows]
            for key in columns
        }
    )
