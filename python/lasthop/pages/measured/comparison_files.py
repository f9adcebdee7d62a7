"""The page and the figure of a comparison, with the recipe by which `lasthop rerun` makes them again."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lasthop.core import shapes
from lasthop.core.command_lines import typed
from lasthop.core.how import Watching
from lasthop.core.job import Job
from lasthop.core.jobs import MOST_REPLICATIONS
from lasthop.core.listeners import Fraction
from lasthop.data import measured
from lasthop.data.measured.comparison import Comparison, compare
from lasthop.data.measured.model import Measured
from lasthop.data.measured.simulated import Simulated, like
from lasthop.errors import LasthopError, UsageError
from lasthop.pages import report
from lasthop.pages.figures import style
from lasthop.pages.figures.curves import curves
from lasthop.pages.measured.comparison_figure import chart, drawn
from lasthop.pages.measured.comparison_page import headline, page
from lasthop.pages.recipes import keeping
from lasthop.pages.recipes.recipe import JOB, TEXTS, Recipe, job_of, of_job, recipe

SHAPE = shapes.fields(
    {
        **JOB,
        "laws": TEXTS,
        "seed": shapes.whole(),
        "replications": shapes.whole(1, MOST_REPLICATIONS),
        "pairs": shapes.table(shapes.text),
        "at": shapes.maybe(shapes.text),
        "measured": shapes.table(shapes.anything),
    }
)
"""The form of a recipe of a comparison; the measured files are checked separately."""


@dataclass(frozen=True)
class Asked:
    """The request for a comparison.

    Attributes:
        scenario: With its changes.
        pairs: The measured flows of simulated ones, of those that are named.
        at: Where captures are taken; None: where it goes without saying.
    """

    scenario: Job
    pairs: Mapping[str, str]
    at: str | None


def write(
    asked: Asked, files: Sequence[Path], there: Sequence[Measured], runs: Simulated, out: Path
) -> Path:
    """Write the page or the figure of files that were read and of runs like them; raises UsageError."""
    inputs = {
        **of_job(asked.scenario),
        "seed": runs.seed,
        "replications": len(runs.runs),
        "laws": sorted(asked.scenario.laws),
        "pairs": dict(asked.pairs),
        "at": asked.at,
        "measured": keeping.keep(files),
    }
    return _write(inputs, there, runs, out)


def again(recipe_: Recipe, folder: Path, workers: int | None, told: Fraction) -> Path:
    """Run the scenario again, compare it with the files in the recipe, and draw."""
    held = recipe_.inputs
    if held["laws"]:
        raise LasthopError(
            f"laws in Python ran in it ({', '.join(held['laws'])}), which the recipe does not contain: "
            f"{recipe_.command} --law FILE.py:CLASS"
        )
    with tempfile.TemporaryDirectory(prefix="lasthop-") as place:
        there = [measured.read(file) for file in keeping.put(held["measured"], Path(place))]
    how = Watching(replications=held["replications"], workers=workers, fraction=told)
    runs = like(there[0], job_of(held), how, held["at"])
    return _write(held, there, runs, folder / Path(recipe_.file).name)


def _write(
    inputs: Mapping[str, Any], there: Sequence[Measured], runs: Simulated, out: Path
) -> Path:
    # Files are called what the recipe calls them, not by a path of this machine.
    named = [replace(e, file=name) for e, name in zip(there, inputs["measured"], strict=True)]
    found = compare(named, runs.runs, inputs["pairs"])
    found = replace(found, notes=(*found.notes, *runs.notes))
    made = recipe("compare", _command(inputs, out.name), inputs, found.as_dict())
    base = inputs["scenario"]
    if out.suffix == ".html":
        said = headline(found, base["file"], runs)
        return report.save(page(found, base["file"], base["text"], said), out, made)
    return _sheet(found).save(out, made)


def _sheet(found: Comparison) -> style.Sheet:
    pairs = [pair for pair in found.pairs if drawn(pair)]
    if not pairs:
        raise UsageError(
            "there is nothing over time to draw: the file has no series of a paired flow"
        )
    width = "one" if len(pairs) == 1 else "two"
    return style.Sheet(lambda palette: curves(chart(pairs), width, palette))


def _command(inputs: Mapping[str, Any], name: str) -> str:
    words = ["lasthop", "compare", inputs["scenario"]["file"], *inputs["measured"]]
    options = {
        "--replications": inputs["replications"],
        "--seed": inputs["seed"],
        "--set": inputs["changes"],
        "--pair": ["=".join(pair) for pair in inputs["pairs"].items()],
        "--at": inputs["at"],
        "--out": name,
    }
    return typed(words, options)
