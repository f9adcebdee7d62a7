"""SLURM on this one host, for as long as it is needed: its own key, ports and folders, nothing of the system's."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

#: Longest start of the daemons, s.
START_S = 30.0

CONFIGURATION = """\
ClusterName=lasthop
SlurmctldHost={host}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge.sock
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldPort={port}
SlurmdPort={next_port}
# On one host without cgroups.
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
SwitchType=switch/none
JobCompType=jobcomp/none
AccountingStorageType=accounting_storage/none
MailProg=/bin/true
ReturnToService=2
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
# dask-jobqueue's requests are refused without a size of the memory.
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=2000 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def missing() -> str:
    """Return why SLURM cannot be started here, or an empty string."""
    if os.geteuid() != 0:
        return "only root can start SLURM's daemons"
    gone = [name for name in ("munged", "slurmctld", "slurmd", "sbatch") if not shutil.which(name)]
    return f"{', '.join(gone)} not here: apt install slurm-wlm" if gone else ""


@contextmanager
def slurm(cpus: int = 2) -> Iterator[None]:
    """Run SLURM with one node; its commands find it by SLURM_CONF.

    Raises RuntimeError where it does not start.
    """
    before = os.environ.get("SLURM_CONF")
    # munged insists on folders that nobody else can write to, and on short names of sockets.
    with tempfile.TemporaryDirectory(prefix="slurm", dir="/tmp") as name:
        folder = Path(name)
        folder.chmod(0o755)
        daemons: list[subprocess.Popen[bytes]] = []
        try:
            _configure(folder, cpus)
            os.environ["SLURM_CONF"] = str(folder / "slurm.conf")
            daemons.append(_start(folder, *_munge(folder)))
            _wait_for(lambda: (folder / "munge.sock").exists(), folder)
            daemons.append(_start(folder, "slurmctld", "-D", "-c"))
            daemons.append(_start(folder, "slurmd", "-D", "-c"))
            _wait_for(_idle, folder)
            try:
                yield
            finally:
                # A job outlives its daemon.
                subprocess.run(["scancel", "--partition=all"], capture_output=True, check=False)
                _wait_for(_no_job, folder)
        finally:
            for daemon in reversed(daemons):
                daemon.send_signal(signal.SIGTERM)
            for daemon in daemons:
                _end(daemon)
            if before is None:
                os.environ.pop("SLURM_CONF", None)
            else:
                os.environ["SLURM_CONF"] = before


def _configure(folder: Path, cpus: int) -> None:
    for name in ("state", "spool"):
        (folder / name).mkdir()
    key = folder / "munge.key"
    key.write_bytes(secrets.token_bytes(1024))
    key.chmod(0o600)
    host = socket.gethostname().split(".")[0]
    port = _free_port()
    text = CONFIGURATION.format(host=host, folder=folder, port=port, next_port=port + 1, cpus=cpus)
    (folder / "slurm.conf").write_text(text)


def _munge(folder: Path) -> list[str]:
    files = {
        "key-file": "key",
        "socket": "sock",
        "pid-file": "pid",
        "log-file": "log",
        "seed-file": "seed",
    }
    options = [f"--{option}={folder}/munge.{ending}" for option, ending in files.items()]
    return ["munged", "--force", "--foreground", *options]


def _start(folder: Path, *command: str) -> subprocess.Popen[bytes]:
    with (folder / f"{command[0]}.out").open("wb") as out:
        return subprocess.Popen(command, stdout=out, stderr=out)


def _idle() -> bool:
    ran = subprocess.run(
        ["sinfo", "--noheader", "-o", "%t"], capture_output=True, text=True, check=False
    )
    return ran.stdout.strip() == "idle"


def _no_job() -> bool:
    ran = subprocess.run(["squeue", "--noheader"], capture_output=True, text=True, check=False)
    return not ran.stdout.strip()


def _wait_for(ready: Callable[[], bool], folder: Path) -> None:
    end = time.monotonic() + START_S
    while not ready():
        if time.monotonic() > end:
            said = "\n".join(path.read_text() for path in sorted(folder.glob("*.out")))
            raise RuntimeError(f"SLURM is not ready:\n{said[-2000:]}")
        time.sleep(0.1)


def _end(daemon: subprocess.Popen[bytes]) -> None:
    try:
        daemon.wait(10)
    except subprocess.TimeoutExpired:
        daemon.kill()
        daemon.wait()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port
