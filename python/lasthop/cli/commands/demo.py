"""`lasthop demo`: makes a classroom page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from lasthop.cli import completing
from lasthop.cli.options import MaybeWhole
from lasthop.cli.terminal import open_page, refuse_no_directory, tell_written, terminal


def command(
    lesson: Annotated[str, Parameter(completer=completing.lessons)],
    /,
    *,
    out: Path = Path("out/demo"),
    workers: MaybeWhole = None,
    open_: Annotated[bool, Parameter(name="--open")] = True,
) -> None:
    """Make a page that shows one effect, with a slider.

    Example: lasthop demo hidden

    The slider moves over finished runs. The page is one file, which opens in the browser.

    Parameters
    ----------
    lesson:
        The name of a lesson. ``lasthop list lessons`` prints all names.
    out:
        The directory for the page and its runs.
    workers:
        How many runs go in parallel. The default is one for each core.
    open_:
        Open the page in the browser. This is done only in an interactive terminal, and where there is a display.
    """
    from lasthop.cli.bars import bar
    from lasthop.pages import classroom

    chosen = classroom.lesson(lesson)
    refuse_no_directory(out)
    from lasthop.pages.classroom import lesson_page

    with bar(chosen.title, terminal(stderr=True)) as told:
        written = lesson_page.write(chosen, out, workers, told)
    tell_written(written)
    if open_:
        open_page(written)
