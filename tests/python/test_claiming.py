"""Coordinators on one store: what one has begun, another leaves alone while its owner lives."""

import json
import os
import socket
import subprocess
import sys

import pytest

import lasthop
from lasthop.study import leases, plan
from lasthop.study.cells import cells
from lasthop.study.leases import Claims
from lasthop.study.sweeping import Hooks
from studies import study


@pytest.fixture
def work(tmp_path):
    """The tasks of a small study, and claims of coordinators on its store."""
    found = cells(study(tmp_path))
    keys, names = [cell.key for cell in found], [cell.metrics.names for cell in found]
    tasks = plan.missing(keys, names, [12] * 4, {}, [4] * 4)
    return tasks, lambda: Claims(tmp_path / "out", {cell.number: cell.key for cell in found})


def free(coordinator, tasks):
    coordinator.look()
    return coordinator.free(tasks)


def test_what_one_has_begun_the_other_leaves_alone(work, tmp_path):
    tasks, coordinator = work
    one, two = coordinator(), coordinator()
    assert free(two, tasks) == tasks
    assert one.take(tasks[:3]) == tasks[:3]
    assert free(two, tasks) == tasks[3:]
    assert free(one, tasks) == tasks
    assert two.take(tasks) == tasks[3:]  # as when both looked before either took
    wider = plan.Task(tasks[0].start, 8, tasks[0].cell, tasks[0].metrics)
    other = plan.Task(0, 4, 0, ("another metric",))
    rest = plan.Task(4, 8, tasks[0].cell, tasks[0].metrics)
    assert free(two, [wider, other]) == [rest, other]  # cut otherwise, it is the same work
    one.release()
    two.release()
    assert free(two, tasks) == tasks
    assert not (tmp_path / "out" / leases.FOLDER).exists()


def claim(tmp_path, **changes):
    """Write a claim by somebody else on everything; return its path."""
    found = cells(study(tmp_path))
    pieces = [[cell.key, 0, 4096, list(cell.metrics.names)] for cell in found]
    path = tmp_path / "out" / leases.FOLDER / "other.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    held = {
        "host": socket.gethostname(),
        "pid": os.getpid(),
        "taken": 0.0,
        "pieces": pieces,
    } | changes
    path.write_text(json.dumps(held))
    return path


def test_claims_of_the_dead_count_no_more(work, tmp_path):
    tasks, coordinator = work
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    assert free(coordinator(), tasks) == tasks
    path = claim(tmp_path, pid=dead.pid)
    assert free(coordinator(), tasks) == tasks
    assert not path.exists()
    path = claim(tmp_path, pid=dead.pid, host="elsewhere")
    assert free(coordinator(), tasks) == []
    old = path.stat().st_mtime - leases.STALE_S - 1
    os.utime(path, (old, old))
    assert free(coordinator(), tasks) == tasks
    path.write_text("{")
    assert free(coordinator(), tasks) == tasks


def test_a_sweep_waits_for_what_another_has_begun_and_does_the_rest(tmp_path):
    serial = lasthop.sweep(study(tmp_path), tmp_path / "serial", workers=1)
    path = claim(tmp_path)
    held = json.loads(path.read_text())
    held["pieces"] = held["pieces"][:1]
    path.write_text(json.dumps(held))
    seen = []

    def progress(status):
        seen.append(status.done)
        if seen[-3:] == [36, 36, 36]:  # it waits, and the other one gives up
            path.unlink()

    results = lasthop.sweep(study(tmp_path), tmp_path / "out", hooks=Hooks(progress=progress))
    assert seen.count(36) >= 3
    assert results.table().equals(serial.table())
