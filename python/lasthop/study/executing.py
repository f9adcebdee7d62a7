"""Ways to compute a study: the contract of executors, and the code that several of them share."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Protocol

from lasthop.core.listeners import Said
from lasthop.study import plan
from lasthop.study.cells import Cell
from lasthop.study.leases import Claims
from lasthop.study.plan import Task
from lasthop.study.spec import Study
from lasthop.study.store import Store

Tick = Callable[[int], bool]
"""Told how many replications have finished; ends the work by False."""

Work = tuple[Study, Sequence[Cell], Sequence[Task], Sequence[float]]
"""A study, its cells, the tasks, and the seconds of each task."""


#: Interval between looks whether others have finished their tasks, s.
WAIT_S = 0.2


class Executor(Protocol):
    """Computes tasks into a store."""

    def cores(self) -> int:
        """Return how many replications run at a time, for the forecast."""
        ...

    def run(self, work: Work, store: Store, tick: Tick) -> None:
        """Compute the work and write all that finishes, whatever ends it.

        What it does not come to stays missing: the caller asks again.
        """
        ...


class Telling:
    """An executor that can say why nothing happens.

    Attributes:
        waits_for: What it waits for, for people; empty while work is done.
        unit: What its `cores` are called.
        said: Told of what a user should know.
    """

    OTHERS = "another sweep of this store, which has begun the rest"

    waits_for: str = ""
    unit: str = "worker"
    said: Said = staticmethod(lambda message: None)

    def sized(self, seconds: float) -> None:
        """Receive the amount of work, before `cores` is read."""


def claimed(
    claims: Claims, tasks: Sequence[Task], store: Store, tell: Callable[[int], bool]
) -> list[Task]:
    """Claim what of the tasks is missing and nobody else has begun; while others have begun all of it, wait.

    `tell` gets the number of finished replications, and ends the wait by False.
    """
    wanted = sum(task.replications for task in tasks)
    while True:
        claims.look()
        store.look()
        left = plan.left(tasks, claims.keys, store.covered())
        free = claims.free(left)
        if free and (mine := claims.take(free)):
            return mine
        claims.release()
        if not left or not tell(wanted - sum(task.replications for task in left)):
            return []
        time.sleep(WAIT_S)


#: The shortest batch for a cluster, s: each costs a few milliseconds.
SHORTEST_S = 1.0


def batched(
    tasks: Sequence[Task], seconds: Sequence[float], most_s: float, workers: int
) -> list[list[Task]]:
    """Cut tasks into batches of about `most_s`: shorter ones first, and where there is little for each worker."""
    limit = max(min(most_s, sum(seconds) / max(1, 4 * workers)), SHORTEST_S)
    first = min(limit, 5.0)
    batches: list[list[Task]] = []
    some: list[Task] = []
    spent = 0.0
    for task, cost in zip(tasks, seconds, strict=True):
        some.append(task)
        spent += cost
        if spent >= (first if len(batches) < workers else limit):
            batches.append(some)
            some, spent = [], 0.0
    return batches + ([some] if some else [])
