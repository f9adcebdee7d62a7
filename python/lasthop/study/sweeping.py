"""A sweep from start to end: what is missing is computed, in rounds where a precision is wanted."""

from __future__ import annotations

import math
import time
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from itertools import accumulate
from pathlib import Path

from lasthop.core import api, source
from lasthop.core.how import Overrides
from lasthop.core.job import place_of
from lasthop.core.jobs import MOST_REPLICATIONS
from lasthop.core.keywords import fields_of
from lasthop.core.law_library import all_compiled
from lasthop.core.listeners import Count, Said
from lasthop.core.python_law import LawFactory
from lasthop.errors import LasthopError, UsageError, offered
from lasthop.study import executors, plan, reader
from lasthop.study.axes import Axis, Value
from lasthop.study.cells import cells, idle
from lasthop.study.executing import Executor, Telling
from lasthop.study.forecast import Forecast, Pace, forecast, words
from lasthop.study.manifest import manifest
from lasthop.study.plan import Task, first_range
from lasthop.study.precision import Precise, StoppingRule
from lasthop.study.rows import cell_table
from lasthop.study.spec import KINDS, QUICK_REPLICATIONS, Study, Window
from lasthop.study.store import Store
from lasthop.study.swept import Results
from lasthop.study.warming import Warming

#: A task is as many replications as take about so long, s: what a kill loses.
TASK_S = 1.0

#: Rounds in which an executor comes to nothing before the sweep gives up: workers that die, jobs that fail.
PATIENCE = 3


@dataclass(frozen=True)
class Status:
    """The progress of a sweep.

    Attributes:
        done: Replications that are there.
        wanted: Replications that are wanted, as far as is known: a precision may want more.
        cells_done: Cells that have all they want.
        cells: All cells.
        left_s: What the rest will take, s; NaN where that is not known.
        now: What a cell at work is, or what is waited for, for people.
    """

    done: int
    wanted: int
    cells_done: int
    cells: int
    left_s: float
    now: str


@dataclass
class Hooks:
    """Listeners of a sweep.

    Attributes:
        forecast: Told once, before anything long runs: (seconds, cores, replications to run, the forecast).
        progress: Told some times a second.
        said: Told of what a user should know, such as a broken file, or the warm-up that was found.
        piloting: Told while the warm-up is looked for: pilot runs done, all.
    """

    forecast: Callable[[float, int, int, Forecast], None] = lambda s, c, n, f: None
    progress: Callable[[Status], None] = lambda status: None
    said: Said = lambda message: None
    piloting: Count = lambda done, of: None


@dataclass(frozen=True, kw_only=True)
class Revision:
    """Changes to a study.

    Attributes:
        over: Axes by key, each with its values, crossed: `study` is then a scenario, a path or its text.
        metrics: What to measure, in place of the study's metrics.
        overrides: Changes to the scenario in every cell, see :func:`lasthop.run`.
        replications: In place of the study's replications or precision.
        quick: A few replications of each cell, to see whether it runs.
        kind: ``terminating``; or ``steady``: a warm-up found in pilot runs is cut, unless `overrides` state it.
        laws: Laws in Python that `tcp.law` may name, by their classes: runs are then one after the other in a
            process, and known by the source of the laws, which goes to workers of a cluster.
        law: The one of `laws` that every TCP flow uses where the scenario names none of them.
    """

    over: Mapping[str, Sequence[Value]] | None = None
    metrics: Sequence[str] = ()
    overrides: Overrides = ()
    replications: int | None = None
    quick: bool = False
    kind: str | None = None
    laws: Mapping[str, LawFactory] | None = None
    law: str | None = None


