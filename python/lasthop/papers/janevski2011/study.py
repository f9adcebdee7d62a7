"""The reproduction from start to end: runs, tables, verdicts, figures, report."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console

from lasthop import store
from lasthop.claims import Table
from lasthop.errors import LasthopError, UsageError, nearest
from lasthop.papers import sweeps
from lasthop.papers.asking import ReproduceOptions
from lasthop.papers.janevski2011 import audit, experiments, timeline
from lasthop.papers.janevski2011.collate import tables
from lasthop.papers.janevski2011.experiments import IDS, TABLES
from lasthop.papers.janevski2011.facts import NAME, choices
from lasthop.papers.janevski2011.judging import judge
from lasthop.papers.janevski2011.output import Output
from lasthop.papers.janevski2011.show import show
from lasthop.papers.janevski2011.tables import agreement
from lasthop.papers.janevski2011.tables import tables as printed_tables
from lasthop.papers.janevski2011.timeline import Timeline
from lasthop.papers.progress import bar

STORES = "studies"
"""The directory in which the studies keep what they have computed."""


RUN_S, QUICK_RUN_S = 0.5, 0.13
"""About what a run takes of one core, s, for the forecast."""


@dataclass
class Runs:
    """What was run: the tables of each study, and how many runs there are of how many."""

    found: dict[str, list[dict[str, Table]]] = field(default_factory=dict)
    done: int = 0
    planned: int = 0
    replications: int = 0


def reproduce(asked: ReproduceOptions, console: Console, version: str) -> dict[str, Any]:
    """Run the studies and return the JSON document; see `lasthop.papers.reproduce`."""
    if asked.table is not None and asked.table not in TABLES:
        hint = nearest(asked.table, TABLES)
        raise UsageError(f"no table {asked.table!r} of {NAME} here; it has 4 to 6{hint}")
    if asked.replications is not None and asked.replications < 1:
        raise UsageError(f"replications must be at least 1, not {asked.replications}")
    directory = asked.out / NAME
    store.probe(directory)  # before hours of simulation, not after
    wanted = IDS if asked.table is None else TABLES[asked.table]
    runs = _run(asked, wanted, directory, console)
    if not runs.done:
        raise LasthopError("interrupted before any run was finished; nothing was written")
    made = tables(runs.found)
    document = _document(asked, runs, version)
    seen = _timeline(asked, document, console) if "alone" in wanted else None
    if seen is not None:
        made["film.follows_window"] = Table.of(
            "film.follows_window", [({"ftp": "with"}, seen.correlations)]
        )
    document["tables"] = printed_tables(
        made, tuple(TABLES) if asked.table is None else (asked.table,)
    )
    document["agreement"] = {
        table["id"]: agreement(table) for table in document["tables"] if table["id"] != "6"
    }
    document["claims"] = judge(made)
    output = Output(directory, made, seen, asked.command(NAME))
    try:
        _finish(document, output, asked, wanted, console)
    except LasthopError:
        show(document, console)  # what could not be written can still be read
        raise
    show(document, console)
    return document


def _run(
    asked: ReproduceOptions, wanted: tuple[str, ...], directory: Path, console: Console
) -> Runs:
    """Run the studies; one that is interrupted is the last."""
    runs = Runs()
    parts = experiments.parts(wanted, asked.seed, asked.replications, asked.quick)
    runs.planned = sum(sweeps.cells(part.study) * part.study.replications for part in parts)
    runs.replications = max(part.study.replications for part in parts)
    cores = asked.threads or os.cpu_count() or 1
    minutes = max(1, round(runs.planned * (QUICK_RUN_S if asked.quick else RUN_S) / cores / 60))
    console.print(f"{runs.planned} runs, about {minutes} min on {cores} cores without the audit")
    with bar(console, "simulating") as told:
        for part in parts:
            before = runs.done
            samples = sweeps.run(
                part.study,
                directory / STORES / part.place,
                asked.threads,
                lambda done, _, before=before: told(before + done, runs.planned),  # type: ignore[misc]
            )
            runs.found.setdefault(part.id, []).append(samples.tables)
            runs.done += samples.runs
            if not samples.complete:
                console.print(
                    f"[bold]interrupted[/]: {runs.done} of {runs.planned} runs were finished"
                )
                break
    return runs


def _timeline(
    asked: ReproduceOptions, document: dict[str, Any], console: Console
) -> Timeline | None:
    """Run figure 2; None where it or something before it was interrupted."""
    if not document["complete"]:
        return None
    most = timeline.QUICK_REPLICATIONS if asked.quick else timeline.REPLICATIONS
    count = min(most, document["replications"])
    try:
        with bar(console, "figure 2") as told:
            return timeline.timeline(asked.seed, count, told)
    except KeyboardInterrupt:
        document["complete"] = False
        console.print("[bold]interrupted[/]: figure 2 was not finished")
        return None


def _finish(
    document: dict[str, Any],
    output: Output,
    asked: ReproduceOptions,
    wanted: tuple[str, ...],
    console: Console,
) -> None:
    """Write the data, run the audit, draw and write the report; Ctrl-C keeps what is there."""
    output.data(document)
    if asked.audit and document["complete"]:
        _audit(document, output, asked, wanted, console)
    output.result(document)
    try:
        with console.status("figures and report"):
            output.page(document)
    except KeyboardInterrupt:
        document["complete"] = False
        output.result(document)
        console.print("[bold]interrupted[/]: the data are written; what else is, is listed below")


def _audit(
    document: dict[str, Any],
    output: Output,
    asked: ReproduceOptions,
    wanted: tuple[str, ...],
    console: Console,
) -> None:
    name = f"{'quick.' if asked.quick else ''}audit"
    directory = output.directory / STORES / name
    how = audit.AuditOptions(directory, wanted, asked.seed, asked.threads, asked.quick)
    if not how.cells():
        return
    document["audit_complete"] = False
    try:
        with bar(console, "alternatives") as told:
            document["audit"] = audit.run(how, told)
        document["audit_complete"] = document["audit"]["complete"]
    except KeyboardInterrupt:
        console.print("[bold]interrupted[/]: the audit's baseline was not finished")
    document["complete"] = document["complete"] and document["audit_complete"]


def _document(asked: ReproduceOptions, runs: Runs, version: str) -> dict[str, Any]:
    return {
        "paper": NAME,
        "version": version,
        "seed": asked.seed,
        "quick": asked.quick,
        "replications": runs.replications,
        "runs": runs.done,
        "runs_planned": runs.planned,
        "complete": runs.done == runs.planned,
        "tables": [],
        "claims": [],
        "agreement": {},
        "audit_complete": None,  # not asked for, or not reached
        "audit": None,
        "unstated": [choice.as_dict() for choice in choices()],
        "files": [],
    }
