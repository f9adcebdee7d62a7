"""The command line as a person or a script meets it: exit codes, streams, messages."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from commands import ROOT, SCENARIO, SHORT, Word, lasthop
from processes import started, wait_until


def document(*arguments: Word) -> Any:
    done = lasthop(*arguments)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)  # one document and nothing else


def test_json_has_what_is_promised() -> None:
    result = document("run", SCENARIO, *SHORT, "--json", "--seed", 5)
    assert result["seed"] == 5
    assert result["duration_s"] == 2.0
    assert result["events"] > 1000
    flow = result["flows"][0]
    assert flow.keys() >= {
        "name", "transport", "variant", "throughput_bps", "goodput_bps", "packets_sent",
        "packets_delivered", "packets_lost", "retransmits", "timeouts", "delay_s", "jitter_s",
    }  # fmt: skip
    assert flow["delay_s"].keys() == {"mean", "p50", "p95", "p99", "max"}
    assert result["queues"][0].keys() >= {"name", "drops", "mean_packets", "max_packets"}
    assert result["stations"] == []
    assert 0 < result["jain"] <= 1


def test_several_replications_give_means_with_intervals() -> None:
    cell = ROOT / "scenarios" / "saturated_cell.toml"
    short = ("--set", "duration=2 s", "--json", "--replications")
    alone = document("run", cell, *short, 1)
    both = [document("run", cell, *short, 4, "--workers", workers) for workers in (1, 2)]
    assert both[0] == both[1]  # the number of workers changes nothing
    goodput = both[0]["flows"][0]["goodput_bps"]
    assert goodput["n"] == 4
    assert goodput["ci95"] > 0
    assert goodput["mean"] == pytest.approx(alone["flows"][0]["goodput_bps"], rel=0.5)
    assert both[0]["seed"] == 1
    assert both[0]["flows"][0]["name"] == "up-1"


def test_people_get_tables_on_stdout_and_nothing_on_stderr() -> None:
    done = lasthop("run", SCENARIO, *SHORT)
    assert done.returncode == 0
    assert "goodput" in done.stdout
    assert "left>right" in done.stdout
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ("--set", "tcp.variant=rino"),
            '--set tcp.variant=rino: error: unknown TCP variant "rino"',
        ),
        (("--set", "tcp.varient=reno"), 'did you mean "variant"?'),
        (("--set", "link.0.rate=0 Mbps"), "100 bps or more"),
        (("--replications", "0"), "at least 1"),
        (("--seed", "-1"), "seed must be from 0"),
        (("--seed", "99999999999999999999"), "seed must be from 0"),
        (("--workers", "-1"), "workers"),
        (("--frob",), "--frob"),
    ],
)
def test_a_wrong_request_is_refused(arguments: tuple[str, ...], says: str) -> None:
    done = lasthop("run", SCENARIO, "--json", *arguments)
    assert done.returncode == 2, done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("empty.toml", b"", "empty.toml:1:1: error: the file is empty"),
        ("binary.toml", b"name = 1\n\x7fELF\x00\xff\xfe", "binary.toml:2:"),
        ("nul.toml", b"name = 1\n\x00", "nul.toml:2:1: error:"),
        ("large.toml", b"#" * 2_000_000, "large.toml:1:1: error: larger than 1,000,000 bytes"),
        ("broken.toml", b"duration = \n", "broken.toml:1:"),
        ("directory", None, "directory:1:1: error: is a directory"),
        ("keys.toml", b'duration = "1 s"\nlnik = 3\n', 'keys.toml:2:1: error: unknown key "lnik"'),
    ],
)
def test_what_is_no_scenario_is_refused(
    tmp_path: Path, name: str, content: bytes | None, says: str
) -> None:
    path = tmp_path / name
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    done = lasthop("run", name, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(says), done.stderr
    assert "Traceback" not in done.stderr


def test_a_hundred_megabytes_are_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "huge.toml"
    with path.open("wb") as file:
        file.truncate(100_000_000)
    done = lasthop("run", path)
    assert done.returncode == 2
    assert "larger than 1,000,000 bytes" in done.stderr


def test_a_missing_file_is_named() -> None:
    done = lasthop("run", "scenarios/dumbell.toml")
    assert done.returncode == 2
    assert "no such file; did you mean 'dumbbell.toml'?" in done.stderr


def test_a_bare_name_is_first_one_of_ours(tmp_path: Path) -> None:
    (tmp_path / "wifi1.toml").write_text("")
    (tmp_path / "homes.toml").write_text("")
    for name, meant in (("wif", "wifi"), ("wifi2.toml", "wifi1.toml"), ("homes", "homes.toml")):
        done = lasthop("duel", "cubic", "bbr", "--over", name, cwd=tmp_path)
        assert f"no such file; did you mean '{meant}'?" in done.stderr


def test_list_names_every_kind() -> None:
    listed = document("list", "--json")
    assert listed.keys() >= {
        "laws", "recoveries", "variants", "channels", "macs", "apps", "papers",
    }  # fmt: skip
    for rows in listed.values():
        assert all(row["name"] and row["about"] for row in rows)
    assert "variants" in lasthop("list").stdout
    assert "newreno" in lasthop("list", "variants").stdout


def test_schema_is_one() -> None:
    schema = document("schema")
    assert schema["$schema"].startswith("https://json-schema.org/")
    assert {"duration", "link", "cell", "flow"} <= schema["properties"].keys()


def test_version_and_help() -> None:
    # Not a fork of what has imported other libraries already: a process as a person starts it.
    command = [sys.executable, "-m", "lasthop", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    assert (done.stdout, done.stderr) == (lasthop("--version").stdout, "")
    assert done.stdout.startswith("lasthop ")
    helped = lasthop("--help").stdout
    assert "lasthop run two_stations" in helped  # an example
    assert lasthop("run", "--help").returncode == 0


@pytest.mark.parametrize("path", sorted((ROOT / "scenarios").glob("*.toml")), ids=lambda p: p.stem)
def test_every_scenario_that_we_ship_runs(path: Path) -> None:
    result = document("run", path, "--json")
    balance = result["packets"]
    assert balance["made"] == balance["delivered"] + balance["dropped"] + balance["in_flight"]
    assert all(flow["packets_delivered"] > 0 for flow in result["flows"])


@pytest.mark.skipif(os.name == "nt", reason="signals as POSIX has them")
def test_ctrl_c_keeps_what_is_finished(tmp_path: Path) -> None:
    # Interrupted when the progress bar, which a terminal would see, has come to some hundredths of 10,000 runs.
    command = [
        sys.executable, "-m", "lasthop", "run", str(SCENARIO), "--json",
        "--set", "duration=200 s", "--replications", "10000",
    ]  # fmt: skip
    told = tmp_path / "told"
    with (
        told.open("wb") as errors,
        started(
            command,
            stdout=subprocess.PIPE,
            stderr=errors,
            env=os.environ | {"FORCE_COLOR": "1", "COLUMNS": "80"},
        ) as process,
    ):
        wait_until(lambda: re.search(rb"[1-9]\d?%", told.read_bytes()) is not None, process)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=300)
    assert process.returncode == 130, told.read_text()
    assert "Traceback" not in told.read_text()
    kept = json.loads(out)["flows"][0]["goodput_bps"]
    assert 2 <= kept["n"] < 10000
