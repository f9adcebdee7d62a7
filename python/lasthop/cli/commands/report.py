"""`lasthop report`: writes a page about a study or a run."""

from __future__ import annotations

from pathlib import Path

from lasthop.cli.options import MaybeWhole


def command(
    study: Path,
    /,
    *,
    out: Path | None = None,
    cell: MaybeWhole = None,
    workers: MaybeWhole = None,
) -> None:
    """Write a study or a run as one page, with figures.

    Example: lasthop report out/retry_and_queue

    Example: lasthop report two_stations

    The page needs no network and contains its recipe: ``lasthop rerun`` makes it again and
    compares.

    Parameters
    ----------
    study:
        The directory of a sweep, a study file whose results are in out/NAME, or a scenario.
    out:
        The page. The default is report.html in the directory of the results; for a scenario it is
        NAME.html here.
    cell:
        The number of the cell whose time series are shown, as in ``lasthop results``. The default
        is the first.
    workers:
        How many runs go in parallel for the time series. The default is one for each core.
    """
    from lasthop.cli import figure_output

    figure_output.report(study, out, cell, workers)
