"""The files of an advice: a document and the Pareto picture with its recipe; and both made again."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

from lasthop.core import api, safe_files, shapes
from lasthop.core.jobs import MOST_REPLICATIONS
from lasthop.core.listeners import Fraction
from lasthop.pages.figures import style
from lasthop.pages.figures.pareto import pareto
from lasthop.pages.recipes.recipe import JOB, TEXTS, Recipe, job_of, of_job, plain, recipe
from lasthop.study.advice.advice import Advice
from lasthop.study.advice.choices import grid_of
from lasthop.study.advice.local import Local
from lasthop.study.advice.question import Question, raced, wished
from lasthop.study.advice.wishes import wish_of

PICTURE = "pareto"

HELD = (
    *("choose", "maximise", "minimise", "subject_to", "error", "indifferent"),
    *("most", "seed", "changes"),
)
"""The form of a question in a recipe. A warm-up that was found is among the changes."""


_MAYBE = shapes.maybe(shapes.text)
_LISTS = shapes.table(shapes.each(shapes.anything))
SHAPE = shapes.fields(
    {
        **JOB,
        "choose": shapes.either(_LISTS, TEXTS, shapes.text),
        **dict.fromkeys(("maximise", "minimise"), _MAYBE),
        "subject_to": shapes.either(TEXTS, shapes.text),
        **dict.fromkeys(("error", "indifferent"), shapes.number),
        "most": shapes.whole(1, MOST_REPLICATIONS),
        "seed": shapes.maybe(shapes.whole()),
        "complete": shapes.flag,
    }
)
"""The form of a recipe for a Pareto picture."""


def recipe_of(
    advice: Advice,
    units: Mapping[str, str],
    path: Path,
    question: Question,
    command: str,
) -> Recipe:
    """Return the recipe of a race's picture, which `question` was asked for."""
    asked = {name: getattr(question, name) for name in HELD}
    job = api.read(path, question.changes)
    inputs = {**plain(asked), **of_job(job), "complete": advice.complete}
    return recipe("advice", command, inputs, advice.as_dict() | {"units": dict(units)})


def write(advice: Advice, units: dict[str, str], out: Path, made: Recipe) -> list[Path]:
    """Write advice.json and the picture as PNG and PDF; return all."""
    with safe_files.explained(out):
        written = [safe_files.write_json(out / "advice.json", advice.as_dict() | {"units": units})]
        return [
            *written,
            *style.Sheet(partial(pareto, advice, units)).save_for_paper(out / PICTURE, made),
        ]


def again(recipe_: Recipe, folder: Path, workers: int | None, told: Fraction) -> Path:
    """Race again and draw; one that a budget or Ctrl-C had ended goes to its end."""
    held = recipe_.inputs
    names = ("maximise", "minimise", "subject_to", "indifferent")
    grid, wish = grid_of(held["choose"]), wish_of(*(held[name] for name in names))
    local = Local(job_of(held), workers)
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
