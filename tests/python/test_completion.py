"""Completions that a shell offers after TAB, by the script of `lasthop completion bash`, in bash itself."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from commands import ROOT, lasthop

#: As readline calls it: the words of the line, which bash divides at "=", and the one that is being typed.
ASK = """
source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
_lasthop_whole
printf '%s\\n' "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("bash") is None:
        pytest.skip("bash is not there")
    path = tmp_path_factory.mktemp("completion") / "lasthop.bash"
    path.write_text(lasthop("completion", "bash").stdout)
    return path


def offered(script: Path, *words: str) -> list[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    asked = subprocess.run(
        ["bash", "-c", ASK, "bash", str(script), "lasthop", *words],
        env=os.environ | {"PATH": path},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return asked.stdout.split()


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["repr"], ["reproduce"]),
        (["reproduce", "pet"], ["petrovic2003"]),
        (["list", "var"], ["variants"]),
        (["run", "x.toml", "--probe", "pac"], ["packets"]),
        (["results", "out", "--tab"], ["--tables"]),
        (["run", "scenarios/dumb"], ["scenarios/dumbbell.toml"]),
        (["run", "x.toml", "--set", "tcp.vari"], ["tcp.variant="]),
        (["run", "x.toml", "--set", "tcp.variant", "=", "newr"], ["newreno"]),
        (["run", "x.toml", "--set", "tcp.variant", "="], None),
    ],
    ids=lambda value: " ".join(value) if value else "",
)
def test_bash_completes(script: Path, words: list[str], expected: list[str] | None) -> None:
    found = offered(script, *words)
    if expected is None:  # every variant; bash puts what comes after "=" in place of it
        assert {"newreno", "cubic", "bbr"} <= set(found)
    else:
        assert found == expected


@pytest.mark.parametrize("shell", ["zsh", "fish", "powershell"])
def test_each_shell_has_a_script(shell: str) -> None:
    printed = lasthop("completion", shell)
    assert printed.returncode == 0
    assert "lasthop" in printed.stdout
    assert "__complete" in printed.stdout
