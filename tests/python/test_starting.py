"""`lasthop` without a command: five ways to start, each of which works as it is printed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from commands import lasthop
from lasthop.cli import _filled
from lasthop.cli.commands import app
from lasthop.cli.starting import WAYS

COMMANDS = [shlex.split(command)[1:] for command, _ in WAYS]


def test_the_bare_command_shows_five_ways_to_start() -> None:
    shown = lasthop()
    assert (shown.returncode, shown.stderr) == (0, "")
    assert re.findall(r"^  (lasthop .*)$", shown.stdout, re.MULTILINE) == [way for way, _ in WAYS]
    assert len(WAYS) == 5
    assert "--report" in WAYS[0][0], "the picture comes first"
    assert max(map(len, shown.stdout.splitlines())) <= 80


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_each_way_is_a_command_of_ours(words: list[str]) -> None:
    _, bound, _ = app.parse_args(_filled(words), print_error=False, exit_on_error=False)
    assert bound.arguments or bound.kwargs


@pytest.mark.parametrize("words", COMMANDS[:3], ids=" ".join)
def test_the_quick_ones_work(words: list[str], tmp_path: Path) -> None:
    done = lasthop(*words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert [*tmp_path.iterdir()], "something is written"
