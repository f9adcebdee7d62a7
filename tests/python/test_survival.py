"""Sweeps that are killed, stores that are damaged: the rows are those of a run that nothing disturbed.

Short; `lasthop validate survival` kills more often, at more moments.
"""

import errno
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import pytest

import lasthop
from lasthop import store as files
from lasthop.study import computing
from lasthop.study.manifest import manifest
from lasthop.study.results import cell_table
from lasthop.study.slurm import work, write_tasks
from lasthop.study.store import Store
from studies import STUDY, Counting, study, written

#: Batches of some milliseconds, so that there are many moments at which one is half done.
HASTY = """
import sys
from lasthop.study import computing, sweeping
computing.FIRST_BATCH_S = computing.BATCH_S = computing.FETCH_S = 0.01
computing.HANDED = 64
sweeping.TASK_S = 0.004
from lasthop.cli import main
sys.argv[0] = "lasthop"
main()
"""

LONGER = STUDY.replace("replications = 12", "replications = 160")


@pytest.fixture(scope="module")
def serial(tmp_path_factory):
    folder = tmp_path_factory.mktemp("serial")
    return lasthop.sweep(study(folder, LONGER), folder / "out", workers=1).table()


def hasty(*arguments):
    """Start the command line with short batches."""
    command = [sys.executable, "-c", HASTY, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def killed(process, out, batches, rng):
    """Kill a process at some moment after so many batches are there."""
    there = batches + len(list(out.glob("rows/*.parquet")))
    while process.poll() is None and len(list(out.glob("rows/*.parquet"))) < there:
        time.sleep(0.002)
    time.sleep(rng.random() * 0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate()


def test_a_coordinator_killed_at_any_moment_loses_no_row(serial, tmp_path):
    path, out, rng = written(tmp_path, LONGER), tmp_path / "out", random.Random(1)
    for batches in (1, 3, 6):
        killed(hasty("sweep", path, "--out", out), out, batches, rng)
    assert len(list(out.glob("rows/*.parquet"))) >= 1
    hooks = Counting()
    result = lasthop.sweep(path, out, hooks=hooks)
    assert hooks.computed < 4 * 160
    assert hooks.messages == []
    assert result.table().equals(serial)


def test_workers_killed_and_run_again_lose_no_row(serial, tmp_path):
    path, out, rng = written(tmp_path, LONGER), tmp_path / "out", random.Random(2)
    prepare(path, out)
    workers = [hasty("worker", "--shard", f"{i}/2", out) for i in range(2)]
    for process in workers:
        killed(process, out, 1, rng)
    for shard in ("0/2", "1/2", "1/2"):  # the last as SLURM requeues a job that had finished
        work(out, shard, 1)
    hooks = Counting()
    result = lasthop.sweep(path, out, hooks=hooks)
    assert hooks.computed == 0
    assert result.table().equals(serial)


def prepare(path, out):
    """Write what workers need, in tasks of four replications."""
    read = lasthop.study.reader.read(path)
    found = lasthop.study.cells.cells(read)
    store = Store(out)
    targets = [read.replications] * len(found)
    units = {m.name: m.unit for m in found[0].metrics.all}
    store.describe(manifest(read, units), cell_table(found, targets, read.keys))
    keys, names = [c.key for c in found], [c.metrics.names for c in found]
    tasks = lasthop.study.plan.missing(keys, names, targets, {}, [4] * len(found))
    write_tasks(out, read, tasks)


def test_two_coordinators_on_one_store_write_no_row_twice(serial, tmp_path):
    path, out = written(tmp_path, LONGER), tmp_path / "out"
    both = [hasty("sweep", path, "--out", out) for _ in range(2)]
    for process in both:
        _, said = process.communicate(timeout=60)
        assert process.returncode == 0, said
    result = lasthop.Results(out)
    assert result.complete
    assert result.table().equals(serial)


DAMAGE = {
    "cut": lambda content: content[: len(content) // 2],
    "empty": lambda content: b"",
    "footer": lambda content: content[:-4] + b"XXXX",
    "bit": lambda content: content[:60] + bytes([content[60] ^ 1]) + content[61:],
    "other": lambda content: b"no parquet at all",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_batch_is_noticed_and_computed_again(tmp_path, damage):
    path, out = written(tmp_path), tmp_path / "out"
    whole = lasthop.sweep(path, out).table()
    (batch,) = out.glob("rows/*.parquet")
    batch.write_bytes(DAMAGE[damage](batch.read_bytes()))
    hooks = Counting()
    result = lasthop.sweep(path, out, hooks=hooks)
    assert len(hooks.messages) == 1
    assert f"{batch.name} is broken" in hooks.messages[0]
    assert hooks.computed == 4 * 12
    assert result.table().equals(whole)
    assert lasthop.sweep(path, out, hooks=Counting()).table().equals(whole)


def test_a_batch_under_another_name_is_not_taken_for_what_it_is_not(tmp_path):
    path, out = written(tmp_path), tmp_path / "out"
    whole = lasthop.sweep(path, out).table()
    (batch,) = out.glob("rows/*.parquet")
    batch.rename(batch.with_name("0" * 24 + ".parquet"))
    hooks = Counting()
    assert lasthop.sweep(path, out, hooks=hooks).table().equals(whole)
    assert "its name is that of another batch" in hooks.messages[0]


def test_a_full_disk_is_said_and_what_was_written_stays(tmp_path, monkeypatch):
    path, out = written(tmp_path), tmp_path / "out"
    whole = lasthop.sweep(path, tmp_path / "whole").table()
    monkeypatch.setattr(computing, "FIRST_BATCH_S", 0.0)
    monkeypatch.setattr(computing, "BATCH_S", 0.0)
    written_, space = files.write_bytes, 2

    def write_bytes(target, content):
        nonlocal space
        if target.parent.name == "rows":
            if space == 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(target))
            space -= 1
        return written_(target, content)

    monkeypatch.setattr(files, "write_bytes", write_bytes)
    with pytest.raises(lasthop.LasthopError, match=r"No space left.*make room and run the same"):
        lasthop.sweep(path, out)
    assert len(list(out.glob("rows/*"))) == 2
    monkeypatch.setattr(files, "write_bytes", written_)
    hooks = Counting()
    assert lasthop.sweep(path, out, hooks=hooks).table().equals(whole)
    assert 0 < hooks.computed < 4 * 12


def test_a_disk_that_fills_up_leaves_no_half_file(tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(small)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root can mount a small disk")
    try:
        with pytest.raises(lasthop.LasthopError, match="No space left"):
            lasthop.sweep(study(tmp_path, LONGER.replace("160", "1500")), small / "out")
        left = [path.name for path in small.rglob("*") if path.is_file()]
        assert not [name for name in left if name.startswith(".")]
        store = Store(small / "out")
        store.look()
        assert store.broken == {}
    finally:
        subprocess.run(["umount", str(small)], check=True)


def test_a_store_that_cannot_be_written_to_can_be_read(tmp_path):
    path, out = written(tmp_path), tmp_path / "out"
    whole = lasthop.sweep(path, out).table()
    more = path.with_name("more.toml")
    more.write_text(STUDY.replace("12", "13"))
    code = (
        "import lasthop, sys\n"
        "print(lasthop.sweep(sys.argv[1], sys.argv[2]).table().num_rows)\n"
        "print(lasthop.Results(sys.argv[2]).complete)\n"
        "lasthop.sweep(sys.argv[3], sys.argv[2])\n"
    )
    command = [sys.executable, "-c", code, str(path), str(out), str(more)]
    with unwritable(tmp_path, out) as run:
        ran = run(command)
    assert ran.stdout.split() == [str(whole.num_rows), "True"]
    assert "cannot write" in ran.stderr
    assert lasthop.sweep(path, out).table().equals(whole)


class unwritable:  # noqa: N801, reads as a statement
    """A directory that nobody can write to, root neither: mounted read-only."""

    def __init__(self, folder, out):
        self.folder, self.out = folder, out

    def __enter__(self):
        if os.geteuid() != 0:
            for path in (self.out, self.out / "rows"):
                path.chmod(0o555)
            return lambda command: subprocess.run(
                command, capture_output=True, text=True, check=False
            )
        bind = f"mount --bind {self.out} {self.out} && mount -o remount,ro,bind {self.out}"
        if subprocess.run(bind, shell=True, capture_output=True, check=False).returncode:
            pytest.skip("root can write everywhere, and nothing can be mounted")
        return lambda command: subprocess.run(command, capture_output=True, text=True, check=False)

    def __exit__(self, *_):
        if os.geteuid() != 0:
            for path in (self.out, self.out / "rows"):
                path.chmod(0o755)
        else:
            subprocess.run(["umount", str(self.out)], check=True)


def test_dask_workers_killed_lose_no_row(serial, tmp_path, monkeypatch):
    distributed = pytest.importorskip("distributed")
    from lasthop.study.dask import Dask

    monkeypatch.setattr(lasthop.study.executors, "SHORTEST_S", 0.02)
    monkeypatch.setattr(lasthop.study.sweeping, "TASK_S", 0.004)
    path, out = written(tmp_path, LONGER), tmp_path / "out"
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    )
    try:
        hooks = Counting()

        def kill_one(status):
            workers = list(cluster.workers.values())
            if workers and len(hooks.messages) < 2 and status.done > 40 * len(hooks.messages):
                hooks.messages.append("killed")
                os.kill(workers[0].pid, signal.SIGKILL)

        hooks.progress = kill_one
        result = lasthop.sweep(path, out, executor=Dask(cluster.scheduler_address, 2), hooks=hooks)
    finally:
        cluster.close()
    assert hooks.messages == ["killed", "killed"]
    assert result.table().equals(serial)


def test_slurm_runs_an_array(serial, tmp_path):
    if shutil.which("sbatch") is None or subprocess.run(["sinfo"], capture_output=True).returncode:
        pytest.skip("no SLURM here; `lasthop validate survival` starts one where slurm-wlm is")
    path, out = written(tmp_path, LONGER), tmp_path / "out"
    result = lasthop.sweep(path, out, executor="slurm", workers=2)
    assert result.table().equals(serial)
