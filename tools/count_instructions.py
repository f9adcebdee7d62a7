"""Counts the instructions of the workloads of `lasthop bench`, and compares them with those that are written down.

Times differ from machine to machine and from hour to hour; counts under callgrind hardly do, so a slowdown of a
few per cent is seen wherever it is made. Each workload is run for a time and for twice that time: the difference,
over the packets delivered in it, is without what building the world costs.

    make count                          compare; fails where a workload costs other than is written down
    make count-renew                    write down what has become cheaper, in the change that makes it so
    make count-renew DEARER="dcf-10"    and what may become dearer; the commit says what that buys
    make count-profiled                 print the counts of the build with a profile beside them
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Collection
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from lasthop.core.checkout import target
from lasthop.study.benches import Workload, workloads

ROOT = Path(__file__).parent.parent
PLAIN = target() / "release" / "run"
PROFILED = target() / "profiled" / "run"
BASELINE = ROOT / "tools" / "instructions.toml"

DEARER, CHEAPER = 0.005, 0.02
"""By how much a count may be above or below what is written down. That is never raised in passing: changes of a
hundredth each would else add up unseen. What has become cheaper is lowered, lest it become dear again unseen."""
OF_ANOTHER_COMPILER = 0.10

USUAL_SECONDS = 5.0
SECONDS = {
    "newreno-wire": 8.0,
    "tcp-mixed-100": 2.0,
    "medium": 0.5,
    "hidden-10": 8.0,
    "cells-50": 0.1,
    "drive-by": 40.0,
}
"""By name or group: the shorter simulated time; the longer is twice that."""


def count(binary: Path, text: str, seconds: float) -> tuple[int, int]:
    """Return the instructions of a program's run of `seconds` simulated seconds, and the packets that it
    delivered."""
    text, found = re.subn(
        r"^duration = .*$", f'duration = "{seconds} s"', text, count=1, flags=re.M
    )
    assert found
    valgrind = shutil.which("valgrind") or "valgrind"
    command = [valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", f"./{binary.name}"]
    # The lengths of the environment and of the path move the stack, and with it counts by tenths of a per cent.
    ran = subprocess.run(
        command, input=text, capture_output=True, text=True, env={}, cwd=binary.parent
    )
    counted = re.search(r"Collected : (\d+)", ran.stderr)
    if ran.returncode != 0 or counted is None:
        raise SystemExit(f"{' '.join(command)}: {ran.stderr[-500:]}")
    return int(counted[1]), int(json.loads(ran.stdout)["packets"]["delivered"])


def a_packet(binary: Path, workload: Workload) -> float:
    """Return a program's instructions for each packet that is delivered."""
    of_group = SECONDS.get(workload.group, USUAL_SECONDS)
    seconds = SECONDS.get(workload.name, of_group)
    (few, early), (many, late) = (count(binary, workload.text, times * seconds) for times in (1, 2))
    return (many - few) / (late - early)


def compiler() -> str:
    """Return the name of the compiler."""
    return subprocess.run(
        ["rustc", "--version"], check=True, capture_output=True, text=True
    ).stdout.strip()


def renew(found: dict[str, float], dearer: Collection[str]) -> None:
    """Write down the counts that have fallen, those of new workloads, and those of `dearer`."""
    known = tomllib.loads(BASELINE.read_text())["counts"]
    kept = {
        name: value if name in dearer else min(value, known.get(name, math.inf))
        for name, value in found.items()
    }
    lines = [
        f'compiler = "{compiler()}"',
        "",
        "# Instructions for each packet delivered.",
        "[counts]",
    ]
    lines += [f'"{name}" = {round(value)}' for name, value in kept.items()]
    BASELINE.write_text("\n".join(lines) + "\n")


def compare(found: dict[str, float]) -> bool:
    """Print each count beside the one that is written down; return whether all are as they should be."""
    known = tomllib.loads(BASELINE.read_text())
    least, most = -CHEAPER, DEARER
    if known["compiler"] != compiler():
        least, most = -OF_ANOTHER_COMPILER, OF_ANOTHER_COMPILER
        print(f"written down with {known['compiler']}, counted with {compiler()}: {most:.0%}")
    counts = known["counts"]
    others = []
    for name in counts | found:
        change = found.get(name, 0) / counts[name] - 1 if name in counts else math.inf
        is_other = not least <= change <= most
        line = f"{name:20}{found.get(name, 0):10,.0f}{counts.get(name, 0):10,.0f}"
        print(f"{line}{change:+9.1%}{'  <---' if is_other else ''}")
        others += [name] if is_other else []
    if others:
        print(f"beyond {least:+.1%} and {most:+.1%}: {', '.join(others)}.")
        print('Cheaper: make count-renew. Dearer for a reason: make count-renew DEARER="NAME ..."')
    return not others


def main() -> int:
    """Count, then compare or renew."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--renew", action="store_true", help="write down what has become cheaper")
    parser.add_argument("--dearer", nargs="*", default=[], help="workloads that may become dearer")
    parser.add_argument("--profiled", action="store_true", help="count the build with a profile")
    asked = parser.parse_args()
    chosen = workloads()
    unknown = set(asked.dearer) - {each.name for each in chosen}
    if unknown:
        parser.error(f"no such workload: {', '.join(sorted(unknown))}")
    counted = partial(a_packet, PROFILED if asked.profiled else PLAIN)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = dict(zip((each.name for each in chosen), pool.map(counted, chosen), strict=True))
    if asked.renew:
        renew(found, asked.dearer)
        return 0
    return 0 if compare(found) or asked.profiled else 1


if __name__ == "__main__":
    sys.exit(main())
