"""Weigh a page of each kind that lasthop writes, and print them as a table; 1 where one is over the limit.

    .venv/bin/python tools/weigh_pages.py          # a minute: short runs of shipped scenarios
    .venv/bin/python tools/weigh_pages.py --write  # into docs/reference/performance.md, as `make sizes` does

What a page weighs hardly depends on how long its runs are: a line has some 600 points whatever it
shows, and single frames are as many as fit.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference" / "performance.md"
BEGIN, END = "<!-- weights of pages -->", "<!-- end of weights of pages -->"

MOST_KB = 500
"""A page that people send each other is no larger."""

STUDY = """[study]
name = "three_axes"
scenario = "two_stations"
replications = 3
metrics = ["download.goodput", "upload.goodput", "download.delay", "download.loss"]
set = ["duration=12 s"]
[axes]
tcp.variant = ["newreno", "cubic", "vegas"]
queue.discipline = ["drop_tail", "fq_codel"]
queue.packets = [10, 50, 200]
"""

DUEL = STUDY.replace('tcp.variant = ["newreno", "cubic", "vegas"]\n', "")

LOSSY = """duration = "10 s"
[[link]]
ends = ["host", "sink"]
rate = "4 Mbps"
delay = "15 ms"
queue = { packets = 25 }
[[flow]]
name = "f"
from = "host"
to = "sink"
app = "bulk"
"""

MEASURED = ROOT / "tests" / "python" / "cases" / "measured"

#: By kind: the commands, and the page that the last of them writes.
KINDS: dict[str, tuple[list[list[str]], str]] = {
    "run of two flows": ([["run", "two_stations", "--report", "run.html"]], "run.html"),
    "run of 10 replications": (
        [["run", "voice_and_bulk", "--replications", "10", "--report", "ten.html"]],
        "ten.html",
    ),
    "run of 24 flows of 802.11ax": (
        [["run", "wifi6_calls", "--report", "calls.html"]],
        "calls.html",
    ),
    "run of 802.16": ([["run", "wimax_downloads", "--report", "wimax.html"]], "wimax.html"),
    "study of three axes": (
        [["sweep", "study.toml"], ["report", "out/three_axes"]],
        "out/three_axes/report.html",
    ),
    "duel": (
        [["duel", "cubic", "bbr", "--over", "duel.toml", "--replications", "3", "--out", "duel"]],
        "duel/duel.html",
    ),
    "demo": ([["demo", "bufferbloat", "--out", "demo", "--no-open"]], "demo/bufferbloat.html"),
    "comparison with a measurement": (
        [["compare", "lossy.toml", "plain.json", "--out", "compare.html"]],
        "compare.html",
    ),
    "evaluation": (
        [["evaluate", "cubic", "--replications", "2", "--out", "dossier"]],
        "dossier/dossier.html",
    ),
    "paper, quick": (
        [["reproduce", "petrovic2003", "--quick"]],
        "out/petrovic2003/report.html",
    ),
}


def main() -> int:
    """Make each page, weigh it, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write into performance.md")
    parser.add_argument("kinds", nargs="*", help=f"by default all: {', '.join(KINDS)}")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = {kind: weigh(kind, Path(folder)) for kind in asked.kinds or KINDS}
    rows = [f"| {kind} | {size / 1e3:.0f} |" for kind, size in found.items()]
    table = "\n".join(["| page | kB |", "|---|---|", *rows])
    print(table)
    if asked.write:
        before, _, rest = PAGE.read_text().partition(BEGIN)
        PAGE.write_text(f"{before}{BEGIN}\n\n{table}\n\n{END}{rest.partition(END)[2]}")
    return int(any(size > MOST_KB * 1e3 for size in found.values()))


def weigh(kind: str, folder: Path) -> int:
    """Make a page of a kind in a folder and return its bytes."""
    commands, page = KINDS[kind]
    (folder / "study.toml").write_text(STUDY)
    (folder / "lossy.toml").write_text(LOSSY)
    (folder / "duel.toml").write_text(DUEL)
    for file in MEASURED.glob("plain.json"):
        shutil.copy(file, folder)
    lasthop = Path(sys.executable).with_name("lasthop")
    for each in commands:
        subprocess.run([lasthop, *each], cwd=folder, check=True, capture_output=True)
    return (folder / page).stat().st_size


if __name__ == "__main__":
    sys.exit(main())
