"""Frame maps of 802.16: of a scenario's run, as a figure with its recipe, and of the run that a report shows."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from lasthop.core import api, safe_files, shapes
from lasthop.core.command_lines import typed
from lasthop.core.listeners import Fraction
from lasthop.errors import UsageError, offered
from lasthop.pages.figures import frame_svg, style
from lasthop.pages.figures.frame_map import Map, Part
from lasthop.pages.figures.frames import frame_maps
from lasthop.pages.picture.watching import once
from lasthop.pages.recipes.recipe import JOB, Recipe, job_of, of_job, recipe
from lasthop.pages.studies.study_figure import ENDINGS

MOST_FRAMES = 12
"""Of more frames a figure says nothing more."""

SHOWN = 4
"""Frames in a report, from evenly over the run."""

Rows = Mapping[str, Sequence[Any]]
"""The table of the probe ``frames``, by column."""


def plot(file: str | Path, changes: Sequence[str], wish: Mapping[str, Any], path: Path) -> Path:
    """Run a scenario once and draw some of its frames as a PDF, PNG or SVG file; raises LasthopError.

    `wish` has ``frames`` ("12" or "12-15"), ``cell`` (None: the first) and ``width``.
    """
    return _plot({**of_job(api.read(file, changes)), **wish}, path)


SHAPE = shapes.fields(
    {
        **JOB,
        **dict.fromkeys(("frames", "width"), shapes.text),
        "cell": shapes.maybe(shapes.text),
    }
)
"""The form of a recipe of such a figure."""


def again(recipe_: Recipe, folder: Path, workers: int | None, told: Fraction) -> Path:
    """Run the scenario again and draw its frames."""
    path = _plot(recipe_.inputs, folder / Path(recipe_.file).name)
    told(1.0)
    return path


def _plot(inputs: Mapping[str, Any], path: Path) -> Path:
    safe_files.refuse_ending(path, ENDINGS)
    first, last = _bounds(inputs["frames"])
    asked = job_of(inputs)
    document = once(asked, ("frames",))
    rows = document["probes"]["frames"]
    name = _cell(rows, inputs["cell"])
    found = maps(rows, name, range(first, last + 1))
    if len(found) <= last - first:
        there = max(f for c, f in zip(rows["cell"], rows["frame"], strict=True) if c == name)
        raise UsageError(f"--frame {inputs['frames']}: there are frames 0 to {there}")
    options = {
        "--frame": inputs["frames"],
        "--width": inputs["width"],
        "--cell": inputs["cell"],
        "--set": inputs["changes"],
        "--out": path.name,
    }
    command = typed(["lasthop", "plot", asked.file], options)
    made = recipe("frame", command, inputs, [asdict(each) for each in found])
    draw = partial(frame_maps, found, _stations(document, name), inputs["width"])
    return style.Sheet(draw).save(path, made)


def in_report(document: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return a chart of each 802.16 cell: some frames of a run; none where none was written down."""
    rows = document["probes"].get("frames")
    drawn = []
    for name in dict.fromkeys(rows["cell"]) if rows else ():
        there = list(
            dict.fromkeys(f for c, f in zip(rows["cell"], rows["frame"], strict=True) if c == name)
        )
        chosen = dict.fromkeys(there[(2 * i + 1) * len(there) // (2 * SHOWN)] for i in range(SHOWN))
        found = maps(rows, name, list(chosen))
        numbers = ", ".join(str(each.frame) for each in found)
        caption = (
            f"802.16 cell {name}: frames {numbers}, from evenly over the run, warm-up included. Each bar is a "
            "frame, symbol by symbol; the thick line parts downlink and uplink."
        )
        drawn.append(frame_svg.figure(found, _stations(document, name), caption, f"frames-{name}"))
    return drawn


def maps(rows: Rows, cell: str, frames: Sequence[int]) -> list[Map]:
    """Return these frames of a cell, of those that were written down."""
    found: dict[int, tuple[float, list[Part]]] = {}
    wanted = set(frames)
    columns = ("time_s", "cell", "frame", "direction", "use_of", "station", "first", "symbols")
    for at, of, frame, way, use, station, first, symbols in zip(
        *(rows[c] for c in columns), strict=True
    ):
        if of == cell and frame in wanted:
            part = Part(use, station or "", way == "down", first, symbols)
            found.setdefault(frame, (at, []))[1].append(part)
    return [Map(frame, at, parts) for frame, (at, parts) in found.items()]


def _stations(document: Mapping[str, Any], cell: str) -> list[str]:
    """Return the stations of a cell, in its order: they have the same colours in all its figures."""
    return [each["name"] for each in document.get("subscribers", ()) if each["cell"] == cell]


def _bounds(said: str) -> tuple[int, int]:
    parts = re.fullmatch(r"(\d{1,12})(?:-(\d{1,12}))?", said)
    first = int(parts[1]) if parts else 0
    last = int(parts[2] or first) if parts else -1
    if not first <= last < first + MOST_FRAMES:
        raise UsageError(
            f"--frame {said!r}: allowed: a frame's number from 0, or {MOST_FRAMES} at most, such as 200-203"
        )
    return first, last


def _cell(rows: Rows, wanted: str | None) -> str:
    known = list(dict.fromkeys(rows["cell"]))
    if not known:
        raise UsageError("--frame: the scenario has no 802.16 cell, [[wimax]]")
    if wanted is None:
        return str(known[0])
    if wanted not in known:
        raise UsageError(f"--cell: no 802.16 cell {wanted!r}{offered(wanted, known)}")
    return wanted
