"""How often a scenario runs where nobody says: ten times and more where that takes a moment, else once.

One run has no interval: what it shows may be chance. Most scenarios run in milliseconds, so that a person who asks
for nothing gets intervals without waiting. The number rests on the events of the first run and not on a clock:
every machine prints the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from lasthop.core import api
from lasthop.core.how import Running
from lasthop.core.job import Job
from lasthop.core.law_library import all_compiled
from lasthop.numbers import stats

OFTEN = (100, 50, 20, 10)
"""The numbers of runs, of which the largest is taken that fits into a moment."""

MOMENT = 4_000_000
"""The events of a moment: all runs together take less than a second of one core."""

LARGEST = 2_000_000
"""The events of the largest scenario that runs ten times: some seconds of one core."""

PYTHON = 10
"""The events of lasthop's own that take as long as one of a law in Python."""


def often(events: int) -> int:
    """Return how often a scenario runs, by the number of events of its first run."""
    for runs in OFTEN:
        if runs * events <= MOMENT:
            return runs
    return OFTEN[-1] if events <= LARGEST else 1


class Enough(stats.Summary):
    """The summary of a scenario's runs: of as many as are asked for, or as are enough."""

    def __init__(self, asked: int | None = None) -> None:
        super().__init__()
        self.asked = asked or 1
        """How many runs there will be; where nobody says, one until the first has told how large it is."""
        self._is_free = asked is None
        self._first: Mapping[str, Any] = {}
        self._is_certain = True

    def run(self, job: Job, how: Running) -> None:
        """Run a scenario; its errors, and Ctrl-C, are those of :func:`lasthop.summarise`."""
        api.reduced(self, job, replace(how, replications=self.asked))
        if not self._is_free:
            return
        self.asked = often(self._first["events"] * (1 if all_compiled(how.laws or {}) else PYTHON))
        if self.asked > 1:
            others = replace(how, replications=self.asked - 1, limited=None, page=None)
            api.reduced(self, job.runs(1), others)

    def add(self, run: Mapping[str, Any]) -> None:
        """Take in a run."""
        if self._is_free:
            self._first = self._first or run
            self._is_certain &= run == {**self._first, "replication": run["replication"]}
        super().add(run)

    def document(self) -> dict[str, Any]:
        """Return the summary; where nobody said how many, the first run's document if all are equal to it."""
        is_one = self._is_free and self.runs and self._is_certain
        return dict(self._first) if is_one else super().document()
