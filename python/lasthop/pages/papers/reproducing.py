"""The reproduction of a paper from start to end: runs, tables, verdicts, audit, pictures, page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rich.console import Console

from lasthop import machine
from lasthop.core import safe_files
from lasthop.core.engine import version
from lasthop.errors import LasthopError, UsageError
from lasthop.numbers.numerals import counted
from lasthop.pages.papers.output import Output
from lasthop.pages.report import Figure
from lasthop.study.claims import Table
from lasthop.study.papers import (
    alternatives,
    deciding,
    nearness,
    paper_tables,
    paper_verdicts,
    plans,
    showing,
    sweeps,
)
from lasthop.study.papers.alternatives import AuditOptions
from lasthop.study.papers.deciding import Decided
from lasthop.study.papers.folder import Paper
from lasthop.study.papers.paper_rehearsal import rehearse
from lasthop.study.papers.progress import bar
from lasthop.study.papers.rests import rests_on
from lasthop.study.papers.wanted import ReproduceOptions

STORES = "studies"
"""The directory in which the studies keep what they have computed."""


@dataclass
class Runs:
    """The runs so far: the tables of each study's parts, and the numbers of finished and planned runs."""

    found: dict[str, list[dict[str, Table]]] = field(default_factory=dict)
    done: int = 0
    planned: int = 0
    replications: int = 0
    decided: Decided | None = None


def reproduce(paper: Paper, asked: ReproduceOptions, console: Console) -> dict[str, Any]:
    """Run a paper's studies and return the JSON document; see `lasthop.pages.papers.reproduce`."""
    if asked.replications is not None and asked.replications < 1:
        raise UsageError(f"replications must be at least 1, not {asked.replications}")
    wanted = _wanted(paper, asked.table)
    rehearse(paper)
    directory = asked.out / paper.place
    safe_files.probe(directory)  # before hours of simulation, not after
    decide = _decide if asked.until_decided else _run
    runs = decide(paper, asked, wanted, console)
    if not runs.done:
        raise LasthopError("interrupted before any run was finished; nothing was written")
    made = paper_tables.tables(paper, runs.found)
    document = _document(paper, asked, runs)
    more = _more(paper, asked, wanted, document, console)
    made |= more[0]
    _judge(paper, asked, document, made, runs.decided)
    output = Output(paper, directory, made, asked, more[1])
    try:
        _finish(document, output, asked, wanted, console)
    except LasthopError:
        showing.show(document, console)  # what could not be written can still be read
        raise
    showing.show(document, console)
    return document


def _wanted(paper: Paper, table: str | None) -> tuple[str, ...]:
    """Return the studies that are run: all, or those of a printed table."""
    if table is None:
        return paper.ids
    measure = paper.measures[paper.printed(table).measure]
    return measure.studies


def _run(paper: Paper, asked: ReproduceOptions, wanted: tuple[str, ...], console: Console) -> Runs:
    """Run the studies; one that is interrupted is the last."""
    choose = plans.quick if asked.quick else plans.whole
    parts = choose(paper, wanted, asked.seed, asked.replications)
    runs = Runs(planned=sum(sweeps.cells(part.study) * part.study.replications for part in parts))
    runs.replications = max(part.study.replications for part in parts)
    cores = asked.workers or machine.cores()
    console.print(
        f"{counted(runs.planned, 'run')} on {counted(cores, 'core')}{', before the audit' if asked.audit else ''}"
    )
    with bar(console, "simulating") as told:
        for part in parts:
            before = runs.done

            def moved(done: int, _: int, before: int = before) -> None:
                told(before + done, runs.planned)

            place = asked.out / paper.place / STORES / part.place
            samples = sweeps.run(part.study, place, asked.workers, moved)
            runs.found.setdefault(part.id, []).append(samples.tables)
            runs.done += samples.runs
            told(runs.done, runs.planned)  # also where all of them were there already
            if not samples.complete:
                said = f"{runs.done} of {runs.planned} runs were finished"
                console.print(f"[bold]interrupted[/]: {said}")
                break
    return runs


