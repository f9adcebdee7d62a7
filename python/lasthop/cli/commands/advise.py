"""`lasthop advise`: finds the best of many settings."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from cyclopts import Parameter

from lasthop.cli.options import Json, Laws, Many, MaybeWhole, Set, TomlFile, Whole
from lasthop.cli.table_files import with_tables


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class AdviseOptions:
    """The options of `lasthop advise`.

    Parameters
    ----------
    choose:
        What may be chosen: KEY=VALUE,VALUE or a range KEY=FROM..TO[:STEP] [UNIT], which is
        searched from coarse to fine. KEY+KEY=... gives several keys one value. Can be repeated.
    maximise:
        The metric to maximise, such as goodput_bps or game.goodput_bps.
    minimise:
        The metric to minimise instead, such as game.delay_s.p95.
    subject_to:
        A limit on the mean of a metric, such as 'voice.loss < 2%'. Can be repeated.
    changes:
        Change the scenario for all settings: key=value.
    error:
        The highest probability that any statement of the advice is wrong.
    indifferent:
        The difference that does not matter, relative to the best.
    most:
        The largest number of replications of one setting.
    budget:
        The wall time after which no more runs begin, such as 90s, 10min or 2h.
    seed:
        The seed of all random numbers. The default is the scenario's own.
    workers:
        How many runs go in parallel. The default is one for each core. The advice does not depend
        on it.
    laws:
        A law of your own: FILE.py:CLASS, or a library that was compiled in Rust. Every TCP flow uses
        the first, unless one is chosen by name:
        --choose tcp.law=reno,CLASS.
    kind:
        Where measuring begins. terminating: the scenario's own warmup and duration. steady: one warm-up is found
        in pilot runs and cut from all runs, unless --set warmup=5s states it.
    out:
        A directory that keeps every run, so that the same command continues where it was stopped.
        It also gets advice.json and the Pareto picture (PNG and PDF).
    as_json:
        Print one JSON document.
    """

    choose: Many = ()
    maximise: str | None = None
    minimise: str | None = None
    subject_to: Many = ()
    changes: Set = ()
    error: float = 0.05
    indifferent: str = "2%"
    most: Whole = 200
    budget: str | None = None
    seed: MaybeWhole = None
    workers: MaybeWhole = None
    laws: Laws = ()
    kind: Literal["terminating", "steady"] = "terminating"
    out: Path | None = None
    as_json: Json = False


@with_tables
def command(scenario: TomlFile, /, *, options: AdviseOptions | None = None) -> None:
    """Find the best of many settings, with few runs.

    Example: lasthop advise voice_and_bulk --choose tcp.variant=newreno,sack,cubic
    --choose queue.packets=10..200 --maximise bulk.goodput_bps --subject-to 'voice.loss < 2%'

    All settings use the same random numbers. A setting leaves the race when it is shown to break a
    limit or to be worse than another. After Ctrl-C, or when the budget is spent, the command
    prints what is known by then and ends with 130.

    Parameters
    ----------
    scenario:
        A TOML file, or the name of a scenario that `lasthop list scenarios` prints.
    """
    from lasthop.cli import advice_output

    if not advice_output.show(scenario, options or AdviseOptions()):
        sys.exit(130)
