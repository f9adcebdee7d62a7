"""Where values come from: a protocol, and the simulator itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from lasthop import metrics
from lasthop.errors import UsageError
from lasthop.jobs import Handed, Job, run_jobs

Array = npt.NDArray[np.float64]
Setting = Mapping[str, Any]
"""Changes to a scenario, by dotted key."""

PORTION = 500
"""How many runs' results are in memory at a time."""


class Evaluator(Protocol):
    """Gives measures of settings: simulates them, or looks them up, or makes them up."""

    def values(
        self,
        settings: Sequence[Setting],
        names: Sequence[str],
        replications: Sequence[int],
        finished: Callable[[int], None] | None = None,
    ) -> Mapping[str, Array]:
        """Return by measure an array (settings, replications); NaN where a run has no value.

        The same replication of two settings shares its random numbers. `finished` is told how many
        runs of this call are done.
        """


@dataclass
class Local:
    """Runs a scenario on this machine, its settings as changes to its text.

    `units` is filled as measures are resolved, by name.
    """

    text: str
    file: str
    changes: tuple[str, ...] = ()
    seed: int | None = None
    threads: int | None = None
    files: tuple[Handed, ...] = ()
    units: dict[str, str] = field(default_factory=dict)

    def values(
        self,
        settings: Sequence[Setting],
        names: Sequence[str],
        replications: Sequence[int],
        finished: Callable[[int], None] | None = None,
    ) -> Mapping[str, Array]:
        """Simulate; see `Evaluator`. Raises UsageError for a measure that there is not."""
        jobs = [self.job(setting, r) for setting in settings for r in replications]
        found = np.empty((len(jobs), len(names)))
        for begin in range(0, len(jobs), PORTION):
            part = jobs[begin : begin + PORTION]
            results = run_jobs(part, self.threads, _shifted(finished, begin))
            for place, document in enumerate(results, begin):
                found[place] = self._measure(names, document or {})
        shape = (len(settings), len(replications))
        return {name: found[:, column].reshape(shape) for column, name in enumerate(names)}

    def job(self, setting: Setting, replication: int) -> Job:
        """Return the run of a setting."""
        from lasthop.api import as_overrides

        changes = (*self.changes, *as_overrides(setting))
        return Job(self.text, self.file, changes, self.seed, replication, self.files)

    def _measure(self, names: Sequence[str], document: Mapping[str, Any]) -> Array:
        resolved = metrics.resolve(names, document)
        if len(resolved.all) != len(names):
            raise UsageError("a measure to decide by is one number: .each makes several")
        self.units.update({metric.name: metric.unit for metric in resolved.all})
        return np.array([metric.of(document) for metric in resolved.all])


def _shifted(
    finished: Callable[[int], None] | None, before: int
) -> Callable[[int, int], None] | None:
    if finished is None:
        return None
    return lambda done, _of: finished(before + done)
