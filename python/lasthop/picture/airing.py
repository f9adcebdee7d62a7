"""Who holds the media of 802.11 and of shared LANs: a chart for each, from shares of time to single frames."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lasthop.metrics.leaves import Array

LANES = 12
"""Of more stations those with most time on the air have a lane, the others share one."""

FRAMES = 40_000
"""So many frames a page has, of all media: of more, those at the beginnings of some steps, evenly over the run."""

UNIT = 1e7
"""Times of frames are whole numbers of so many parts of a second."""

USES = ("carried_s", "overlapped_s", "unanswered_s")

KINDS = ("data", "management", "rts", "cts", "ack")
FATES = ("answered", "overlapped", "unanswered", "none_due")
OTHERS = "other stations"

Table = Mapping[str, Sequence[Any]]


@dataclass(frozen=True)
class Grid:
    """What all charts of a run's media share.

    Attributes:
        step: The length of a step, s.
        count: How many there are.
        room: So many single frames a chart may have.
    """

    step: float
    count: int
    room: int


def grid(document: Mapping[str, Any]) -> Grid:
    """Return the grid of a run with its probes; without any medium its room is all there is."""
    probes = document["probes"]
    there = [set(probes[name]["cell"]) for name in ("airtime", "symbols") if name in probes]
    count = document["picture_steps"]
    return Grid(document["duration_s"] / count, count, FRAMES // max(sum(map(len, there)), 1))


def charts(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a chart of `kind` "air" for each 802.11 cell and each LAN with a frame.

    It has `medium`, "802.11" or "LAN"; `lanes`; `step`, s, and `bins`: of each lane and use its part of each step,
    nothing where it is none in all; `frames`: lists of the same length (`at` and `long` in parts of 100 ns, `at`
    as differences, `lane`, `to`, `kind`, `fate`, `retry`, `bytes`, `kbps`; of a LAN also `backoff`, as `long`);
    `known`: from when to when all frames are there, s; and how many frames there were in `all`, and are `drawn`.
    """
    probes = document["probes"]
    airtime, air = probes.get("airtime"), probes.get("air")
    if not airtime or not airtime["time_s"]:
        return []
    cells, lans = dict.fromkeys(airtime["cell"]), {lan["name"] for lan in document.get("lans", ())}
    own = grid(document)
    return [_cell(cell, "LAN" if cell in lans else "802.11", airtime, air, own) for cell in cells]


def lanes_of(held: Mapping[str, float]) -> tuple[list[str], dict[str, int]]:
    """Return the lanes of stations that held the medium for so long, and the lane of each."""
    ranked = sorted(held, key=lambda name: -held[name])
    lanes = sorted(ranked[:LANES], key=_with_numbers) + ([OTHERS] if len(ranked) > LANES else [])
    return lanes, {n: lanes.index(n) if n in lanes else len(lanes) - 1 for n in ranked}


def _with_numbers(name: str) -> str:
    """Return a name by which the second comes before the tenth."""
    return re.sub(r"\d+", lambda digits: digits[0].zfill(12), name)


def plain(bins: Array) -> list[list[list[float]]]:
    """Return the parts of each step by lane and use; nothing where all of a use's are 0."""
    return [
        [[round(float(v), 4) for v in use] if use.any() else [] for use in lane] for lane in bins
    ]


def _cell(cell: str, medium: str, airtime: Table, air: Table, own: Grid) -> dict[str, Any]:
    rows = [row for row, name in enumerate(airtime["cell"]) if name == cell]
    held: dict[str, float] = {}
    for row in rows:
        time = sum(airtime[use][row] for use in USES)
        held[airtime["station"][row]] = held.get(airtime["station"][row], 0.0) + time
    lanes, place = lanes_of(held)
    bins = np.zeros((len(lanes), len(USES), own.count))
    for row in rows:
        at = min(round(airtime["time_s"][row] / own.step), own.count - 1)
        for use, key in enumerate(USES):
            bins[place[airtime["station"][row]], use, at] += airtime[key][row] / own.step
    retries, frames = (sum(airtime[key][row] for row in rows) for key in ("retries_s", "frames"))
    whole = sum(held.values()) or 1.0
    sums = {key: sum(airtime[key][row] for row in rows) / whole for key in USES}
    shares = {**sums, "retries_s": retries / whole}
    return {
        "kind": "air",
        "medium": medium,
        "title": f"Who holds the medium of {cell}",
        "unit": "",
        "lines": [],
        "lanes": lanes,
        "step": own.step,
        "bins": plain(bins),
        "all": frames,
        "shares": shares,
        **_frames(cell, medium, air, place, own.room),
    }


def _frames(
    cell: str, medium: str, air: Table, place: Mapping[str, int], room: int
) -> dict[str, Any]:
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

    silent = [round((air["backoff_s"][row] or 0) * UNIT) for row in rows]
    return {
        "names": names,
        "drawn": len(rows),
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
            **({"backoff": silent} if medium == "LAN" else {}),
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
