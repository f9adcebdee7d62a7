"""Measure what a call of a law costs: the same rules built in, of a library, and in Python.

    lasthop new law Mine --rust; cd mine; cargo build --release; cd ..
    python tools/measure_laws.py mine/target/release/libmine.so

One long flow over a wire with SACK and Reno's law (without SACK a law from outside also gets delivery rates, which
costs more than the call). Times are the best of several on one thread; instructions are counted by
callgrind, as the difference of a run and one of twice its length. Needs valgrind for them.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping

import lasthop
from lasthop.core.how import Running
from lasthop.core.job import Job
from lasthop.core.jobs import run_each
from lasthop.core.python_law import LawFactory, load
from lasthop.study.benches import workloads

ROUNDS = 21
SECONDS = 400


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
        listed = ["callgrind_annotate", "--threshold=100", "--auto=no", out]
        said = subprocess.run(listed, capture_output=True, text=True, check=True).stdout
    objects = r"_core\.|lasthop-law" + (r"|libpython" if which == "python" else "")
    rows = re.findall(rf"^ *([\d,]+) .*\[[^\]]*(?:{objects})[^\]]*\]$", said, re.M)
    return sum(int(row.replace(",", "")) for row in rows)


def main() -> None:
    """Print the table, or do one run of it."""
    library = sys.argv[1]
    kinds: dict[str, dict[str, LawFactory]] = {
        "built in": {},
        "library": {"mine": load(library)[1]},
        "python": {"mine": lasthop.Law},
    }
    if len(sys.argv) > 2:
        run(kinds[sys.argv[2]], float(sys.argv[3]))
        return
    run({"mine": Counting}, SECONDS)
    calls = Counting.calls
    rounds = [{name: run(laws, SECONDS) for name, laws in kinds.items()} for _ in range(ROUNDS)]
    times = {name: [each[name] for each in rounds] for name in kinds}
    best = {name: min(each)[0] for name, each in times.items()}
    packets = times["built in"][0][1]
    work = {
        name: counted(library, name, 2 * SECONDS) - counted(library, name, SECONDS)
        for name in kinds
    }
    print(f"{calls:,} calls of on_ack, {packets:,} packets in {SECONDS} s of one flow")
    print(
        f"{'':9} {'packets/s':>10} {'instructions a packet':>22} {'more a call':>12} {'ns more':>8}"
    )
    for name in kinds:
        more = (work[name] - work["built in"]) / calls
        ns = (best[name] - best["built in"]) / calls * 1e9
        each = work[name] / packets
        print(f"{name:9} {packets / best[name]:10,.0f} {each:22,.0f} {more:12,.0f} {ns:8,.1f}")


if __name__ == "__main__":
    main()
