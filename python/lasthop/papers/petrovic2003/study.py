"""The study from start to end: runs, tables, verdicts, figures, report."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console

from lasthop import store
from lasthop.errors import LasthopError, UsageError, nearest
from lasthop.jobs import Interrupted, run_jobs
from lasthop.papers.asking import ReproduceOptions
from lasthop.papers.petrovic2003 import audit as alternatives
from lasthop.papers.petrovic2003 import tables
from lasthop.papers.petrovic2003.agreement import agreement
from lasthop.papers.petrovic2003.collate import Samples
from lasthop.papers.petrovic2003.design import EXACT_FEC, REPLICATIONS, Plan, settings
from lasthop.papers.petrovic2003.differences import differences
from lasthop.papers.petrovic2003.facts import choices, facts
from lasthop.papers.petrovic2003.judge import judge
from lasthop.papers.petrovic2003.output import Output
from lasthop.papers.petrovic2003.rests import rests_on
from lasthop.papers.petrovic2003.show import show
from lasthop.papers.petrovic2003.traffic import parts
from lasthop.papers.petrovic2003.traffic.parts import PartOptions
from lasthop.papers.progress import bar

TABLES = ("1", "2", "3", "4", "5")
BULK = ("1", "2")
QUICK_REPLICATIONS = 10


@dataclass(frozen=True)
class Options(ReproduceOptions):
    """What is asked for, and what follows from it for this paper."""

    @property
    def count(self) -> int:
        """Replications of tables 1 and 2."""
        default = QUICK_REPLICATIONS if self.quick else REPLICATIONS
        return default if self.replications is None else self.replications


def reproduce(asked: ReproduceOptions, console: Console, version: str) -> dict[str, Any]:
    """Run the study and return its JSON document; see `lasthop.papers.reproduce`."""
    options = Options(**vars(asked))
    wanted = _wanted(options.table)
    if options.count < 1:
        raise UsageError(f"replications must be at least 1, not {options.count}")
    plan = Plan(tuple(settings()), options.count, options.seed)
    directory = options.out / facts().name
    store.probe(directory)  # before hours of simulation, not after
    bulk = set(BULK) & set(wanted)
    samples = Samples.of(plan.keys(), _results(plan, options.threads, console)) if bulk else None
    document = _document(samples, plan, version, wanted)
    how = _how(options, directory, console)
    found = _run_parts(document, how, wanted) if document["complete"] else []
    if not document["runs"]:
        raise LasthopError("interrupted before any run was finished; nothing was written")
    output = Output(directory, samples, tuple(found), options.command(facts().name))
    try:
        _finish(document, output, options, how, console)
    except LasthopError:
        show(document, console)  # what could not be written can still be read
        raise
    show(document, console)
    return document


def _how(options: Options, directory: Path, console: Console) -> PartOptions:
    return PartOptions(
        directory,
        options.seed,
        options.replications,
        options.threads,
        options.quick,
        lambda what: bar(console, what),
    )


def _run_parts(
    document: dict[str, Any], how: PartOptions, wanted: tuple[str, ...]
) -> list[parts.Part]:
    """Run web and voice, where they are wanted; one that is interrupted is the last."""
    found = []
    for experiment in parts.wanted(wanted):
        part = parts.run(experiment, how)
        parts.tell(document, part, wanted)
        found.append(part)
        if not part.samples.complete:
            break
    return found


def _results(plan: Plan, threads: int | None, console: Console) -> list[dict[str, Any] | None]:
    """Run all jobs; after Ctrl-C return what was finished, None for the rest."""
    try:
        with bar(console, "simulating") as progress:
            return run_jobs(plan.jobs(), threads=threads, progress=progress)
    except Interrupted as stop:
        done = sum(run is not None for run in stop.results)
        console.print(f"[bold]interrupted[/]: {done} of {len(stop.results)} runs were finished")
        return stop.results


def _finish(
    document: dict[str, Any], output: Output, options: Options, how: PartOptions, console: Console
) -> None:
    """Write the data, run the audit, draw and write the report; Ctrl-C keeps what is there."""
    output.data(document)
    if options.audit and document["complete"]:
        _audit(document, output, how, console)
    document["differences"] = differences(document)
    document["rests_on"] = rests_on(document)
    output.result(document)
    if not output.drawable():
        console.print("some cells have no run: only the data were written, no figures or report")
        return
    try:
        with console.status("figures and report"):
            output.page(document)
    except KeyboardInterrupt:
        document["complete"] = False
        output.result(document)
        console.print("[bold]interrupted[/]: the data are written; what else is, is listed below")


def _audit(document: dict[str, Any], output: Output, how: PartOptions, console: Console) -> None:
    """Run the alternatives to what is unstated: of the bulk tables, then of web and voice."""
    document["audit_complete"] = True
    if output.samples is not None:
        with bar(console, "alternatives") as progress:
            found = alternatives.audit(how.seed, how.threads, progress, how.quick)
        planned = len(alternatives.variants(how.quick))
        document["alternatives"], document["alternatives_planned"] = found, planned
        if len(found) < planned:
            document["audit_complete"] = False
            console.print(
                f"[bold]interrupted[/]: all runs of the table were finished, "
                f"and {len(found)} of {planned} alternatives"
            )
    for part in output.parts:
        if not document["audit_complete"]:
            break
        more = parts.audited(part, how)
        document["audit_complete"] = more is not None and more["complete"]
        document["traffic"][part.experiment.id]["audit"] = more
        if not document["audit_complete"]:
            done = 0 if more is None else len(more["variations"])
            console.print(f"[bold]interrupted[/]: {done} alternatives of {part.experiment.id}")
    document["complete"] = document["complete"] and document["audit_complete"]


def _wanted(table: str | None) -> tuple[str, ...]:
    if table is None:
        return TABLES
    if table not in TABLES:
        hint = nearest(table, TABLES)
        raise UsageError(f"no table {table!r} of {facts().name} here; it has 1 to 5{hint}")
    return (table,)


def _document(
    samples: Samples | None, plan: Plan, version: str, wanted: tuple[str, ...]
) -> dict[str, Any]:
    planned = len(plan.settings) * plan.replications if samples is not None else 0
    runs = 0 if samples is None else len(samples)
    document = {
        "paper": facts().name,
        "version": version,
        "seed": plan.seed,
        "replications": plan.replications,
        "runs": runs,
        "runs_planned": planned,
        "complete": runs == planned,
        "tables": [],
        "audit_complete": None,  # not asked for, or not reached
        "claims": [],
        "exact_fec_claims": [],
        "agreement": {"all": {"cells": 0}, "by": [], "farthest": []},
        "alternatives": [],
        "alternatives_planned": 0,
        "differences": None,
        "rests_on": {},
        "traffic": {},
        "unstated": [choice.as_dict() for choice in choices()],
        "files": [],
    }
    return document if samples is None else document | _bulk(samples, wanted)


def _bulk(samples: Samples, wanted: tuple[str, ...]) -> dict[str, Any]:
    """Return what the document says of tables 1 and 2."""
    by_table = {
        "1": [tables.totals(samples), tables.exact_fec(samples)],
        "2": [tables.stations(samples), tables.fairness(samples)],
    }
    return {
        "tables": [found for name in wanted for found in by_table.get(name, [])],
        "claims": judge(samples),
        "exact_fec_claims": judge(samples, EXACT_FEC),
        "agreement": agreement(samples),
    }
