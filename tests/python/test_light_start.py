"""The start: what a command reads before it does anything. Counts of modules, since times are the machine's."""

from __future__ import annotations

import subprocess
import sys

import pytest

from commands import SHORT
from lasthop.cli.grouping import TASKS

#: Libraries that take long to read, none of which a run without figures or tables of files needs.
HEAVY = ("dask", "matplotlib", "pandas", "polars", "pyarrow", "scapy", "scipy")


#: A command, and in the end the modules that were read, on standard error.
TOLD = """
import sys

sys.argv[0] = "lasthop"
from lasthop.entry import main

try:
    main()
finally:
    print(*sys.modules, file=sys.stderr)
"""


def read_by(*words: str) -> set[str]:
    """Return the modules that a command reads."""
    command = [sys.executable, "-c", TOLD, *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize(
    ("words", "lists"),
    [
        (("--help",), True),
        (("run", "dumbbell", *SHORT), False),
        (("check", "dumbbell"), False),
    ],
)
def test_a_command_reads_no_more_than_it_needs(words: tuple[str, ...], lists: bool) -> None:
    found = read_by(*words)
    assert "cyclopts" in found  # so that the modules are seen at all
    assert not found.intersection(HEAVY)
    assert not (lists and "numpy" in found)
    # The list of commands has each one's first line; a command is read alone.
    others = {name for names in TASKS.values() for name in names} - {words[0]}
    seen = {name for name in others if f"lasthop.cli.commands.{name}" in found}
    assert seen == (others if lists else set())
