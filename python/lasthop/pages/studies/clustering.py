"""Pictures of clusters: of a scenario's run, as a sequence in a figure or as a page that plays it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

from lasthop.core import api, safe_files, shapes
from lasthop.core.command_lines import typed
from lasthop.core.listeners import Fraction
from lasthop.pages import report
from lasthop.pages.figures import palette, style
from lasthop.pages.figures.clusters import Picture, Standing, bounds, sequence
from lasthop.pages.in_script import in_script
from lasthop.pages.picture.watching import once
from lasthop.pages.recipes.embedding import embed
from lasthop.pages.recipes.recipe import JOB, Recipe, job_of, of_job, recipe
from lasthop.pages.studies.study_figure import ENDINGS

SHOWN = 9
"""Pictures in a figure, from evenly over the run; a page has all."""

MOST_ON_A_PAGE = 2000
"""Of more a page is slow to open: every second is left out, and so on."""


def plot(file: str | Path, changes: Sequence[str], path: Path) -> Path:
    """Run a scenario once and draw its clusters as a PDF, PNG, SVG or HTML file; raises LasthopError."""
    return _plot(of_job(api.read(file, changes)), path)


SHAPE = shapes.fields(JOB)
"""The form of a recipe of such a picture."""


def again(recipe_: Recipe, folder: Path, workers: int | None, told: Fraction) -> Path:
    """Run the scenario again and draw its clusters."""
    path = _plot(recipe_.inputs, folder / Path(recipe_.file).name)
    told(1.0)
    return path


def _plot(inputs: Mapping[str, Any], path: Path) -> Path:
    safe_files.refuse_ending(path, (*ENDINGS, ".html"))
    asked = job_of(inputs)
    document = once(asked, ("clusters",))
    pictures = pictures_of(document["probes"]["clusters"])
    options = {"--clusters": True, "--set": inputs["changes"], "--out": path.name}
    command = typed(["lasthop", "plot", asked.file], options)
    made = recipe("clusters", command, inputs, [_row(each) for each in pictures])
    if path.suffix == ".html":
        page = _page(pictures, document["scenario"] or asked.file)
        return safe_files.write_bytes(path, embed(page, "html", made.of(path)))
    chosen = [pictures[i] for i in _evenly(len(pictures), SHOWN)]
    return style.Sheet(partial(sequence, chosen)).save(path, made)


def pictures_of(rows: Mapping[str, Sequence[Any]]) -> list[Picture]:
    """Return the pictures of the probe ``clusters``: a station that comes again begins the next."""
    pictures: list[Picture] = []
    standing: list[Standing] = []
    seen: set[str] = set()
    time_s = 0.0
    for at, node, x_m, y_m, cluster, speaks_to in zip(
        *(rows[key] for key in ("time_s", "node", "x_m", "y_m", "cluster", "speaks_to")),
        strict=True,
    ):
        if node in seen:
            pictures.append(Picture(time_s, tuple(standing)))
            standing, seen = [], set()
        time_s = at
        seen.add(node)
        speaks = tuple(int(number) for number in speaks_to.split())
        standing.append(Standing(node, x_m, y_m, cluster, speaks))
    return [*pictures, Picture(time_s, tuple(standing))]


def _evenly(count: int, most: int) -> list[int]:
    return sorted({round(i * (count - 1) / max(most - 1, 1)) for i in range(min(most, count))})


def _row(picture: Picture) -> dict[str, Any]:
    stations = [[s.node, s.x_m, s.y_m, s.cluster, list(s.speaks_to)] for s in picture.stations]
    return {"time_s": picture.time_s, "stations": stations}


def _page(pictures: Sequence[Picture], title: str) -> bytes:
    shown = [_row(pictures[i]) for i in _evenly(len(pictures), MOST_ON_A_PAGE)]
    told = {
        "title": title,
        "box": bounds(pictures),
        "light": palette.LIGHT.series,
        "dark": palette.DARK.series,
        "pictures": shown,
    }
    template = (resources.files("lasthop.pages.report") / "clusters.html").read_text(
        encoding="utf-8"
    )
    taking = report.text("take.js")
    return template.replace("{{ TAKE }}", taking).replace("{{ DATA }}", in_script(told)).encode()
