"""Counts the instructions of the workloads of `lasthop bench`, and compares them with those that are written down.

Times differ from machine to machine and from hour to hour; counts under callgrind hardly do, so a slowdown of a
few per cent is seen wherever it is made. Each workload is run for a time and for twice that time: the difference,
over the packets delivered in it, is without what building the world costs.

    make count          compare; fails where a workload costs other than is written down
    make count-renew    write today's counts down, in the change that moves them
"""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from lasthop.core.checkout import target
from lasthop.study.benches import Workload, workloads

ROOT = Path(__file__).parent.parent
BINARY = target() / "release" / "examples" / "run"
BASELINE = ROOT / "tools" / "instructions.toml"

TOLERANCE = 0.02
"""By how much a count may differ: code that is only laid out otherwise moves it by less than 1 %."""
TOLERANCE_OF_ANOTHER_COMPILER = 0.10

USUAL_SECONDS = 5.0
SECONDS = {"newreno-wire": 8.0, "tcp-mixed-100": 2.0, "medium": 0.5, "cells-50": 0.1}
"""By name or group: the shorter simulated time; the longer is twice that."""


def count(text: str, seconds: float) -> tuple[int, int]:
    """Return the instructions of a run of `seconds` simulated seconds, and the packets that it
    delivered."""
    text, found = re.subn(
        r"^duration = .*$", f'duration = "{seconds} s"', text, count=1, flags=re.M
    )
    assert found
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", str(BINARY)]
    ran = subprocess.run(command, input=text, capture_output=True, text=True)
    counted = re.search(r"Collected : (\d+)", ran.stderr)
    if ran.returncode != 0 or counted is None:
        raise SystemExit(f"{' '.join(command)}: {ran.stderr[-500:]}")
    return int(counted[1]), int(json.loads(ran.stdout)["packets"]["delivered"])


def a_packet(workload: Workload) -> float:
    """Return the instructions for each packet that is delivered."""
    of_group = SECONDS.get(workload.group, USUAL_SECONDS)
    seconds = SECONDS.get(workload.name, of_group)
    (few, early), (many, late) = (count(workload.text, times * seconds) for times in (1, 2))
    return (many - few) / (late - early)


def compiler() -> str:
    """Return the name of the compiler."""
    return subprocess.run(
        ["rustc", "--version"], check=True, capture_output=True, text=True
    ).stdout.strip()


def renew(found: dict[str, float]) -> None:
    """Write the counts down."""
    lines = [
        f'compiler = "{compiler()}"',
        "",
        "# Instructions for each packet delivered.",
        "[counts]",
    ]
    lines += [f'"{name}" = {round(value)}' for name, value in found.items()]
    BASELINE.write_text("\n".join(lines) + "\n")


def compare(found: dict[str, float]) -> bool:
    """Print each count beside the one that is written down; return whether all are as they should be.

    One that has become cheaper is to be written down too: else it could become dear again unseen.
    """
    known = tomllib.loads(BASELINE.read_text())
    tolerance = TOLERANCE
    if known["compiler"] != compiler():
        tolerance = TOLERANCE_OF_ANOTHER_COMPILER
        print(f"written down with {known['compiler']}, counted with {compiler()}: {tolerance:.0%}")
    counts = known["counts"]
    changes = {
        name: found.get(name, 0) / counts[name] - 1 if name in counts else math.inf
        for name in counts | found
    }
    for name, change in changes.items():
        is_other = abs(change) > tolerance
        line = f"{name:20}{found.get(name, 0):10,.0f}{counts.get(name, 0):10,.0f}"
        print(f"{line}{change:+9.1%}{'  <---' if is_other else ''}")
    others = [name for name, change in changes.items() if abs(change) > tolerance]
    if others:
        print(f"beyond {tolerance:.0%}: {', '.join(others)}. Where that is meant: make count-renew")
    return not others


def main() -> int:
    """Count, then compare or renew."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        chosen = workloads()
        found = dict(zip((each.name for each in chosen), pool.map(a_packet, chosen), strict=True))
    if "--renew" in sys.argv[1:]:
        renew(found)
        return 0
    return 0 if compare(found) else 1


if __name__ == "__main__":
    sys.exit(main())
