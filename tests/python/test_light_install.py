"""The base installation, without the libraries of the extras: what it writes, and what it says that it lacks."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

from commands import ROOT, SHORT
from lasthop.extras import NEEDED_BY

#: A command in an interpreter without these libraries: None there means a module that is not found.
WITHOUT = f"""
import sys

sys.modules.update(dict.fromkeys({sorted(NEEDED_BY)!r}))
sys.argv[0] = "lasthop"
from lasthop.entry import main

main()
"""


def lasthop(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT, *words]
    return subprocess.run(
        command, cwd=cwd, capture_output=True, text=True, check=False, timeout=300
    )


def test_a_page_is_made_again_by_what_made_it(tmp_path: Path) -> None:
    written = lasthop("run", "dumbbell", *SHORT, "--report", "page.html", cwd=tmp_path)
    assert written.returncode == 0, written.stderr
    again = lasthop("rerun", "page.html", cwd=tmp_path)
    assert (again.returncode, again.stderr) == (0, "")
    assert "numbers: the same\npicture: the same" in again.stdout


def test_an_error_says_what_to_install(tmp_path: Path) -> None:
    series = ("--probe", "tcp", "--out", "tcp.csv")
    assert lasthop("run", "dumbbell", *SHORT, *series, cwd=tmp_path).returncode == 0
    done = lasthop("plot", "tcp.csv", "--out", "window.png", cwd=tmp_path)
    assert done.returncode == 2
    # And not an extra of ours, since no index has lasthop.
    assert re.fullmatch(
        r"Figures need matplotlib\. Run: .*pip install matplotlib\n", done.stderr
    ), done.stderr


def test_every_library_of_an_extra_is_named() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"][
        "optional-dependencies"
    ]
    listed = {
        re.split(r"[^\w-]", each)[0]
        for name in ("cluster", "figures", "frames", "stats")
        for each in extras[name]
    }
    assert {library.replace("_", "-") for library in NEEDED_BY} == listed
