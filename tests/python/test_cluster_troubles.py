"""Sweeps on clusters that fail for a while, or compute with another engine: nothing is lost, and it is said."""

from __future__ import annotations

import math
import os
from pathlib import Path

import pytest

import lasthop
from lasthop import _core
from lasthop.errors import LasthopError
from lasthop.study import batches, controller, dask, reader, slurm
from lasthop.study.cells import cells
from lasthop.study.leases import Claims
from lasthop.study.plan import Task
from lasthop.study.sweeping import Hooks

STUDY = """
[study]
name = "small"
replications = 4
metrics = ["goodput_bps"]
[axes]
link.0.loss = [0.001, 0.01]
[scenario]
duration = "1 s"
link = [{ ends = ["a", "b"], rate = "1 Mbps", delay = "5 ms" }]
flow = [{ name = "one", from = "a", to = "b" }]
"""

SBATCH = """#!/bin/sh
# The last argument is the script: its jobs run here, one after the other, before this ends.
for script; do :; done
echo submitted >> "$CALLS/sbatch"
[ -e "$CALLS/idle" ] || SLURM_ARRAY_TASK_ID=0 sh "$script" > "$(dirname "$script")/7_0.log" 2>&1
echo 7
"""


@pytest.fixture
def cluster(tmp_path, monkeypatch):
    """Fake commands of SLURM; returns a function that writes them, and the folder of their calls."""
    folder, calls = tmp_path / "bin", tmp_path / "calls"
    folder.mkdir()
    calls.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("CALLS", str(calls))
    monkeypatch.setattr(slurm, "LOOK_S", 0.01)

    def write(name: str, text: str) -> None:
        (folder / name).write_text(text if text.startswith("#!") else f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)

    write("sbatch", SBATCH)
    write("squeue", "exit 0")
    write("scancel", 'echo "$@" >> "$CALLS/scancel"')
    return write, calls


def study(folder: Path, text: str = STUDY) -> Path:
    path = folder / "study.toml"
    path.write_text(text)
    return path


def sweep(folder: Path, said: list[str], progress=lambda status: None, **more):
    hooks = Hooks(said=said.append, progress=progress)
    return lasthop.sweep(study(folder), folder / "out", hooks=hooks, workers=1, **more)


def test_a_controller_that_is_away_ends_no_sweep(cluster, tmp_path):
    write, calls = cluster
    (calls / "idle").touch()
    away = """
    echo x >> "$CALLS/squeue"
    case $(wc -l < "$CALLS/squeue") in
    1|2|3) echo "slurm_load_jobs error: Unable to contact slurm controller (connect failure)" >&2; exit 1;;
    4) echo "PENDING|Priority"; exit 0;;
    5) rm "$CALLS/idle"; sbatch "$STORE/slurm/array.sbatch" > /dev/null; echo "RUNNING|None"; exit 0;;
    esac"""
    write("squeue", away.replace("$STORE", str(tmp_path / "out")))
    seen = []
    results = sweep(tmp_path, [], seen.append, executor="slurm")
    assert results.complete
    assert not (calls / "scancel").exists()
    told = [status.now for status in seen]
    assert any("Unable to contact" in now for now in told)
    assert any("reason: Priority" in now for now in told)
    # While nothing has come nothing is foretold.
    assert all(math.isnan(status.left_s) for status in seen if status.done == 0)


def test_an_array_that_cannot_be_cancelled_is_not_forgotten(cluster, tmp_path):
    write, calls = cluster
    (calls / "idle").touch()
    write("squeue", 'echo "PENDING|Resources"')
    write("scancel", "echo 'scancel: error: timed out' >&2; exit 1")

    def interrupt(status):
        if "Resources" in status.now:
            raise KeyboardInterrupt

    said = []
    with pytest.raises(KeyboardInterrupt):
        sweep(tmp_path, said, interrupt, executor="slurm")
    job = tmp_path / "out" / "slurm" / "job.json"
    assert '"7"' in job.read_text()
    assert any("scancel 7" in each for each in said)
    # The next sweep here does not submit while it cannot cancel what is left, and cancels it when it can.
    gone = job.read_text().replace(str(os.getpid()), "999999999")
    job.write_text(gone)
    with pytest.raises(LasthopError, match="array 7 of an earlier sweep"):
        sweep(tmp_path, said, executor="slurm")
    assert job.read_text() == gone
    write("scancel", 'echo "$@" >> "$CALLS/scancel"')
    write("squeue", "exit 0")
    (calls / "idle").unlink()
    assert sweep(tmp_path, said, executor="slurm").complete
    assert (calls / "scancel").read_text().split() == ["7"]
    assert not job.exists()


def test_what_another_coordinator_has_begun_is_not_submitted_too(cluster, tmp_path):
    _, calls = cluster
    there = cells(reader.read(study(tmp_path)))
    other = Claims(tmp_path / "out", {cell.number: cell.key for cell in there})
    names = there[0].metrics.names
    other.take([Task(0, 4, cell.number, names) for cell in there])
    seen = []

    def progress(status):
        seen.append(status.now)
        if "another sweep" in status.now:
            assert not (calls / "sbatch").exists()
            other.release()

    assert sweep(tmp_path, [], progress, executor="slurm").complete
    assert any("another sweep" in now for now in seen)
    assert (calls / "sbatch").read_text().count("submitted") == 1


def test_a_job_that_fails_is_told_with_its_log(cluster, tmp_path):
    write, _ = cluster
    write("sbatch", SBATCH.replace('sh "$script"', "sh -c 'echo no such node; exit 1'"))
    said = []
    with pytest.raises(LasthopError, match="rounds computed nothing"):
        sweep(tmp_path, said, executor="slurm")
    assert any("7_0.log" in each and "no such node" in each for each in said)


def test_a_job_that_slurm_has_forgotten_is_over(cluster):
    write, _ = cluster
    write("squeue", "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1")
    assert controller.look("7").is_over


def test_a_worker_with_another_engine_refuses(tmp_path):
    read = reader.read(study(tmp_path))
    task = Task(0, 1, 0, cells(read)[0].metrics.names)
    with pytest.raises(LasthopError, match=r"that of the coordinator 0\.0-other"):
        dask.compute(read, [task], "0.0-other")
    name, content = dask.compute(read, [task], _core.__engine__)
    dask.refuse_foreign(name, content, {cells(read)[0].key})


def test_rows_of_other_cells_are_not_written(tmp_path):
    read = reader.read(study(tmp_path))
    there = cells(read)
    name, content = dask.compute(read, [Task(0, 1, 0, there[0].metrics.names)], _core.__engine__)
    with pytest.raises(LasthopError, match="cells that it was not asked for"):
        dask.refuse_foreign(name, content, {there[1].key})
    with pytest.raises(LasthopError, match="broken batch"):
        dask.refuse_foreign(name, content[:-20], {there[0].key})


def test_rows_of_another_engine_or_scenario_are_told(tmp_path, monkeypatch):
    said: list[str] = []
    assert sweep(tmp_path, said).complete
    assert not said
    rows = tmp_path / "out" / "rows"
    written = sum(len(batches.read(path)[1]["cell"]) for path in rows.iterdir())
    (tmp_path / "study.toml").unlink()
    engine = _core.__engine__
    monkeypatch.setattr(_core, "__engine__", "0.0-other")
    hooks = Hooks(said=said.append)
    lasthop.sweep(study(tmp_path, STUDY.replace("5 ms", "6 ms")), tmp_path / "out", hooks=hooks)
    assert said == [
        f"{written} rows in {tmp_path / 'out'} are of the engine {engine}, and this is 0.0-other; "
        "they are not used"
    ]
