"""`lasthop plot`: draws a figure."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cyclopts import Parameter

from lasthop.cli.options import Many, Set


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class PlotOptions:
    """The options of `lasthop plot`.

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


def command(store: Path, /, *, options: PlotOptions | None = None) -> None:
    """Draw a figure for a paper.

    Example: lasthop plot out/retry_and_queue --y voice.loss --x queue.packets --out loss.pdf

    Example: lasthop plot series/tcp.csv --flow upload --out window.png

    Example: lasthop plot wimax_downloads --frame 200-203 --width two --out frames.pdf

    Example: lasthop plot clusters --clusters --out clusters.html

    It shows a metric of a study with 95 % intervals, or probes over time.

    The figure contains its recipe: ``lasthop rerun`` makes it again and compares. The recipe of a
    figure of probes holds the tables; of tables that are too long it knows whether they have changed.

    Parameters
    ----------
    store:
        The directory of a sweep, or its study; tables of probes, FILE.csv, FILE.parquet or their directory,
        as ``lasthop run --probe tcp --out`` writes them; with --frame or --clusters a scenario.
    """
    from lasthop.cli import figure_output

    figure_output.plot(store, options or PlotOptions())
