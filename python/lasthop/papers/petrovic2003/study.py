"""The study from start to end: runs, tables, verdicts, figures, report."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from lasthop import store
from lasthop.errors import LasthopError, UsageError, nearest
from lasthop.jobs import Interrupted, run_jobs
from lasthop.papers.petrovic2003 import audit as alternatives
from lasthop.papers.petrovic2003 import tables
from lasthop.papers.petrovic2003.agreement import agreement
from lasthop.papers.petrovic2003.collate import Samples
from lasthop.papers.petrovic2003.design import EXACT_FEC, REPLICATIONS, Plan, settings
from lasthop.papers.petrovic2003.differences import differences
from lasthop.papers.petrovic2003.facts import choices, facts
from lasthop.papers.petrovic2003.judge import judge
from lasthop.papers.petrovic2003.output import Output
from lasthop.papers.petrovic2003.show import show

TABLES = ("1", "2")


def reproduce(
    *,
    table: str | None,
    replications: int | None,
    seed: int,
    threads: int | None,
    out: Path,
    console: Console,
    version: str,
    audit: bool,
) -> dict[str, Any]:
    """Run the study and return its JSON document; see `lasthop.papers.reproduce`."""
    wanted = _wanted(table)
    count = REPLICATIONS if replications is None else replications
    if count < 1:
        raise UsageError(f"replications must be at least 1, not {count}")
    plan = Plan(tuple(settings()), count, seed)
    directory = out / facts().name
    store.probe(directory)  # before hours of simulation, not after
    samples = Samples.of(plan.keys(), _results(plan, threads, console))
    if not len(samples):
        raise LasthopError("interrupted before any run was finished; nothing was written")
    document = _document(samples, plan, version, wanted)
    output = Output(directory, samples, _command(table, count, seed, audit))
    try:
        _finish(document, output, audit, threads, console)
    except LasthopError:
        show(document, console)  # what could not be written can still be read
        raise
    show(document, console)
    return document


def _results(plan: Plan, threads: int | None, console: Console) -> list[dict[str, Any] | None]:
    """Run all jobs; after Ctrl-C return what was finished, None for the rest."""
    try:
        with _bar(console, "simulating") as progress:
            return run_jobs(plan.jobs(), threads=threads, progress=progress)
    except Interrupted as stop:
        done = sum(run is not None for run in stop.results)
        console.print(f"[bold]interrupted[/]: {done} of {len(stop.results)} runs were finished")
        return stop.results


def _finish(
    document: dict[str, Any], output: Output, audit: bool, threads: int | None, console: Console
) -> None:
    """Write the data, run the audit, draw and write the report; Ctrl-C keeps what is there."""
    output.data(document)
    if audit and document["complete"]:
        with _bar(console, "alternatives") as progress:
            found = alternatives.audit(document["seed"], threads, progress)
        planned = len(alternatives.variants())
        document["alternatives"], document["alternatives_planned"] = found, planned
        document["audit_complete"] = len(found) == planned
        if not document["audit_complete"]:
            document["complete"] = False
            console.print(
                f"[bold]interrupted[/]: all runs of the table were finished, "
                f"and {len(found)} of {planned} alternatives"
            )
    document["differences"] = differences(document)
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


def _wanted(table: str | None) -> tuple[str, ...]:
    if table is None:
        return TABLES
    if table not in TABLES:
        hint = nearest(table, TABLES)
        raise UsageError(f"no table {table!r} of {facts().name} here; it has 1 and 2{hint}")
    return (table,)


def _command(table: str | None, replications: int, seed: int, audit: bool) -> str:
    choice = f" --table {table}" if table else ""
    counts = f"--replications {replications} --seed {seed}"
    more = "" if audit else " --no-audit"
    return f"lasthop reproduce {facts().name}{choice} {counts}{more}"


@contextmanager
def _bar(console: Console, what: str) -> Iterator[Callable[[int, int], None]]:
    """Show progress with an estimate of what remains."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("runs, elapsed"),
        TimeElapsedColumn(),
        TextColumn("remaining"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console) as progress:
        task = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


def _document(
    samples: Samples, plan: Plan, version: str, wanted: tuple[str, ...]
) -> dict[str, Any]:
    planned = len(plan.settings) * plan.replications
    by_table = {
        "1": [tables.totals(samples), tables.exact_fec(samples)],
        "2": [tables.stations(samples)],
    }
    return {
        "paper": facts().name,
        "version": version,
        "seed": plan.seed,
        "replications": plan.replications,
        "runs": len(samples),
        "runs_planned": planned,
        "complete": len(samples) == planned,
        "tables": [found for name in wanted for found in by_table[name]],
        "audit_complete": None,  # not asked for, or not reached
        "claims": judge(samples),
        "exact_fec_claims": judge(samples, EXACT_FEC),
        "agreement": agreement(samples),
        "alternatives": [],
        "alternatives_planned": 0,
        "differences": None,
        "unstated": [choice.as_dict() for choice in choices()],
        "files": [],
    }
