"""The command `lasthop duel`. It imports what it needs when it runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from lasthop.cli.options import Json, Laws, MaybeWhole


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class DuelOptions:
    """What `lasthop duel` is asked.

    Parameters
    ----------
    over:
        A study file: its scenario, axes and metrics are the conditions. It names no TCP among its axes.
    laws:
        A law in Python, FILE.py:CLASS, to be named by its class; among the names FILE.py:CLASS does as well.
    replications:
        So many of each condition, in place of the study's.
    share:
        Whether they are also run side by side on one path.
    workers:
        How many threads, or workers of a cluster; by default one for each core.
    executor:
        Where runs are made: local, dask, dask:ADDRESS, dask:slurm or slurm.
    out:
        The directory of the results, by default out/NAME.duel. It gets duel.html and duel.pdf.
    as_json:
        Print one JSON document.
    """

    over: Path
    laws: Laws = ()
    replications: MaybeWhole = None
    share: Annotated[bool, Parameter(negative="--no-share")] = True
    workers: MaybeWhole = None
    executor: str = "local"
    out: Path | None = None
    as_json: Json = False


def duel(*names: str, options: DuelOptions) -> None:
    """Let a TCP meet others over many conditions: wins, effects, where it wins, fairness on one path.

    Example: lasthop duel linux-bbr linux-cubic linux-reno --over conditions.toml

    Example: lasthop duel my_law.py:Mine cubic bbr --over conditions.toml

    All run the same random numbers, so that they are compared pair by pair. It can be stopped and run again:
    nothing is computed twice. docs/guides/duel.md says what is judged and how.

    Parameters
    ----------
    names:
        The one that is judged, then those that it meets: variants, or laws where one of them is in Python.
    """
    from lasthop.cli import duelled

    duelled.show(names, options)
