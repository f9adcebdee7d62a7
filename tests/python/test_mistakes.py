"""Common mistakes: a sentence names each, and the valid choices."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from commands import ROOT, SCENARIO, lasthop
from lasthop import LasthopError, run
from lasthop.cli.results_output import filtered
from lasthop.core import api
from lasthop.core.safe_files import write_text
from lasthop.errors import ScenarioError, StudyError, UsageError
from lasthop.numbers.table import Table
from lasthop.study.advice.choices import grid_of
from lasthop.study.swept import Results

TABLE = Table.of({"metric": ["goodput", "loss"], "queue.packets": [5, 50]})


@pytest.mark.parametrize(
    ("mistake", "told"),
    [
        (lambda: run(SCENARIO, replications="3"), "whole number, not '3'"),
        (lambda: run(SCENARIO, replications=1.5), "whole number, not 1.5"),
        (lambda: run({"name": "x"}), "a lasthop.Scenario; not dict"),
        (lambda: run(SCENARIO, seed="a"), "seed must be a whole number"),
        (
            lambda: api.check(ROOT / "studies/retry_and_queue.toml"),
            "toml:6:1: error: this is a study",
        ),
        (lambda: grid_of({"queue.packets": 10}), "allowed: a list or a range of values, not 10"),
        (lambda: grid_of(["queue.packets=5-50"]), "queue.packets has one value, '5-50'"),
        (lambda: filtered(TABLE, ["metric=gooput"]), "did you mean 'goodput'"),
        (lambda: filtered(TABLE, ["queue.packets>>5"]), "'>5' is not a whole number"),
    ],
)
def test_what_is_wrong_is_told(mistake: Callable[[], object], told: str) -> None:
    with pytest.raises(LasthopError) as error:
        mistake()
    assert told in str(error.value)


def test_a_directory_of_studies_names_them(tmp_path: Path) -> None:
    write_text(tmp_path / "mine" / "manifest.json", "{}")
    with pytest.raises(LasthopError, match="studies in it: mine"):
        Results(tmp_path)


def test_a_file_that_cannot_be_written_is_named_as_it_was_asked_for() -> None:
    with pytest.raises(FileNotFoundError) as error:
        write_text(Path("/proc/none.csv"), "")
    assert error.value.filename == "/proc/none.csv"


def test_a_run_shows_itself_in_a_screen() -> None:
    shown = repr(run(SCENARIO, overrides={"duration": "21 s"}, replications=2)).splitlines()
    assert shown[0] == "<Run of 'dumbbell', seed 1, 2 replications; means>"
    assert [line.split()[0] for line in shown[1:]] == ["flow", "one", "two", "short"]
    assert max(map(len, shown)) <= 80


def test_a_law_given_as_cases_is_sent_to_its_own_command(tmp_path: Path) -> None:
    law = write_text(tmp_path / "mine.py", "class Mine: ...")
    assert "lasthop conformance law" in lasthop("conformance", law).stderr


def test_the_help_of_a_command_has_its_own_examples_only() -> None:
    assert "reproduce" not in lasthop("sweep", "--help").stdout
    assert "lasthop reproduce" in lasthop("--help").stdout


def test_a_mistake_keeps_its_code_and_its_place_behind_more_words() -> None:
    placed = ScenarioError("wrong", code="no-toml", file="x.toml", place=(2, 3))
    assert str(placed.behind("", StudyError)) == "x.toml:2:3: error: wrong"
    more = placed.behind("claim A", UsageError, "y.toml", ("claim", 0))
    assert str(more) == "y.toml: claim A: x.toml:2:3: error: wrong"
    assert (more.said, more.code, more.file, more.place) == ("wrong", "no-toml", "x.toml", (2, 3))
    named = UsageError("wrong", code="unknown-name").behind("claim A", StudyError, "y.toml", (0,))
    assert str(named) == "y.toml: claim A: wrong"
    assert (named.code, named.file, named.path) == ("unknown-name", "y.toml", (0,))
    again = pickle.loads(pickle.dumps(more))
    assert (str(again), again.code, again.place) == (str(more), "no-toml", (2, 3))
