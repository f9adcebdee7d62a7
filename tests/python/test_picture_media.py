"""The charts of 802.16 and of shared LANs say what the run counts: bursts, bytes, requests, collisions, shares."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lasthop import run
from lasthop.core.api import read
from lasthop.core.panels import PROBES, STEPS
from lasthop.pages.picture.run_page import write
from lasthop.pages.picture.watching import watch, with_probes

HERE = Path(__file__).parents[2] / "scenarios"
SHORT = {"duration": "4 s", "warmup": "0 s"}
WIMAX = HERE / "wimax_downloads.toml"
LAN = HERE / "shared_lan.toml"

#: Kinds of pieces, and the fate of a frame that collided, by their numbers.
PIECES = [
    "preamble",
    "broadcast",
    "down",
    "up",
    "ranging",
    "requests",
    "gap",
    "unused",
    "heard",
    "collided",
]
OVERLAPPED = 1

#: Presets price the region of requests and place gaps in their own ways; with entry stations range first.
CELLS = [
    {},
    {"wimax.0.preset": "nist", "wimax.0.ratio": "6:1"},
    {"wimax.0.packing": True, "wimax.0.burst_gap": 2, "wimax.0.stations": 14},
    {"wimax.0.ranging_opportunities": 3, "wimax.0.entry.start": "0 s"},
]


def charts(file: Path, changes: dict[str, Any]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    asked = read(file, changes)
    document = with_probes(asked, PROBES, STEPS, None, lambda part: None)
    drawn = watch(asked, None, lambda part: None)["series"]["charts"]
    return [chart for chart in drawn if chart.get("kind") == "air"], document


@pytest.mark.parametrize("changes", CELLS, ids=range(len(CELLS)))
def test_bursts_and_requests_are_what_stations_count(changes: dict[str, Any]) -> None:
    probes = ["frames", "requests", "symbols"]
    result = run(WIMAX, overrides={**SHORT, **changes}, probes=probes)
    frames, asked, steps = (result.probes[name].to_pylist() for name in probes)
    assert asked
    for station in result.documents[0]["subscribers"]:
        mine = [row for row in frames if row["station"] == station["name"]]
        for way in ("down", "up"):
            # The run may end before the last burst is filled.
            filled = [row for row in mine if row["direction"] == way and row["room"] is not None]
            assert len(filled) == station[way]["bursts"]
            used, room = (sum(row[key] for row in filled) for key in ("bytes", "room"))
            assert used / max(room, 1) == pytest.approx(station[way]["fill"] or 0)
        own = [row for row in asked if row["station"] == station["name"]]
        regions = Counter(row["region"] for row in own)
        assert regions["requests"] == station["requests"]["attempts"]
        assert regions["ranging"] == station.get("entry", {}).get("attempts", 0)
        heard = sum(row["senders"] == 1 for row in own if row["region"] == "requests")
        assert heard == round((station["requests"]["success"] or 0) * regions["requests"])
    cell = result.documents[0]["wimax"][0]
    sums: Counter[tuple[str, str]] = Counter()
    for row in steps:
        sums[row["direction"], row["use_of"]] += row["symbols"]
    for way, share in (("down", "downlink_share"), ("up", "uplink_share")):
        whole = sum(count for (direction, _), count in sums.items() if direction == way)
        assert sums[way, "burst"] / whole == pytest.approx(cell[share])
    assert sum(row["frames"] for row in steps if row["use_of"] == "preamble") == cell["frames"]
    assert sum(row["airtime_s"] for row in steps) == pytest.approx(
        sum(row["airtime_s"] for row in frames)
    )


def test_opportunities_lie_in_their_regions() -> None:
    changes = {**SHORT, "wimax.0.preset": "nist", "wimax.0.stations": 12}
    result = run(WIMAX, overrides=changes, probes=["frames", "requests"])
    regions = {
        row["frame"]: (row["begins_s"], row["begins_s"] + row["airtime_s"])
        for row in result.frames.to_pylist()
        if row["use_of"] == "requests"
    }
    rows = result.requests.to_pylist()
    assert max(row["senders"] for row in rows) > 1
    shared = Counter((row["frame"], row["opportunity"]) for row in rows)
    for row in rows:
        begin, end = regions[row["frame"]]
        assert begin - 1e-9 <= row["time_s"] < row["time_s"] + row["airtime_s"] <= end + 1e-9
        assert row["senders"] == shared[row["frame"], row["opportunity"]]


@pytest.mark.parametrize("changes", [{}, {"wimax.0.stations": 14}], ids=["few", "many"])
def test_the_chart_of_an_802_16_cell_is_its_frames(changes: dict[str, Any]) -> None:
    (chart,), document = charts(WIMAX, {**SHORT, **changes})
    cell = document["wimax"][0]
    assert chart["medium"] == "802.16"
    assert chart["drawn"] == chart["all"] == cell["frames"]  # a short run has all of them
    down, up = (cell[key] for key in ("downlink_share", "uplink_share"))
    part = cell["downlink_symbols"] / cell["frame_symbols"]
    assert chart["shares"]["down"] == pytest.approx(down * part, rel=1e-3)
    assert chart["shares"]["up"] == pytest.approx(up * (1 - part), rel=1e-3)
    used = dict.fromkeys(chart["shares"], 0.0)
    for lane in chart["bins"]:
        for use, values in zip(used, lane, strict=True):
            used[use] += sum(values)
    whole = sum(used.values())
    for use, share in chart["shares"].items():
        assert used[use] / whole == pytest.approx(share, abs=1e-3)
    # Without gaps between symbols: what is left of a frame are both gaps between its directions.
    assert whole * chart["step"] < document["duration_s"] < 1.02 * whole * chart["step"]
    kinds = Counter(PIECES[kind] for kind in chart["frames"]["kind"])
    counted = sum(each["down"]["bursts"] for each in document["subscribers"])
    assert kinds["down"] == counted
    attempts = sum(each["requests"]["attempts"] for each in document["subscribers"])
    assert kinds["heard"] + kinds["collided"] == attempts
    assert all(gap >= 0 for gap in chart["frames"]["at"])


def test_frames_of_a_lan_are_what_its_stations_count() -> None:
    result = run(LAN, overrides=SHORT, probes=["air", "airtime"])
    document = result.documents[0]
    rows, steps = result.air.to_pylist(), result.airtime.to_pylist()
    (lan,) = document["lans"]
    for station in document["lan_stations"]:
        own = [row for row in rows if row["station"] == station["name"]]
        fates = Counter(row["fate"] for row in own)
        assert sum(fates.values()) == station["attempts"]
        assert fates["none_due"] == station["successes"]
        assert fates["overlapped"] == station["collisions"]
        # A frame on the wire when the run ends has no row.
        held = sum(row["airtime_s"] for row in own)
        assert -1e-9 < station["airtime_share"] * 4 - held < 1.3e-3
        parts = [row for row in steps if row["station"] == station["name"]]
        summed = sum(row["carried_s"] + row["overlapped_s"] for row in parts)
        assert summed == pytest.approx(held)
        again = [row for row in own if row["retry"]]
        assert all(row["backoff_s"] is None for row in own if row["fate"] == "none_due")
        assert len(again) <= fates["overlapped"]
    carried = sum(row["carried_s"] for row in steps)
    assert -1e-9 < lan["utilisation"] * 4 - carried < 1.3e-3
    collided = [row for row in rows if row["fate"] == "overlapped"]
    groups = 0
    until = -1.0
    for row in collided:
        groups += row["time_s"] >= until
        until = max(until, row["time_s"] + row["airtime_s"])
    assert groups == lan["collisions"]


def test_after_a_collision_a_station_keeps_silent_for_its_backoff() -> None:
    rows = run(LAN, overrides=SHORT, probes=["air"]).air.to_pylist()
    silent = 0
    for name in {row["station"] for row in rows}:
        own = [row for row in rows if row["station"] == name]
        for row, after in pairwise(own):
            if row["backoff_s"] is not None:
                end = row["time_s"] + row["airtime_s"]
                assert after["time_s"] - end >= row["backoff_s"] - 1e-9
                assert after["retry"]
                silent += row["backoff_s"] > 0
    assert silent > 100


def test_the_chart_of_a_lan_is_its_frames() -> None:
    changes = {"duration": "1 s", "warmup": "0 s"}
    (chart,), document = charts(LAN, changes)
    assert chart["medium"] == "LAN"
    assert chart["all"] == chart["drawn"] == len(document["probes"]["air"]["time_s"])
    collided = sum(each["collisions"] for each in document["lan_stations"])
    assert chart["frames"]["fate"].count(OVERLAPPED) == collided
    assert len(chart["frames"]["backoff"]) == chart["drawn"]
    times = np.cumsum(chart["frames"]["at"]) / 1e7
    assert times == pytest.approx(document["probes"]["air"]["time_s"], abs=1e-7)


def test_the_chart_of_aggregates_has_their_mpdus() -> None:
    changes = {**SHORT, "duration": "300 ms", "channel": {"model": "bit_errors", "ber": 2e-6}}
    (chart,), document = charts(HERE / "wifi6_calls.toml", changes)
    rows, frames = document["probes"]["air"], chart["frames"]
    assert chart["all"] == chart["drawn"] == len(rows["time_s"])
    names = ["", "background", "best_effort", "video", "voice"]
    assert [names[at] or None for at in frames["category"]] == rows["category"]
    assert {"best_effort", "voice"} <= set(rows["category"])
    runs = np.array(frames["mpdus"]).reshape(-1, 3)
    assert len(runs) == sum(frames["runs"])
    ends = np.cumsum(frames["runs"])
    several = 0
    for count, end, mpdus, lost, bytes_ in zip(
        frames["runs"], ends, rows["mpdus"], rows["mpdus_lost"], rows["bytes"], strict=True
    ):
        own = runs[end - count : end]
        assert own[:, 0].sum() == (mpdus or 0)
        assert own[own[:, 2] & 1 == 1, 0].sum() == (lost or 0)
        if mpdus:
            # Each MPDU but the last is padded to four bytes, and a delimiter of four precedes each.
            sizes = np.repeat(own[:, 1], own[:, 0])
            assert (4 + (sizes[:-1] + 3) // 4 * 4).sum() + 4 + sizes[-1] == bytes_
            several += bool(lost) and mpdus > 10
    assert several > 10


def test_a_run_over_two_kinds_of_media_has_a_chart_of_each() -> None:
    found, _ = charts(HERE / "wimax_backhaul.toml", SHORT)
    assert [chart["medium"] for chart in found] == ["802.11", "802.11", "802.16"]
    assert sum(len(chart["frames"]["at"]) for chart in found) <= 40_000


@pytest.mark.parametrize("file", [WIMAX, LAN], ids=["802.16", "LAN"])
def test_a_long_run_s_page_stays_small(file: Path, tmp_path: Path) -> None:
    changes = {"duration": "200 s", "warmup": "1 s"}
    asked = read(file, changes)
    page = write(asked, run(file, overrides=asked.overrides).summary, tmp_path / "page.html")
    assert page.stat().st_size < 3.5e6
