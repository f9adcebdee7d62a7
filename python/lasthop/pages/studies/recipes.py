"""A study in a recipe: what is needed to have the same results again, from nothing but the recipe."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lasthop.core import shapes
from lasthop.core.command_lines import typed
from lasthop.core.jobs import MOST_REPLICATIONS
from lasthop.core.listeners import Fraction
from lasthop.errors import UsageError
from lasthop.pages.recipes.recipe import FILES, files_in, kept
from lasthop.study import axes, cells
from lasthop.study.law_sources import refuse_code
from lasthop.study.manifest import checked, refuse_other_format, restored
from lasthop.study.reader import changes_in, repeated_in
from lasthop.study.sweeping import Hooks, sweep_counts
from lasthop.study.swept import Results

STORE = "results"
"""The directory in which a study that is run again keeps its rows."""


SHAPES = {
    "manifest": shapes.table(shapes.anything),
    "files": FILES,
    "replications": shapes.each(shapes.whole(0, MOST_REPLICATIONS)),
}
SHAPE = shapes.fields(SHAPES)
"""The form of such a recipe; the manifest is checked separately."""


def inputs_of(results: Results) -> dict[str, Any]:
    """Return the study and how many replications of each cell count: paths of this machine left out."""
    held = dict(results.manifest)
    study, found = restored(held), held["found"]
    files = {name: (name, text, why) for name, text, why in study.files}
    for settings in axes.settings(study.axes):
        changes = [*study.changes, *(cells.override(k, v) for k, v in settings.items())]
        files |= {each[0]: each for each in cells.files_of(study, changes)}
    names = {key: Path(found[key]).name for key in ("scenario", "source")}
    held["found"] = {**names, "folder": ""}
    return {
        "manifest": held,
        "files": kept(files.values()),
        "replications": [results.count(row) for row in results.rows],
    }


def results_again(
    inputs: Mapping[str, Any], folder: Path, workers: int | None, told: Fraction
) -> Results:
    """Run the study of a recipe, as many replications of each cell as it says."""
    held = checked(inputs["manifest"], "the manifest in the recipe")
    refuse_other_format(held, Path("the recipe"))
    study = restored(held, files_in(inputs))
    refuse_code(study)
    counts = inputs["replications"]
    if len(counts) != len(axes.settings(study.axes)):
        raise UsageError(f"the recipe is damaged: its study has not {len(counts)} cells")
    hooks = Hooks(progress=lambda s: told(s.done / s.wanted if s.wanted else 1.0))
    return sweep_counts(study, folder / STORE, counts, workers, hooks)


def command_of(results: Results) -> str:
    """Return the command that runs the study, with what was given beside its file."""
    source = Path(results.manifest["found"]["source"]).name
    options = {
        "--replications": _replications_of(results),
        "--set": changes_of(results),
        "--law": _laws_of(results),
    }
    return typed(["lasthop", "sweep", source or results.name], options)


def _replications_of(results: Results) -> int | None:
    """Return the number of replications where it is not as the study's file has it."""
    held = results.manifest
    if not (text := held["source"]["text"]):
        return None
    own, precision = repeated_in(text, held["found"]["source"])
    is_own = held["replications"] == own and (held["precision"] is None) == (precision is None)
    return None if is_own else int(held["replications"])


def _laws_of(results: Results) -> list[str]:
    """Return the laws as they are given, that of all flows first."""
    laws = sorted(results.manifest["laws"], key=lambda law: not law["everywhere"])
    files = [Path(law["files"][0][1]).name for law in laws]
    return [
        file if "library" in law else f"{file}:{law['kind']}"
        for file, law in zip(files, laws, strict=True)
    ]


def changes_of(results: Results) -> list[str]:
    """Return the changes that the study's file does not make: they were given beside it, as --set."""
    held = results.manifest
    text, window = held["source"]["text"], held["window"]
    if not text:
        return []
    own = len(changes_in(text, held["found"]["source"]))
    # A warm-up that pilot runs showed stands behind all others, and is found again.
    end = -1 if window and window["how"] == "auto" else None
    return list(held["set"][own:end])
