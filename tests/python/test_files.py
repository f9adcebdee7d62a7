"""Files that a scenario names: paths are relative to its folder, and messages name those that cannot be read."""

import os
import re
from pathlib import Path

import pytest

import lasthop
from lasthop.core import source
from lasthop.errors import ScenarioError

SCENARIO = """
duration = "10 s"
conventions = "ns2"
[medium]
[routing]
kind = "shortest"
[[cell]]
stations = ["mast", "walker"]
[[node]]
name = "mast"
position = [0, 0]
[[node]]
name = "walker"
mobility = { kind = "trace", file = "ways/walk.csv", format = "csv" }
[[flow]]
from = "mast"
to = "walker"
app = { kind = "cbr", rate = "40 kbps", payload = "500 B" }
"""

WALK = "node,time_s,x_m,y_m\nwalker,0,100,0\nwalker,10,1100,0\n"


@pytest.fixture
def scenario(tmp_path: Path) -> Path:
    (tmp_path / "ways").mkdir()
    (tmp_path / "ways" / "walk.csv").write_text(WALK)
    path = tmp_path / "walk.toml"
    path.write_text(SCENARIO)
    return path


def test_a_trace_is_found_beside_its_scenario(
    scenario: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = lasthop.run(scenario, replications=3)
    # 100 m/s from 100 m: out of 250.011 m after 1.5 s, where the 16th datagram is just being sent.
    assert run.flows["packets_lost.no_route"].to_pylist() == [85, 85, 85]
    assert run.stations["packets_lost.no_route"].to_pylist() == [85, 0] * 3
    monkeypatch.chdir(scenario.parent)
    assert lasthop.run(SCENARIO).flows["packets_lost.no_route"].to_pylist() == [85]


def test_an_override_can_name_another_file(scenario: Path) -> None:
    (scenario.parent / "ways" / "rest.csv").write_text(WALK.replace("1100", "100"))
    changes = ["node.walker.mobility.file=ways/rest.csv"]
    run = lasthop.run(scenario, overrides=changes)
    assert run.flows["packets_lost.no_route"].to_pylist() == [0]


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("ways/wakl.csv", "no such file in .*ways.*did you mean 'walk.csv'"),
        ("ways", "is a directory"),
        ("ways/bad.csv", r"ways/bad\.csv:2: x_m is \"east\"; allowed: a number"),
        ("ways/binary.csv", r"ways/binary\.csv:2: not UTF-8 text"),
        ("ways/other.csv", 'unknown node "walker"; allowed: mast'),
    ],
)
def test_what_is_wrong_with_a_file_is_said_where_it_is_named(
    scenario: Path, name: str, says: str
) -> None:
    folder = scenario.parent / "ways"
    (folder / "bad.csv").write_text(WALK.replace("100", "east"))
    (folder / "binary.csv").write_bytes(b"node,time_s\n\xff\xfe")
    (folder / "other.csv").write_text(WALK.replace("walker", "mast"))
    scenario.write_text(SCENARIO.replace("ways/walk.csv", name))
    with pytest.raises(ScenarioError, match=says) as wrong:
        lasthop.check(scenario)
    assert str(wrong.value).startswith(f"{scenario}:14:37: error: ")
    with pytest.raises(ScenarioError, match=says):
        lasthop.run(scenario)


def test_a_file_too_large_is_not_read(scenario: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source, "MAX_FILE_BYTES", 10)
    with pytest.raises(ScenarioError, match="larger than 10 bytes"):
        lasthop.check(scenario)


WIRE = """
conventions = ["ns2.35", "lab.toml"]
duration = "2 s"
[[link]]
ends = ["a", "b"]
rate = "1 Mbps"
[[flow]]
from = "a"
to = "b"
"""


def test_conventions_of_one_s_own_are_read_beside_the_scenario(tmp_path: Path) -> None:
    path = tmp_path / "wire.toml"
    path.write_text(WIRE)
    (tmp_path / "lab.toml").write_text('[tcp]\nmss = "500 B"\n')
    same = ["conventions=ns2.35", "tcp.mss=500 B"]
    assert lasthop.run(path).summary == lasthop.run(path, overrides=same).summary
    assert lasthop.run(path).summary != lasthop.run(path, overrides=same[:1]).summary
    by = lasthop.sweep(path, tmp_path / "out", over={"conventions": ["ns2.35", "lab.toml"]})
    goodput = [list(by.values("goodput_bps", {"conventions": c})) for c in ("ns2.35", "lab.toml")]
    assert goodput[0] != goodput[1]


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("nothing", "no such file in"),
        ("folder", "lab.toml: is a directory"),
        ("pipe", "is a pipe, which may never end"),
        ("itself", 'lab.toml:1:1: unknown key "conventions"; allowed: about, tcp, law'),
        ("wrong", 'lab.toml:2:9: unknown unit "kBB"'),
    ],
)
def test_conventions_that_cannot_be_read_are_named(tmp_path: Path, kind: str, said: str) -> None:
    path, lab = tmp_path / "wire.toml", tmp_path / "lab.toml"
    path.write_text(WIRE.lstrip())
    if kind == "folder":
        lab.mkdir()
    elif kind == "pipe":
        os.mkfifo(lab)
    elif kind == "itself":
        lab.symlink_to(path)
    elif kind == "wrong":
        lab.write_text('[tcp]\n  mss = "1 kBB"\n')
    with pytest.raises(ScenarioError, match=re.escape(said)) as refused:
        lasthop.run(path)
    assert refused.value.place == (1, 26)
