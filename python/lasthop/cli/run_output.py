"""`lasthop run`: progress, then tables for people or one JSON document."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lasthop.cli import fitting_tables, noticing, picked, picturing, probing
from lasthop.cli.bars import bar
from lasthop.cli.documents import print_document
from lasthop.cli.terminal import Terminal, terminal
from lasthop.core import api, idle, python_law
from lasthop.core.enough import Enough
from lasthop.core.how import Running, Watching
from lasthop.core.job import Job
from lasthop.core.jobs import Interrupted, refuse_strange_numbers
from lasthop.core.noticing import Limit, noticed
from lasthop.core.quantities.shown import Column
from lasthop.errors import UsageError
from lasthop.numbers import stats
from lasthop.pages.picture import handoffs, tabled
from lasthop.pages.picture.since import Rows, Since

if TYPE_CHECKING:
    from lasthop.cli.commands.run import RunOptions

ONE = "This is one run, since it is a large one; with --replications 10 each number has its 95 % interval."
"""The words after the tables of a scenario that is too large to be run often unasked."""


def run(scenario: str, options: RunOptions) -> None:
    """Run and print; a wrong request raises LasthopError, Ctrl-C prints what had finished and ends with 130."""
    how = running(scenario, options)
    wish = probing.ProbeOptions(tuple(options.probe), options.probe_every, options.out)
    wish.check()
    page = options.report and picturing.named(options.report, Path(scenario))
    if how.captures is not None:
        how.captures.check("--")
    # Before a progress bar is drawn.
    api.check(scenario, overrides=how.overrides, laws=how.laws, law=how.law)
    for said in idle.changes(api.job_of(Path(scenario), how)):
        print(said, file=sys.stderr)
    answer: list[Limit] = []
    panels: list[picturing.Panels] = []
    # One run gives all, but that the tables of probes are of steps that the user says.
    rides = page is not None and not wish.probes
    how = replace(how, limited=answer.extend, page=panels.append if rides else None)
    asked = options.asked
    if asked == 1 or (asked and wish.probes):
        watched = replace(how, probes=wish.probes, probe_every_s=wish.step_s)
        summary = _kept(Path(scenario), watched, wish, answer, as_json=options.as_json)
    else:
        summary = _reduced(Path(scenario), how, asked, answer, as_json=options.as_json)
    if options.chart and not options.as_json:
        picturing.chart(Path(scenario), how)
    if page:
        job = api.job_of(Path(scenario), how)
        picturing.write(job, summary, page, panels, how.workers, quiet=options.as_json)


def running(scenario: str, options: RunOptions) -> Watching:
    """Return what the options say, with the laws loaded: the first is every flow's; raises LasthopError."""
    if not scenario:
        raise UsageError(
            "the name of the scenario is empty; give a file or a name from lasthop list scenarios"
        )
    refuse_strange_numbers(options.seed, options.replications, options.workers, "--")
    if options.pcap is None and (options.pcap_only or options.pcap_snap is not None):
        given = "--pcap-only" if options.pcap_only else "--pcap-snap"
        raise UsageError(f"{given} needs --pcap DIR")
    laws = dict(map(python_law.load, options.laws))
    return Watching(
        seed=options.seed,
        replications=1 if options.replications is None else options.replications,
        overrides=options.changes,
        workers=options.workers,
        laws=laws,
        law=next(iter(laws), None),
        pcap=options.pcap,
        pcap_only=options.pcap_only,
        pcap_snap=options.pcap_snap,
    )


def _kept(
    path: Path,
    how: Watching,
    wish: probing.ProbeOptions,
    answer: list[Limit],
    *,
    as_json: bool,
) -> dict[str, Any]:
    """Run and print where whole documents are wanted: of one replication, or with the tables of probes."""
    job = api.job_of(path, how)
    try:
        with bar("simulating", terminal(stderr=True)) as fraction:
            result = api.kept(job, replace(how, fraction=fraction))
    except Interrupted as stopped:
        finished = [document for document in stopped.results if document]
        part = Part(len(finished), how.replications)
        _tell_interrupted(part)
        if finished:
            # Several were asked for, so one that finished has the shape of several.
            result = api.Run(finished)
            _print_part(result.summary_of_several, part, answer, job, as_json=as_json)
            wish.write(result, quiet=True)
        sys.exit(130)
    _print(result.summary, how.replications, answer, job, as_json=as_json)
    wish.write(result, quiet=as_json)
    return result.summary


def _reduced(
    path: Path, how: Running, asked: int | None, answer: list[Limit], *, as_json: bool
) -> dict[str, Any]:
    """Run as often as asked, or as a moment allows, and print means: no run is kept."""
    summary, job = Enough(asked), api.job_of(path, how)
    try:
        with bar("simulating", terminal(stderr=True)) as fraction:
            summary.run(job, replace(how, fraction=fraction))
    except KeyboardInterrupt:
        part = Part(summary.runs, summary.asked)
        _tell_interrupted(part)
        if summary.runs:
            _print_part(summary.document(), part, answer, job, as_json=as_json)
        sys.exit(130)
    document = summary.document()
    _print(document, summary.runs, answer, job, as_json=as_json)
    if asked is None and summary.runs == 1:
        terminal().print(ONE, highlight=False)
    return document


class Part(NamedTuple):
    """How many of the replications that were asked for have finished."""

    finished: int
    asked: int


def _tell_interrupted(part: Part) -> None:
    said = f"interrupted: {part.finished} of {part.asked} replications finished"
    print(said, file=sys.stderr, flush=True)


def _print_part(
    summary: dict[str, Any], part: Part, answer: list[Limit], job: Job, *, as_json: bool
) -> None:
    """Print what there is of more replications."""
    labels = {"complete": False, "replications_asked": part.asked}
    _print(labels | summary, part.finished, answer, job, as_json=as_json)


def _print(
    summary: dict[str, Any], replications: int, answer: list[Limit], job: Job, *, as_json: bool
) -> None:
    if as_json:
        print_document(summary | {"limited": [each.as_dict() for each in answer]})
    else:
        noticing.answer(terminal(), answer, summary.get("replications", 1))
        show(terminal(), summary, replications, job)


def show(
    console: Terminal,
    summary: Mapping[str, Any],
    replications: int,
    job: Job,
    before: Since | None = None,
) -> None:
    """Print the tables of a job's run, with the differences to a run `before`."""
    console.print(tabled.headline(summary, replications, before))
    has_equal = False
    for title, rows, columns, earlier in tabled.tables_of(summary, before):
        has_equal |= _show(console, title, rows, columns, earlier)
    if has_equal:
        console.print(stats.said_of_equal(replications), highlight=False)
    picked.show(console, summary)
    if changes := handoffs.rows(summary):
        heading, shown = handoffs.title(len(changes)), changes[: handoffs.MOST]
        _show(console, heading, shown, handoffs.COLUMNS)
    noticing.show(console, noticed(summary, job))


def _show(
    console: Terminal,
    title: str,
    rows: Rows,
    columns: Sequence[Column],
    before: Rows | None = None,
) -> bool:
    """Print a table; return whether it has a mean of which all replications are equal."""
    filled = tabled.filled(rows, columns, before=before)
    fitting_tables.show(console, title, [row["name"] for row in rows], filled)
    ends = f" {stats.EQUAL}"
    telling = [column for column in columns if column.tells(rows)]
    return any(column.cell(row).endswith(ends) for column in telling for row in rows)
