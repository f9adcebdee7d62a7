"""Output of commands, as files in tests/snapshots/ that a person has read; `make snapshots` renews them.

Some show how a command writes, the others a small study whose numbers can be judged. A change of a snapshot is
read in `git diff` before it is committed: any of its numbers is a change of results.
"""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path

import pytest

from commands import ROOT
from commands import lasthop as command

FOLDER = ROOT / "tests" / "snapshots"

#: The words of each command of a snapshot. They run in a folder that has the TOML files of `FOLDER`.
SNAPSHOTS = {
    "run": [
        "run two_stations --set duration=20s",
        "run two_stations --set duration=20s --replications 1",
    ],
    "sweep": ["sweep loss.toml"],
    "audit": ["audit loss.toml"],
    "check": [
        "check loss.toml",
        "check mistakes.toml contradictions.toml mistaken_study.toml",
        "check contradictions.toml --json",
    ],
    "variants": ["sweep variants.toml"],
    "saturation": ["sweep saturation.toml"],
    "queues": ["sweep queues.toml"],
}


@pytest.mark.parametrize("name", SNAPSHOTS)
def test_a_command_prints_what_it_did(
    name: str, tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for file in FOLDER.glob("*.toml"):
        shutil.copy(file, tmp_path)
    printed = "\n".join(transcript(words, tmp_path) for words in SNAPSHOTS[name])
    file = FOLDER / f"{name}.txt"
    if request.config.getoption("--renew"):
        file.write_text(printed, encoding="utf-8", newline="\n")
    assert printed == file.read_text(encoding="utf-8"), "`make snapshots` renews it; read its diff"


def transcript(words: str, folder: Path) -> str:
    """Return a command and what it prints, without the spaces at the ends of lines."""
    printed = command(*shlex.split(words), cwd=folder).stdout
    lines = [line.rstrip() for line in printed.splitlines()]
    return "\n".join([f"$ lasthop {words}", *lines, ""])


def test_every_file_belongs_to_a_snapshot() -> None:
    """A study that nothing runs, or a text that nothing compares, would go stale unseen."""
    words = " ".join(each for several in SNAPSHOTS.values() for each in several)
    for file in FOLDER.iterdir():
        assert file.stem in SNAPSHOTS if file.suffix == ".txt" else file.name in words, file
