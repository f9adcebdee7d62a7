"""The package without the checkout around it, as a wheel installs it: what needs the checkout says so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from commands import ROOT, SCENARIO, SHORT, copy_package, lasthop

LAW = "import lasthop\n\n\nclass Mine(lasthop.Law):\n    pass\n"


@pytest.fixture
def alone(tmp_path: Path) -> Path:
    """A folder in which `lasthop` is a copy of the package: the first place where a command looks."""
    copy_package(tmp_path)
    (tmp_path / "law.py").write_text(LAW)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (("validate", "channel"), "lasthop validate"),
        (("conformance", "cases.json"), "lasthop conformance FILE"),
        (("list", "comparisons"), "lasthop list comparisons"),
    ],
)
def test_what_needs_a_checkout_says_so(alone: Path, words: tuple[str, ...], what: str) -> None:
    done = lasthop(*words, cwd=alone)
    assert done.returncode == 2
    assert done.stderr.startswith(f"{what} needs a checkout of lasthop: ")
    assert done.stdout == ""


@pytest.mark.parametrize(
    "words",
    [
        ("--help",),
        ("list",),
        ("run", SCENARIO, *SHORT),
        ("run", "dumbbell", *SHORT),
        ("run", "trace", "--set", "duration=2 s"),
        ("list", "scenarios"),
        ("list", "studies"),
        ("conformance", "law", "law.py:Mine"),
    ],
)
def test_all_else_works(alone: Path, words: tuple[str, ...]) -> None:
    done = lasthop(*words, cwd=alone)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


def test_an_engine_is_known_by_every_crate_that_decides_results() -> None:
    """A study's results are used again where the engine has the same name."""
    named = set(
        re.findall(r'^    "(\w+)",$', (ROOT / "crates/py/build.rs").read_text(), re.MULTILINE)
    )
    there = {path.parent.name for path in (ROOT / "crates").glob("*/Cargo.toml")}
    # Bridges, captures of what was simulated, words about results, and tests.
    assert there - named == {
        "capture",
        "conformance",
        "counting",
        "noticing",
        "panels",
        "py",
        "web",
    }