@dataclass(frozen=True)
class Sweeping(Revision):
    """Options of a sweep, and changes to its study.

    Attributes:
        out: The directory of its results; by default ``out/NAME``.
        executor: ``local``, ``dask``, ``dask:ADDRESS``, ``dask:slurm``, ``slurm``, or one of your own.
        workers: Threads, or workers of a cluster; by default one a core.
        rule: When a cell has enough, in place of the study's precision.
        options: Lines for sbatch, such as ``--partition=short``.
        hooks: What to tell meanwhile.
    """

    out: str | Path | None = None
    _: KW_ONLY
    executor: str | Executor = "local"
    workers: int | None = None
    rule: StoppingRule | None = None
    options: Sequence[str] = ()
    hooks: Hooks | None = None


@fields_of(Revision)
def study_of(study: Study | source.Given, asked: Revision) -> Study:
    """Return a study, read where it is a path, with changes.

    Raises StudyError, ScenarioError, UsageError.
    """
    return revised(study, asked)


def revised(study: Study | source.Given, asked: Revision) -> Study:
    """Return a study as it is asked for; see `study_of`."""
    if isinstance(study, source.Written) or (
        asked.over is not None and not isinstance(study, Study)
    ):
        study = _over(study, asked.over or {})
    if not isinstance(study, Study):
        study = reader.read(study)
    if asked.kind is not None:
        if asked.kind not in KINDS:
            raise UsageError(f"no kind {asked.kind!r}{offered(asked.kind, KINDS)}")
        study = replace(study, kind=asked.kind)
    if asked.laws or asked.law is not None:
        place_of(asked.laws or {}, asked.law)
        study = replace(study, laws=dict(asked.laws or {}), law=asked.law)
    if asked.metrics:
        study = replace(
            study,
            metrics=(asked.metrics,) if isinstance(asked.metrics, str) else tuple(asked.metrics),
        )
    if asked.replications is not None:
        if not 1 <= asked.replications <= MOST_REPLICATIONS:
            raise UsageError(
                f"replications are from 1 to {MOST_REPLICATIONS:,}, not {asked.replications}"
            )
        study = replace(study, replications=asked.replications, precision=None)
    if asked.quick:
        count = min(QUICK_REPLICATIONS, study.replications)
        study = replace(study, replications=count, precision=None)
    if changes := api.as_overrides(asked.overrides):
        study = study.changed(changes)
        study = replace(study, files=source.files_of(study.scenario, study.file, study.changes))
    return study


@fields_of(Sweeping)
def sweep(study: Study | source.Given, asked: Sweeping) -> Results:
    """Run a study, or what is missing of it, and return what is there.

    It can be stopped at any moment, also by killing it, and run again: what has been computed is not
    computed again, and the rows are those of a run that was never stopped.

    Args:
        study: A path to a study file, a `Study`, a `lasthop.Scenario`, or with `over` any scenario.

    Raises:
        StudyError: The study is wrong.
        ScenarioError: Its scenario is wrong.
        UsageError: An argument is wrong, or the directory holds another study.
        LasthopError: Nothing can be written there, or computed any more; what was written is whole.

    Example:
        >>> r = lasthop.sweep("studies/retry_and_queue.toml")
        >>> r.xarray()["goodput_bps"].mean("replication")
        >>> lasthop.sweep("scenarios/dumbbell.toml", over={"tcp.variant": ["reno", "cubic"]})
    """
    run = _Sweep(revised(study, asked), asked.out, asked.hooks or Hooks())
    run.rule = asked.rule or run.rule
    run.go(executors.executor(asked.executor, asked.workers, asked.options))
    return Results(run.store.path)


def sweep_counts(
    study: Study, out: Path, counts: Sequence[int], workers: int | None, hooks: Hooks
) -> Results:
    """Run `counts` replications of each cell on this machine, whatever the study asks for; see
    :func:`sweep`."""
    run = _Sweep(study, out, hooks)
    run.rule, run.targets = None, list(counts)
    run.go(executors.executor("local", workers, ()))
    return Results(run.store.path)


