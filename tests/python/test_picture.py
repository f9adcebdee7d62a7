"""Pages about one run: their probes are true, their charts hold what the run says, and rerun makes them again."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commands import lasthop
from lasthop import Run, UsageError, run
from lasthop.core.api import kept, read
from lasthop.core.how import Watching
from lasthop.core.panels import PROBES, STEPS, panels
from lasthop.pages.picture import sparks
from lasthop.pages.picture.run_page import write
from lasthop.pages.picture.watching import drawn, watch, with_probes

HERE = Path(__file__).parents[2] / "scenarios"
SHORT = {"duration": "12 s", "warmup": "2 s"}


def watched(
    file: str, changes: dict[str, Any] | None = None
) -> tuple[dict[str, Any], dict[str, Any]]:
    asked = read(HERE / file, SHORT if changes is None else changes)
    summary = run(HERE / file, overrides=asked.overrides).summary
    return watch(asked, None, lambda part: None), summary


@pytest.mark.parametrize(
    "file", ["two_stations.toml", "hidden_stations.toml", "saturated_cell.toml"]
)
def test_fates_of_frames_are_what_stations_count(file: str) -> None:
    result = run(HERE / file, overrides={"warmup": "0 s", "duration": "10 s"}, probes=["air"])
    rows = result.probes["air"].to_pylist()
    for station in result.stations.to_pylist():
        own = [row for row in rows if row["station"] == station["name"]]
        fates = [row["fate"] for row in own]
        # The last attempt may still be under way at the end.
        waits = len(fates) - fates.count("none_due")
        assert waits - station["attempts"] in (0, 1)
        lost = station["collisions"] + station["hidden"]
        assert fates.count("overlapped") - lost in (0, 1)
        assert fates.count("unanswered") - station["channel_errors"] in (0, 1)
        again = sum(row["retry"] and row["kind"] == "data" for row in own)
        assert again - station["retries"] in (0, 1)


def test_airtime_is_the_time_of_the_frames() -> None:
    result = run(HERE / "two_stations.toml", overrides=SHORT, probes=["air", "airtime"])
    frames, steps = result.probes["air"].to_pylist(), result.probes["airtime"].to_pylist()
    assert {row["time_s"] for row in steps} == set(map(float, range(12)))
    for name in ("ap", "sta1", "sta2"):
        whole = sum(row["airtime_s"] for row in frames if row["station"] == name)
        parts = [row for row in steps if row["station"] == name]
        held = sum(row["carried_s"] + row["overlapped_s"] + row["unanswered_s"] for row in parts)
        assert held == pytest.approx(whole, rel=1e-9)
        again = sum(row["airtime_s"] for row in frames if row["station"] == name and row["retry"])
        assert sum(row["retries_s"] for row in parts) == pytest.approx(again, rel=1e-9)


def test_a_step_keeps_the_first_frames_of_each_step_with_their_fates() -> None:
    scenario = HERE / "two_stations.toml"
    every = run(scenario, overrides=SHORT, probes=["air"]).probes["air"].to_pylist()
    some = (
        run(scenario, overrides=SHORT, probes=["air"], probe_every_s=0.5).probes["air"].to_pylist()
    )
    by_step: dict[int, list[dict[str, Any]]] = {}
    for row in every:
        by_step.setdefault(int(row["time_s"] * 1e9) // (10**9 // 2), []).append(row)
    assert max(map(len, by_step.values())) > 64
    assert some == [row for rows in by_step.values() for row in rows[:64]]


@pytest.mark.parametrize("duration", ["12 s", "11 s"])
def test_the_goodput_that_is_drawn_is_the_flows(duration: str) -> None:
    """A step of 11 s is no whole number of nanoseconds: the rest makes a step of its own."""
    drawn, summary = watched("two_stations.toml", {**SHORT, "duration": duration})
    series = drawn["series"]
    goodput = series["charts"][0]
    times = np.array(series["times"])
    for line, flow in zip(goodput["lines"], summary["flows"], strict=True):
        assert line["name"] == flow["name"]
        drawn = np.array(line["values"], dtype=float)[times > 2.0]
        assert 1e3 * drawn.mean() == pytest.approx(flow["goodput_bps"], rel=0.06)
    assert series["marks"] == [{"at": 2.0, "text": "measured from here"}]
    window = next(chart for chart in series["charts"] if chart["unit"] == "segments")
    top = max(v for line in window["lines"] if not line["dash"] for v in line["values"] if v)
    assert all(
        v is None or v <= 1.15 * top + 1e-3 for line in window["lines"] for v in line["values"]
    )


@pytest.mark.parametrize(
    "file", ["two_stations.toml", "hidden_stations.toml", "wimax_downloads.toml", "shared_lan.toml"]
)
def test_tables_and_their_text_give_the_same_panels(file: str) -> None:
    asked = read(HERE / file, {**SHORT, "measures": ["limits", "delay_split"]})
    how = asked, (*PROBES, "packets"), STEPS, None, lambda part: None
    assert panels(json.dumps(with_probes(*how))) == drawn(*how)


def test_a_text_that_is_no_result_has_no_panels() -> None:
    with pytest.raises(ValueError, match="missing field"):
        panels("{}")


def test_the_air_s_chart_has_every_frame_of_a_short_run() -> None:
    asked = read(HERE / "hidden_stations.toml", SHORT)
    document = with_probes(asked, ("air",), STEPS, None, lambda part: None)
    charts = watch(asked, None, lambda part: None)["series"]["charts"]
    (chart,) = [each for each in charts if each.get("kind") == "air"]
    assert chart["all"] == len(chart["frames"]["at"])
    assert len(chart["known"]) == 1
    times = np.cumsum(chart["frames"]["at"]) / 1e7
    assert times == pytest.approx(document["probes"]["air"]["time_s"], abs=1e-7)
    assert chart["shares"]["overlapped_s"] > 0.5  # neither station hears the other
    assert chart["bins"][chart["lanes"].index("ap")][1] == []  # the access point does not collide


def test_a_distribution_ends_where_losses_begin() -> None:
    drawn, summary = watched("hidden_stations.toml")
    found = drawn["distribution"]
    assert found is not None
    for line, flow in zip(found["lines"], summary["flows"], strict=True):
        lost = sum(flow["packets_lost"].values())
        share = 100 * flow["packets_delivered"] / (flow["packets_delivered"] + lost)
        # Packets that were sent before the measured time and end in it count in the flow's numbers only.
        assert line["values"][-1] == pytest.approx(share, abs=1.5)
    lost_bars = next(each for each in drawn["bars"] if each["unit"] == "packets")
    assert lost_bars["parts"] == ["retry limit hidden"]


def test_the_command_writes_a_page_that_rerun_makes_again(tmp_path: Path) -> None:
    page = tmp_path / "run.html"
    scenario = str(HERE / "hidden_stations.toml")
    changes = ["--set", "duration=4 s", "--replications", "3", "--seed", "5"]
    done = lasthop("run", scenario, *changes, "--report", str(page))
    assert done.returncode == 0, done.stderr
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"(src|href)=[\"']https?:", text)
    series = json.loads(re.search(r'id="series">(.*?)</script>', text, re.S)[1])  # type: ignore[index]
    assert [chart.get("kind") for chart in series["charts"]].count("air") == 1
    assert "mean over 3 replications" in text
    again = lasthop("rerun", str(page))
    assert again.returncode == 0, again.stdout + again.stderr


def test_a_page_names_the_law_that_ran_and_holds_its_text(tmp_path: Path) -> None:
    law = tmp_path / "gentle.py"
    law.write_text(
        "import lasthop\n\nclass Gentle(lasthop.Law):\n    def on_ack(self, w, ack):\n        w.cwnd = 7.0\n"
    )
    short = ["--set", "duration=22 s", "--law", f"{law}:Gentle"]
    done = lasthop("run", "dumbbell", *short, "--report", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("\n\n")[0].split("; ")[2].startswith("law Gentle")
    page = (tmp_path / "dumbbell.html").read_text(encoding="utf-8")
    assert "lasthop run dumbbell --set" in page  # as it is typed: it came with lasthop
    assert "--law gentle.py:Gentle" in page
    assert "w.cwnd = 7.0" in page
    again = lasthop("rerun", "dumbbell.html", cwd=tmp_path)
    assert again.returncode == 2
    assert "the law Gentle is Python code from the page" in again.stderr


@pytest.mark.parametrize("after", [[], ["--seed", "3"]])
def test_a_page_without_a_name_is_called_like_the_scenario(
    after: list[str], tmp_path: Path
) -> None:
    short = ["--set", "duration=2 s", "--set", "warmup=1 s", "--report", *after]
    done = lasthop("run", str(HERE / "two_stations.toml"), *short, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["two_stations.html"]
    assert "wrote two_stations.html" in done.stdout


@pytest.mark.parametrize("file", ["wimax_downloads.toml", "shared_lan.toml", "mobile_ip.toml"])
def test_networks_without_one_cell_have_pages_too(file: str, tmp_path: Path) -> None:
    asked = read(HERE / file, {"duration": "21 s", "warmup": "1 s"})
    summary = run(HERE / file, overrides=asked.overrides).summary
    page = write(asked, summary, tmp_path / "page.html")
    assert page.stat().st_size < 500e3
    assert (
        "NaN"
        not in page.read_text(encoding="utf-8").split('id="causes"')[0].split('id="series"')[1]
    )


def test_a_page_about_a_scenario_without_a_name_names_its_file(tmp_path: Path) -> None:
    text = (HERE / "two_stations.toml").read_text().replace('name = "two stations"', "")
    (tmp_path / "mine.toml").write_text(text)
    page = run(tmp_path / "mine.toml", overrides=SHORT).report(tmp_path / "page.html").read_text()
    assert "<title>mine: a run by lasthop</title>" in page
    assert "a run of mine</p>" in page


def test_a_run_in_python_writes_its_page(tmp_path: Path) -> None:
    result = run(HERE / "hidden_stations.toml", overrides={"duration": "3 s"})
    page = result.report(tmp_path / "run.html")
    assert "hidden stations" in page.read_text(encoding="utf-8")
    with pytest.raises(UsageError, match=r"ends in \.html"):
        result.report(tmp_path / "run.pdf")
    with pytest.raises(UsageError, match="do not contain the scenario"):
        Run(result.documents).report(page)


def test_the_terminal_draws_flows_in_80_columns() -> None:
    scenario = str(HERE / "two_stations.toml")
    done = lasthop("run", scenario, "--set", "duration=20 s", "--set", "warmup=2 s", "--chart")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.split("In time")[1].splitlines()[1:]
    assert [line.split()[:2] for line in lines] == [
        [flow, what] for flow in ("download", "upload") for what in ("goodput", "delay")
    ]
    assert max(map(len, lines)) <= 80
    assert sparks.blocks(np.array([0.0, 1.0, np.nan, 7.0])) == "▁▂ █"


def test_a_column_of_a_probe_is_drawn() -> None:
    result = run(HERE / "two_stations.toml", overrides=SHORT, probes=["tcp", "queue"])
    axes = result.plot("snd_cwnd", flow="upload")
    (line,) = axes.lines
    rows = [row for row in result.tcp.to_pylist() if row["flow"] == "upload"]
    assert list(line.get_ydata()) == [row["snd_cwnd"] for row in rows]
    drawn = {line.get_label() for line in result.plot("packets").lines}
    assert drawn == {row["queue"] for row in result.probes["queue"].to_pylist()}
    with pytest.raises(UsageError, match="did you mean 'snd_cwnd'"):
        result.plot("snd_cwn")
    with pytest.raises(UsageError, match="there are: download, upload"):
        result.plot("srtt_s", flow="x")


@pytest.mark.parametrize("measures", [[], ["interarrival"], ["delay_split", "limits"]])
@pytest.mark.parametrize("count", [1, 3])
def test_a_run_with_a_page_has_the_same_numbers(measures: list[str], count: int) -> None:
    """Probes and measures of the page change nothing, and leave the scenario's own measures there."""
    changes = {**SHORT, "measures": measures}
    plain = run(HERE / "two_stations.toml", overrides=changes, replications=count)
    drawn: list[dict[str, Any]] = []
    how = Watching(overrides=changes, replications=count, page=drawn.append)
    assert kept(HERE / "two_stations.toml", how).documents == plain.documents
    (panels_of_first,) = drawn
    titles = [bars["title"] for bars in panels_of_first["bars"]]
    assert "Mean delay of a packet that arrived, by cause" in titles
    assert panels_of_first["limited"]
    assert panels_of_first["distribution"]["lines"]


def test_a_run_of_very_many_packets_draws_no_delays() -> None:
    drawn: list[dict[str, Any]] = []
    changes = {"duration": "50 s", "link.1.rate": "100 Mbps"}
    done = kept(HERE / "dumbbell.toml", Watching(overrides=changes, page=drawn.append))
    assert done.summary["packets"]["made"] > 400_000
    assert drawn[0]["distribution"] is None
    assert "too many to draw their delays" in drawn[0]["notes"][-1]
