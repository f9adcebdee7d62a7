"""Sweeps on a Dask cluster: workers compute, this process writes what they send back."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from lasthop import machine
from lasthop.core.engine import engine
from lasthop.errors import LasthopError, LawError, UsageError
from lasthop.extras import needed
from lasthop.study import batches, law_sources
from lasthop.study.batches import BrokenError, Part
from lasthop.study.cells import some_cells
from lasthop.study.computing import Computing
from lasthop.study.executing import Telling, Tick, Work, batched, claimed
from lasthop.study.leases import Claims
from lasthop.study.plan import Task
from lasthop.study.spec import Study
from lasthop.study.store import Store

#: Work of a batch, s: a task costs Dask some milliseconds, and a worker that dies loses its batch.
BATCH_S = 30.0

#: Longest wait for a batch between reports of progress, s.
WAIT_S = 0.5

#: Deaths of workers that a batch outlives within one round; the next round hands it out again.
RETRIES = 5

NO_WORKER = "a worker to connect to the scheduler (none is there)"


class Dask(Telling):
    """Workers of a Dask cluster.

    Args:
        where: The address of a scheduler; ``slurm`` for workers that SLURM starts (dask-jobqueue, as configured in
            its own files); empty for processes on this machine.
        workers: How many to start; by default one a core.
        options: Lines for sbatch.
    """

    def __init__(self, where: str, workers: int | None, options: Sequence[str] = ()) -> None:
        """Import what is needed; raises UsageError where it is not installed."""
        self.where, self.options = where, list(options)
        self.workers = workers or machine.cores()
        self.distributed: Any = needed("distributed")
        if where == "slurm":
            self.jobqueue: Any = needed("dask_jobqueue")

    def cores(self) -> int:
        """Return how many workers are asked for."""
        return self.workers

    def run(self, work: Work, store: Store, tick: Tick) -> None:
        """See Executor. What another coordinator has begun is left to it."""
        study, cells, tasks, seconds = work
        costs = {t.cell: cost / t.replications for t, cost in zip(tasks, seconds, strict=True)}
        claims = Claims(store.path, {cell.number: cell.key for cell in cells})

        def tell(done: int, waits_for: str = "") -> bool:
            self.waits_for = waits_for
            claims.beat()
            return tick(done)

        try:
            if mine := claimed(claims, tasks, store, lambda done: tell(done, self.OTHERS)):
                spent = [costs[task.cell] * task.replications for task in mine]
                before = sum(t.replications for t in tasks) - sum(t.replications for t in mine)
                batches_ = batched(mine, spent, BATCH_S, self.workers)
                self._batches(
                    law_sources.unloaded(study), batches_, before, (claims.keys, store, tell)
                )
        finally:
            self.waits_for = ""
            claims.release()

    def _batches(
        self,
        study: Study,
        some: Sequence[list[Task]],
        before: int,
        to: tuple[Mapping[int, str], Store, Callable[[int, str], bool]],
    ) -> None:
        """Hand batches out and collect them."""
        with self._client() as client:
            # The study goes with every batch: what is scattered is lost with the workers that hold it.
            futures = {
                client.submit(compute, study, batch, engine(), retries=RETRIES, pure=False): batch
                for batch in some
            }
            self._collect(client, futures, before, *to)

    def _collect(
        self,
        client: Any,
        futures: dict[Any, list[Task]],
        done: int,
        keys: Mapping[int, str],
        store: Store,
        tell: Callable[[int, str], bool],
    ) -> None:
        """Write what comes; a batch whose workers all died is left to the next round."""
        while futures:
            with suppress(TimeoutError, self.distributed.TimeoutError, CancelledError):
                self.distributed.wait(list(futures), timeout=WAIT_S, return_when="FIRST_COMPLETED")
            ended = [each for each in futures if each.status != "pending"]
            for future in ended:
                batch = futures.pop(future)
                if future.status == "finished":
                    with suppress(CancelledError):  # lost on its way, with the worker that had it
                        name, content = future.result()
                        refuse_foreign(name, content, {keys[task.cell] for task in batch})
                        store.write_encoded(name, content)
                        done += sum(task.replications for task in batch)
                elif future.status == "error":
                    _refuse(future.exception(), self.distributed.KilledWorker)
            lacks = not ended and not client.scheduler_info()["workers"]
            if not tell(done, NO_WORKER if lacks else ""):
                return

    @contextmanager
    def _client(self) -> Iterator[Any]:
        """Give a client of the cluster; what this process started of it ends with it."""
        import dask

        with (
            _quiet(),
            ExitStack() as stack,
            dask.config.set({"distributed.scheduler.allowed-failures": RETRIES}),
        ):
            if self.where and self.where != "slurm":
                yield stack.enter_context(self._connect())
                return
            if self.where == "slurm":
                cluster = self.jobqueue.SLURMCluster(
                    cores=1, processes=1, job_extra_directives=self.options
                )
                cluster.scale(self.workers)
            else:
                cluster = self.distributed.LocalCluster(
                    n_workers=self.workers,
                    threads_per_worker=1,
                    dashboard_address=None,
                    silence_logs=50,
                )
            stack.enter_context(cluster)
            yield stack.enter_context(self.distributed.Client(cluster))

    def _connect(self) -> Any:
        try:
            return self.distributed.Client(self.where, timeout=10)
        except (OSError, ValueError) as error:
            raise UsageError(f"no Dask scheduler at {self.where}: {error}") from None


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep what distributed logs of lost connections from the terminal: what matters is said in words."""
    # Each has a level of its own, by the configuration of distributed.
    names = [
        name for name in logging.root.manager.loggerDict if name.split(".")[0] == "distributed"
    ]
    before = {name: logging.getLogger(name).level for name in names}
    try:
        for name in names:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)


def _refuse(error: BaseException, killed: type[BaseException]) -> None:
    """Raise LasthopError for what is not the death of workers; what a law did wrong as it is."""
    if isinstance(error, LawError):
        raise error
    if isinstance(error, LasthopError):
        raise LasthopError(f"a worker failed: {error}") from None
    if not isinstance(error, killed):
        raise LasthopError(
            f"a worker failed: {error}\n"
            f"Workers need lasthop with the engine of this process, {engine()}."
        ) from None


def refuse_foreign(name: str, content: bytes, keys: Collection[str]) -> None:
    """Raise LasthopError where a batch is not of these cells, as from a worker with another engine."""
    try:
        pieces, table = batches.decode(name, content)
    except BrokenError as error:
        raise LasthopError(f"a worker returned a broken batch: {error}") from None
    if {piece.key for piece in pieces} - set(keys):
        raise LasthopError(
            f"a worker returned cells that it was not asked for: its engine is {batches.engine_of(table)}, "
            f"that of this process {engine()}. Install the same lasthop on all workers"
        )


def compute(study: Study, tasks: Sequence[Task], asked: str) -> tuple[str, bytes]:
    """Compute a batch on a worker; return its name and content. Raises LasthopError for another engine."""
    if asked != engine():
        raise LasthopError(
            f"the engine of the worker {socket.gethostname()} is {engine()}, that of the coordinator "
            f"{asked}. Install the same lasthop on both"
        )
    parts: list[Part] = []
    study = law_sources.loaded(study)
    cells = some_cells(study, {task.cell for task in tasks})
    Computing(study, cells, 1).run(tasks, parts.extend)
    return batches.encode(parts)
