"""`lasthop check`: every mistake of a file at once, at its place, with a code that stays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from commands import ROOT
from commands import lasthop as command
from lasthop import checking
from lasthop.checking.codes import CODES

BAD = """\
duration = "10 s"
durration = "3 s"

[phy]
standard = "802.11ax"

[[cell]]
access_point = "ap"
stations = ["a"]

[tcp]
variant = "newrino"
mss = 3

[queue]
packets = -5

[[flow]]
name = "x"
from = "a"
to = "ap"
app = "bulk"
"""


def found(tmp_path: Path, text: str) -> list[tuple[int | None, int | None, str]]:
    file = tmp_path / "x.toml"
    file.write_text(text)
    return [(p.line, p.column, p.code) for p in checking.check(file).problems]


def test_all_mistakes_are_told_each_at_its_place(tmp_path: Path) -> None:
    assert found(tmp_path, BAD) == [
        (2, 1, "unknown-key"),
        (5, 12, "not-modelled"),
        (12, 11, "unknown-name"),
        (13, 7, "unknown-unit"),
        (16, 11, "out-of-range"),
    ]
    # A queue without its room is a consequence, behind which there could be more.
    assert not checking.check(tmp_path / "x.toml").whole


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ('duration = "10 s"', 'duration = "10 s', "no-toml"),
        ('from = "a"\n', "", "missing-key"),
        ("packets = 5", "packets = [5]", "wrong-kind"),
        ('to = "ap"', 'to = "nobody"', "unknown-name"),
        ('name = "ap"', 'name = "ap"', None),
    ],
)
def test_one_mistake(tmp_path: Path, old: str, new: str, code: str | None) -> None:
    lines = BAD.replace('durration = "3 s"\n', "").replace("802.11ax", "802.11b")
    right = lines.replace("newrino", "newreno").replace("mss = 3\n", "").replace("-5", "5")
    codes = [each[2] for each in found(tmp_path, right.replace(old, new))]
    assert codes == ([code] if code else [])


def test_a_consequence_is_no_mistake_of_its_own(tmp_path: Path) -> None:
    """Without its wrong end the flow would have none, which nobody has written."""
    text = BAD.replace('to = "ap"', 'to = "nobody"')
    codes = {each[2] for each in found(tmp_path, text)}
    assert "missing-key" not in codes
    assert not checking.check(tmp_path / "x.toml").whole or "unknown-name" in codes


def test_the_command(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text(BAD)
    told = command("check", file, "two_stations", ROOT / "studies" / "clusters.toml")
    assert told.returncode == 1
    assert f"{file}:5:12: not-modelled: " in told.stdout
    assert told.stdout.count("nothing is wrong") == 2
    (document,) = json.loads(command("check", file, "--json").stdout)
    assert [problem["line"] for problem in document["problems"]] == [2, 5, 12, 13, 16]
    assert command("check", ROOT / "python/lasthop/papers/petrovic2003").returncode == 0
    assert command("check", tmp_path / "none.toml").returncode == 1


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.name)
def test_every_code_is_explained(code: checking.codes.Code) -> None:
    told = command("check", "--explain", code.name)
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.startswith(f"{code.name}: ")
    assert "did you mean" in command("check", "--explain", f"{code.name}x").stderr
