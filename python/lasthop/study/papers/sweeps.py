"""Running a part of a paper as the study that it is: what has been computed before is not computed again."""

from __future__ import annotations

from pathlib import Path

from lasthop.core.listeners import Count
from lasthop.errors import UsageError
from lasthop.study.claims import Table
from lasthop.study.judgement import tables_of
from lasthop.study.spec import Study
from lasthop.study.sweeping import Hooks, sweep
from lasthop.study.swept import Results


class Samples:
    """The finished runs of an experiment, as a table for each metric, and how many there are."""

    def __init__(self, results: Results | None, study: Study, cells: int) -> None:
        self.study = study
        self.tables: dict[str, Table] = tables_of(results) if results else {}
        self.runs = sum(results.count(row) for row in results.rows) if results else 0
        self.planned = cells * study.replications

    @property
    def complete(self) -> bool:
        """Return whether every run was finished."""
        return self.runs >= self.planned


def run(study: Study, directory: Path, workers: int | None, told: Count) -> Samples:
    """Run what is missing of a study; Ctrl-C keeps what was finished, in `directory` and here."""
    hooks = Hooks(progress=lambda status: told(status.done, status.wanted))
    results: Results | None
    try:
        results = sweep(study, directory, workers=workers, hooks=hooks)
    except KeyboardInterrupt:
        try:
            results = Results(directory)
        except UsageError:
            results = None  # stopped before anything was written
    return Samples(results, study, cells(study))


def cells(study: Study) -> int:
    """Return how many cells a study has."""
    count = 1
    for group in study.axes:
        count *= len(group[0].values)
    return count
