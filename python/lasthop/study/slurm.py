"""Sweeps as arrays of SLURM jobs: each job is `lasthop worker --shard i/N STORE`.

The work is in the store (tasks.json), so a job that is requeued or run twice does what is still missing in
its shard, and nothing is lost or stored twice.
"""

from __future__ import annotations

import math
import os
import re
import shlex
import shutil
import socket
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from lasthop import machine
from lasthop.core import safe_files as files
from lasthop.core import shapes
from lasthop.core.jobs import MOST_REPLICATIONS
from lasthop.errors import LasthopError, LawError, UsageError
from lasthop.regular_files import UnreadableError, content, json_of
from lasthop.study import controller, law_sources, plan
from lasthop.study.cells import Cell, some_cells
from lasthop.study.computing import Computing
from lasthop.study.executing import Telling, Tick, Work, claimed
from lasthop.study.leases import Claims
from lasthop.study.manifest import refuse_other_format, restore
from lasthop.study.plan import Task
from lasthop.study.spec import Study
from lasthop.study.store import Store

TASKS = "tasks.json"
SCRIPT = "array.sbatch"
FOLDER = "slurm"

JOB = "job.json"
"""The submitted array and its process: the array outlives a killed process."""

LAW_ERROR = "law-error.txt"
"""File in which a worker records an error of a law in Python, for the coordinator to report."""

OURS = shapes.fields({"job": shapes.text, "host": shapes.text, "pid": shapes.whole(1)})

#: The largest list of tasks that is read, bytes: of 100,000 cells with a thousand replications each.
MOST_BYTES = 500_000_000

#: Interval between looks at the jobs, s.
LOOK_S = 2.0

#: Work of a job, s, where the number of jobs is not given; and the most jobs then.
JOB_S = 300.0
MOST_JOBS = 200

#: Characters of a log's last line that are shown.
MOST_SHOWN = 300


class Slurm(Telling):
    """An array of jobs.

    Args:
        workers: How many jobs; by default as many as give each some minutes.
        options: Lines for sbatch, such as ``--partition=short``.
    """

    unit = "job"

    def __init__(self, workers: int | None, options: Sequence[str] = ()) -> None:
        """Look for sbatch; raises UsageError where it is not there."""
        if shutil.which("sbatch") is None:
            raise UsageError(
                "sbatch was not found: the executor slurm must run where SLURM jobs are submitted"
            )
        self.jobs, self.options = workers, list(options)

    def cores(self) -> int:
        """Return how many jobs there are, as far as is known."""
        return self.jobs or 1

    def sized(self, seconds: float) -> None:
        """See Telling."""
        self.jobs = self.jobs or max(1, min(MOST_JOBS, round(seconds / JOB_S)))

    def run(self, work: Work, store: Store, tick: Tick) -> None:
        """See Executor. What another coordinator has begun is waited for: a store has one array at a time."""
        study, cells, tasks, seconds = work
        claims = Claims(store.path, {cell.number: cell.key for cell in cells})

        def tell(waits_for: str) -> bool:
            self.waits_for = waits_for
            claims.beat()
            return tick(_done(store, tasks, cells))

        try:
            if mine := claimed(claims, tasks, store, lambda done: tell(self.OTHERS)):
                self._array(study, mine, sum(seconds), store, tell)
        finally:
            self.waits_for = ""
            claims.release()

    def _array(
        self,
        study: Study,
        tasks: Sequence[Task],
        seconds: float,
        store: Store,
        tell: Callable[[str], bool],
    ) -> None:
        """Submit an array and see it to its end."""
        self.sized(seconds)
        jobs = min(self.cores(), len(tasks))
        folder = store.path / FOLDER
        _cancel_orphan(folder)
        write_tasks(store.path, study, tasks)
        script = write_script(store.path, study.name, jobs, self.options)
        (folder / LAW_ERROR).unlink(missing_ok=True)
        while (job := controller.submit(str(script))) is None:
            if not tell("SLURM's controller, to submit the array"):
                return
            time.sleep(LOOK_S)
        is_over = False
        try:
            ours = {"job": job, "host": socket.gethostname(), "pid": os.getpid()}
            with files.explained(folder):
                files.write_json(folder / JOB, ours)
            while not is_over:
                time.sleep(LOOK_S)
                _raise_law_error(folder)
                now = controller.look(job)
                is_over = now.is_over
                if not tell(now.waits_for):
                    break
            _raise_law_error(folder)
            if is_over:
                self._tell_log(folder, job)
        finally:
            self._end(folder, job, is_over=is_over)

    def _end(self, folder: Path, job: str, *, is_over: bool) -> None:
        """Cancel an array that is not over. Where that fails, what names it stays: the next sweep cancels it."""
        failed = "" if is_over else controller.cancel(job)
        if failed:
            self.said(
                f"{failed}. The array {job} may run on: cancel it with `scancel {job}`, or run the "
                "same sweep here again"
            )
            return
        (folder / JOB).unlink(missing_ok=True)

    def _tell_log(self, folder: Path, job: str) -> None:
        """Say what the last job that failed has in its log."""
        for log in sorted(folder.glob(f"{job}_*.log"), key=lambda path: path.stat().st_mtime)[::-1]:
            lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
            if lines and not any(line.startswith("shard ") for line in lines):
                self.said(f"a job did not finish; {log} ends: {lines[-1].strip()[:MOST_SHOWN]}")
                return


