"""The study from start to end: runs, tables, verdicts, figures, report."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import groupby
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

from lasthop import report, store
from lasthop.errors import LasthopError, UsageError, nearest
from lasthop.figures import style
from lasthop.jobs import Interrupted, run_jobs
from lasthop.papers.petrovic2003 import audit as alternatives
from lasthop.papers.petrovic2003 import tables
from lasthop.papers.petrovic2003.agreement import agreement
from lasthop.papers.petrovic2003.collate import Samples
from lasthop.papers.petrovic2003.design import EXACT_FEC, REPLICATIONS, Plan, settings
from lasthop.papers.petrovic2003.facts import choices, facts, text
from lasthop.papers.petrovic2003.judge import judge
from lasthop.papers.petrovic2003.pictures import pictures
from lasthop.papers.petrovic2003.show import show
from lasthop.papers.petrovic2003.words import evidence_line, own_line

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
    samples = Samples.of(plan.keys(), _results(plan, threads, console))
    if not len(samples):
        raise LasthopError("interrupted before any run was finished; nothing was written")
    document = _document(samples, plan, version, wanted)
    if audit and document["complete"]:
        with _bar(console, "alternatives") as progress:
            document["alternatives"] = alternatives.audit(seed, threads, progress)
    directory = out / facts().name
    with console.status("figures and report"):
        document["files"] = _write(
            document, samples, directory, _command(table, count, seed, audit)
        )
    show(document, console)
    return document


def _results(plan: Plan, threads: int | None, console: Console) -> list[dict[str, Any] | None]:
    """Run all jobs; after Ctrl-C return what was finished, None for the rest."""
    try:
        with _bar(console, "simulating") as progress:
            return run_jobs(plan.jobs(), threads=threads, progress=progress)
    except Interrupted as stop:
        console.print("[bold]interrupted[/]: the report has the runs that were finished")
        return stop.results


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
        "claims": judge(samples),
        "exact_fec_claims": judge(samples, EXACT_FEC),
        "agreement": agreement(samples),
        "alternatives": [],
        "unstated": [choice.as_dict() for choice in choices()],
        "files": [],
    }


def _write(document: dict[str, Any], samples: Samples, directory: Path, command: str) -> list[str]:
    """Write data, figures, report and result, in this order; return the files."""
    all_tables = [tables.totals(samples), tables.exact_fec(samples), tables.stations(samples)]
    recipe = {"lasthop": document["version"], "command": command}
    flows, cells = directory / "flows.parquet", directory / "cells.parquet"
    store.write_parquet(flows, tables.flow_rows(samples), recipe)
    store.write_parquet(cells, tables.cell_rows(all_tables), recipe)
    files = [flows, cells]
    drawn = pictures(samples) if all(samples.mean(cell) for cell in facts().published) else {}
    for name, figure in drawn.items():
        files += style.save(figure.draw, directory / name)
    page, result = directory / "report.html", directory / "result.json"
    names = [str(file) for file in [page, result, *files]]
    document = {**document, "files": names}
    if drawn:
        store.write_text(page, _page(document, all_tables, drawn, command))
    else:
        names.remove(str(page))  # too early an interruption: some cells have no run at all
    store.write_json(result, document)
    return names


def _page(
    document: dict[str, Any],
    all_tables: list[dict[str, Any]],
    drawn: dict[str, report.Figure],
    command: str,
) -> str:
    totals, block, stations = ({**table} for table in all_tables)
    paper = facts()
    labels = {case.id: case.label for case in paper.cases}
    grouped = groupby(
        stations["rows"],
        lambda r: f"{r['packet_bytes']} B, window {r['window']}, {labels[r['case']]}",
    )
    return report.render(
        "petrovic2003.html.j2",
        doc=document,
        paper=paper,
        cells=len(paper.published),
        rows={(r["packet_bytes"], r["window"], r["case"]): r for r in totals["rows"]},
        block={(r["packet_bytes"], r["window"], r["case"]): r for r in block["rows"]},
        fec_cases=[case for case in paper.cases if case.fec],
        shares=[(cell, list(rows)) for cell, rows in grouped],
        figures={
            name: {
                "image": {"light": f.uri(style.LIGHT), "dark": f.uri(style.DARK)},
                "caption": f.caption,
            }
            for name, f in drawn.items()
        },
        evidence_line=evidence_line,
        own_line=own_line,
        command=command,
        scenario=text("bulk.toml"),
    )
