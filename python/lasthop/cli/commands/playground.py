"""`lasthop playground`: opens the page that runs scenarios in a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from lasthop.cli.options import TomlFile
from lasthop.cli.terminal import open_page, tell_written


def command(
    scenario: TomlFile = "two_stations",
    /,
    *,
    out: Path | None = None,
    open_: Annotated[bool, Parameter(name="--open")] = True,
) -> None:
    """Try settings in the browser, with sliders and charts.

    Example: lasthop playground

    Example: lasthop playground office.toml --out office.html

    The page is one file, needs no network and runs the same core as lasthop run. It has an editor, all scenarios
    that come with lasthop, and the lessons. It contains the files that the scenario names. It runs no laws in
    Python.

    Parameters
    ----------
    scenario:
        A TOML file, or the name of a scenario that `lasthop list scenarios` prints.
    out:
        The page, FILE.html. The default is out/playground/NAME.html with the name of the scenario.
    open_:
        Open the page in the browser. This is done only in an interactive terminal, and where there is a display.
    """
    from lasthop.pages import playground

    written = playground.write(scenario, out)
    tell_written(written)
    if open_:
        open_page(written)
