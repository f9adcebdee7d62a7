"""Runs of the simulators as processes of their own: processor time for each packet delivered."""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryFile

from lasthop.core import safe_files
from lasthop.core.checkout import target

SOURCES = Path(__file__).parent / "sources"
NS3_MODULES = ("wifi", "applications", "internet", "point-to-point", "traffic-control", "mobility")

START_S = 0.05
"""A run that is over as soon as it has begun, s: what it costs is taken off, so that only simulating counts."""

LEAST_S = 1.0
"""Short runs are repeated until they have taken this much processor time, s."""


@dataclass(frozen=True)
class Ran:
    """A run.

    Attributes:
        cpu_s: Processor time of its process, s.
        packets: Data packets that came to their receivers.
        attempts: 802.11 exchanges begun.
    """

    cpu_s: float
    packets: int
    attempts: int = 0


Simulate = Callable[[float], Ran]
"""Simulates this many seconds."""


@dataclass(frozen=True)
class Cost:
    """The cost of a run: processor time for each packet delivered, ns; packets delivered in a simulated
    second."""

    ns_per_packet: float
    packets_per_s: float
    ns_per_attempt: float


def process(
    command: Sequence[str], text: str = "", folder: Path | None = None
) -> tuple[float, str]:
    """Run a command, in a folder or in this one; return its processor time, s, and what it printed."""
    with TemporaryFile("w+") as given, TemporaryFile("w+") as printed:
        given.write(text)
        given.seek(0)
        running = subprocess.Popen(
            command, stdin=given, stdout=printed, stderr=subprocess.DEVNULL, cwd=folder
        )
        _, status, used = os.wait4(running.pid, 0)
        running.returncode = os.waitstatus_to_exitcode(status)
        if running.returncode != 0:
            raise SystemExit(f"{' '.join(command)} ended with {running.returncode}")
        printed.seek(0)
        return used.ru_utime + used.ru_stime, printed.read()


def lasting(text: str, seconds: float) -> str:
    """Return a scenario that ends after this many seconds."""
    duration = f'duration = "{seconds} s"'
    timed, found = re.subn(r"^duration = .*$", duration, text, count=1, flags=re.M)
    assert found
    return timed


def memory(text: str) -> int:
    """Return the most memory that lasthop's process has for a scenario, bytes, but for its last few milliseconds.

    What the system counts of a child that has ended begins with what its parent had.
    """
    most = 0
    with subprocess.Popen(
        [str(binary())], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    ) as running:
        assert running.stdin is not None
        running.stdin.write(text.encode())
        running.stdin.close()
        while running.poll() is None:
            found = re.search(r"VmHWM:\s*(\d+) kB", Path(f"/proc/{running.pid}/status").read_text())
            most = max(most, int(found[1]) * 1024 if found else 0)
            time.sleep(0.002)
    return most


def lasthop(text: str, program: Path | None = None) -> Simulate:
    """Return how lasthop simulates a scenario: its core as a process, without Python."""
    command = [str(program or binary())]

    def simulate(seconds: float) -> Ran:
        cpu_s, printed = process(command, lasting(text, seconds))
        document = json.loads(printed)
        return Ran(
            cpu_s,
            sum(flow["packets_delivered"] for flow in document["flows"]),
            sum(station["attempts"] for station in document["stations"]),
        )

    return simulate


def peer(command: Sequence[str]) -> Simulate:
    """Return how a peer simulates: the command takes the seconds as its last argument and prints `packets=N`."""

    def simulate(seconds: float) -> Ran:
        cpu_s, printed = process([*command, str(seconds)])
        found = re.search(r"packets=(\d+)", printed)
        if found is None:
            raise SystemExit(f"{' '.join(command)} does not say how many packets came")
        return Ran(cpu_s, int(found[1]))

    return simulate


def binary() -> Path:
    """Return lasthop as an example of its crate, built with a profile, as the wheels are."""
    return target() / "profiled" / "run"


def plain() -> Path:
    """Return the same as cargo alone has built it."""
    return target() / "release" / "run"


def ns2(script: str, *arguments: str) -> Simulate | None:
    """Return how ns-2 runs a script of `sources`; None where it is not there."""
    found = shutil.which("ns")
    return None if found is None else peer([found, str(SOURCES / script), *arguments])


