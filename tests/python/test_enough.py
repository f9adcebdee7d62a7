"""A scenario runs as often as a moment allows where nobody says how often."""

from pathlib import Path

import pytest

from commands import SHORT, lasthop
from lasthop.cli import run_output
from lasthop.cli.commands.run import RunOptions
from lasthop.core import api, enough
from lasthop.core.how import Running

BRIEF = ("--set", "duration=2 s", "--set", "warmup=0 s")


@pytest.mark.parametrize(
    ("events", "runs"),
    [
        (1, 100),
        (enough.MOMENT // 100, 100),
        (enough.MOMENT // 100 + 1, 50),
        (enough.MOMENT // 20, 20),
        (enough.MOMENT // 10 + 1, 10),
        (enough.LARGEST, 10),
        (enough.LARGEST + 1, 1),
    ],
)
def test_the_number_of_runs_rests_on_the_events_of_one(events: int, runs: int) -> None:
    assert enough.often(events) == runs


def test_the_numbers_are_those_of_as_many_replications() -> None:
    chosen, how = enough.Enough(), Running()
    changes = ("duration=4 s", "warmup=1 s")
    chosen.run(api.read("two_stations", changes), how)
    told = api.stats.Summary()
    api.summarise(told, "two_stations", replications=chosen.asked, overrides=changes)
    assert chosen.runs == chosen.asked == 100
    assert chosen.document() == told.document()


def test_a_person_gets_intervals_and_who_names_a_seed_gets_its_run() -> None:
    said = lasthop("run", "two_stations", *BRIEF).stdout
    assert "100 runs, mean ± 95 %" in said
    for one in (("--seed", "1"), ("--replications", "1")):
        alone = lasthop("run", "two_stations", *BRIEF, *one).stdout
        assert "seed 1, 2 s measured, 1 run;" in alone


def test_what_has_no_chance_in_it_is_shown_once() -> None:
    said = lasthop("run", "dumbbell", *SHORT).stdout
    first, rest = said.partition("Noticed")[0].split("\n", 1)
    assert "100 runs, all equal" in first
    assert " = " not in rest
    assert "±" not in rest


def test_a_large_scenario_runs_once_and_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(enough, "LARGEST", 100)
    monkeypatch.setattr(enough, "MOMENT", 100)
    run_output.run("two_stations", RunOptions(changes=("duration=2 s", "warmup=0 s")))
    said = " ".join(capsys.readouterr().out.split())
    assert "2 s measured, 1 run;" in said
    assert said.endswith(run_output.ONE)


def test_a_page_is_made_again_with_as_many_runs(tmp_path: Path) -> None:
    made = lasthop("run", "two_stations", *BRIEF, "--report", "page.html", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "--replications 100" in page
    again = lasthop("rerun", "page.html", cwd=tmp_path)
    assert again.returncode == 0, again.stdout + again.stderr
