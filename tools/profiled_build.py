"""Build lasthop with a profile of what it runs: the compiler then lays out and inlines what is hot.

    make wheel                                          # a wheel in out/wheel
    PYTHONPATH=python python tools/profiled_build.py wheel --out dist -- --zig
    PYTHONPATH=python python tools/profiled_build.py run        # the example `run`: target/profiled/run

The same part is compiled twice: with counters, which the workloads of `lasthop bench` and the shipped scenarios
then advance, and with what they counted. A wheel is profiled as a wheel: the example `run` is compiled with
other features of its dependencies, so its functions have other names. Each shipped scenario must give the same
bytes with both, and with the plain build (of the wheel: where the checkout has one of the same sources). Needs
no package but maturin, for the wheel, and rustup's component `llvm-tools`, whose `llvm-profdata` reads what this
compiler counts.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from lasthop.core.checkout import ROOT, target
from lasthop.study import benches

SECONDS = {
    "newreno-wire": 2000,
    "tcp-mixed-100": 100,
    "wired": 1000,
    "dcf": 4000,
    "cells": 3000,
    "cells-50": 1,
    "drive-by": 1000,
    "medium": 1000,
    "wimax": 500,
    "lan": 500,
    "laws": 1000,
}
"""By name or group of a workload: simulated seconds. Each then takes about as long as the others."""
LAWS = ("cubic", "bbr")
PAGE = ROOT / "python" / "lasthop" / "pages" / "playground" / "page.html"
"""What `lasthop playground` writes; `make playground` makes it."""

Job = tuple[str, str, str]
"""A run: its name, its text, and the folder of the files that it names."""


def training() -> list[Job]:
    """Return what the counters count."""
    chosen = [*benches.fixed(), *map(benches.of_law, LAWS)]
    return [(each.name, _lasting(each), "") for each in chosen]


def _lasting(each: benches.Workload) -> str:
    seconds = SECONDS.get(each.name, SECONDS[each.group])
    text, found = re.subn(
        r"^duration = .*$", f'duration = "{seconds} s"', each.text, count=1, flags=re.M
    )
    assert found
    return text


def shipped() -> list[Job]:
    """Return the shipped scenarios."""
    folder = ROOT / "python" / "lasthop" / "scenarios"
    return [(path.name, path.read_text(), str(folder)) for path in sorted(folder.glob("*.toml"))]


def main() -> int:
    """Build, count, build again, compare, and put what was built where it is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("part", choices=("wheel", "run"), help="what to build")
    parser.add_argument("--target", default=host(), help="the compiler's triple; this host's")
    parser.add_argument("--out", type=Path, help="folder of what is built")
    parser.add_argument("options", nargs="*", help="after --: for maturin, in the last build")
    asked = parser.parse_args()
    if asked.part == "wheel" and not PAGE.is_file():
        raise SystemExit(f"{PAGE} is missing, which wheels have. Run: make playground")
    part = Wheel(asked.target) if asked.part == "wheel" else Program(asked.target)
    merge, folder = profdata(), target() / "profiled"
    counts = folder / f"counts-{asked.part}"
    shutil.rmtree(counts, ignore_errors=True)
    told("compiling with counters")
    counting = part.build(f"-Cprofile-generate={counts}", folder / "counting", [])
    told("counting what runs")
    part.run(counting, training())
    expected = part.run(counting, shipped())
    profile = _merged(merge, counts)
    told("compiling with what was counted")
    built = part.build(f"-Cprofile-use={profile}", folder / "using", asked.options)
    _compare(part.run(built, shipped()), [expected, part.plain(shipped())])
    out = asked.out or (ROOT / "out" / "wheel" if asked.part == "wheel" else folder)
    out.mkdir(parents=True, exist_ok=True)
    told(f"built {shutil.copy2(built, out)}")
    return 0


class Program:
    """The program `run`."""

    def __init__(self, triple: str) -> None:
        self.triple = triple

    def build(self, flags: str, folder: Path, options: list[str]) -> Path:
        """Compile it into a folder of cargo's; return the program."""
        command = ["cargo", "build", "--release", "--locked", "--quiet", "--target", self.triple]
        command += ["--target-dir", str(folder), "-p", "lasthop-scenario", "--bin", "run"]
        _compile([*command, *options], flags)
        return folder / self.triple / "release" / _program("run")

    def run(self, built: Path, jobs: list[Job]) -> list[str]:
        """Return the results of jobs."""
        return [_said([str(built), folder], text) for _, text, folder in jobs]

    def plain(self, jobs: list[Job]) -> list[str]:
        """Return the results of the plain build."""
        command = ["cargo", "build", "--release", "--locked", "--quiet"]
        _compile([*command, "-p", "lasthop-scenario", "--bin", "run"], "")
        return self.run(target() / "release" / _program("run"), jobs)


