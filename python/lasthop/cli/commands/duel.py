"""`lasthop duel`: compares one TCP with others."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from lasthop.cli.options import Json, Laws, Many, MaybeWhole
from lasthop.cli.table_files import with_tables


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class DuelOptions:
    """The options of `lasthop duel`.

    Parameters
    ----------
    over:
        Conditions: wired, lossy, wifi, roaming or aqm, which come with lasthop, or a study file of your
        own. Can be repeated. Its scenario, axes and metrics are the conditions. Its axes must not name a TCP. The
        default comes with lasthop: paths of random rate, delay, loss and queue.
    laws:
        A law of your own, FILE.py:CLASS or a library, which can then be named by its class. The file
        can also be one of the names.
    replications:
        Replications of each condition, instead of the study's.
    share:
        Also run them side by side on one path.
    workers:
        How many runs go in parallel: threads here, or workers of a cluster. The default is one for each core.
    executor:
        Where runs are computed: local, dask, dask:ADDRESS, dask:slurm or slurm.
    out:
        The directory of the results, by default out/NAME.duel. It gets a page, figures that are as wide as one
        and two columns of a paper, and tables in Markdown and LaTeX. With several sets of conditions it gets
        a folder for each, and figures and tables of all.
    as_json:
        Print one JSON document.
    """

    over: Many = ("conditions",)
    laws: Laws = ()
    replications: MaybeWhole = None
    share: Annotated[bool, Parameter(negative="--no-share")] = True
    workers: MaybeWhole = None
    executor: str = "local"
    out: Path | None = None
    as_json: Json = False


@with_tables
def command(*names: str, options: DuelOptions | None = None) -> None:
    """Compare one TCP with others over many networks.

    Example: lasthop duel linux-bbr linux-cubic linux-reno --over conditions.toml

    Example: lasthop duel my_law.py:Mine cubic bbr --over wifi --over roaming

    It tells who wins where and by how much, and how fairly they share one path.

    All use the same random numbers, so that runs are compared in pairs. The command can be stopped
    and run again: nothing is computed twice. docs/guides/duel.md says what is judged and how.

    Parameters
    ----------
    names:
        The TCP that is judged, then its rivals: variants, or laws where one of them is in Python.
    """
    from lasthop.cli import duel_output

    duel_output.show(names, options or DuelOptions())
