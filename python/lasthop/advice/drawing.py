"""The files of an advice: a document and the Pareto picture with its recipe; and both made again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from lasthop import source, store
from lasthop.advice.asking import race
from lasthop.advice.choices import grid_of
from lasthop.advice.result import Advice
from lasthop.advice.simulating import Local
from lasthop.advice.wishes import wish_of
from lasthop.figures import style
from lasthop.figures.pareto import pareto
from lasthop.recipes.recipe import Recipe, files_in, plain, recipe, scenario

PICTURE = "pareto"


def recipe_of(
    advice: Advice,
    units: Mapping[str, str],
    path: Path,
    asked: Mapping[str, Any],
    command: str,
) -> Recipe:
    """Return the recipe of a race's picture; `asked` is what `lasthop.advice.advise` was given, by name."""
    text, changes = source.read(path), tuple(asked["changes"])
    base = scenario(text, str(path), source.files_of(text, str(path), changes))
    inputs = {**plain(dict(asked)), "scenario": base, "complete": advice.complete}
    return recipe("advice", command, inputs, advice.as_dict() | {"units": dict(units)})


def write(advice: Advice, units: dict[str, str], out: Path, made: Recipe) -> list[Path]:
    """Write advice.json and the picture as PNG and PDF; return all."""
    with store.explained(out):
        written = [store.write_json(out / "advice.json", advice.as_dict() | {"units": units})]
        return [*written, *style.save(partial(pareto, advice, units), out / PICTURE, made)]


def again(
    recipe_: Recipe, folder: Path, threads: int | None, told: Callable[[float], None]
) -> Path:
    """Race again and draw; one that a budget or Ctrl-C had ended goes to its end."""
    held = recipe_.inputs
    base = held["scenario"]
    names = ("maximise", "minimise", "subject_to", "indifferent")
    grid, wish = grid_of(held["choose"]), wish_of(*(held[name] for name in names))
    local = Local(
        base["text"], base["file"], tuple(held["changes"]), held["seed"], threads, files_in(base)
    )
    advice = race(
        grid,
        wish,
        local,
        error=held["error"],
        most=held["most"],
        told=lambda done, of, _words: told(done / of if of else 0.0),
    )
    shown = advice.as_dict() | {"units": local.units}
    inputs = {**held, "complete": advice.complete}
    write(advice, local.units, folder, recipe("advice", recipe_.command, inputs, shown))
    return folder / recipe_.file
