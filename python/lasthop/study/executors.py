"""Executors: this process, a Dask cluster, or SLURM."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from lasthop import machine
from lasthop.core.jobs import MOST_THREADS
from lasthop.errors import UsageError, offered
from lasthop.study import plan
from lasthop.study.computing import Computing
from lasthop.study.executing import WAIT_S, Executor, Tick, Work
from lasthop.study.leases import Claims
from lasthop.study.plan import Task
from lasthop.study.store import Store

#: Work that a coordinator takes at a time, s on each core, and the fewest runs on each.
SHORTEST_PORTION_S = 2.0
LONGEST_PORTION_S = 30.0
PORTION_RUNS = 16


class Local:
    """Threads of this process."""

    def __init__(self, workers: int | None = None) -> None:
        if workers is not None and workers < 0:
            raise UsageError(f"workers must be at least 1 (or 0 for one a core), not {workers}")
        self.workers = min(workers or 0, MOST_THREADS)

    def cores(self) -> int:
        """Return how many threads there are."""
        return self.workers or machine.cores()

    def run(self, work: Work, store: Store, tick: Tick) -> None:
        """See Executor. Several coordinators on one store share the work, a portion at a time."""
        study, cells, tasks, seconds = work
        there = dict(enumerate(cells))
        keys = {number: cell.key for number, cell in there.items()}
        costs = {t.cell: cost / t.replications for t, cost in zip(tasks, seconds, strict=True)}
        computing, claims = Computing(study, there, self.workers), Claims(store.path, keys)
        wanted, going = sum(task.replications for task in tasks), True
        try:
            while going:
                claims.look()
                store.look()
                left = plan.left(tasks, keys, store.covered())
                if not left:
                    return
                done = wanted - sum(task.replications for task in left) - computing.done

                def tell(count: int, before: int = done) -> bool:
                    nonlocal going
                    claims.beat()
                    going = tick(before + count)
                    return going

                portion = self._portion(claims.free(left), costs)
                if not portion:
                    time.sleep(WAIT_S)  # for what others have begun
                    tell(computing.done)
                    continue
                computing.run(claims.take(portion), store.write, tell)
        finally:
            claims.release()

    def _portion(self, free: Sequence[Task], costs: Mapping[int, float]) -> list[Task]:
        """Return a quarter of what is free, within limits: the first tasks, for this coordinator."""
        cores, whole = self.cores(), sum(costs[task.cell] * task.replications for task in free)
        portion: list[Task] = []
        spent, runs = 0.0, 0
        limit = min(max(whole / 4, SHORTEST_PORTION_S * cores), LONGEST_PORTION_S * cores)
        for task in free:
            portion.append(task)
            spent += costs[task.cell] * task.replications
            runs += task.replications
            # Threads wait for each other at the end of a portion, which costs little with this many runs
            # each.
            if spent >= limit and runs >= PORTION_RUNS * cores:
                break
        return portion


NAMES = ("local", "dask", "slurm")


def executor(name: str | Executor, workers: int | None, options: Sequence[str] = ()) -> Executor:
    """Return an executor by name.

    Args:
        name: ``local``; ``dask`` for workers on this machine, ``dask:ADDRESS`` for a scheduler, ``dask:slurm`` for
            workers that SLURM starts; ``slurm`` for an array of jobs.
        workers: How many; by default one a core, or what the cluster has.
        options: Lines for sbatch, such as ``--partition=short``.

    Raises:
        UsageError: There is no such executor, or what it needs is not installed.
    """
    if not isinstance(name, str):
        return name
    kind, _, where = name.partition(":")
    if kind == "dask":
        from lasthop.study.dask import Dask

        return Dask(where, workers, options)
    if kind == "slurm" and not where:
        from lasthop.study.slurm import Slurm

        return Slurm(workers, options)
    if name == "local":
        return Local(workers)
    raise UsageError(
        f"no executor {name!r}{offered(kind, NAMES, 'local, dask, dask:ADDRESS, dask:slurm, slurm')}"
    )
