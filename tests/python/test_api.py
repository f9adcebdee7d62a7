"""`import lasthop`: runs, tables, jobs, errors."""

from __future__ import annotations

from pathlib import Path

import pytest

import lasthop
from lasthop.core.job import Job
from lasthop.core.jobs import run_jobs
from lasthop.numbers.table import Table

SCENARIO = Path(__file__).resolve().parents[2] / "scenarios" / "two_stations.toml"
SHORT = {"duration": "2 s", "warmup": "0.5 s"}


def test_flows_are_a_tidy_table() -> None:
    result = lasthop.run(SCENARIO, seed=3, replications=2, overrides=SHORT)
    assert isinstance(result.flows, Table)
    assert result.flows.num_rows == 2 * 2  # replications x flows
    assert {"replication", "name", "goodput_bps", "delay_s.p95", "packets_lost.queue"} <= set(
        result.flows.column_names
    )
    assert result.stations.column("name").to_pylist() == ["ap", "sta1", "sta2"] * 2
    assert result.seed == 3
    assert "goodput kbit/s" in result._repr_html_()
    assert result.summary["flows"][0]["goodput_bps"]["n"] == 2


def test_a_run_has_its_flows_by_name() -> None:
    result = lasthop.run(SCENARIO, seed=3, overrides=SHORT)
    assert list(result) == ["download", "upload"]
    assert len(result) == 2
    assert "upload" in result
    assert "uplod" not in result
    assert [result[name].name for name in result] == list(result)


def test_response_times_have_columns() -> None:
    web = SCENARIO.with_name("web.toml")
    result = lasthop.run(web, overrides=["duration=40 s"], replications=2)
    columns = set(result.flows.column_names)
    assert {"pages.finished", "objects.unfinished", "pages.response_time_s.p95"} <= columns
    assert sum(result.flows.column("pages.finished").to_pylist()) > 50
    assert result.summary["flows"][0]["pages"]["response_time_s"]["mean"]["n"] == 2
    plain = lasthop.run(SCENARIO, overrides=SHORT)
    assert "pages.finished" not in plain.flows.column_names


def test_the_same_seed_gives_the_same_bytes() -> None:
    runs = [lasthop.run(SCENARIO, seed=3, overrides=SHORT).documents for _ in range(2)]
    assert runs[0] == runs[1]
    assert lasthop.run(SCENARIO, seed=4, overrides=SHORT).documents != runs[0]


def test_text_runs_as_a_file_does() -> None:
    text = SCENARIO.read_text()
    assert lasthop.run(text, overrides=SHORT).documents == (
        lasthop.run(SCENARIO, overrides=SHORT).documents
    )


def test_jobs_come_back_in_their_order_on_any_number_of_threads() -> None:
    text = SCENARIO.read_text()
    short = tuple(f"{key}={value}" for key, value in SHORT.items())
    jobs = [
        Job(text, "x.toml", (*short, f"tcp.variant={variant}"), seed, replication)
        for variant in ("tahoe", "newreno")
        for seed in (1, 2)
        for replication in (0, 1)
    ]
    told: list[tuple[int, int]] = []
    done: list[float] = []
    results = [
        run_jobs(jobs, workers, lambda *counts: told.append(counts), fraction=done.append)
        for workers in (1, 2, 8)
    ]
    assert results[0] == results[1] == results[2]
    assert [(r["flows"][0]["variant"], r["seed"], r["replication"]) for r in results[0] if r] == [
        (job.overrides[-1].removeprefix("tcp.variant="), job.seed, job.replication) for job in jobs
    ]
    assert told[-1] == (8, 8)
    assert max(done) <= 1.0


def test_no_jobs_give_no_results() -> None:
    assert run_jobs([]) == []


def test_errors_say_where() -> None:
    with pytest.raises(lasthop.ScenarioError, match=r"<text>:2:1: error: unknown key \"duratoin\""):
        lasthop.check('\nduratoin = "1 s"\n')
    with pytest.raises(lasthop.ScenarioError, match=r"^--set tcp.mss=3: error: 3 has no unit"):
        lasthop.check(SCENARIO, overrides={"tcp.mss": 3})
    with pytest.raises(lasthop.ScenarioError, match="no such file"):
        lasthop.run("nowhere.toml")
    lasthop.check(SCENARIO)


def test_the_first_wrong_job_is_named_before_anything_runs() -> None:
    good, bad = Job(SCENARIO.read_text(), "good.toml"), Job("x = 1\n", "bad.toml")
    with pytest.raises(lasthop.ScenarioError, match=r"^bad\.toml:1:1"):
        run_jobs([good, bad])


def test_a_keyword_that_there_is_not_is_answered_with_those_that_there_are() -> None:
    with pytest.raises(
        TypeError, match=r"'sed'; did you mean 'seed'\? there are: scenario, seed, "
    ):
        lasthop.run(SCENARIO, sed=3)  # type: ignore[call-overload]
