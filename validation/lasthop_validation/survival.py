"""Sweeps that are killed again and again: no row is lost, none is there twice, none is another.

Every check counts the rows in which a disturbed sweep, run to its end, differs from one that nothing disturbed.
"""

from __future__ import annotations

import random
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from lasthop.study import slurm as arrays
from lasthop.study.sweeping import Hooks, Status, sweep
from lasthop.study.swept import Results
from lasthop_validation import slurm_host
from lasthop_validation.checking import Check, exact
from lasthop_validation.disturbing import hand_out, hasty, kill, kill_dask_worker, written

GROUP = "rows that differ"
REASON = "rows are those of a serial run, whatever happens: none lost, none twice"


def checks(quick: bool) -> list[Check]:
    """Disturb sweeps of a small study; SLURM and Dask only where they are there."""
    replications, kills = (100, 4) if quick else (1000, 40)
    with tempfile.TemporaryDirectory(prefix="survival") as name:
        folder = Path(name)
        path = written(folder, replications)
        serial = _rows(sweep(path, folder / "serial", workers=1))
        found = [_coordinators(path, folder / "killed", kills, serial)]
        found.append(_workers(path, folder / "workers", kills, serial))
        found.append(_two(path, folder / "two", serial))
        found += _dask(path, folder / "dask", serial)
        found += _slurm(path, folder / "slurm", serial, requeue=not quick)
    return found


def _check(name: str, results: Results, serial: Counter[Any]) -> Check:
    rows = _rows(results)
    return exact(GROUP, name, ((serial - rows) + (rows - serial)).total(), 0, REASON)


def _rows(results: Results) -> Counter[Any]:
    table = results.table()
    columns = (
        table.column(name).to_pylist() for name in ("cell", "replication", "metric", "value")
    )
    return Counter(zip(*columns, strict=True))


def _coordinators(path: Path, out: Path, kills: int, serial: Counter[Any]) -> Check:
    rng, done = random.Random(1), 0
    for _ in range(kills):
        done += kill(hasty("sweep", path, "--out", out), out, rng.choice((0, 1, 1, 2, 5)), rng)
    return _check(f"{done} coordinators killed", sweep(path, out), serial)


def _workers(path: Path, out: Path, kills: int, serial: Counter[Any]) -> Check:
    rng, done = random.Random(2), 0
    hand_out(path, out, 4)
    for _ in range(kills // 2):
        both = [hasty("worker", "--shard", f"{shard}/2", out) for shard in range(2)]
        done += sum(kill(process, out, 1, rng) for process in both)
    for shard in ("0/2", "1/2", "1/2"):  # the last as SLURM runs a job again that had finished
        arrays.work(out, shard, 1)
    return _check(f"{done} workers killed", Results(out), serial)


def _two(path: Path, out: Path, serial: Counter[Any]) -> Check:
    for process in [hasty("sweep", path, "--out", out) for _ in range(2)]:
        process.communicate()
    return _check("two coordinators at once", Results(out), serial)


def _dask(path: Path, out: Path, serial: Counter[Any]) -> list[Check]:
    try:
        import distributed
    except ImportError:
        return []
    from lasthop.study.dask import Dask

    killed = 0
    cluster: Any = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    )

    def kill_one(status: Status) -> None:
        nonlocal killed
        if killed < 3 and status.done >= killed * status.wanted // 5:
            killed += kill_dask_worker(cluster)

    try:
        executor = Dask(cluster.scheduler_address, 2)
        results = sweep(path, out, executor=executor, hooks=Hooks(progress=kill_one))
    finally:
        cluster.close()
    return [_check(f"{killed} Dask workers killed", results, serial)]


def _slurm(path: Path, out: Path, serial: Counter[Any], *, requeue: bool) -> list[Check]:
    """Run an array on a SLURM of our own; requeue one of its jobs, which SLURM runs again after two minutes."""
    if slurm_host.missing():
        return []
    requeued: list[int] = []

    def again(status: Status) -> None:
        jobs = _array_jobs()
        if requeue and jobs and not requeued:
            ran = subprocess.run(["scontrol", "requeue", jobs[0]], capture_output=True, check=False)
            requeued.append(ran.returncode)

    with slurm_host.slurm():
        hooks = Hooks(progress=again)
        results = sweep(path, out, executor="slurm", workers=2, hooks=hooks)
        said = "a SLURM array" + (", a job requeued" if requeued == [0] else "")
    return [_check(said, results, serial)]


def _array_jobs() -> list[str]:
    time.sleep(0.5)
    command = ["squeue", "--noheader", "--states=RUNNING", "-o", "%i"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.split()
