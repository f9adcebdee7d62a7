"""`lasthop rerun`: a figure or report made again from its recipe, and compared."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from lasthop import extras
from lasthop.core import checkout
from lasthop.core.command_lines import argument
from lasthop.core.engine import engine, version
from lasthop.core.listeners import Fraction, Said
from lasthop.core.shapes import MisshapenError, Shape, check
from lasthop.errors import LasthopError, UsageError
from lasthop.pages.recipes import differences, embedding
from lasthop.pages.recipes.recipe import Recipe

MAKERS = {
    "paper": "lasthop.pages.papers",
    "advice": "lasthop.pages.advice.advice_files",
    "plot": "lasthop.pages.studies.study_figure",
    "frame": "lasthop.pages.studies.framing",
    "clusters": "lasthop.pages.studies.clustering",
    "report": "lasthop.pages.studies.reporting",
    "run": "lasthop.pages.picture.run_page",
    "compare": "lasthop.pages.measured.comparison_files",
    "duel": "lasthop.pages.duels.duel_files",
    "dossier": "lasthop.pages.dossiers.dossier_files",
    "probes": "lasthop.pages.picture.probe_figure",
}
"""Makers by kind of file: modules with `again(recipe, folder, workers, told) -> Path`, and with `SHAPE`, the
form of their recipes."""

ENDINGS = {"png": (".png",), "pdf": (".pdf",), "svg": (".svg",), "html": (".html", ".htm")}
"""Endings of file names by kind."""

VALIDATION = "validation"
"""Figures of `lasthop validate`, which a checkout makes again."""


@dataclass(frozen=True)
class Rerun:
    """A file made again.

    Attributes:
        recipe: The recipe in it.
        made: The new file; None where no directory was asked for.
        data: What differs in the numbers; nothing where they are equal to the last bit.
        picture: What differs in what is seen.
        notes: What may be why: another engine, another matplotlib.
    """

    recipe: Recipe
    made: Path | None
    data: list[str]
    picture: list[str]
    notes: list[str]

    @property
    def equal(self) -> bool:
        """Return whether numbers and picture are the same."""
        return not self.data and not self.picture

    def as_dict(self) -> dict[str, Any]:
        """Return everything, ready for JSON."""
        return {
            "command": self.recipe.command,
            "equal": self.equal,
            "data": self.data,
            "picture": self.picture,
            "notes": self.notes,
            "file": None if self.made is None else str(self.made),
        }


def rerun(
    figure: str | Path,
    out: str | Path | None = None,
    *,
    workers: int | None = None,
    told: Fraction = lambda part: None,
    said: Said = lambda note: None,
) -> Rerun:
    """Make a figure or report again from the recipe in it, and compare.

    Args:
        figure: A PNG, PDF, SVG or HTML file that lasthop has written.
        out: A directory for what is made, kept; by default it is made in a temporary one and removed.
        workers: How many runs at a time; by default one for each core. The result does not depend on it.
        told: Told how much is done, 0 to 1.
        said: Told at once what may make a difference, such as another engine.

    Raises:
        UsageError: The file has no recipe, or `out` is where the figure is.
        LasthopError: It can no longer be made: the message says why.
    """
    path = Path(figure)
    before, recipe = embedding.read(path), embedding.extract(path)
    if recipe.kind not in (*MAKERS, VALIDATION):
        raise UsageError(
            f"{path}: its recipe is for {recipe.kind!r}; known: {', '.join((*MAKERS, VALIDATION))}"
        )
    notes = _notes(recipe)
    for note in notes:
        said(note)
    if out is not None and path.resolve().is_relative_to(Path(out).resolve()):
        raise UsageError(f"{argument('--out')} {out}: {path} is in it: give another directory")
    maker = _maker(recipe.kind)
    _refuse_damaged(recipe, maker.SHAPE, path, kind := embedding.kind_of(before, path))
    with _folder(out) as folder:
        made: Path = maker.again(recipe, folder, workers, told)
        if not made.is_file():
            raise LasthopError(f"{path}: the recipe made no {recipe.file}")
        data = differences.of_data(recipe, embedding.extract(made))
        picture = differences.of_pictures(before, embedding.read(made), kind)
        return Rerun(recipe, made if out is not None else None, data, picture, notes)


def _maker(kind: str) -> Any:
    if kind == VALIDATION:
        return checkout.module("publishing", "a figure of lasthop validate")
    return import_module(MAKERS[kind])


def _refuse_damaged(recipe: Recipe, shape: Shape, path: Path, kind: str) -> None:
    """Raise UsageError where a recipe is none that its maker has written into such a file."""
    name = Path(recipe.file)
    if name.name != recipe.file or name.suffix not in ENDINGS[kind]:
        allowed = f"the name of a {kind.upper()} file"
        raise UsageError(
            f"{path}: its recipe is damaged: file is {recipe.file!r}; allowed: {allowed}"
        )
    try:
        check(recipe.inputs, shape)
    except MisshapenError as error:
        raise error.behind("its recipe is damaged", UsageError, str(path), error.path) from None


def _notes(recipe: Recipe) -> list[str]:
    pairs = (
        ("engine", recipe.engine, engine()),
        ("lasthop", recipe.version, version()),
        ("matplotlib", recipe.matplotlib, extras.version("matplotlib")),
    )
    said = "it was made with {} {}, this is {}: that may explain differences"
    # A page needs no matplotlib: one of the two may have none. What is drawn by it says so where it is not here.
    notes = [said.format(*each) for each in pairs if all(each) and each[1] != each[2]]
    if recipe.inputs.get("complete") is False:
        notes.append("it had been stopped early, by a budget or Ctrl-C: now it runs to the end")
    return notes


@contextmanager
def _folder(out: str | Path | None) -> Iterator[Path]:
    if out is not None:
        yield Path(out)
        return
    with tempfile.TemporaryDirectory(prefix="lasthop-rerun-") as name:
        yield Path(name)
