"""The commands that judge: `lasthop advise`, `lasthop audit`. Each imports what it needs when it runs."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from cyclopts import Parameter

from lasthop.cli.options import Json, Laws, Many, MaybeWhole, Set, TomlFile, Whole


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class AdviseOptions:
    """What `lasthop advise` is asked.

    Parameters
    ----------
    choose:
        What may be chosen: KEY=VALUE,VALUE or a range KEY=FROM..TO[:STEP] [UNIT], which is searched from coarse
        to fine; KEY+KEY=... gives several keys one value. May be given several times.
    maximise:
        The measure to make as high as can be, such as goodput_bps or game.goodput_bps.
    minimise:
        Or the one to make as low as can be, such as game.delay_s.p95.
    subject_to:
        A limit on a measure's mean, such as 'voice.loss < 2%'; may be given several times.
    changes:
        Change the scenario for all settings: key=value.
    error:
        The probability, at most, that something that the advice says is wrong.
    indifferent:
        A difference that does not matter, as a part of the best.
    most:
        Replications of one setting, at most.
    budget:
        Wall time after which no more runs begin: 90s, 10min, 2h.
    seed:
        The root of all random numbers; by default the scenario's own.
    threads:
        How many runs at a time; by default one for each core. The advice does not depend on it.
    laws:
        A law in Python, FILE.py:CLASS. Every TCP flow uses the first, unless one is chosen by name:
        --choose tcp.law=reno,CLASS.
    kind:
        Where measuring begins. terminating: the scenario's own warmup and duration. steady: one warm-up is found
        in pilot runs and cut from all runs, unless --set warmup=5s states it.
    out:
        A directory that keeps every run, so that the same command goes on where it was stopped; and for
        advice.json and the Pareto picture (PNG and PDF).
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
    threads: MaybeWhole = None
    laws: Laws = ()
    kind: Literal["terminating", "steady"] = "terminating"
    out: Path | None = None
    as_json: Json = False


def advise(scenario: TomlFile, /, *, options: AdviseOptions | None = None) -> None:
    """Find the best of many settings within limits, from as few runs as it takes.

    Example: lasthop advise scenarios/voice_and_bulk.toml --choose tcp.variant=newreno,sack,cubic
    --choose queue.packets=10..200 --maximise bulk.goodput_bps --subject-to 'voice.loss < 2%'

    Settings run the same random numbers and leave the race once they are shown to break a limit, or
    to be below another. Ends with 130 after Ctrl-C or a budget, with what is known by then.

    Parameters
    ----------
    scenario:
        A TOML file.
    """
    from lasthop.cli import advising

    if not advising.show(scenario, options or AdviseOptions()):
        sys.exit(130)


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class AuditOptions:
    """What `lasthop audit` is asked.

    Parameters
    ----------
    out:
        The directory of the study's results, by default out/NAME; variations go to out/NAME.audit.
    replications:
        So many of each cell, in place of the study's replications or precision.
    quick:
        A few replications only, to see whether it runs.
    pairs:
        Also vary two things at a time.
    workers:
        How many threads; by default one for each core.
    laws:
        A law in Python, FILE.py:CLASS. Every TCP flow uses the first, unless an axis tcp.law names one.
    as_json:
        Print one JSON document.
    """

    out: Path | None = None
    replications: MaybeWhole = None
    quick: bool = False
    pairs: bool = False
    workers: MaybeWhole = None
    laws: Laws = ()
    as_json: Json = False


def audit(study: TomlFile, /, *, options: AuditOptions | None = None) -> None:
    """Judge a study's comparisons and claims, and vary what its source leaves unstated: which flip, by what.

    Example: lasthop audit studies/retry_and_queue.toml

    It can be stopped and run again: nothing is computed twice. Ends with 130 after Ctrl-C, with what was
    run by then.

    Parameters
    ----------
    study:
        A study file with [[claim]] and [[unstated]]: docs/guides/verdicts.md says what is in them.
    """
    from lasthop.cli import auditing

    if not auditing.show(study, options or AuditOptions()):
        sys.exit(130)
