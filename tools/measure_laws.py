"""Measure what a call of a law costs: the same rules built in, of a library, and in Python.

    python tools/measure_laws.py

It makes the crate of `lasthop new law Mine --rust`, builds it, and writes the table of docs/background/speed.md.

One long flow over a wire with SACK and Reno's law (without SACK a law from outside also gets delivery rates, which
costs more than the call). Both are the difference of a run and a short one, so that what a run with
a law costs once is not taken for calls: times of the best of several on one thread, and instructions as
callgrind counts them. Needs cargo, and valgrind for instructions.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import lasthop
import marked_blocks
from lasthop.core.how import Running
from lasthop.core.job import Job
from lasthop.core.jobs import run_each
from lasthop.core.python_law import LawFactory, load
from lasthop.study import making
from lasthop.study.benches import workloads
from lasthop.study.making import law_files

PROCESSES, ROUNDS = 11, 60
"""Processes, and runs in each, of which the quickest counts: other work of a machine only slows them down. Where a
process has its code and memory makes a difference of several nanoseconds, so the table has the median and all."""

SHORT, SECONDS = 1, 20
"""The simulated times, s. A run takes milliseconds, so that of many some are not interrupted."""

PAGE = Path(__file__).resolve().parents[1] / "docs/background/speed.md"
MARKED = marked_blocks.of("measure_laws")
SAID = {"library": "Rust, across the C border", "python": "Python"}
"""The laws of the table."""


class Counting(lasthop.Law):
    """Reno, which counts how often it is asked."""

    calls = 0

    def on_ack(self, w: lasthop.law.Window, ack: lasthop.law.Ack) -> None:
        """Count."""
        Counting.calls += 1
        super().on_ack(w, ack)


def run(laws: Mapping[str, LawFactory], seconds: float) -> tuple[float, int]:
    """Return the processor's time of a run, s, and the packets that it delivered."""
    text = next(each.text for each in workloads() if each.name == "newreno-wire")
    tcp = f"tcp={{recovery='sack', law='{next(iter(laws), 'reno')}'}}"
    job = Job(text, "newreno-wire", (f"duration={seconds} s", tcp), laws=laws)
    delivered: list[int] = []
    began = time.process_time()
    run_each(
        [job], lambda _, each: delivered.append(each["packets"]["delivered"]), Running(workers=1)
    )
    return time.process_time() - began, delivered[0]


def counted(library: str, which: str, seconds: float) -> int:
    """Return the instructions of a process that does such a run, in lasthop's module and the law's library.

    Those of the interpreter, which looks for results ten times a second, are left out but for a law in Python.
    """
    with tempfile.TemporaryDirectory() as folder:
        out = f"{folder}/counts"
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", sys.executable]
        subprocess.run(
            [*command, __file__, library, which, str(seconds)],
            capture_output=True,
            check=True,
            env=os.environ | {"PYTHONHASHSEED": "0"},
        )
        counts = by_object(Path(out).read_text())
    objects = r"_core\.|lasthop-law" + (r"|libpython" if which == "python" else "")
    return sum(count for name, count in counts.items() if re.search(objects, name))


def by_object(text: str) -> Counter[str]:
    """Return the instructions of each object in callgrind's output, those inlined from other files included."""
    counts: Counter[str] = Counter()
    names: dict[str, str] = {}
    lines = iter(text.splitlines())
    name = ""
    for line in lines:
        if found := re.match(r"ob=(\(\d+\)) ?(.*)", line):
            number, said = found.groups()
            name = names.setdefault(number, said)
        elif found := re.match(r"cob=(\(\d+\)) (.+)", line):
            names.setdefault(*found.groups())
        elif line.startswith("calls="):
            next(lines)  # what the call costs counts where it is spent
        elif found := re.match(r"[\d+*-]\S* (\d+)$", line):
            counts[name] += int(found[1])
    return counts


def built(folder: Path) -> Path:
    """Return the library of a law as `lasthop new law Mine --rust` makes it."""
    making.write(law_files.rust("Mine", folder))
    crate = folder / "mine"
    subprocess.run(["cargo", "build", "--release", "--offline", "--quiet"], cwd=crate, check=True)
    return crate / "target" / "release" / law_files.library_of("Mine")


def kinds(library: str) -> dict[str, dict[str, LawFactory]]:
    """Return the laws that a run may have."""
    return {"built in": {}, "library": {"mine": load(library)[1]}, "python": {"mine": lasthop.Law}}


def counted_calls(seconds: float) -> int:
    """Return how often a run asks its law."""
    Counting.calls = 0
    run({"mine": Counting}, seconds)
    return Counting.calls


def times(library: str) -> dict[str, float]:
    """Return the processor's time of a run in this process by law, s, beyond that of a short one."""
    laws = kinds(library)
    rounds = [
        {(name, each): run(law, each)[0] for each in (SHORT, SECONDS) for name, law in laws.items()}
        for _ in range(ROUNDS)
    ]
    best = {each: min(took[each] for took in rounds) for each in rounds[0]}
    return {name: best[name, SECONDS] - best[name, SHORT] for name in laws}


def measured(library: str) -> str:
    """Return the table."""
    calls = counted_calls(SECONDS) - counted_calls(SHORT)
    command = [sys.executable, __file__, library]
    said = [subprocess.check_output(command, text=True) for _ in range(PROCESSES)]
    took: list[dict[str, float]] = [json.loads(each) for each in said]
    work = {
        name: counted(library, name, SECONDS) - counted(library, name, SHORT)
        for name in kinds(library)
    }
    lines = ["| law | instructions | time | in single processes |", "|---|---|---|---|"]
    for name, words in SAID.items():
        more = (work[name] - work["built in"]) / calls
        ns = sorted((each[name] - each["built in"]) / calls * 1e9 for each in took)
        middle, ends = ns[len(ns) // 2], f"{ns[0]:,.1f} to {ns[-1]:,.1f} ns"
        lines.append(f"| {words} | {more:,.0f} | {middle:,.1f} ns | {ends} |")
    lines += [
        "",
        f"These are means of {calls:,} calls of `on_ack`. Times are the best of {ROUNDS} runs in a process,",
        f"and the median of {PROCESSES} processes.",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the table, or do a part of the work: the times of a process, or a run to be counted."""
    if len(sys.argv) > 1:
        library, *counting = sys.argv[1:]
        if counting:
            run(kinds(library)[counting[0]], float(counting[1]))
        else:
            print(json.dumps(times(library)))
        return
    with tempfile.TemporaryDirectory() as folder:
        table = measured(str(built(Path(folder))))
    print(table, end="")
    PAGE.write_text(marked_blocks.filled(PAGE.read_text(), MARKED, lambda _: table))


if __name__ == "__main__":
    main()
