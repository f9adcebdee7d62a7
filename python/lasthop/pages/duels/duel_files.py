"""The page and the map of a duel, with the recipe by which `lasthop rerun` makes them again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lasthop.core import shapes, shipped
from lasthop.core.command_lines import typed
from lasthop.core.listeners import Fraction
from lasthop.pages import report
from lasthop.pages.duels import duel_ratios
from lasthop.pages.duels.duel_map import draw
from lasthop.pages.duels.duel_page import page
from lasthop.pages.figures import style
from lasthop.pages.recipes.recipe import TEXTS, Recipe, recipe
from lasthop.pages.studies import recipes
from lasthop.study.dueling.verdict import Duel, judge

PAGE, MAP = "duel.html", "duel.pdf"
RATIOS = {"duel-ecdf.pdf": "two", "duel-ecdf-column.pdf": "one"}
"""Figures of ratios, by the columns of a paper that they are wide."""

SHAPE = shapes.fields(
    {
        **dict.fromkeys(("key", "conditions", "text"), shapes.text),
        **dict.fromkeys(("names", "flows", "notes"), TEXTS),
        "alone": recipes.SHAPE,
        "shared": shapes.maybe(recipes.SHAPE),
    }
)
"""The form of such a recipe."""


def write(found: Duel, conditions: Path, text: str, folder: Path) -> list[Path]:
    """Write the page and the figures of a duel over the conditions of a file with this text."""
    inputs = {
        "names": list(found.names),
        "key": found.key,
        "flows": list(found.flows),
        "notes": list(found.told),
        "conditions": conditions.name,
        "text": text,
        "alone": recipes.inputs_of(found.alone),
        "shared": None if found.shared is None else recipes.inputs_of(found.shared),
    }
    return [_write(inputs, found, folder / name) for name in (PAGE, MAP, *RATIOS)]


def again(recipe_: Recipe, folder: Path, workers: int | None, told: Fraction) -> Path:
    """Run both studies again, judge them, and draw."""
    held = recipe_.inputs

    def studied(name: str, part: int) -> Any:
        def half(done: float) -> None:
            told((part + done) / 2)

        return recipes.results_again(held[name], folder / name, workers, half)

    alone = studied("alone", 0)
    shared = None if held["shared"] is None else studied("shared", 1)
    found = judge(held["names"], held["key"], alone, shared, held["flows"], held["notes"])
    return _write(held, found, folder / Path(recipe_.file).name)


def _write(inputs: Mapping[str, Any], found: Duel, out: Path) -> Path:
    made = recipe("duel", _command(inputs, found), inputs, found.as_dict())
    if out.suffix == ".html":
        return report.save(page(found, inputs["conditions"], inputs["text"]), out, made)
    if out.name in RATIOS:
        return _ratios([(Path(inputs["conditions"]).stem, found)], out, made)
    sheet = style.Sheet(lambda palette: draw(found, found.against, palette))
    return sheet.save(out, made)


def write_ratios(sets: Sequence[tuple[str, Duel]], folder: Path) -> list[Path]:
    """Write figures of several sets of conditions together."""
    return [_ratios(sets, folder / name, None) for name in RATIOS]


def _ratios(sets: Sequence[tuple[str, Duel]], out: Path, made: Recipe | None) -> Path:
    width = RATIOS[out.name]
    return style.Sheet(lambda palette: duel_ratios.draw(sets, palette, width)).save(out, made)


def _command(inputs: Mapping[str, Any], found: Duel) -> str:
    over = shipped.typed(inputs["conditions"], inputs["text"])
    options = {"--over": over, "--replications": found.replications}
    options["--no-share"] = not inputs["shared"]
    return typed(["lasthop", "duel", *inputs["names"]], options)
