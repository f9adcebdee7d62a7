"""The parts of a checkout beside the package: the comparisons and the players of other suites' cases.

They are the proof of the product and no part of it: they need a compiler, hosts to run things on, and reference
numbers. A wheel has none of them.
"""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from lasthop.errors import UsageError

#: The folder above `python/lasthop`; anything at all where lasthop is installed.
ROOT = Path(__file__).resolve().parents[3]

FOLDER = ROOT / "validation"


def is_here() -> bool:
    """Return whether lasthop runs from a checkout."""
    return (FOLDER / "lasthop_validation").is_dir()


@functools.cache
def target() -> Path:
    """Return the folder into which cargo builds here: `CARGO_TARGET_DIR` and cargo's settings may move it."""
    command = ["cargo", "metadata", "--no-deps", "--offline", "--format-version", "1"]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return Path(json.loads(done.stdout)["target_directory"])


def built(name: str) -> str:
    """Build a program of the workspace without optimisation; return its path.

    Packages are chosen as `cargo test --workspace` chooses them: with another choice their dependencies have other
    features, and all is built anew. `--examples`, of which there are none, stands for what only tests depend on.

    Raises:
        FileNotFoundError: There is no cargo.
        UsageError: It cannot be built; the message is the compiler's.
    """
    command = [
        "cargo",
        "build",
        "--quiet",
        "--workspace",
        f"--bin={name}",
        "--examples",
        "--message-format=json",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    made = [json.loads(line).get("executable") for line in done.stdout.splitlines()]
    for program in filter(None, made):
        return str(program)
    raise UsageError(f"{name} cannot be built: {done.stderr.strip()}")


def module(name: str, what: str) -> Any:
    """Import a module of the package `lasthop_validation`; raises UsageError where lasthop is no checkout.

    Args:
        name: The module's name in the package; the package itself where it is empty.
        what: What is asked for, as the message says it.
    """
    if not is_here():
        raise UsageError(
            f"{what} needs a checkout of lasthop: the comparisons are not in the"
            " installed package; clone the repository, and run `make` and `.venv/bin/lasthop` in it"
        )
    if str(FOLDER) not in sys.path:
        sys.path.append(str(FOLDER))
    return import_module(f"lasthop_validation.{name}" if name else "lasthop_validation")
