"""`lasthop check`: every mistake of a file at once, at its place, with a code that stays."""

from __future__ import annotations

import ast
import json
import random
import re
from pathlib import Path

import pytest

from commands import ROOT
from commands import lasthop as command
from lasthop.core.codes import CODES, Code
from lasthop.study import checking
from lasthop.study.papers import paper_folder
from mistakes import found

BAD = """\
duration = "10 s"
durration = "3 s"

[phy]
standard = "802.11be"

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
    lines = BAD.replace('durration = "3 s"\n', "").replace("802.11be", "802.11b")
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
    assert command("check", ROOT / "python/lasthop/study/papers/petrovic2003").returncode == 0
    assert command("check", tmp_path / "none.toml").returncode == 1


def test_the_whole_document_is_printed_with_the_origin_of_each_value(tmp_path: Path) -> None:
    file = tmp_path / "office.toml"
    file.write_text((ROOT / "scenarios" / "two_stations.toml").read_text())
    done = command("check", file, "--resolved", "--set", "conventions=ns2")
    lines = done.stdout.splitlines()
    assert 'variant = "newreno"  # office.toml:41' in lines
    assert 'window = "29200 B"  # ns2.35' in lines
    assert "handshake = true  # default" in lines
    (tmp_path / "whole.toml").write_text(done.stdout)
    again = command("check", tmp_path / "whole.toml", "--resolved")
    values = [line.partition("  # ")[0] for line in again.stdout.splitlines()]
    assert values == [line.partition("  # ")[0] for line in lines]


def test_the_whole_document_is_of_one_scenario(tmp_path: Path) -> None:
    done = command("check", "--resolved", "two_stations", "dumbbell")
    assert done.returncode != 0
    assert "--resolved takes one scenario, not 2 files" in done.stderr
    done = command("check", "two_stations", "--set", "seed=3")
    assert done.returncode != 0
    assert "--set and --law go with --resolved" in done.stderr
    wrong = tmp_path / "wrong.toml"
    wrong.write_text(BAD)
    done = command("check", wrong, "--resolved")
    assert done.returncode != 0
    assert "wrong.toml:2:1: error: unknown key" in done.stderr


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.name)
def test_every_code_is_explained(code: Code) -> None:
    told = command("check", "--explain", code.name)
    assert (told.returncode, told.stderr) == (0, "")
    assert told.stdout.startswith(f"{code.name}: ")
    assert "did you mean" in command("check", "--explain", f"{code.name}x").stderr


MANY = """\
durration = "10 s"
duration = "10 q"
warmup = "3"

[phy]
standard = "802.11be"
sede = 4

[queue]
packets = -5

[tcp]
variant = "newrino"
mss = 3
window = 4.5

[[cell]]
name = "c"
access_point = "ap"
stations = ["a"]

[[link]]
ends = ["ap", "s"]
rate = "2 Mbq"
dealy = "3 ms"
loss = 7

[[node]]
name = "ap"
mobility = { file = "gone.tcl" }

[[flow]]
name = "x"
from = "a"
to = "nobody"
app = { kind = "video", trace = "gone.txt" }

[[flow]]
name = 5
from = "a"
app = "ftpp"
"""


def test_many_mistakes_of_many_kinds_are_told_at_once(tmp_path: Path) -> None:
    assert found(tmp_path, MANY) == [
        (1, 1, "unknown-key"),
        (2, 12, "unknown-unit"),
        (3, 10, "unknown-unit"),
        (6, 12, "not-modelled"),
        (7, 1, "unknown-key"),
        (10, 11, "out-of-range"),
        (13, 11, "unknown-name"),
        (14, 7, "unknown-unit"),
        (15, 10, "wrong-kind"),
        (24, 8, "unknown-unit"),
        (25, 1, "unknown-key"),
        (26, 8, "out-of-range"),
        (30, 12, "missing-key"),
        (36, 25, "unknown-key"),
        (38, 1, "missing-key"),
        (39, 8, "wrong-kind"),
        (41, 7, "unknown-name"),
    ]


#: What is wrong only where all that is written is right: the three kinds that the first look does not tell.
LATER = {
    "no-toml": "duration = ",
    "no-such-file": """duration = "3 s"
link = [{ ends = ["a", "b"], rate = "2 Mbps", delay = "20 ms" }]
[[flow]]
from = "a"
to = "b"
transport = "udp"
app = { kind = "video", file = "gone.txt", format = "asu" }
""",
    "does-not-fit": """duration = "3 s"
link = [
  { ends = ["a", "b"], rate = "2 Mbps", delay = "20 ms" },
  { ends = ["c", "d"], rate = "2 Mbps", delay = "20 ms" },
]
flow = [{ name = "x", from = "a", to = "c" }]""",
}


@pytest.mark.parametrize("code", LATER)
def test_the_other_kinds(tmp_path: Path, code: str) -> None:
    assert [each[2] for each in found(tmp_path, LATER[code])] == [code]


@pytest.mark.parametrize("content", [b"duration = 3\n\xffname\n", b"duration = 3\n\0name\n"])
def test_a_file_that_is_no_text_is_no_toml_and_is_not_missing(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(content)
    (problem,) = checking.check(path).problems
    assert (problem.line, problem.column, problem.code) == (2, 1, "no-toml")
    paper = paper_folder.new("mine", tmp_path)
    (paper / "claims.toml").write_bytes(content)
    problems = [
        each for each in checking.check(paper).problems if each.file.endswith("claims.toml")
    ]
    assert [(each.line, each.column, each.code) for each in problems] == [(2, 1, "no-toml")]


def test_two_mistakes_in_one_value_are_no_trouble(tmp_path: Path) -> None:
    text = BAD.replace("stations = [", 'stations = [3, { x = 1 }, "ap", "ap", ', 1)
    assert len(found(tmp_path, text)) >= 2


@pytest.mark.parametrize(
    "name", ["two_stations", "wimax_downloads", "mobile_ip", "voice", "clusters"]
)
def test_planted_mistakes_are_found_all(tmp_path: Path, name: str) -> None:
    """Keys at the beginnings of lines get other names: each is reported, at its line, and the check ends."""
    lines = (ROOT / "scenarios" / f"{name}.toml").read_text().splitlines()
    keys = [
        n
        for n, line in enumerate(lines)
        if re.match(r"(seed|duration|warmup|mss|delay|loss|payload|start)\b", line)
    ]
    draw = random.Random(f"{name} 20261123")
    for count in range(1, len(keys) + 1):
        planted = sorted(draw.sample(keys, count))
        text = [f"x{line}" if n in planted else line for n, line in enumerate(lines)]
        told = found(tmp_path, "\n".join(text))
        assert {n + 1 for n in planted} <= {line for line, _, code in told if code == "unknown-key"}


def test_every_code_in_the_package_is_one_of_the_core() -> None:
    names = {code.name for code in CODES}
    for file in (ROOT / "python/lasthop").rglob("*.py"):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            for word in call.keywords if isinstance(call, ast.Call) else ():
                if word.arg == "code" and isinstance(word.value, ast.Constant):
                    assert word.value.value in names, (file, word.value.lineno)
