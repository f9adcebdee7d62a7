"""`lasthop --help`: a screenful by task, whose lines need no manual."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from commands import lasthop
from lasthop.cli import commands
from lasthop.cli.grouping import TASKS

#: A small terminal: what `lasthop --help` must fit.
LINES, WIDTH = 40, 80

#: Words of the field or of the program that nobody knows before the tutorial.
JARGON = re.compile(
    r"802\.|\bCI\b|interval|replication|\bax[ie]s\b|metric|probe|shard|JSON|TOML|SLURM|RFC|HTML"
    r"|recipe|capture\b|variant|\blaws?\b|\bMAC\b|subscriber|bottleneck|workload",
    re.IGNORECASE,
)


@pytest.fixture(scope="module")
def screen() -> list[str]:
    return lasthop("--help").stdout.splitlines()


def test_all_commands_fit_a_screen_by_task(screen: list[str]) -> None:
    assert len(screen) <= LINES
    assert max(map(len, screen)) <= WIDTH
    files = Path(commands.__file__).parent.glob("[a-z]*.py")
    assert sorted(name for names in TASKS.values() for name in names) == sorted(
        file.stem for file in files
    )
    rows = [re.fullmatch(r"(\w+| ) +([a-z]+) {2,}([A-Z].+[.])", line) for line in screen]
    shown = [row for row in rows if row]
    assert [row[2] for row in shown] == [name for names in TASKS.values() for name in names]
    assert [row[1].strip() for row in shown if row[1].strip()] == list(TASKS)


def test_the_first_line_of_a_command_needs_no_manual(screen: list[str]) -> None:
    assert not [line for line in screen if JARGON.search(line) and "confidence" not in line]
    for words in (("new",), ("audit",), ("fit",)):
        first = lasthop(*words, "--help").stdout.splitlines()[2].strip()
        assert any(first in line for line in screen), first
    kinds = [line for line in lasthop("new", "--help").stdout.splitlines() if line.startswith("│")]
    assert len(kinds) == 6  # a line each
