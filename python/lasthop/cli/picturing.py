"""`lasthop run --report` and `lasthop report SCENARIO`: a page about a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from lasthop.cli.bars import bar
from lasthop.cli.terminal import tell_written, terminal
from lasthop.core import api
from lasthop.core import safe_files as files
from lasthop.core.enough import Enough
from lasthop.core.how import Running
from lasthop.core.job import Job
from lasthop.core.listeners import Fraction
from lasthop.errors import UsageError

ENDINGS = (".html", ".htm")

Panels = Mapping[str, Any]
"""The panels of a page about a run (`lasthop.core.panels`)."""


def named(page: Path | None, scenario: Path) -> Path:
    """Return where the page of a scenario goes: NAME.html here where it has no name.

    Raises UsageError where no page can be written there, before anything runs.
    """
    if page is None or page == Path():
        return Path(f"{scenario.stem}.html")
    if page.suffix not in ENDINGS:
        raise UsageError(f"the page {page}: allowed: a name that ends in {', '.join(ENDINGS)}")
    return page


def write(
    asked: Job,
    summary: dict[str, Any],
    page: Path,
    panels: Sequence[Panels],
    workers: int | None = None,
    *,
    quiet: bool = False,
) -> None:
    """Write the page of a scenario that was run, and say where it is.

    `panels` has those of its first replication; where it is empty, that is run again for them.
    """
    from lasthop.pages.picture.run_page import write as write_page

    drawn = panels[0] if panels else None
    with _bar_for(drawn) as told, files.explained(page):
        write_page(asked, summary, page, workers, told, panels=drawn)
    if not quiet:
        tell_written(page)


def _bar_for(drawn: Panels | None) -> AbstractContextManager[Fraction]:
    """Return the bar of a run for a page, if there will be one."""
    if drawn is None:
        return bar("a run for its page", terminal(stderr=True))
    return nullcontext(lambda part: None)


def chart(scenario: Path | Job, how: Running) -> None:
    """Draw the flows of a scenario's first replication in the terminal."""
    from lasthop.pages.picture.sparks import charts

    with bar("a run for its charts", terminal(stderr=True)) as told:
        lines = charts(api.job_of(scenario, how), how.workers, told, terminal().width)
    for line in ["", *lines]:
        terminal().print(line, highlight=False, markup=False, soft_wrap=True)


def of_scenario(path: Path, out: Path | None, cell: int | None, workers: int | None) -> None:
    """Run a scenario as often as a moment allows and write its page."""
    if cell is not None:
        raise UsageError("--cell is for studies: a scenario has one cell")
    page = named(out, path)
    how = Running(workers=workers)
    found, job = Enough(), api.job_of(path, how)
    panels: list[Panels] = []
    with bar("simulating", terminal(stderr=True)) as told:
        found.run(job, replace(how, fraction=told, page=panels.append))
    write(job, found.document(), page, panels)
