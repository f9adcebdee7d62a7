"""Sweeps that are killed, stores that are damaged: the rows are those of a run that nothing disturbed.

Short; `lasthop validate survival` kills more often, at more moments.
"""

import errno
import os
import random
import subprocess
import sys
import time

import pytest

import lasthop
from lasthop.core import safe_files as files
from lasthop.study import computing, plan
from lasthop.study.cells import cells
from lasthop.study.executors import Local
from lasthop.study.slurm import work
from lasthop.study.store import Store
from lasthop_validation import slurm_host
from lasthop_validation.disturbing import batches, hand_out, hasty, kill, kill_dask_worker
from studies import STUDY, Counting, study, written

LONGER = STUDY.replace("replications = 12", "replications = 96")


@pytest.fixture(scope="module")
def serial(tmp_path_factory):
    folder = tmp_path_factory.mktemp("serial")
    return lasthop.sweep(study(folder, LONGER), folder / "out", workers=1).table()


def test_a_coordinator_killed_at_any_moment_loses_no_row(serial, tmp_path):
    path, out, rng = written(tmp_path, LONGER), tmp_path / "out", random.Random(1)
    for more in (1, 3, 6):
        kill(hasty("sweep", path, "--out", out), out, more, rng)
    assert batches(out) >= 1
    hooks = Counting()
    result = lasthop.sweep(path, out, hooks=hooks)
    assert hooks.computed < 4 * 96
    assert hooks.messages == []
    assert result.table().equals(serial)


def test_workers_killed_and_run_again_lose_no_row(serial, tmp_path):
    path, out, rng = written(tmp_path, LONGER), tmp_path / "out", random.Random(2)
    hand_out(path, out, 4)
    workers = [hasty("worker", "--shard", f"{i}/2", out) for i in range(2)]
    for process in workers:
        kill(process, out, 1, rng)
    for shard in ("0/2", "1/2", "1/2"):  # the last as SLURM requeues a job that had finished
        work(out, shard, 1)
    hooks = Counting()
    result = lasthop.sweep(path, out, hooks=hooks)
    assert hooks.computed == 0
    assert result.table().equals(serial)


def test_two_coordinators_on_one_store_write_no_row_twice(serial, tmp_path):
    path, out = written(tmp_path, LONGER), tmp_path / "out"
    both = [hasty("sweep", path, "--out", out) for _ in range(2)]
    for process in both:
        _, said = process.communicate(timeout=300)
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


def test_a_damaged_batch_that_somebody_else_computes_again_is_taken(tmp_path):
    path, out = written(tmp_path), tmp_path / "out"
    whole = lasthop.sweep(path, out).table()
    (batch,) = out.glob("rows/*.parquet")
    batch.write_bytes(b"")

    class Elsewhere(Local):
        def run(self, work, store, tick):
            super().run(work, Store(store.path), tick)

    assert lasthop.sweep(path, out, executor=Elsewhere()).table().equals(whole)


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
    with pytest.raises(
        lasthop.LasthopError, match=r"No space left.*free some space and run the same"
    ):
        lasthop.sweep(path, out)
    assert len(list(out.glob("rows/*"))) == 2
    monkeypatch.setattr(files, "write_bytes", written_)
    hooks = Counting()
    assert lasthop.sweep(path, out, hooks=hooks).table().equals(whole)
    assert 0 < hooks.computed < 4 * 12


def test_a_disk_that_fills_up_leaves_no_half_file(tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=32k", "tmpfs", str(small)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root can mount a small disk")
    try:
        with pytest.raises(lasthop.LasthopError, match="No space left"):
            lasthop.sweep(study(tmp_path, LONGER.replace("96", "1500")), small / "out")
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


def test_dask_workers_killed_lose_no_row(tmp_path, monkeypatch):
    distributed = pytest.importorskip("distributed")
    from lasthop.study.dask import Dask

    # Seconds of work: a sweep that is done at once is done before a busy machine hears of its first part.
    much = STUDY.replace("replications = 12", "replications = 2000")
    serial = lasthop.sweep(written(tmp_path, much), tmp_path / "serial", workers=1).table()
    monkeypatch.setattr(lasthop.study.executing, "SHORTEST_S", 0.1)
    monkeypatch.setattr(lasthop.study.sweeping, "TASK_S", 0.05)
    path, out = written(tmp_path, much), tmp_path / "out"
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    )
    try:
        hooks, reached = Counting(), [0]  # the progress at each kill

        def kill_one(status):
            # As soon as more is done than at the kill before: on a busy machine progress comes in few large steps.
            if len(reached) < 3 and status.done > reached[-1] and kill_dask_worker(cluster):
                reached.append(status.done)

        hooks.progress = kill_one
        result = lasthop.sweep(path, out, executor=Dask(cluster.scheduler_address, 2), hooks=hooks)
    finally:
        cluster.close()
    assert len(reached) == 3
    assert result.table().equals(serial)


def test_slurm_runs_an_array(serial, tmp_path):
    if why := slurm_host.missing():
        if os.environ.get("LASTHOP_REQUIRE_TOOLS"):
            pytest.fail(why)
        pytest.skip(why)
    path, out = written(tmp_path, LONGER), tmp_path / "out"
    with slurm_host.slurm():
        result = lasthop.sweep(path, out, executor="slurm", workers=2)
        assert "--array=0-1" in (out / "slurm" / "array.sbatch").read_text()
        assert result.table().equals(serial)
        # The array of a killed sweep does not run on beside that of the next.
        other = tmp_path / "killed"
        command = [sys.executable, "-m", "lasthop", "sweep", path, "--out", other]
        waiting = ["--executor", "slurm", "--sbatch=--begin=now+1hour"]
        killed = subprocess.Popen([*command, *waiting], stdout=subprocess.DEVNULL)
        while not (other / "slurm" / "job.json").exists():
            assert killed.poll() is None
            time.sleep(0.1)
        killed.kill()
        killed.wait()
        queued = ["squeue", "--noheader"]
        assert subprocess.check_output(queued, text=True).strip()
        result = lasthop.sweep(path, other, executor="slurm", workers=2)
        assert not subprocess.check_output(queued, text=True).strip()
    assert result.table().equals(serial)


def test_a_run_that_is_handed_on_twice_counts_once(tmp_path):
    """Ctrl-C may come in the midst of taking a run's numbers: they are then handed on again."""
    asked = study(tmp_path)
    cell = cells(asked)[0]
    written = []
    rows = computing._Rows(computing.Computing(asked, {0: cell}), written.extend, lambda done: True)
    rows.begin([plan.Task(0, 2, 0, cell.metrics.names)])
    numbers = [1.0] * len(rows.metrics[0].leaves)
    rows.take(0, numbers)
    rows.take(0, numbers)
    rows.flush()
    assert not written, "one of two runs is there"
    rows.take(1, numbers)
    rows.take(1, numbers)
    rows.flush()
    assert [part.range for part in written] == [(0, 2)]


def test_ctrl_c_after_the_rename_is_still_ctrl_c(tmp_path, monkeypatch) -> None:
    """The temporary file is gone by then: no error about that may take the place of what the user asked."""
    replace = os.replace

    def interrupted(source, target):
        replace(source, target)
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        files.write_text(tmp_path / "whole", "all of it")
    assert [path.name for path in tmp_path.iterdir()] == ["whole"]
