"""`lasthop demo`: makes a classroom page, or a folder of all."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from lasthop.cli import completing
from lasthop.cli.options import MaybeWhole
from lasthop.cli.terminal import open_page, refuse_no_directory, tell_written, terminal
from lasthop.errors import UsageError

if TYPE_CHECKING:
    from lasthop.pages.classroom import Lesson


def command(
    lesson: Annotated[str | None, Parameter(completer=completing.lessons)] = None,
    /,
    *,
    all_: Annotated[Path | None, Parameter(name="--all")] = None,
    out: Path | None = None,
    workers: MaybeWhole = None,
    open_: Annotated[bool, Parameter(name="--open")] = True,
) -> None:
    """Make a page that shows one effect, with a slider.

    Example: lasthop demo hidden

    Example: lasthop demo --all class

    The slider moves over finished runs. The page is one file, which opens in the browser.

    Parameters
    ----------
    lesson:
        The name of a lesson. ``lasthop list lessons`` prints all names.
    all_:
        Write all lessons into this folder instead, with a page that leads to them, index.html, and the answers
        to their questions, answers.html. The folder works from a USB stick.
    out:
        The directory for the page and its runs. The default is out/demo.
    workers:
        How many runs go in parallel. The default is one for each core.
    open_:
        Open the page in the browser. This is done only in an interactive terminal, and where there is a display.
    """
    from lasthop.pages import classroom

    if (lesson is None) == (all_ is None) or (all_ and out):
        names = ", ".join(name for name, _ in classroom.names())
        raise UsageError(f"name one lesson, or --all FOLDER; there are: {names}")
    chosen = classroom.lesson(lesson) if lesson is not None else None
    folder = all_ or out or Path("out/demo")
    refuse_no_directory(folder)
    written = _written(chosen, folder, workers)
    tell_written(written)
    if open_:
        open_page(written)


def _written(chosen: Lesson | None, folder: Path, workers: int | None) -> Path:
    """Write the page of a lesson, or of none the folder of all, and return the page to begin with."""
    from lasthop.cli.bars import bar
    from lasthop.pages.classroom import class_folder, lesson_page

    shown = partial(bar, console=terminal(stderr=True), in_lines=True)
    if chosen is None:
        return class_folder.write(folder, workers, shown)
    with shown(chosen.title) as told:
        runs = folder / f"{chosen.name}-runs"
        return lesson_page.write(chosen, folder, runs, workers, told).page