def write_tasks(directory: Path, study: Study, tasks: Sequence[Task]) -> Path:
    """Write down what is to be done."""
    rows = [[task.start, task.stop, task.cell, list(task.metrics)] for task in tasks]
    document = {"study": study.name, "tasks": rows}
    with files.explained(directory):
        return files.write_json(directory / TASKS, document)


def write_script(directory: Path, name: str, jobs: int, options: Sequence[str]) -> Path:
    """Write the script of the array, to be submitted as it is or changed by hand."""
    folder = (directory / FOLDER).absolute()
    with files.explained(folder):
        folder.mkdir(parents=True, exist_ok=True)
    lines = [
        "#!/bin/sh",
        f"#SBATCH --job-name={_quoted('lasthop-' + name.replace(' ', '-'))}",
        f"#SBATCH --array=0-{jobs - 1}",
        "#SBATCH --ntasks=1",
        "#SBATCH --requeue",
        f"#SBATCH --output={_quoted(str(folder).replace('%', '%%') + '/%A_%a.log')}",
        *(f"#SBATCH {option}" for option in options),
        f"exec {shlex.quote(sys.executable)} -m lasthop worker "
        f'--shard "$SLURM_ARRAY_TASK_ID/{jobs}" {shlex.quote(str(directory.absolute()))}',
    ]
    with files.explained(folder):
        return files.write_text(folder / SCRIPT, "\n".join(lines) + "\n")


def _quoted(value: str) -> str:
    """Return a value for a line of sbatch, which reads quotes as a shell does, and a comment from a # on.

    Raises UsageError for what such a line cannot hold: sbatch has no patterns in a path with a backslash.
    """
    odd = sorted({c for c in value if c in '"\\' or not c.isprintable()})
    if odd:
        shown = ", ".join(map(repr, odd))
        raise UsageError(f"{value!r}: SLURM takes no {shown} there; give another directory or name")
    return value if re.fullmatch(r"[\w./%+:,@=-]+", value, re.ASCII) else f'"{value}"'