def _over(scenario: source.Given, over: Mapping[str, Sequence[Value]]) -> Study:
    """Make a study of a scenario and axes."""
    text, file = source.load(scenario)
    for key, values in over.items():
        if isinstance(values, str) or not values or len(set(values)) < len(values):
            raise UsageError(f"over: {key!r} must be a list of different values, not {values!r}")
    groups = tuple((Axis(key, tuple(values)),) for key, values in over.items())
    name = "study" if file.startswith("<") else Path(file).stem
    return Study(name, text, file, groups, files=source.files_of(text, file, ()))


class _Sweep:
    """One sweep at work."""

    def __init__(self, study: Study, out: str | Path | None, hooks: Hooks) -> None:
        self.hooks = hooks
        self.store = Store(Path("out") / study.name if out is None else out)
        self.study = self._windowed(study)
        self.cells = cells(self.study)
        for said in idle(self.study, self.cells):
            hooks.said(said)
        self.targets = [study.replications] * len(self.cells)
        self.rule = Precise(study.precision) if study.precision else None
        self.costs: tuple[float, ...] = ()
        self.cores = 1
        self.deadline = float("inf")
        self._told: set[str] = set()

    rule: StoppingRule | None

    def go(self, executor: Executor) -> None:
        """Compute what is missing. Where that is nothing, nothing is written."""
        if self.study.budget_s is not None:
            self.deadline = time.monotonic() + self.study.budget_s
        if isinstance(executor, Telling):
            executor.said = self.hooks.said
        vain = 0
        while vain < PATIENCE:
            self._look()
            self._extend()
            self._describe()
            tasks = self._missing(executor)
            if not tasks or time.monotonic() >= self.deadline:
                return
            self._tell_unused()
            before = self._left()
            self._round(executor, tasks)
            vain = vain + 1 if self._left() >= before else 0
        raise LasthopError(
            f"{PATIENCE} rounds computed nothing: the workers die or cannot write to {self.store.path}. "
            "Earlier results are kept"
        )

    def _windowed(self, study: Study) -> Study:
        """Return the study with its warm-up, where it is a steady-state one."""
        if study.kind != "steady" or study.window is not None:
            return study
        if not study.warmup_is_sought:
            return replace(study, window=Window("stated"))
        held = self.store.whole_manifest()
        window = held["window"] if held and held["study"] == study.name else None
        found = window if window and window["how"] == "auto" else None
        return Warming(study, found, 0, self.hooks.said, self.hooks.piloting).found()

    def _round(self, executor: Executor, tasks: Sequence[Task]) -> None:
        seconds = [self.costs[task.cell] * task.replications for task in tasks]
        pace = Pace([task.replications for task in tasks], seconds, self.cores)
        progress = _Progress(self, tasks, pace, executor)
        executor.run((self.study, self.cells, tasks, seconds), self.store, progress)
        if isinstance(executor, executors.Local):  # elsewhere the time has waits for machines in it
            self.costs = tuple(cost * progress.ratio for cost in self.costs)
        self._look()

    def _missing(self, executor: Executor) -> list[Task]:
        """Return what is to be computed, in tasks of about TASK_S; before the first, tell what they will take."""
        tasks = self._tasks()
        if tasks and not self.costs:
            wanted = [0] * len(self.cells)
            for task in tasks:
                wanted[task.cell] += task.replications
            known = forecast(self.study, self.cells, wanted)
            if isinstance(executor, Telling):
                known = replace(known, unit=executor.unit)
                executor.sized(known.seconds(wanted, 1))
            # Laws in Python run one after the other in a process.
            is_single = not all_compiled(self.study.laws) and isinstance(executor, executors.Local)
            self.costs, self.cores = known.costs, 1 if is_single else executor.cores()
            self.hooks.forecast(known.seconds(wanted, self.cores), self.cores, sum(wanted), known)
        return self._tasks([plan.power_below(TASK_S / max(cost, 1e-6)) for cost in self.costs])

    def _tasks(self, sizes: Sequence[int] = ()) -> list[Task]:
        names = [cell.metrics.names for cell in self.cells]
        keys = [cell.key for cell in self.cells]
        sizes = sizes or [plan.LARGEST] * len(self.cells)
        return plan.missing(keys, names, self.targets, self.store.covered(), sizes)

    def _left(self) -> int:
        self.store.look()
        return sum(task.replications for task in self._tasks())

    def _extend(self) -> None:
        """Ask the stopping rule how many replications more each cell wants.

        The rule sees the first replications only, as many as the last round wanted: so a resumed sweep takes the
        decisions again that it took before.
        """
        if self.rule is None or self._tasks():
            return
        metric = self.study.precision.metric if self.study.precision else self.study.metrics[0]
        covered = self.store.covered()
        values = self.store.values([cell.key for cell in self.cells], [metric])
        for cell in self.cells:
            there = first_range(covered.get((cell.key, metric), ()))
            column = values[cell.key][:there, 0].tolist()
            # More than was wanted may be there, from a run that was stopped.
            while len(column) >= (target := self.targets[cell.number]):
                more = self.rule.more(column[:target])
                if more <= 0:
                    break
                self.targets[cell.number] += more

    def _look(self) -> None:
        self.store.look()
        for name in sorted(self.store.broken.keys() - self._told):
            self._told.add(name)
            why = self.store.broken[name]
            self.hooks.said(f"{name} is broken ({why}); its content is computed again")

    def _tell_unused(self) -> None:
        """Say what is in the store and of no use."""
        unused = self.store.unused({cell.key for cell in self.cells})
        for engine in unused.keys() - self._told:
            self._told.add(engine)
            self.hooks.said(unused[engine])

    def _describe(self) -> None:
        """Write the manifest and the cells, where they do not exist yet."""
        table = cell_table(self.cells, self.targets, self.study.keys)
        self.store.describe(manifest(self.study, self.cells), table)