def _decide(
    paper: Paper, asked: ReproduceOptions, wanted: tuple[str, ...], console: Console
) -> Runs:
    """Run the studies until the claims are decided, or the budget is over."""
    choose = plans.quick if asked.quick else plans.whole
    parts = choose(paper, wanted, asked.seed, None)
    budget = deciding.BUDGET_S if asked.budget_s is None else asked.budget_s
    place = asked.out / paper.place / STORES
    with console.status(f"until decided, {budget / 60:.3g} min at most") as status:

        def told(runs: int, words: str) -> None:
            status.update(f"{runs:,} runs: {words}")

        found = deciding.run(paper, parts, place, asked.workers, budget, told)
    open_ = found.as_dict()["undecided"]
    left = f"parts remain undecided in {counted(len(open_), 'claim')}"
    said = left if open_ else "all claims are decided"
    over = ", the budget is over" if found.budget_over else ""
    console.print(f"{counted(found.runs, 'run')}, {counted(found.looks, 'look')}: {said}{over}")
    return Runs(found.found, found.runs, found.runs, found.most, found)


def _more(
    paper: Paper,
    asked: ReproduceOptions,
    wanted: tuple[str, ...],
    document: dict[str, Any],
    console: Console,
) -> tuple[Mapping[str, Table], Mapping[str, Figure]]:
    """Return what derive.py runs by itself: tables and figures; nothing after an interruption."""
    derive = paper.derive
    if derive is None or not derive.has("more") or not document["complete"]:
        return {}, {}
    try:
        with bar(console, "single runs") as told:
            found: tuple[Mapping[str, Table], Mapping[str, Figure]] = derive.call(
                "more", paper, wanted, asked.seed, document["replications"], told
            )
            return found
    except KeyboardInterrupt:
        document["complete"] = False
        console.print("[bold]interrupted[/]: the single runs were not finished")
        return {}, {}


def _judge(
    paper: Paper,
    asked: ReproduceOptions,
    document: dict[str, Any],
    made: Mapping[str, Table],
    decided: Decided | None,
) -> None:
    tables = nearness.rows(paper, made)
    if asked.table is not None:
        tables = [table for table in tables if table["id"] == asked.table]
    document["tables"] = tables
    document["agreement"] = nearness.agreement(tables)
    if decided is None:
        document["claims"] = paper_verdicts.judge(paper, made)
    else:
        held = decided.judged.values()
        document["claims"] = paper_verdicts.documents(paper, list(held))
        document["until_decided"] = decided.as_dict()


def _finish(
    document: dict[str, Any],
    output: Output,
    asked: ReproduceOptions,
    wanted: tuple[str, ...],
    console: Console,
) -> None:
    """Write the data, run the audit, draw and write the page; Ctrl-C keeps what is there."""
    output.data(document)
    if asked.audit and document["complete"]:
        _audit(document, output, asked, wanted, console)
    output.result(document)
    try:
        with console.status("pictures and page"):
            output.page(document)
    except KeyboardInterrupt:
        document["complete"] = False
        output.result(document)
        console.print("[bold]interrupted[/]: the data are written; other files are listed below")


def _audit(
    document: dict[str, Any],
    output: Output,
    asked: ReproduceOptions,
    wanted: tuple[str, ...],
    console: Console,
) -> None:
    name = f"{'quick.' if asked.quick else ''}audit"
    directory = output.directory / STORES / name
    how = AuditOptions(output.paper, directory, wanted, asked.seed, asked.workers, asked.quick)
    if not how.parts() or not how.alternatives():
        return
    document["audit_complete"] = False
    try:
        with bar(console, "alternatives") as told:
            document["audit"] = alternatives.run(how, told)
        document["audit_complete"] = document["audit"]["complete"]
        document["rests_on"] = rests_on(document["claims"], document["audit"])
    except KeyboardInterrupt:
        pass
    if not document["audit_complete"]:
        found = document["audit"]
        done, of = (0, "?") if found is None else (len(found["variations"]), found["planned"])
        console.print(f"[bold]interrupted[/]: {done} of {of} alternatives were finished")
    document["complete"] = document["complete"] and document["audit_complete"]


def _document(paper: Paper, asked: ReproduceOptions, runs: Runs) -> dict[str, Any]:
    return {
        "paper": asked.paper,
        "changes": list(asked.changes),
        "version": version(),
        "seed": asked.seed,
        "quick": asked.quick,
        "replications": runs.replications,
        "runs": runs.done,
        "runs_planned": runs.planned,
        "complete": runs.done >= runs.planned,
        "claims": [],
        "agreement": {},
        "tables": [],
        "until_decided": None,
        "audit_complete": None,  # not asked for, or not reached
        "audit": None,
        "rests_on": {},
        "unstated": [choice.as_dict() for choice in paper.choices],
        "files": [],
    }
