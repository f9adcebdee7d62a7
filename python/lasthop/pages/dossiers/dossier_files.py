"""The page of an evaluation, with the recipe by which `lasthop rerun` makes it again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lasthop.core import shapes
from lasthop.core.command_lines import typed
from lasthop.core.jobs import MOST_REPLICATIONS
from lasthop.core.listeners import Fraction
from lasthop.errors import LasthopError
from lasthop.pages import report
from lasthop.pages.dossiers.dossier_page import page
from lasthop.pages.recipes.recipe import Recipe, recipe
from lasthop.study.evaluating import Dossier, evaluate
from lasthop.study.law_sources import SHAPE as LAWS
from lasthop.study.law_sources import as_documents

PAGE = "dossier.html"

SHAPE = shapes.fields(
    {"law": shapes.text, "replications": shapes.whole(1, MOST_REPLICATIONS), "laws": LAWS}
)
"""The form of such a recipe."""


def write(dossier: Dossier, folder: Path) -> Path:
    """Write the page of an evaluation."""
    return _write(dossier, folder / PAGE)


def again(recipe_: Recipe, folder: Path, workers: int | None, told: Fraction) -> Path:
    """Evaluate again, and write the page."""
    held = recipe_.inputs
    for law in held["laws"]:
        raise LasthopError(
            f"the law {law['name']} is Python code from the page, which is not run unasked: "
            f"make the page again where its law is, with {recipe_.command}"
        )
    found = evaluate(held["law"], replications=held["replications"], workers=workers, told=told)
    return _write(found, folder / Path(recipe_.file).name)


def _write(dossier: Dossier, out: Path) -> Path:
    laws = as_documents(dossier.laws, None)
    law = f"{laws[0]['files'][0][1]}:{laws[0]['kind']}" if laws else dossier.law
    inputs: Mapping[str, Any] = {
        "law": law,
        "replications": dossier.replications,
        "laws": laws,
    }
    command = typed(["lasthop", "evaluate", law], {"--replications": dossier.replications})
    return report.save(page(dossier), out, recipe("dossier", command, inputs, dossier.as_dict()))
