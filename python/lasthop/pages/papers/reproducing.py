"""The reproduction of a paper from start to end: runs, tables, verdicts, audit, pictures, page."""

from __future__ import annotations

import time
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
from lasthop.study import claims
from lasthop.study.claims import Table
from lasthop.study.papers import (
    alternatives,
    deciding,
    nearness,
    paper_tables,
    paper_verdicts,
    plans,
    power,
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

TIMES = 10
"""The page says what that many times as many runs would decide, at most."""


@dataclass
class Runs:
    """The runs so far: the tables of each study's parts, and the numbers of finished and planned runs."""

    found: dict[str, list[dict[str, Table]]] = field(default_factory=dict)
    done: int = 0
    planned: int = 0
    replications: int = 0
    decided: Decided | None = None
    parts: list[plans.Part] = field(default_factory=list)
    seconds: float = 0.0
    timed: int = 1


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
    _judge(paper, asked, document, made, runs)
    output = Output(paper, directory, made, asked, more[1])
    try:
        _finish(document, output, asked, wanted, console)
    except LasthopError:
        showing.show(document, console)  # what could not be written can still be read
        raise
    showing.show(document, console)
    _tell_time(runs, document, console)
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
    begun, stored = time.monotonic(), (asked.out / paper.place / STORES).exists()
    runs = Runs(
        parts=parts,
        planned=sum(sweeps.cells(part.study) * part.study.replications for part in parts),
    )
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
    if not stored:  # else some were there
        runs.seconds, runs.timed = time.monotonic() - begun, max(runs.done, 1)
    more = plans.further_runs(paper) if asked.quick and asked.replications is None else 0
    return _further(paper, asked, runs, more, console) if more and runs.done else runs


def _further(
    paper: Paper, asked: ReproduceOptions, runs: Runs, count: int, console: Console
) -> Runs:
    """Give further runs to the claims that need the fewest; after an interruption what there is stays."""
    if runs.done < runs.planned:
        return runs
    place = asked.out / paper.place / STORES
    try:
        with console.status(f"{counted(count, 'further run')} at most, where they decide most"):
            found = deciding.further(paper, runs.parts, place, asked.workers, count)
    except KeyboardInterrupt:
        console.print("[bold]interrupted[/]: the further runs were not finished")
        return runs
    console.print(f"{counted(found.runs - runs.done, 'further run')} where they decide most")
    more = Runs(found.found, found.runs, found.runs, found.most, found, runs.parts)
    more.seconds, more.timed = runs.seconds, runs.timed
    return more


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
    runs: Runs,
) -> None:
    tables = nearness.rows(paper, made)
    if asked.table is not None:
        tables = [table for table in tables if table["id"] == asked.table]
    document["tables"] = tables
    document["agreement"] = nearness.agreement(tables)
    known = {} if runs.decided is None else runs.decided.judged
    if runs.decided is not None:
        document["until_decided"] = runs.decided.as_dict()
    judged = [
        known.get(claim.id)
        or claims.judge_claim(claim, made)  # some are of single runs, made later
        for claim in paper_verdicts.judgeable(paper, made)
    ]
    document["claims"] = paper_verdicts.documents(paper, judged)
    if asked.until_decided or not document["complete"]:
        return
    counts = [[part.study.replications] * sweeps.cells(part.study) for part in runs.parts]
    if runs.decided is not None:
        counts = runs.decided.counts
    budget = TIMES * runs.done
    document["further"] = power.cheapest(paper, runs.parts, made, judged, counts, budget).as_dict()


def _tell_time(runs: Runs, document: Mapping[str, Any], console: Console) -> None:
    """Say how long the further runs of the opening sentence take; a page is of no machine and cannot."""
    more = document["further"]
    if runs.seconds and more and more["runs"]:
        minutes = more["runs"] * runs.seconds / runs.timed / 60
        console.print(f"These {more['runs']:,} further runs take about {minutes:.2g} min here.")


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
        "further": None,
        "audit_complete": None,  # not asked for, or not reached
        "audit": None,
        "rests_on": {},
        "unstated": [choice.as_dict() for choice in paper.choices],
        "files": [],
    }