class Wheel:
    """The wheel."""

    def __init__(self, triple: str) -> None:
        self.triple = triple
        self.engine = ""

    def build(self, flags: str, folder: Path, options: list[str]) -> Path:
        """Build a wheel into a folder of cargo's; return it."""
        out = folder / "wheel"
        shutil.rmtree(out, ignore_errors=True)
        command = [sys.executable, "-m", "maturin", "build", "--release", "--locked", "--quiet"]
        command += ["--target", self.triple, "--target-dir", str(folder), "--out", str(out)]
        _compile([*command, *options], flags)
        return next(out.glob("*.whl"))

    def run(self, built: Path, jobs: list[Job]) -> list[str]:
        """Return the results of jobs, by the wheel's compiled module."""
        unpacked = built.with_suffix("")
        shutil.rmtree(unpacked, ignore_errors=True)
        with zipfile.ZipFile(built) as wheel:
            wheel.extractall(unpacked)
        self.engine, found = _by_module(unpacked, jobs)
        return found

    def plain(self, jobs: list[Job]) -> list[str] | None:
        """Return the results of the checkout's own module, if it has one of the same sources."""
        package = ROOT / "python"
        if not any((package / "lasthop").glob("_core.*[od]")):
            return None
        engine, found = _by_module(package, jobs)
        return found if engine == self.engine else None


def _by_module(package: Path, jobs: list[Job]) -> tuple[str, list[str]]:
    """Return the engine of a folder's compiled module, and the results of jobs by it."""
    command = [sys.executable, str(ROOT / "tools" / "run_core.py"), str(package)]
    said = json.loads(_said(command, json.dumps(jobs)))
    return said["engine"], said["results"]


def _said(command: list[str], text: str) -> str:
    ran = subprocess.run(command, input=text, capture_output=True, text=True, encoding="utf-8")
    if ran.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: {ran.stderr}")
    return ran.stdout


def _compile(command: list[str], flags: str) -> None:
    settings = {"RUSTFLAGS": flags, "CARGO_PROFILE_RELEASE_LTO": "fat"}
    if subprocess.run(command, cwd=ROOT, env={**os.environ, **settings}).returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed, with RUSTFLAGS={flags!r}")


def _program(name: str) -> str:
    return f"{name}.exe" if os.name == "nt" else name


def host() -> str:
    """Return the compiler's own triple."""
    found = re.search(r"^host: (.+)$", _said(["rustc", "-vV"], ""), flags=re.M)
    assert found
    return found[1]


def profdata() -> Path:
    """Return the `llvm-profdata` of the compiler; another's may not read its counts."""
    sysroot = Path(_said(["rustc", "--print", "sysroot"], "").strip())
    found = sysroot / "lib" / "rustlib" / host() / "bin" / _program("llvm-profdata")
    if not found.exists():
        raise SystemExit(f"{found} is missing. Run: rustup component add llvm-tools")
    return found


def _merged(merge: Path, counts: Path) -> Path:
    """Merge the counts of all processes; the profile's name changes with it, so that cargo compiles anew."""
    merged = counts / "merged.profdata"
    files = sorted(map(str, counts.glob("*.profraw")))
    if not files:
        raise SystemExit(f"no process left counts in {counts}")
    _said([str(merge), "merge", "--output", str(merged), *files], "")
    digest = hashlib.sha256(merged.read_bytes()).hexdigest()
    return merged.rename(counts.parent / f"lasthop-{digest[:16]}.profdata")


def _compare(found: list[str], others: list[list[str] | None]) -> None:
    """End where results differ from those of another build."""
    for other in filter(None, others):
        pairs = zip(shipped(), found, other, strict=True)
        differing = [name for (name, _, _), one, two in pairs if one != two]
        if differing:
            raise SystemExit(f"results differ between two builds: {', '.join(differing)}")
    builds = 1 + sum(other is not None for other in others)
    told(f"{builds} builds give the same bytes for {len(found)} scenarios")


def told(line: str) -> None:
    """Say what is done now."""
    print(line, flush=True)


if __name__ == "__main__":
    sys.exit(main())