def ns3(source: str, *arguments: str) -> Simulate | None:
    """Return how ns-3 runs a program of `sources`, which is compiled if need be; None where it is not there."""
    packages = [f"ns3-{name}" for name in NS3_MODULES]
    flags = subprocess.run(
        ["pkg-config", "--cflags", "--libs", *packages], capture_output=True, text=True, check=False
    )
    if flags.returncode != 0:
        return None
    code, binary = SOURCES / f"{source}.cc", target() / "peers" / source
    if not binary.exists() or binary.stat().st_mtime < code.stat().st_mtime:
        binary.parent.mkdir(parents=True, exist_ok=True)
        command = ["g++", "-O2", "-std=c++17", str(code), "-o", str(binary), *flags.stdout.split()]
        subprocess.run(command, check=True)
    return peer([str(binary), *arguments])


def komondor(transmitters: int) -> Simulate | None:
    """Return how Komondor runs saturated pairs of an access point and a station that all hear each other.

    Its program is the one that `KOMONDOR` names, or `komondor_main` on the path; None where it is not there.
    """
    found = shutil.which(os.environ.get("KOMONDOR", "komondor_main"))
    if found is None:
        return None
    program = str(Path(found).resolve())
    nodes = target() / "peers" / f"komondor-{transmitters}.csv"
    nodes.parent.mkdir(parents=True, exist_ok=True)
    safe_files.write_bytes(nodes, _komondor_nodes(transmitters).encode())

    def simulate(seconds: float) -> Ran:
        said = ["-L", "1", "-l", "1", "-S", "0", "-o", str(nodes.with_suffix(".out"))]
        asked = [program, "-n", str(nodes), "-t", str(seconds), "-s", "1", *said]
        # It reads its configuration beside itself.
        cpu_s, printed = process(asked, folder=Path(program).parent)
        acknowledged = re.findall(r"Frames ACKed = (\d+)", printed)
        if not acknowledged:
            raise SystemExit(f"{program} does not say how many frames came")
        return Ran(cpu_s, sum(map(int, acknowledged)))

    return simulate


def _komondor_nodes(transmitters: int) -> str:
    """Return Komondor's table of nodes, whose columns it knows by their places.

    All are on a circle of 2 m, where all hear all, and on one channel of 20 MHz. Frames have 1,500 B, one in an
    exchange, without RTS.
    """
    rows = ["node_code;node_type;wlan_code;x(m);y(m);z(m);..."]
    rest = "0;5;4;0;0;0;15;-82;99;1000;12000;1;0;10;0;0;0;0;0;16;5;0;-1;-1;-82;-82"
    for i in range(transmitters):
        angle = 2 * math.pi * i / transmitters
        for kind, radius_m in enumerate((2.0, 1.8)):
            x, y = radius_m * math.cos(angle), radius_m * math.sin(angle)
            rows.append(f"N{i}-{kind};{kind};W{i};{x:.3f};{y:.3f};{rest}")
    return "\n".join(rows) + "\n"


def costs(runs: dict[str, tuple[Simulate, float]], repeats: int) -> dict[str, list[Cost]]:
    """Return the costs of each run of this many seconds, all of them in turn, `repeats` times."""
    found: dict[str, list[Cost]] = {name: [] for name in runs}
    for _ in range(repeats):
        for name, (simulate, seconds) in runs.items():
            found[name].append(_cost(simulate, seconds))
    return found


def _cost(simulate: Simulate, seconds: float) -> Cost:
    """Return the median of runs that take `LEAST_S` together: a busy host moves the time of a short one."""
    found: list[Cost] = []
    spent_s = 0.0
    while spent_s < LEAST_S:
        start, whole = simulate(START_S), simulate(seconds)
        cpu_s, packets = whole.cpu_s - start.cpu_s, whole.packets - start.packets
        attempts = whole.attempts - start.attempts
        found.append(
            Cost(
                cpu_s / packets * 1e9,
                packets / (seconds - START_S),
                cpu_s / attempts * 1e9 if attempts else 0.0,
            )
        )
        spent_s += start.cpu_s + whole.cpu_s
    return middle(found)


def middle(found: Sequence[Cost]) -> Cost:
    """Return the median of each number."""
    return Cost(
        median(each.ns_per_packet for each in found),
        median(each.packets_per_s for each in found),
        median(each.ns_per_attempt for each in found),
    )
