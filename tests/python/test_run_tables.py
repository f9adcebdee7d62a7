"""The tables of a run: which rows they have."""

from __future__ import annotations

from typing import Any

import pytest

from lasthop.pages.picture import tabled
from lasthop.pages.picture.since import Since


def test_rows_of_zeros_are_counted_and_left_out_unless_they_were_busy_before() -> None:
    def station(name: str, attempts: Any, **more: Any) -> dict[str, Any]:
        return {"name": name, "attempts": attempts, "retries": 0, "airtime_share": None, **more}

    def shown(*rows: dict[str, Any], before: Since | None = None) -> dict[str, list[str]]:
        tables = tabled.tables_of({"stations": rows}, before)
        return {title: [row["name"] for row in rows] for title, rows, _, _ in tables}

    busy, idle = station("ap", 9), station("sta1", 0)
    assert shown(busy, idle) == {"Stations (1 more sent nothing)": ["ap"]}
    assert shown(idle) == {"Stations": ["sta1"]}
    # A station that is starved sends nothing either, but its retries say that it tried.
    assert shown(busy, station("sta1", 0, retries=3)) == {"Stations": ["ap", "sta1"]}
    mean = {"mean": 0.1, "ci95": [0.0, 0.2]}
    assert shown(busy, station("sta1", mean)) == {"Stations": ["ap", "sta1"]}
    earlier = Since({"stations": [busy, station("sta1", 4)]}, "")
    assert shown(busy, idle, before=earlier) == {"Stations": ["ap", "sta1"]}
    again = Since({"stations": [busy, idle]}, "")
    assert shown(busy, idle, before=again) == {"Stations (1 more sent nothing): same": ["ap"]}


@pytest.mark.parametrize(
    ("variant", "law"),
    [("westwood+", ""), ("cubic", ""), ("sack+Mine", "; law Mine"), ("sack+w+", "; law w+")],
)
def test_a_line_names_the_law_behind_a_recovery(variant: str, law: str) -> None:
    summary = {"measured_s": 5.0, "seed": 1, "jain": 1.0, "flows": [{"variant": variant}]}
    line = tabled.headline(summary, 1)
    assert line == f"seed 1, 5 s measured, 1 run; Jain's index 1.000{law}"
