"""Measure the playground: its size, and the processor time of runs in WebAssembly (node) beside the native core.

Needs node, `make playground`, and `cargo build --release -p lasthop-scenario`. Prints Markdown.
"""

from __future__ import annotations

import gzip
import json
import resource
import subprocess
from pathlib import Path

from lasthop.core.checkout import target

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "out" / "playground"
NATIVE = target() / "release" / "run"
SCENARIOS = ("two_stations", "dumbbell", "mobile_ip", "wimax_backhaul", "split_handoff", "clusters")

#: The number of runs, of which the quickest counts: other work of a machine only slows them down.
RUNS = 9

#: Times a run of each scenario, ms; its check is part of it, the start of node is not.
TIMES = """
const fs = require("fs");
const { lasthopCore } = require(process.argv[1]);
const core = lasthopCore(new WebAssembly.Module(fs.readFileSync(process.argv[2])));
const times = process.argv.slice(4).map((path) => {
  const request = { text: fs.readFileSync(path, "utf8"), file: path };
  const all = Array.from({ length: Number(process.argv[3]) }, () => {
    const began = process.cpuUsage();
    core.run(request, 1);
    const taken = process.cpuUsage(began);
    return (taken.user + taken.system) / 1000;
  });
  return Math.min(...all);
});
console.log(JSON.stringify(times));
"""


def in_wasm(paths: list[Path]) -> list[float]:
    """Return the processor time of a run of each scenario in node, ms."""
    words = [
        str(ROOT / "playground" / "core.js"),
        str(OUT / "lasthop.wasm"),
        str(RUNS),
        *map(str, paths),
    ]
    told = subprocess.run(["node", "-e", TIMES, *words], check=True, capture_output=True, text=True)
    times: list[float] = json.loads(told.stdout)
    return times


def native(path: Path) -> float:
    """Return the processor time of a run by the native core, ms, with the start of its process."""
    text, best = path.read_bytes(), float("inf")
    for _ in range(RUNS):
        began = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([NATIVE, path.parent], input=text, check=True, stdout=subprocess.DEVNULL)
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken = ended.ru_utime - began.ru_utime + ended.ru_stime - began.ru_stime
        best = min(best, 1000 * taken)
    return best


def main() -> None:
    """Print the tables."""
    wasm, page = (OUT / name for name in ("lasthop.wasm", "lasthop.html"))
    packed = len(gzip.compress(wasm.read_bytes(), 9))
    print("| what | MB |\n|---|---|")
    print(f"| the core, `lasthop.wasm` | {wasm.stat().st_size / 1e6:.2f} |")
    print(f"| the same under gzip | {packed / 1e6:.2f} |")
    print(f"| the one file, `lasthop.html` | {page.stat().st_size / 1e6:.2f} |")
    print("\n| scenario | native, ms | in WebAssembly, ms | ratio |\n|---|---|---|---|")
    paths = [ROOT / "scenarios" / f"{name}.toml" for name in SCENARIOS]
    for path, there in zip(paths, in_wasm(paths), strict=True):
        here = native(path)
        print(f"| {path.stem} | {here:.1f} | {there:.1f} | {there / here:.2f} |")


if __name__ == "__main__":
    main()
