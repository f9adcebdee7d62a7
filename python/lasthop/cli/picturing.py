"""`lasthop run --report` and `lasthop report SCENARIO`: a page about a run."""

from __future__ import annotations

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
from lasthop.errors import UsageError

ENDINGS = (".html", ".htm")


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
    path: Path, how: Running, summary: dict[str, Any], page: Path, *, quiet: bool = False
) -> None:
    """Write the page of a scenario that was run so, and say where it is."""
    from lasthop.pages.picture.run_page import write as write_page

    asked = api.job_of(path, how)
    with bar("a run for its page", terminal(stderr=True)) as told, files.explained(page):
        write_page(asked, summary, page, how.workers, told)
    if not quiet:
        tell_written(page)


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
    found = Enough()
    with bar("simulating", terminal(stderr=True)) as told:
        found.run(api.job_of(path, how), replace(how, fraction=told))
    write(path, how, found.document(), page)
