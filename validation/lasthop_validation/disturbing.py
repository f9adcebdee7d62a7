"""A small study, and ways to disturb its sweep: what the kill tests share."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from lasthop.study import plan
from lasthop.study.cells import cells
from lasthop.study.manifest import manifest
from lasthop.study.reader import read
from lasthop.study.rows import cell_table
from lasthop.study.slurm import write_tasks
from lasthop.study.store import Store

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

SCENARIO = """
duration = "1 s"

[[link]]
ends = ["server", "ap"]
rate = "5 Mbps"
delay = "2 ms"

[[cell]]
name = "cell"
access_point = "ap"
stations = ["phone", "laptop"]

[phy]
standard = "802.11"
rate = "2 Mbps"

[[flow]]
name = "voice"
from = "phone"
to = "server"
transport = "udp"
app = { kind = "cbr", rate = "32 kbps", payload = "200 B" }

[[flow]]
name = "bulk"
from = "server"
to = "laptop"
app = "bulk"
"""

STUDY = """
[study]
name = "small"
scenario = "small.toml"
replications = 12
metrics = ["goodput_bps", "voice.delay_s.p95", "jain"]

[axes]
"mac.short_retry_limit" = [2, 7]
tcp.window = ["4 packets", "16 packets"]
"""


def written(folder: Path, replications: int) -> Path:
    """Write the study and its scenario; return the study's path."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "small.toml").write_text(SCENARIO)
    path = folder / "study.toml"
    path.write_text(STUDY.replace("= 12", f"= {replications}"))
    return path


def hasty(*arguments: object) -> subprocess.Popen[bytes]:
    """Start the command line with short batches."""
    command = [sys.executable, "-c", HASTY, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)


def batches(out: Path) -> int:
    """Return how many batches a store has."""
    return len(list(out.glob("rows/*.parquet")))


def kill(process: subprocess.Popen[bytes], out: Path, more: int, rng: random.Random) -> bool:
    """Kill a process at some moment after several more batches are there; return whether it still ran."""
    wanted = batches(out) + more
    while process.poll() is None and batches(out) < wanted:
        time.sleep(0.002)
    time.sleep(rng.random() * 0.02)
    ran = process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return ran


def kill_dask_worker(cluster: Any) -> bool:
    """Kill a worker of a local Dask cluster; return whether there was one. Its nanny starts another."""
    running = [nanny.pid for nanny in cluster.workers.values() if nanny.pid]
    if running:
        os.kill(running[0], signal.SIGKILL)
    return bool(running)


def hand_out(path: Path, out: Path, largest: int) -> None:
    """Write into a store what workers need, in tasks of at most `largest` replications."""
    study = read(path)
    found = cells(study)
    store = Store(out)
    targets = [study.replications] * len(found)
    store.describe(manifest(study, found), cell_table(found, targets, study.keys))
    keys, names = [cell.key for cell in found], [cell.metrics.names for cell in found]
    tasks = plan.missing(keys, names, targets, {}, [largest] * len(found))
    write_tasks(out, study, tasks)