class _Progress:
    """Turns counts of finished replications into reports, and ends the work at the deadline."""

    def __init__(
        self, sweep: _Sweep, tasks: Sequence[Task], pace: Pace, executor: Executor
    ) -> None:
        self.sweep, self.pace, self.executor = sweep, pace, executor
        self.ratio = 1.0
        self.wanted = sum(sweep.targets)
        self.todo = sum(task.replications for task in tasks)
        ends = accumulate(task.replications for task in tasks)
        self.ends = list(zip(ends, tasks, strict=True))
        self.last = sorted({task.cell: number for number, task in enumerate(tasks)}.values())
        self.started = time.monotonic()

    def __call__(self, done: int) -> bool:
        """Report that `done` replications of this round have finished."""
        spent = time.monotonic() - self.started
        whole = self.pace.whole_s(done, spent)
        if done:
            self.ratio = whole / self.pace.forecast_s if self.pace.forecast_s else 1.0
        if self.pace.is_news(done, spent):
            ratio = f"{self.ratio:.2g}"
            times = f"{'' if ratio == '1' else f'{ratio} times '}as long as forecast"
            self.sweep.hooks.said(f"measured again: runs take {times}, {words(whole - spent)} left")
        index = self._at(done)
        cells = len(self.sweep.cells)
        open_cells = sum(1 for number in self.last if number >= index)
        now = self.sweep.cells[self.ends[min(index, len(self.ends) - 1)][1].cell].label
        cluster = self.executor if isinstance(self.executor, Telling) else None
        waits_for = cluster.waits_for if cluster else ""
        # Before anything has come of a cluster nothing is known of how long it takes.
        is_known = not waits_for and (done > 0 or cluster is None)
        left = whole - spent if is_known else math.nan
        self.sweep.hooks.progress(
            Status(
                self.wanted - self.todo + done,
                self.wanted,
                cells - open_cells,
                cells,
                left,
                f"waits for {waits_for}" if waits_for else now,
            )
        )
        return time.monotonic() < self.sweep.deadline

    def _at(self, done: int) -> int:
        return bisect_right(self.ends, done, key=lambda end: end[0])
