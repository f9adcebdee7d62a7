"""Values of settings from the simulator, kept as those of a study are: nothing is simulated twice."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from lasthop.core import metrics
from lasthop.core.command_lines import argument
from lasthop.core.how import Watching
from lasthop.core.job import Job
from lasthop.core.jobs import documents_of
from lasthop.core.listeners import Count, Said
from lasthop.core.runs import Run
from lasthop.errors import ScenarioError, UsageError
from lasthop.study import plan
from lasthop.study.advice.evaluating import Array, Setting
from lasthop.study.axes import Axis
from lasthop.study.batches import Part, piece_of
from lasthop.study.cells import Cell, cells, override
from lasthop.study.computing import Computing
from lasthop.study.manifest import manifest
from lasthop.study.plan import Range
from lasthop.study.rows import cell_table
from lasthop.study.spec import Study, Window
from lasthop.study.store import Store
from lasthop.study.sweeping import TASK_S
from lasthop.study.warming import Warming

FIRST_TASK = 4
"""Replications of a task before it is known how long they take."""


@dataclass
class Local:
    """Runs a scenario on this machine, its settings as changes to its text.

    Attributes:
        scenario: The scenario, with the changes that all settings have.
        workers: How many runs at a time; None: one a core.
        out: The directory of a store that keeps every run; None: they are kept in memory.
        units: Of each measure; filled as measures are resolved.
        kind: ``steady`` or ``terminating``, as of a study.
        window: Where the measuring window of a steady state begins; `settle` finds it.
    """

    scenario: Job
    workers: int | None = None
    out: Path | None = None
    units: dict[str, str] = field(default_factory=dict)
    kind: str = "terminating"
    window: Window | None = None
    runs_made: int = 0
    """Runs that were simulated, not found in the store."""

    def __post_init__(self) -> None:
        """Look at what the store has."""
        self._store = None if self.out is None else Store(self.out)
        self._covered: dict[tuple[str, str], list[Range]] = {}
        self._values: dict[tuple[str, str], Array] = {}
        self._tried: dict[str, tuple[Cell, int]] = {}
        self._spent = 0.0
        if self._store is not None:
            self._store.look()
            self._covered = self._store.covered()

    def check(self, setting: Setting, names: Sequence[str]) -> None:
        """Raise ScenarioError or UsageError where a setting or a measure is wrong; note the measures' units."""
        resolved = metrics.resolve(names, self.outline(setting))
        if len(resolved.all) != len(names):
            raise UsageError("the metric of a decision must be one number; .each gives several")
        self.units.update({metric.name: metric.unit for metric in resolved.all})

    def outline(self, setting: Setting) -> dict[str, Any]:
        """Return what runs in a setting; raises ScenarioError, about a choice with its name."""
        changes = [override(key, value) for key, value in setting.items()]
        try:
            return self.scenario.outline(changes)
        except ScenarioError as error:
            if error.change not in changes:
                raise
            shown = f"{argument('--choose', 'choose')} {error.change}: error: {error.said}"
            raise ScenarioError(
                error.said, code=error.code, change=error.change, shown=shown
            ) from None

    def settle(
        self,
        settings: Sequence[Setting],
        names: Sequence[str],
        said: Said,
        told: Count,
    ) -> None:
        """Cut one warm-up from all runs: the one stated, else the longest that pilots of these settings show.

        A store keeps the warm-up that it has. Raises StudyError where it leaves nothing of a run.
        """
        self.kind = "steady"
        study = self._study(settings, names)
        if not study.warmup_is_sought:
            self.window = Window("stated")
            return
        window = None if self._store is None else (self._store.whole_manifest() or {}).get("window")
        held = window if window and window["how"] == "auto" else None
        found = Warming(study, held, self.workers or 0, said, told).found()
        self.scenario = replace(self.scenario, overrides=found.changes)
        self.window = found.window

    def values(
        self,
        settings: Sequence[Setting],
        names: Sequence[str],
        replications: Sequence[int],
        finished: Callable[[int], None] | None = None,
    ) -> Mapping[str, Array]:
        """Simulate what is not there yet; see `Evaluator`. Raises UsageError for a measure that there is not."""
        self.check(settings[0], names)
        study = self._study(settings, names)
        some = cells(study)
        last = max(replications) + 1
        self._note(some, last)
        self._fetch(some, names)
        self._compute(study, some, last, finished)
        found = [
            [self._values[cell.key, name][list(replications)] for cell in some] for name in names
        ]
        return {name: np.array(rows) for name, rows in zip(names, found, strict=True)}

    def run(self, changes: Sequence[str], replications: int) -> Run:
        """Return whole runs, one a replication, with more changes."""
        scenario = replace(self.scenario, overrides=(*self.scenario.overrides, *changes))
        how = Watching(workers=self.workers)
        found = documents_of([scenario.runs(0, replications)], how)
        return Run([document for document in found if document], asked=scenario)

    def _study(self, settings: Sequence[Setting], names: Sequence[str]) -> Study:
        """Return these settings as a study: keys that step together."""
        base = self.scenario
        axes = [Axis(key, tuple(each[key] for each in settings)) for key in settings[0]]
        return Study(
            name=f"advise {Path(base.file).stem}",
            scenario=base.text,
            file=base.file,
            axes=(tuple(axes),),
            metrics=tuple(names),
            changes=base.overrides,
            seed=base.seed,
            laws=base.laws,
            law=base.law,
            files=base.files,
            kind=self.kind,
            window=self.window,
        )

    def _note(self, some: Sequence[Cell], last: int) -> None:
        """Write down which settings there are, before anything of them is computed."""
        for cell in some:
            self._tried[cell.key] = cell, max(last, self._tried.get(cell.key, (cell, 0))[1])
        if self._store is None:
            return
        tried = [replace(cell, number=n) for n, (cell, _) in enumerate(self._tried.values())]
        whole = self._study([cell.settings for cell in tried], some[0].metrics.names)
        counts = [count for _, count in self._tried.values()]
        self._store.describe(manifest(whole, tried), cell_table(tried, counts, whole.keys))

    def _fetch(self, some: Sequence[Cell], names: Sequence[str]) -> None:
        """Take from the store what it has of settings that are new."""
        new = [cell.key for cell in some if (cell.key, names[0]) not in self._values]
        there = self._store.values(new, names) if self._store is not None else {}
        for key in new:
            values = there.get(key, np.empty((0, len(names))))
            for column, name in enumerate(names):
                self._values[key, name] = values[:, column]

    def _compute(
        self, study: Study, some: Sequence[Cell], last: int, finished: Callable[[int], None] | None
    ) -> None:
        known = [cell.metrics.names for cell in some]
        cost = self._spent / self.runs_made if self.runs_made else TASK_S / FIRST_TASK
        size = plan.power_below(TASK_S / max(cost, 1e-6))
        count = len(some)
        tasks = plan.missing(
            [cell.key for cell in some], known, [last] * count, self._covered, [size] * count
        )
        if not tasks:
            return
        computing = Computing(study, dict(enumerate(some)), self.workers or 0)

        def tick(done: int) -> bool:
            if finished is not None:
                finished(done)
            return True

        started = time.monotonic()
        try:
            computing.run(tasks, self._keep, tick)
        finally:
            self._spent += (time.monotonic() - started) * (1 if study.laws else computing.cores)
            self.runs_made += computing.done

    def _keep(self, parts: list[Part]) -> None:
        """Keep a batch that was computed."""
        if self._store is not None:
            self._store.write(parts)
        for part in parts:
            start, stop = part.range
            for column, name in enumerate(piece_of(part).metrics):
                key = part.key, name
                values = self._values[key]
                if len(values) < stop:
                    values = np.concatenate([values, np.full(stop - len(values), np.nan)])
                values[start:stop] = part.values[:, column]
                self._values[key] = values
                self._covered[key] = plan.merged([*self._covered.get(key, ()), (start, stop)])
