"""`lasthop sweep` and `lasthop worker`: a forecast, progress by cell, means with their intervals."""

from __future__ import annotations

import math
import os
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.text import Text

from lasthop.cli import fitting_tables
from lasthop.cli.documents import print_document
from lasthop.cli.terminal import refuse_no_directory, terminal
from lasthop.core import python_law
from lasthop.errors import UsageError
from lasthop.numbers import stats
from lasthop.numbers.numerals import counted
from lasthop.numbers.stats.unseen import CERTAIN
from lasthop.study import phrases, slurm
from lasthop.study.answering import Answer, answer
from lasthop.study.forecast import Forecast, words
from lasthop.study.judgement import certain
from lasthop.study.spec import Study
from lasthop.study.sweeping import Hooks, Status, study_of, sweep
from lasthop.study.swept import Results

if TYPE_CHECKING:
    from lasthop.cli.commands.sweep import SweepOptions

#: Cells that are shown at most.
SHOWN = 40

#: Interval between lines of progress where no bar is shown, s.
LINE_S = 30.0


def show(path: str, options: SweepOptions) -> None:
    """Sweep and print; a wrong request raises LasthopError, Ctrl-C keeps what had finished and ends with 130."""
    study = study_of(
        path, overrides=options.changes, replications=options.replications, quick=options.quick
    )
    study = with_laws(study, options.laws)
    out = Path("out") / study.name if options.out is None else options.out
    refuse_no_directory(out)
    console = terminal(stderr=True)
    try:
        with hooks_of(console, study.budget_s) as hooks:
            results = sweep(
                study,
                out,
                executor=options.executor,
                workers=options.workers,
                options=options.sbatch,
                hooks=hooks,
            )
    except KeyboardInterrupt:
        results = Results(out)
        done = sum(results.count(row) for row in results.rows)
        wished = sum(row.replications for row in results.rows)
        said = f"interrupted: {done:,} of {wished:,} replications are in {out}; run it again to continue"
        print(said, file=sys.stderr, flush=True)
        sys.exit(130)
    if options.as_json:
        print_document(document(results, study))
        return
    print_answer(answer(results, study))
    _print(results, study)


def with_laws(study: Study, given: Sequence[str]) -> Study:
    """Return a study with laws in Python: every TCP flow uses the first, unless an axis names one."""
    laws = dict(map(python_law.load, given))
    named = any(value in laws for key in study.keys for value in study.axis(key).values)
    if laws and not named and "tcp.variant" in study.keys:
        first = next(iter(laws))
        raise UsageError(
            f"--law gives every flow {first}, and the study varies tcp.variant: its rows would be labelled with "
            f"variants that did not run. Vary tcp.law, with {first} among its values, and set tcp.recovery"
        )
    return (
        replace(study, laws=laws, law=None if named else next(iter(laws), None)) if laws else study
    )


def work(store: Path, shard: str, workers: int | None) -> None:
    """Do a shard of a store's tasks."""
    if workers is None:
        workers = int(os.environ.get("SLURM_CPUS_PER_TASK", "1"))
    # SLURM says SIGTERM before it kills: what has finished is then written first.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    started = time.monotonic()
    done = slurm.work(store, shard, workers)
    print(f"shard {shard}: {counted(done, 'replication')} in {time.monotonic() - started:.1f} s")


def document(results: Results, study: Study) -> dict[str, Any]:
    """Return results as `--json` prints them: the answer, and a row for each cell and metric."""
    return {
        "study": results.name,
        "directory": str(results.path),
        "engine": results.manifest["engine"],
        "complete": results.complete,
        "window": results.window,
        "cells": len(results.rows),
        "answer": answer(results, study).as_dict(),
        "means": results.summary().to_pylist(),
    }


@contextmanager
def hooks_of(console: Console, budget_s: float | None) -> Iterator[Hooks]:
    """Tell a forecast, show a bar where somebody looks at it, and say a line now and then where nobody does."""
    columns = (
        TextColumn("sweeping"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[cells]}"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[left]}", style="dim"),
    )
    hidden = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as progress:
        task = progress.add_task("", total=None, cells="", left="")
        told = time.monotonic()

        def forecast(seconds: float, cores: int, count: int, known: Forecast) -> None:
            on = counted(cores, known.unit)
            if known.unit != "core" and cores > 1:
                on += " in parallel"
            timed = f"{known.timed} of {len(known.costs)} cells timed"
            line = f"{counted(count, 'replication')}: {words(seconds)} on {on} ({timed})"
            console.print(line, highlight=False)
            if budget_s is not None and seconds > budget_s:
                part = f"{budget_s / seconds:.0%}"
                said = (
                    f"the budget of {words(budget_s).removeprefix('about ')} is enough for {part}"
                )
                console.print(f"{said}; run it again to continue", highlight=False)

        def tell(status: Status) -> None:
            nonlocal told
            cells = f"{status.cells_done} of {status.cells} cells"
            left = status.now
            if not math.isnan(status.left_s):
                left = f"{words(status.left_s)} left; {left}"
            progress.update(
                task, completed=status.done, total=status.wanted, cells=cells, left=left
            )
            if hidden and time.monotonic() >= told + LINE_S:
                told = time.monotonic()
                part = f"{status.done:,} of {status.wanted:,} replications"
                console.print(f"{part}, {cells}, {left}", highlight=False)

        def pilot(done: int, of: int) -> None:
            cells = f"{done} of {of} pilot runs, for the warm-up"
            progress.update(task, completed=done, total=of, cells=cells)

        yield Hooks(forecast, tell, lambda said: console.print(said, highlight=False), pilot)


def print_answer(found: Answer) -> None:
    """Print the question, where the study asks one, and its answer with the shortest form in bold."""
    console = terminal()
    if found.question:
        console.print(found.question, markup=False, highlight=False)
    first, *others = found.said
    console.print(Text.assemble((first, "bold"), *(f" {each}" for each in others)))
    console.print()


def _print(results: Results, study: Study) -> None:
    console = terminal()
    rows = results.rows[:SHOWN]
    axes = [
        (phrases.headed_axis(key), [phrases.of_value(row.settings[key]) for row in rows])
        for key in results.keys
    ]
    columns = [("n", [f"{results.count(row):,}" for row in rows])]
    for name in results.metrics:
        unit = results.shown_unit(name)
        heading = phrases.headed(name) + (f"\n{unit}" if unit not in ("", "1") else "")
        columns.append((heading, [results.shown(name, row) for row in rows]))
    corner, names = fitting_tables.joined(axes) if axes else ("", [""] * len(rows))
    fitting_tables.show(console, results.name, names, columns, corner, axes)
    if len(results.rows) > SHOWN:
        console.print(
            f"and {counted(len(results.rows) - SHOWN, 'cell')} more: lasthop results {results.path}"
        )
    console.print(results.window, highlight=False)
    known = certain(results, study)
    counts = [
        CERTAIN if row.number in known else results.count(row)
        for row in rows
        for name in results.metrics
        if results.shown(name, row).endswith(stats.EQUAL)
    ]
    if counts:
        console.print(stats.said_of_equal(min(counts)), highlight=False)
    ended = "" if results.complete else "; incomplete: run it again to continue"
    console.print(f"mean ± 95 % interval; all values: {results.path}{ended}", highlight=False)
