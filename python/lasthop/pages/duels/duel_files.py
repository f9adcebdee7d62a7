"""The page and the map of a duel, with the recipe by which `lasthop rerun` makes them again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
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
from lasthop.study.dueling.duel_document import document
from lasthop.study.dueling.verdict import Duel, judge

PAGE, MAP = "duel.html", "duel.pdf"
RATIOS = {"duel-ecdf.pdf": "two", "duel-ecdf-column.pdf": "one"}
"""Figures of ratios, by the columns of a paper that they are wide."""

SHAPE = shapes.fields(
    {
        "sets": shapes.each(
            shapes.fields(
                {
                    **dict.fromkeys(("key", "conditions", "text"), shapes.text),
                    **dict.fromkeys(("names", "flows", "notes"), TEXTS),
                    "alone": recipes.SHAPE,
                    "shared": shapes.maybe(recipes.SHAPE),
                }
            ),
            least=1,
        )
    }
)
"""The form of such a recipe: a duel for each set of conditions."""


@dataclass(frozen=True)
class Fought:
    """A duel, and the file of its conditions with its text."""

    found: Duel
    conditions: str
    text: str

    @property
    def name(self) -> str:
        """The name of the set of conditions."""
        return self.found.alone.name.removesuffix(".alone")

    def inputs(self) -> dict[str, Any]:
        """Return it as a recipe has it."""
        found = self.found
        return {
            "names": list(found.names),
            "key": found.key,
            "flows": list(found.flows),
            "notes": list(found.told),
            "conditions": self.conditions,
            "text": self.text,
            "alone": recipes.inputs_of(found.alone),
            "shared": None if found.shared is None else recipes.inputs_of(found.shared),
        }


def write(fought: Fought, folder: Path) -> list[Path]:
    """Write the page and the figures of a duel."""
    return [_write([fought], folder / name) for name in (PAGE, MAP, *RATIOS)]


def write_ratios(sets: Sequence[Fought], folder: Path) -> list[Path]:
    """Write figures of several sets of conditions together."""
    return [_write(sets, folder / name) for name in RATIOS]


def again(recipe_: Recipe, folder: Path, workers: int | None, told: Fraction) -> Path:
    """Run both studies of each set again, judge them, and draw."""
    sets = recipe_.inputs["sets"]

    def studied(place: int, name: str, part: int) -> Any:
        def share(done: float) -> None:
            told((place + (part + done) / 2) / len(sets))

        return recipes.results_again(sets[place][name], folder / f"{name}-{place}", workers, share)

    fought = []
    for place, held in enumerate(sets):
        alone = studied(place, "alone", 0)
        shared = None if held["shared"] is None else studied(place, "shared", 1)
        found = judge(held["names"], held["key"], alone, shared, held["flows"], held["notes"])
        fought.append(Fought(found, held["conditions"], held["text"]))
    return _write(fought, folder / Path(recipe_.file).name)


def _write(sets: Sequence[Fought], out: Path) -> Path:
    inputs = {"sets": [each.inputs() for each in sets]}
    shown = {each.name: document(each.found) for each in sets}
    made = recipe("duel", _command(sets), inputs, shown)
    first = sets[0]
    if out.suffix == ".html":
        return report.save(page(first.found, first.conditions, first.text), out, made)
    if out.name in RATIOS:
        named = [(each.name, each.found) for each in sets]
        draw_ratios = partial(duel_ratios.draw, named, width=RATIOS[out.name])
        return style.Sheet(draw_ratios).save(out, made)
    return style.Sheet(partial(draw, first.found, first.found.against)).save(out, made)


def _command(sets: Sequence[Fought]) -> str:
    counts = {each.found.replications for each in sets}
    options = {
        "--over": [shipped.typed(each.conditions, each.text) for each in sets],
        "--replications": counts.pop() if len(counts) == 1 else None,
        "--no-share": all(each.found.shared is None for each in sets),
    }
    return typed(["lasthop", "duel", *sets[0].found.names], options)