def work(directory: Path, shard: str, workers: int, tick: Tick = lambda done: True) -> int:
    """Compute what is missing of a shard ``i/N`` of a store's tasks; return how many replications it was.

    Raises:
        UsageError: There is no such shard, or no tasks.
        LasthopError: The engine is another than the coordinator's, or the store cannot be written to.
    """
    number, count = _shard(shard)
    store = Store(directory)
    held = store.manifest()
    if held is None:
        raise UsageError(f"{directory} holds no study: there is no manifest.json")
    refuse_other_format(held, directory)
    study = law_sources.loaded(restore(held))
    tasks = read_tasks(directory, held)
    mine = tasks[number::count]
    cells = some_cells(study, {task.cell for task in mine})
    store.create()
    store.look()
    left = plan.left(mine, {n: cell.key for n, cell in cells.items()}, store.covered())
    try:
        Computing(study, cells, workers).run(left, store.write, tick)
    except LawError as error:
        (directory / FOLDER).mkdir(exist_ok=True)
        files.write_text(directory / FOLDER / LAW_ERROR, str(error))
        raise
    return sum(task.replications for task in left)


def read_tasks(directory: Path, held: Mapping[str, Any]) -> list[Task]:
    """Return what is to be done in a store with this manifest; raises UsageError."""
    path = directory / TASKS
    cells = math.prod(len(group[0][1]) for group in held["axes"])
    end = shapes.whole(1, MOST_REPLICATIONS)
    task = shapes.row(
        shapes.whole(0, MOST_REPLICATIONS),
        end,
        shapes.whole(0, cells - 1),
        shapes.each(shapes.one_of(*held["metrics"]), 1),
    )
    shape = shapes.fields({"study": shapes.one_of(held["study"]), "tasks": shapes.each(task)})
    try:
        document = json_of(content(path, MOST_BYTES))
        shapes.check(document, shape)
        for place, (start, stop, _, _) in enumerate(document["tasks"]):
            if not 0 < stop - start <= plan.LARGEST:
                most = f"1 to {plan.LARGEST:,} replications"
                raise shapes.MisshapenError(f"tasks[{place}] is {start} to {stop}; allowed: {most}")
    except UnreadableError as error:
        hint = ": `lasthop sweep --executor slurm` writes it" if error.missing else ""
        said = f"has no {TASKS}{hint}" if error.missing else f"{TASKS}: {error}"
        raise UsageError(f"{directory} {said}") from None
    except shapes.MisshapenError as error:
        raise error.behind(f"{path} is damaged", UsageError, path=error.path) from None
    return [Task(start, stop, cell, tuple(names)) for start, stop, cell, names in document["tasks"]]


def _shard(text: str) -> tuple[int, int]:
    found = re.fullmatch("([0-9]{1,9})/([0-9]{1,9})", text)
    number, count = (found[1], found[2]) if found else ("0", "0")
    if not int(number) < int(count):
        raise UsageError(f"--shard {text}: allowed: i/N with i from 0 to N - 1, such as 0/8")
    return int(number), int(count)


def _done(store: Store, tasks: Sequence[Task], cells: Sequence[Cell]) -> int:
    """Return how many replications of the tasks are there."""
    store.look()
    left = plan.left(tasks, {cell.number: cell.key for cell in cells}, store.covered())
    return sum(task.replications for task in tasks) - sum(task.replications for task in left)


def _raise_law_error(folder: Path) -> None:
    """Raise what a law in Python did wrong on a worker: trying again would not help."""
    with suppress(FileNotFoundError):
        raise LawError((folder / LAW_ERROR).read_text(encoding="utf-8"))


def _cancel_orphan(folder: Path) -> None:
    """Cancel the array of a sweep from this machine that was killed: what it has left is submitted again."""
    try:
        held = json_of(content(folder / JOB, 10_000))
        shapes.check(held, OURS)
    except (UnreadableError, shapes.MisshapenError):
        return
    if held["host"] != socket.gethostname() or machine.is_running(held["pid"]):
        return
    job = held["job"]
    if re.fullmatch("[0-9]{1,20}", job) and (failed := controller.cancel(job)):
        raise LasthopError(
            f"{failed}. The array {job} of an earlier sweep may still run: try again when SLURM answers"
        )
