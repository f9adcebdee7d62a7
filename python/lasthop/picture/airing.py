"""Who holds the medium of 802.11: a chart for each cell, from shares of time down to single frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

LANES = 12
"""Of more stations those with most time on the air have a lane, the others share one."""

FRAMES = 40_000
"""So many frames a page has, of all cells: of more, those at the beginnings of some steps, evenly over the run."""

UNIT = 1e7
"""Times of frames are whole numbers of so many parts of a second."""

USES = ("carried_s", "overlapped_s", "unanswered_s")

KINDS = ("data", "management", "rts", "cts", "ack")
FATES = ("answered", "overlapped", "unanswered", "none_due")
OTHERS = "other stations"

Table = Mapping[str, Sequence[Any]]


def charts(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a chart of `kind` "air" for each 802.11 cell with a frame.

    It has `lanes`; `step`, s, and `bins`: of each lane and use its part of each step; `frames`: lists of the
    same length (`at` and `long` in parts of 100 ns, `at` as differences, `lane`, `to`, `kind`, `fate`, `retry`,
    `bytes`, `kbps`); and `known`: from when to when all frames are there, s.
    """
    probes = document["probes"]
    airtime, air = probes.get("airtime"), probes.get("air")
    if not airtime or not airtime["time_s"]:
        return []
    cells = list(dict.fromkeys(airtime["cell"]))
    step = document["duration_s"] / document["picture_steps"]
    room = FRAMES // len(cells)
    return [_cell(cell, airtime, air, step, document["duration_s"], room) for cell in cells]


def _cell(
    cell: str, airtime: Table, air: Table, step: float, duration: float, room: int
) -> dict[str, Any]:
    rows = [row for row, name in enumerate(airtime["cell"]) if name == cell]
    held: dict[str, float] = {}
    for row in rows:
        time = sum(airtime[use][row] for use in USES)
        held[airtime["station"][row]] = held.get(airtime["station"][row], 0.0) + time
    ranked = sorted(held, key=lambda name: -held[name])
    lanes = sorted(ranked[:LANES]) + ([OTHERS] if len(ranked) > LANES else [])
    place = {name: lanes.index(name) if name in lanes else len(lanes) - 1 for name in ranked}
    count = round(duration / step)
    bins = np.zeros((len(lanes), len(USES), count))
    for row in rows:
        at = min(round(airtime["time_s"][row] / step), count - 1)
        for use, key in enumerate(USES):
            bins[place[airtime["station"][row]], use, at] += airtime[key][row] / step
    retries, frames = (sum(airtime[key][row] for row in rows) for key in ("retries_s", "frames"))
    whole = sum(held.values()) or 1.0
    sums = {key: sum(airtime[key][row] for row in rows) / whole for key in USES}
    shares = {**sums, "retries_s": retries / whole}
    return {
        "kind": "air",
        "title": f"Who holds the medium of {cell}",
        "unit": "",
        "lines": [],
        "lanes": lanes,
        "step": step,
        "bins": [[[round(float(v), 4) for v in use] for use in lane] for lane in bins],
        "all": frames,
        "shares": shares,
        **_frames(cell, air, place, room),
    }


def _frames(cell: str, air: Table, place: Mapping[str, int], room: int) -> dict[str, Any]:
    rows = [row for row, name in enumerate(air["cell"]) if name == cell]
    runs = _runs(air, rows)
    keep = max(-(-len(rows) // room), 1)
    runs = runs[::keep]
    rows = [row for run in runs for row in run]
    starts = [round(air["time_s"][row] * UNIT) for row in rows]
    names = list(dict.fromkeys([*place, *(air["to"][row] or "all" for row in rows)]))
    number = {name: i for i, name in enumerate(names)}

    def end(row: int) -> float:
        return float(air["time_s"][row] + air["airtime_s"][row])

    return {
        "names": names,
        "frames": {
            "at": np.diff(starts, prepend=0).tolist(),
            "long": [round(air["airtime_s"][row] * UNIT) for row in rows],
            "from": [number[air["station"][row]] for row in rows],
            "lane": [place[air["station"][row]] for row in rows],
            "to": [number[air["to"][row] or "all"] for row in rows],
            "kind": [KINDS.index(air["kind"][row]) for row in rows],
            "fate": [FATES.index(air["fate"][row]) for row in rows],
            "retry": [int(air["retry"][row]) for row in rows],
            "bytes": [air["bytes"][row] for row in rows],
            "kbps": [air["rate_bps"][row] // 1000 for row in rows],
        },
        "known": [[round(air["time_s"][run[0]], 7), round(max(map(end, run)), 7)] for run in runs],
    }


def _runs(air: Table, rows: Sequence[int]) -> list[list[int]]:
    """Return rows in runs without a gap between them; frames of other cells on the same air are no gap."""
    there = {air["air"][row] for row in rows}
    numbers = {n for n, of in zip(air["number"], air["air"], strict=True) if of in there}
    runs: list[list[int]] = []
    last = None
    for row in rows:
        number = air["number"][row]
        if last is None or not all(n in numbers for n in range(last + 1, number)):
            runs.append([])
        runs[-1].append(row)
        last = number
    return runs
