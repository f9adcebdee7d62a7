"""Changes without effect are reported: flows with a TCP of their own do not take the top-level one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import lasthop
from commands import lasthop as command
from lasthop.study import cells, reader
from lasthop.study.papers import PAPERS, folder_of
from lasthop.study.papers.folder import Paper
from lasthop.study.sweeping import Hooks

OWN = {"uploads": "cubic", "downloads": "bbr"}


def made(folder: Path, **bulk: str) -> Path:
    options = [word for way, variant in bulk.items() for word in (f"--{way}", variant)]
    done = command(
        "new", "wifi", "office", "--stations", "2", "--duration", "2 s", *options, cwd=folder
    )
    assert done.returncode == 0, done.stderr
    return folder / "office.toml"


def test_a_run_says_which_change_does_nothing(tmp_path: Path) -> None:
    made(tmp_path, **OWN)
    done = command(
        "run", "office.toml", "--set", "tcp.variant=reno", "--set", "seed=3", cwd=tmp_path
    )
    assert done.returncode == 0
    (line,) = done.stderr.strip().splitlines()
    assert line.startswith("--set tcp.variant=reno has no effect: ")
    assert "flow.upload has a table of its own, and so does 1 more" in line.replace(
        "do 1", "does 1"
    )
    reached = command("run", "office.toml", "--set", "flow.upload.tcp.variant=reno", cwd=tmp_path)
    assert reached.stderr == ""


def test_a_sweep_says_which_axis_does_nothing(tmp_path: Path) -> None:
    said: list[str] = []
    hooks = Hooks(said=said.append)
    over = {"tcp.variant": ["reno", "cubic"], "queue.packets": [5, 50]}
    scenario = made(tmp_path, **OWN)
    lasthop.sweep(scenario, over=over, out=tmp_path / "out", quick=True, hooks=hooks)
    (line,) = [each for each in said if "has no effect" in each]
    assert line.startswith(
        "tcp.variant has no effect: all its values give the same runs. flow.upload"
    )


def test_advice_says_what_a_choice_that_does_nothing_would_have_to_name(tmp_path: Path) -> None:
    advice = lasthop.advise(
        made(tmp_path, **OWN),
        choose={"tcp.variant": ["reno", "cubic"], "queue.packets": [5, 50]},
        maximise="goodput_bps",
        most=4,
    )
    said = {each.choice: each.said for each in advice.around}
    assert said["tcp.variant"].startswith(
        "the same in all runs. flow.upload has a table of its own"
    )
    assert "has a table" not in said["queue.packets"]


def test_a_study_made_for_flows_with_their_own_tcp_reaches_one(tmp_path: Path) -> None:
    made(tmp_path, **OWN)
    assert command("new", "study", "s", "--scenario", "office.toml", cwd=tmp_path).returncode == 0
    study = reader.read(tmp_path / "s.toml")
    assert study.keys == ("flow.upload.tcp.variant",)
    assert len({cell.key for cell in cells.cells(study)}) == 3


def test_one_variant_for_all_is_said_once_and_duels(tmp_path: Path) -> None:
    scenario = made(tmp_path, uploads="bbr", downloads="bbr")
    assert scenario.read_text().count('variant = "bbr"') == 1
    over = ["--over", "queue.packets=5,50"]
    assert (
        command("new", "study", "s", "--scenario", "office.toml", *over, cwd=tmp_path).returncode
        == 0
    )
    duel = ["duel", "reno", "bbr", "--over", "s.toml", "--json"]
    won = command(*duel, cwd=tmp_path)
    assert won.returncode == 0, won.stderr
    assert json.loads(won.stdout)


def test_a_duel_that_would_change_no_flow_is_refused(tmp_path: Path) -> None:
    made(tmp_path, **OWN)
    over = ["--over", "queue.packets=5,50"]
    assert (
        command("new", "study", "s", "--scenario", "office.toml", *over, cwd=tmp_path).returncode
        == 0
    )
    done = command("duel", "reno", "vegas", "--over", "s.toml", cwd=tmp_path)
    assert done.returncode == 2
    assert (
        "every TCP flow of the conditions names its own TCP (upload has tcp = ...)" in done.stderr
    )


def test_a_change_of_an_axis_is_refused() -> None:
    with pytest.raises(lasthop.UsageError, match=r"queue\.packets is an axis of retry_and_queue"):
        lasthop.sweep("retry_and_queue", overrides={"queue.packets": 9})


PAPERS_STUDIES = [
    pytest.param(name, id_, id=f"{name}-{id_}")
    for name in PAPERS
    for id_ in Paper(folder_of(name)).ids
]


@pytest.mark.parametrize(("name", "id_"), PAPERS_STUDIES)
def test_no_axis_of_a_paper_does_nothing(name: str, id_: str) -> None:
    """The studies that come with lasthop are looked at where they are checked (`test_checking.py`)."""
    study = Paper(folder_of(name)).study(id_, 1)
    assert cells.idle(study, cells.cells(study)) == []


def test_rows_do_not_bear_names_of_variants_that_a_law_replaced(tmp_path: Path) -> None:
    assert command("new", "law", "Gentle", cwd=tmp_path).returncode == 0
    assert command("new", "study", "s", cwd=tmp_path).returncode == 0
    done = command("sweep", "s.toml", "--law", "gentle.py:Gentle", cwd=tmp_path)
    assert done.returncode == 2
    assert "the study varies tcp.variant" in done.stderr
