"""The files of an advice: a document and the Pareto picture with its recipe; and both made again."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from lasthop import api, source, store
from lasthop.advice.asking import Question, raced, wished
from lasthop.advice.choices import grid_of
from lasthop.advice.result import Advice
from lasthop.advice.simulating import Local
from lasthop.advice.wishes import wish_of
from lasthop.figures import style
from lasthop.figures.pareto import pareto
from lasthop.listeners import Fraction
from lasthop.prepared import Prepared
from lasthop.recipes.recipe import Recipe, files_in, plain, recipe, scenario

PICTURE = "pareto"

HELD = (
    *("choose", "maximise", "minimise", "subject_to", "error", "indifferent"),
    *("most", "seed", "changes"),
)
"""What a recipe holds of a question. A warm-up that was found stands among the changes."""


def recipe_of(
    advice: Advice,
    units: Mapping[str, str],
    path: Path,
    question: Question,
    command: str,
) -> Recipe:
    """Return the recipe of a race's picture, which `question` was asked for."""
    (text, file), changes = source.load(path), api.as_overrides(question.changes)
    base = scenario(text, file, source.files_of(text, file, changes))
    asked = {name: getattr(question, name) for name in HELD}
    inputs = {**plain(asked), "scenario": base, "complete": advice.complete}
    return recipe("advice", command, inputs, advice.as_dict() | {"units": dict(units)})


def write(advice: Advice, units: dict[str, str], out: Path, made: Recipe) -> list[Path]:
    """Write advice.json and the picture as PNG and PDF; return all."""
    with store.explained(out):
        written = [store.write_json(out / "advice.json", advice.as_dict() | {"units": units})]
        return [
            *written,
            *style.Sheet(partial(pareto, advice, units)).save_for_paper(out / PICTURE, made),
        ]


def again(recipe_: Recipe, folder: Path, threads: int | None, told: Fraction) -> Path:
    """Race again and draw; one that a budget or Ctrl-C had ended goes to its end."""
    held = recipe_.inputs
    base = held["scenario"]
    names = ("maximise", "minimise", "subject_to", "indifferent")
    grid, wish = grid_of(held["choose"]), wish_of(*(held[name] for name in names))
    changes = tuple(held["changes"])
    read = Prepared(base["text"], base["file"], changes, files_in(base), held["seed"])
    local = Local(read, threads)
    advice = raced(
        grid,
        wished(wish, grid, local),
        local,
        error=held["error"],
        most=held["most"],
        told=lambda done, of, _words: told(done / of if of else 0.0),
    )
    shown = advice.as_dict() | {"units": local.units}
    inputs = {**held, "complete": advice.complete}
    write(advice, local.units, folder, recipe("advice", recipe_.command, inputs, shown))
    return folder / recipe_.file
