"""The commands for files: `lasthop plot`, `report`, `rerun`, `export`. Each imports what it needs when it runs."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from cyclopts import Parameter

from lasthop.cli.options import Json, Many, MaybeWhole, Set
from lasthop.cli.terminal import refuse_no_directory


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class PlotOptions:
    """What `lasthop plot` is asked.

    Parameters
    ----------
    out:
        The figure: FILE.pdf, FILE.png or FILE.svg. For probes, and with --clusters, also
        FILE.html. The default is a PDF here that is named after what is drawn and the metrics of --y; with
        --clusters it is NAME-clusters.html.
    x:
        The horizontal axis. The default is the axis with the most numbers.
    y:
        The metric. The default is the study's first. Can be repeated: each metric then has a
        panel. For probes it is a column, such as snd_cwnd; the default is goodput, delay, window,
        round-trip time and queues.
    by:
        The axis whose values get a line each. The default is the next axis. A third axis has a
        panel for each value.
    where:
        Fix an axis at a value, key=value. Can be repeated.
    flow:
        For probes: draw only flows whose names match, such as 'up*'. Can be repeated.
    width:
        The width: one or two columns of a paper.
    xlabel:
        The label of the horizontal axis, instead of words for its key.
    ylabel:
        The label of the vertical axis.
    title:
        The title of the figure.
    limit:
        Draw a line across at this value, such as 50ms.
    style:
        plain, or paper: a serif font and a frame, as in papers set by LaTeX.
    frame:
        Draw 802.16 frames of a scenario symbol by symbol: a frame's number from 0, or several, such as 200-203.
    cell:
        The 802.16 cell whose frames are drawn. The default is the first.
    clusters:
        Draw the clusters of a scenario as they form and change. FILE.html is an animation; other
        files have nine pictures.
    changes:
        Change the scenario whose frames or clusters are drawn: key=value with a dotted key, such as
        wimax.0.ratio=6:1.
    """

    out: Path | None = None
    x: str | None = None
    y: Many = ()
    by: str | None = None
    where: Many = ()
    flow: Many = ()
    width: str = "one"
    xlabel: str | None = None
    ylabel: str | None = None
    title: str | None = None
    limit: str | None = None
    style: str = "plain"
    frame: str | None = None
    cell: str | None = None
    clusters: bool = False
    changes: Set = ()


def plot(store: Path, /, *, options: PlotOptions | None = None) -> None:
    """Draw a metric of a study with 95 % intervals, or probes over time: a figure for a paper.

    Example: lasthop plot out/retry_and_queue --y voice.loss --x queue.packets --out loss.pdf

    Example: lasthop plot series/tcp.csv --flow upload --out window.png

    Example: lasthop plot wimax_downloads --frame 200-203 --width two --out frames.pdf

    Example: lasthop plot clusters --clusters --out clusters.html

    The figure contains its recipe: ``lasthop rerun`` makes it again and compares. The recipe of a
    figure of probes holds the tables; of tables that are too long it knows whether they have changed.

    Parameters
    ----------
    store:
        The directory of a sweep, or its study; tables of probes, FILE.csv, FILE.parquet or their directory,
        as ``lasthop run --probe tcp --out`` writes them; with --frame or --clusters a scenario.
    """
    from lasthop.cli import figures

    figures.plot(store, options or PlotOptions())


def report(
    study: Path,
    /,
    *,
    out: Path | None = None,
    cell: MaybeWhole = None,
    threads: MaybeWhole = None,
) -> None:
    """Write a study, or a run of a scenario, as one HTML page with results, figures and time
    series.

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
    threads:
        How many runs go in parallel for the time series. The default is one for each core.
    """
    from lasthop.cli import figures

    figures.report(study, out, cell, threads)


def rerun(
    figure: Path,
    /,
    *,
    out: Path | None = None,
    threads: MaybeWhole = None,
    json_: Json = False,
) -> None:
    """Make a figure or report again from the recipe that it contains, and compare numbers and
    picture.

    Example: lasthop rerun pareto.png

    The command ends with 1 when anything differs, be it a number in its last bit or a pixel.

    Parameters
    ----------
    figure:
        A PNG, PDF, SVG or HTML file that lasthop has written.
    out:
        A directory for the new file. By default the new file is removed after the comparison.
    threads:
        How many runs go in parallel. The default is one for each core.
    json_:
        Print one JSON document.
    """
    from lasthop.cli import figures

    if out is not None:
        refuse_no_directory(out)
    if not figures.rerun(figure, out, threads, as_json=json_):
        sys.exit(1)


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ExportOptions:
    """What `lasthop export` is asked.

    Parameters
    ----------
    out:
        The file to write.
    changes:
        Change the scenario: key=value with a dotted key, such as tcp.variant=tahoe.
    seed:
        The seed of all random numbers. The default is the scenario's own.
    flow:
        Export only flows whose names match, such as 'up*'. Can be repeated. iperf3 takes TCP or
        UDP, not both.
    every:
        The length of an interval of iperf3 and flent.
    """

    out: Path
    changes: Set = ()
    seed: MaybeWhole = None
    flow: Many = ()
    every: str = "1 s"


def export(form: str, scenario: Path, /, *, options: ExportOptions) -> None:
    """Run a scenario once and write the run in the format of another tool.

    Example: lasthop export iperf3 dumbbell --out dumbbell.json

    Example: lasthop export flent dumbbell --every 200ms --out dumbbell.flent.gz

    docs/guides/exports.md describes the fields and their units.

    Parameters
    ----------
    form:
        iperf3 (its JSON), flent (.flent.gz), ns2 (old wireless trace) or ns2-new (new wireless trace).
    scenario:
        A TOML file, or the name of a scenario that `lasthop list scenarios` prints.
    """
    from lasthop.cli import exporting

    exporting.export(form, scenario, options)
