"""Studies of scenarios in which nothing is random: one run of each cell decides."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lasthop
from commands import lasthop as command
from lasthop.core.engine import outline

WIRE = """
duration = "5 s"
[[link]]
ends = ["a", "b"]
rate = "10 Mbps"
delay = "20 ms"
[[flow]]
name = "f"
from = "a"
to = "b"
app = "bulk"
"""

CBR = [
    "flow.f.transport=udp",
    'flow.f.app={ kind = "cbr", rate = "12 Mbps", payload = "1000 B" }',
]
CELL = ['cell=[{ name = "c", access_point = "b", stations = 1 }]', "flow.f.to=sta1"]

STUDY = """
[study]
name = "rates"
scenario = "wire.toml"
replications = {count}
metrics = ["goodput_bps", "jain"]
[axes]
link.0.rate = ["5 Mbps", "10 Mbps"]
[[compare]]
axis = "link.0.rate"
metric = "goodput_bps"
[[claim]]
id = "more"
text = "A faster link carries more"
holds.above = {{ a = {{ "link.0.rate" = "10 Mbps" }}, b = {{ "link.0.rate" = "5 Mbps" }} }}
"""


def may_draw(changes: list[str]) -> bool:
    return outline(WIRE, "wire.toml", changes, None)[4]


@pytest.mark.parametrize(
    "changes",
    [
        [],
        ["tcp.variant=cubic"],
        ["link.0.queue.discipline=codel"],
        CBR,
    ],
)
def test_where_nothing_is_random_all_replications_are_the_first(changes: list[str]) -> None:
    assert not may_draw(changes)
    runs = lasthop.run(WIRE, overrides=changes, replications=3).documents
    assert len({json.dumps({**run, "replication": 0}) for run in runs}) == 1


@pytest.mark.parametrize(
    "changes",
    [
        ["tcp.variant=bbr"],
        ["link.0.loss=0.01"],
        ["link.0.jitter=2 ms"],
        ["link.0.queue.discipline=red"],
        ["link.0.queue.discipline=pie", "link.0.rate=1 Mbps"],
        # Its salt says which flows share a queue (RFC 8290, 4.1).
        ["link.0.queue.discipline=fq_codel"],
        CELL,
    ],
)
def test_what_may_draw_is_told(changes: list[str]) -> None:
    assert may_draw(changes)


def swept(folder: Path, count: int, scenario: str = WIRE) -> lasthop.Results:
    (folder / "wire.toml").write_text(scenario)
    (folder / "study.toml").write_text(STUDY.format(count=count))
    return lasthop.sweep(folder / "study.toml", folder / "out")


@pytest.mark.parametrize("count", [1, 3])
def test_one_run_of_each_cell_decides(tmp_path: Path, count: int) -> None:
    assert "10 Mbps" in swept(tmp_path, count).answer
    assert "ndecided" not in lasthop.Results(tmp_path / "out").answer
    done = command("audit", tmp_path / "study.toml", "--out", tmp_path / "out", "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    ((pair,),) = (list(pairs.values()) for pairs in document["compared"].values())
    assert pair["verdict"] == "better"
    (said,) = document["compared_notes"].values()
    assert said == ["Nothing is random in these runs: one of each setting tells."]
    assert document["claims"][0]["verdict"] == "holds"
    assert all(each["low"] == each["index"] == each["high"] for each in document["fairness"])


def test_where_something_may_be_random_few_equal_runs_decide_nothing(tmp_path: Path) -> None:
    # A loss so rare that no run has one: what these runs share shows little about others.
    rare = WIRE.replace("[[flow]]", "loss = 1e-12\n[[flow]]")
    assert swept(tmp_path, 3, rare).answer.startswith("Undecided.")
