"""A user's script is understood by type checkers, strictly and without an ignore, and runs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import user_script
from commands import ROOT

SCRIPT = Path(user_script.__file__)
REQUIRED = "LASTHOP_REQUIRE_TOOLS" in os.environ


def test_it_runs() -> None:
    user_script.main()


def test_mypy_has_nothing_to_say() -> None:
    text = SCRIPT.read_text()
    assert "ignore" not in text.replace("without an ignore", "")
    # What `make lint` has found of the package and of numpy, which is most of the work, is used again.
    command = [sys.executable, "-m", "mypy", "--strict", SCRIPT]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.skipif(
    not REQUIRED and find_spec("basedpyright") is None, reason="basedpyright is not installed"
)
def test_pyright_has_nothing_to_say(tmp_path: Path) -> None:
    settings = {
        "include": [str(SCRIPT)],
        "typeCheckingMode": "strict",
        "pythonVersion": "3.11",
        "extraPaths": [str(ROOT / "python")],
    }
    (tmp_path / "pyrightconfig.json").write_text(json.dumps(settings))
    command = [sys.executable, "-m", "basedpyright", "--pythonpath", sys.executable, "-p", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
