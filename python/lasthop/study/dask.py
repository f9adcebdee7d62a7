"""Sweeps on a Dask cluster: workers compute, this process writes what they send back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from lasthop import machine
from lasthop.errors import LasthopError, LawError, UsageError
from lasthop.extras import needed
from lasthop.study import batches, laws
from lasthop.study.batches import Part
from lasthop.study.cells import Cell, some_cells
from lasthop.study.computing import Computing
from lasthop.study.executors import Tick, batched
from lasthop.study.plan import Task
from lasthop.study.spec import Study
from lasthop.study.store import Store

#: Work of a batch, s: a task costs Dask some milliseconds, and a worker that dies loses its batch.
BATCH_S = 30.0

#: How long to wait for a batch before progress is told again, s.
WAIT_S = 0.5

#: Deaths of workers that a batch outlives within one round; the next round hands it out again.
RETRIES = 5


class Dask:
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

    def run(
        self,
        work: tuple[Study, Sequence[Cell], Sequence[Task], Sequence[float]],
        store: Store,
        tick: Tick,
    ) -> None:
        """See Executor."""
        study, _, tasks, seconds = work
        study = laws.unloaded(study)
        some = batched(tasks, seconds, BATCH_S, self.workers)
        with self._client() as client:
            # The study goes with every batch: what is scattered is lost with the workers that hold it.
            futures = {
                client.submit(compute, study, batch, retries=RETRIES, pure=False): batch
                for batch in some
            }
            self._collect(futures, store, tick)

    def _collect(self, futures: dict[Any, list[Task]], store: Store, tick: Tick) -> None:
        """Write what comes; a batch whose workers all died is left to the next round."""
        done = 0
        while futures:
            with suppress(TimeoutError, self.distributed.TimeoutError, CancelledError):
                self.distributed.wait(list(futures), timeout=WAIT_S, return_when="FIRST_COMPLETED")
            for future in [each for each in futures if each.status != "pending"]:
                batch = futures.pop(future)
                if future.status == "finished":
                    with suppress(CancelledError):  # lost on its way, with the worker that had it
                        store.write_encoded(*future.result())
                        done += sum(task.replications for task in batch)
                elif future.status == "error":
                    _refuse(future.exception(), self.distributed.KilledWorker)
            if not tick(done):
                return

    @contextmanager
    def _client(self) -> Iterator[Any]:
        """Give a client of the cluster; what this process started of it ends with it."""
        import dask

        with (
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


def _refuse(error: BaseException, killed: type[BaseException]) -> None:
    """Raise LasthopError for what is not the death of workers; what a law did wrong as it is."""
    if isinstance(error, LawError):
        raise error
    if not isinstance(error, killed):
        raise LasthopError(f"a worker failed: {error}") from None


def compute(study: Study, tasks: Sequence[Task]) -> tuple[str, bytes]:
    """Compute a batch on a worker; return its name and content."""
    parts: list[Part] = []
    study = laws.loaded(study)
    cells = some_cells(study, {task.cell for task in tasks})
    Computing(study, cells, 1).run(tasks, parts.extend)
    return batches.encode(parts)
