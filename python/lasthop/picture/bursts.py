"""What the frames of 802.16 are for: a chart for each cell, from shares of time to single bursts and requests."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from lasthop.picture.airing import UNIT, Grid, Table, grid, lanes_of, plain

USES = ("down", "up", "overhead", "heard", "collided", "idle", "unused")
"""What a step is shared among: bursts, preamble with maps and gaps, opportunities of contention, nothing."""

KINDS = (
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
)
"""What single pieces are: parts of frames, then what is sent in opportunities."""

BROADCAST, CONTENTION, UNUSED = "broadcast", "requests", "unused"
"""The lanes beside those of the stations."""


class Piece(NamedTuple):
    """Part of a frame, or a request in its opportunity."""

    begins_s: float
    airtime_s: float
    frame: int
    kind: str
    station: str
    symbols: int = 0
    bytes: int = 0
    room: int = 0


def charts(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a chart of `kind` "air" for each 802.16 cell.

    It is as those of `airing`, of `medium` "802.16" and with uses of its own; its `frames` are parts of frames and
    requests: `at`, `long`, `lane`, `kind`, `of` (a place in `names`), `frame`, `symbols`, `bytes` and `room`.
    """
    probes = document["probes"]
    if not probes.get("symbols") or not probes["symbols"]["time_s"]:
        return []
    own, cells = grid(document), dict.fromkeys(probes["symbols"]["cell"])
    return [_cell(cell, probes, own) for cell in cells]


def _cell(cell: str, probes: Mapping[str, Table], own: Grid) -> dict[str, Any]:
    symbols = probes["symbols"]
    rows = [row for row, name in enumerate(symbols["cell"]) if name == cell]
    held: dict[str, float] = {}
    for row in rows:
        if (station := symbols["station"][row]) is not None:
            held[station] = held.get(station, 0.0) + symbols["airtime_s"][row]
    stations, place = lanes_of(held)
    lanes = [BROADCAST, *stations, CONTENTION, UNUSED]
    bins = np.zeros((len(lanes), len(USES), own.count))
    for row in rows:
        at = min(round(symbols["time_s"][row] / own.step), own.count - 1)
        for lane, use, time in _parts(symbols, row, place, len(lanes)):
            bins[lane, USES.index(use), at] += time / own.step
    spent = bins.sum() or 1.0
    begun = (symbols["frames"][row] for row in rows if symbols["use_of"][row] == "preamble")
    return {
        "kind": "air",
        "medium": "802.16",
        "title": f"What the frames of {cell} are for",
        "unit": "",
        "lines": [],
        "lanes": lanes,
        "step": own.step,
        "bins": plain(bins),
        "all": sum(begun),
        "shares": {use: float(bins[:, at].sum() / spent) for at, use in enumerate(USES)},
        **_pieces(cell, probes, place, len(lanes), own.room),
    }


def _parts(
    symbols: Table, row: int, place: Mapping[str, int], lanes: int
) -> Iterator[tuple[int, str, float]]:
    """Yield lane, use and time of a row of the probe `symbols`."""
    use, time = symbols["use_of"][row], symbols["airtime_s"][row]
    lane = _lane(use, symbols["station"][row], place, lanes)
    if use == "burst":
        yield lane, symbols["direction"][row], time
    elif use in ("ranging", "requests"):
        heard, collided = symbols["heard_s"][row], symbols["collided_s"][row]
        yield lane, "heard", heard
        yield lane, "collided", collided
        yield lane, "idle", time - heard - collided
    else:
        yield lane, "unused" if use == "unused" else "overhead", time


def _lane(use: str, station: str | None, place: Mapping[str, int], lanes: int) -> int:
    if use == "burst":
        return 1 + place[str(station)]
    if use in ("ranging", "requests", "heard", "collided"):
        return lanes - 2
    return lanes - 1 if use in ("unused", "gap") else 0


def _pieces(
    cell: str, probes: Mapping[str, Table], place: Mapping[str, int], lanes: int, room: int
) -> dict[str, Any]:
    by_frame: dict[int, list[Piece]] = {}
    for piece in (*_of_frames(cell, probes["frames"]), *_of_requests(cell, probes["requests"])):
        by_frame.setdefault(piece.frame, []).append(piece)
    runs = _runs(list(by_frame))
    keep = max(-(-sum(map(len, by_frame.values())) // room), 1)
    chosen = [
        [p for frame in run for p in sorted(by_frame[frame], key=lambda piece: piece.begins_s)]
        for run in runs[::keep]
    ]
    pieces = [piece for run in chosen for piece in run]
    names = list(dict.fromkeys(["", *place, *(piece.station for piece in pieces)]))
    number = {name: i for i, name in enumerate(names)}

    def lane(piece: Piece) -> int:
        use = "burst" if piece.kind in ("down", "up") else piece.kind
        return _lane(use, piece.station, place, lanes)

    starts = [round(piece.begins_s * UNIT) for piece in pieces]
    ends = [max(piece.begins_s + piece.airtime_s for piece in run) for run in chosen]
    return {
        "names": names,
        "drawn": len({piece.frame for piece in pieces}),
        "frames": {
            "at": np.diff(starts, prepend=0).tolist(),
            "long": [round(piece.airtime_s * UNIT) for piece in pieces],
            "lane": [lane(piece) for piece in pieces],
            "kind": [KINDS.index(piece.kind) for piece in pieces],
            "of": [number[piece.station] for piece in pieces],
            "frame": [piece.frame for piece in pieces],
            "symbols": [piece.symbols for piece in pieces],
            "bytes": [piece.bytes for piece in pieces],
            "room": [piece.room for piece in pieces],
        },
        "known": [
            [round(run[0].begins_s, 7), round(end, 7)]
            for run, end in zip(chosen, ends, strict=True)
        ],
    }


def _of_frames(cell: str, rows: Table) -> Iterator[Piece]:
    for row, name in enumerate(rows["cell"]):
        if name != cell:
            continue
        use = rows["use_of"][row]
        yield Piece(
            rows["begins_s"][row],
            rows["airtime_s"][row],
            rows["frame"][row],
            rows["direction"][row] if use == "burst" else use,
            rows["station"][row] or "",
            rows["symbols"][row],
            rows["bytes"][row] or 0,
            rows["room"][row] or 0,
        )


def _of_requests(cell: str, rows: Table) -> Iterator[Piece]:
    for row, name in enumerate(rows["cell"]):
        if name == cell:
            kind = "heard" if rows["senders"][row] == 1 else "collided"
            frame, station = rows["frame"][row], rows["station"][row]
            yield Piece(rows["time_s"][row], rows["airtime_s"][row], frame, kind, station)


def _runs(frames: Sequence[int]) -> list[list[int]]:
    """Return frames in runs of one after the other."""
    runs: list[list[int]] = []
    for frame in frames:
        if not runs or runs[-1][-1] != frame - 1:
            runs.append([])
        runs[-1].append(frame)
    return runs
