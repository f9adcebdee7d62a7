"""Measure the base installation: build a wheel, install it alone, and write sizes and times into performance.md.

    make sizes                                                 # builds the wheel
    .venv/bin/python tools/measure_install.py --wheel dist/lasthop-....whl

Sizes are those of the files in site-packages, compiled Python included, without pip and setuptools, which are
there before. Times are the quickest of ten, so that what else runs on the machine counts little.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "reference" / "performance.md"
BEGIN, END = "<!-- base installation -->", "<!-- end of base installation -->"

#: Packages of a fresh environment before anything is installed.
BEFORE = re.compile(
    r"pip|setuptools|pkg_resources|_distutils_hack|distutils-precedence\.pth|__pycache__"
)

TIMES = 10
MOST_MB = 120.0

SCENARIO = """duration = "1 s"
[[link]]
ends = ["a", "b"]
rate = "2 Mbps"
delay = "10 ms"
[[flow]]
name = "f"
from = "a"
to = "b"
app = "bulk"
"""
STUDY = """[study]
name = "small"
scenario = "s.toml"
replications = 3
metrics = ["goodput"]
[axes]
tcp.variant = ["reno", "cubic"]
"""


def main() -> int:
    """Measure, print and write down; return 1 where the installation is larger than it may be."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wheel", type=Path, help="the wheel, or the folder that has it alone")
    parser.add_argument("--print-only", action="store_true", help="leave performance.md alone")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        given = asked.wheel or _built(Path(folder))
        wheel = next(given.glob("lasthop-*")) if given.is_dir() else given
        bin_ = _installed(Path(folder) / "venv", wheel.resolve())
        sizes = _sizes(next((Path(folder) / "venv").glob("**/site-packages")))
        times = _times(bin_, Path(folder))
    table = _table(sizes, times, wheel.stat().st_size)
    print(table)
    if not asked.print_only:
        _write(table)
    return 1 if sum(sizes.values()) > MOST_MB * 1e6 else 0


def _built(folder: Path) -> Path:
    maturin = Path(sys.executable).with_name("maturin")
    subprocess.run([maturin, "build", "--release", "--out", folder], cwd=ROOT, check=True)
    return folder


def _installed(venv: Path, wheel: Path) -> Path:
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    bin_ = venv / ("Scripts" if sysconfig.get_platform().startswith("win") else "bin")
    subprocess.run([bin_ / "python", "-m", "pip", "install", "--quiet", wheel], check=True)
    return bin_


def _sizes(site: Path) -> dict[str, int]:
    """Return bytes by package; what belongs to the same library counts together."""
    found: dict[str, int] = {}
    for each in site.iterdir():
        if BEFORE.match(each.name):
            continue
        name = re.split(r"[-.]", each.name)[0].lower()
        files = each.rglob("*") if each.is_dir() else [each]
        size = sum(file.stat().st_size for file in files if file.is_file())
        found[name] = found.get(name, 0) + size
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def _times(bin_: Path, folder: Path) -> dict[str, float]:
    """Return seconds by what was done."""
    (folder / "s.toml").write_text(SCENARIO)
    (folder / "st.toml").write_text(STUDY)
    lasthop, python = bin_ / "lasthop", bin_ / "python"
    commands: dict[str, list[str | Path]] = {
        "`python -c pass`": [python, "-c", "pass"],
        "`python -c 'import lasthop'`": [python, "-c", "import lasthop"],
        "`lasthop --help`": [lasthop, "--help"],
        "`lasthop run` of a second over a wire": [lasthop, "run", "s.toml", "--seed", "1"],
        "the same with 3 replications and intervals": [
            lasthop,
            "run",
            "s.toml",
            "--replications",
            "3",
        ],
        "`lasthop playground`, which writes a page": [lasthop, "playground", "--out", "page.html"],
        "`lasthop sweep` of 6 such runs, the first time": [lasthop, "sweep", "st.toml"],
    }
    found = {}
    for said, command in commands.items():
        quickest = float("inf")
        for turn in range(1 if "sweep" in said else TIMES):
            start = time.perf_counter()
            subprocess.run(command, cwd=folder, check=True, capture_output=True)
            if turn or "sweep" in said:  # the first reads from disk
                quickest = min(quickest, time.perf_counter() - start)
        found[said] = quickest
    return found


def _table(sizes: dict[str, int], times: dict[str, float], wheel: int) -> str:
    whole = sum(sizes.values())
    large = {name: size for name, size in sizes.items() if size >= 2e6}
    rest = whole - sum(large.values())
    rows = [f"| {name} | {size / 1e6:.1f} |" for name, size in large.items()]
    rows += [f"| all else | {rest / 1e6:.1f} |", f"| **together** | **{whole / 1e6:.1f}** |"]
    timed = [f"| {said} | {seconds:.2f} |" for said, seconds in times.items()]
    python = ".".join(map(str, sys.version_info[:3]))
    cores = os.cpu_count()
    return "\n".join(
        [
            f"Python {python}, {sys.platform}, {cores} cores; the wheel itself has {wheel / 1e6:.1f} MB.",
            "",
            "| in site-packages | MB |",
            "|---|---|",
            *rows,
            "",
            f"| | s, the quickest of {TIMES} |",
            "|---|---|",
            *timed,
        ]
    )


def _write(table: str) -> None:
    page = PAGE.read_text()
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    PAGE.write_text(f"{before}{BEGIN}\n\n{table}\n\n{END}{after}")


if __name__ == "__main__":
    sys.exit(main())
