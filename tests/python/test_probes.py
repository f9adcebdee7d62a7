"""Probes: time series of a run, in Python and on the command line, that change nothing."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from pyarrow import csv, parquet

from commands import SCENARIO, SHORT, lasthop
from lasthop import UsageError, catalogue, run
from lasthop.core import api
from lasthop.core.jobs import run_jobs
from lasthop.numbers.table import Kind, Table

CHANGES = {"duration": "2 s", "flow.two.start": "0 s", "flow.short.start": "0 s"}


ALL = (
    *("tcp", "cuts", "queue", "flows", "frames", "symbols", "requests"),
    *("air", "airtime", "packets"),
)
HERE = Path(__file__).parents[2] / "scenarios"


@pytest.mark.parametrize("file", sorted(path.name for path in HERE.glob("*.toml")))
def test_a_run_with_probes_gives_the_same_bytes(file: str) -> None:
    bare = [but_for_events(json.loads(text)) for text in texts(file, workers=1)]
    for every in (None, "10 ms"):
        probed = texts(file, workers=1, probes=ALL, probe_every=every)
        # By two threads each character is the same, those of the probes too.
        assert texts(file, workers=2, probes=ALL, probe_every=every) == probed
        for text, plain in zip(probed, bare, strict=True):
            # What comes after the results are tables of up to 50 MB, which are read elsewhere.
            before, _, tables = text.partition(',"probes":{')
            assert re.findall(r'(?<![^,])"(\w+)":\{', tables) == list(ALL)
            # A medium that is watched wakes its stations more often (decision 1), so that events differ.
            assert but_for_events(json.loads(before + "}")) == plain


def texts(file: str, workers: int, **watched: Any) -> list[str]:
    """Return the results of two runs of a scenario, as `short` runs it, as the core writes them."""
    job = replace(api.read(HERE / file, short(file)), count=2)
    found = run_jobs([job], workers=workers, read=lambda text: {"text": text}, **watched)
    return [each["text"] for each in found if each]


def but_for_events(document: dict[str, Any]) -> str:
    assert document.pop("events") > 0
    return json.dumps(document)


def short(file: str) -> dict[str, str]:
    """Return changes that make a run last 21 s, or 1 s where it has some 20,000 packets a second."""
    length, warmup = ("1 s", "0.2 s") if file == "wifi6_calls.toml" else ("21 s", "1 s")
    return {"duration": length, "warmup": warmup} | earlier(HERE / file)


def earlier(file: Path) -> dict[str, str]:
    """Return changes by which flows that would begin after 20 s do so before."""
    flows = tomllib.loads(file.read_text(encoding="utf-8"))["flow"]
    starts = {flow["name"]: flow["start"] for flow in flows if "start" in flow}
    late = [name for name, start in starts.items() if re.fullmatch(r"[2-9]\d+ s|1\d\d+ s", start)]
    return {f"flow.{name}.start": "16 s" for name in late}


def test_queues_of_stations_with_places_are_told_by_name() -> None:
    result = run(HERE / "hidden_stations.toml", overrides={"duration": "2 s"}, probes=["queue"])
    probed = result.probes["queue"].to_pylist()
    assert probed
    for queue in result.queues.to_pylist():
        lengths = [row["packets"] for row in probed if row["queue"] == queue["name"]]
        assert max(lengths, default=0) == queue["max_packets"], queue["name"]


def test_tcp_is_a_tidy_table_of_changes() -> None:
    result = run(SCENARIO, overrides=CHANGES, probes=["tcp"], replications=2)
    table = result.tcp
    assert isinstance(table, Table)
    assert table.column_names[:10] == [
        "replication", "time_s", "flow", "snd_cwnd", "ssthresh", "srtt_s", "minrtt_s", "rttvar_s",
        "rto_s", "snd_una",
    ]  # fmt: skip
    assert set(table["replication"].to_pylist()) == {0, 1}
    rows = table.to_pylist()
    tcp_flows = {f["name"] for f in result.documents[0]["flows"] if f["transport"] == "tcp"}
    assert {row["flow"] for row in rows} == tcp_flows
    assert rows[0]["ssthresh"] is None
    assert rows[0]["srtt_s"] is None
    assert all(row["snd_cwnd"] >= 1 and row["rto_s"] > 0 for row in rows)
    assert all(row["flight_bytes"] == row["snd_nxt"] - row["snd_una"] for row in rows)
    one = [row for row in rows if (row["replication"], row["flow"]) == (0, rows[0]["flow"])]
    times = [row["time_s"] for row in one]
    assert times == sorted(set(times)), "at most one row at a time"
    assert all({**a, "time_s": 0} != {**b, "time_s": 0} for a, b in pairwise(one))


@pytest.mark.parametrize("variant", [row["name"] for row in catalogue()["variants"]])
def test_every_variant_shows_its_state(variant: str) -> None:
    changes = {**CHANGES, "duration": "6 s", "tcp.variant": variant}
    if variant == "auto":
        changes["tcp.policy"] = {"default": "bbr"}
    rows = run(SCENARIO, overrides=changes, probes=["tcp"]).tcp.to_pylist()
    last = {row["flow"]: row for row in rows}
    for name in ("srtt_s", "minrtt_s", "rttvar_s", "rto_s", "delivery_rate_bps"):
        assert all(row[name] is not None for row in last.values()), name
    # The bottleneck's 10 Mbit/s bound what all of them get, and any sample of one over a round trip.
    fastest = max(row["delivery_rate_bps"] or 0 for row in rows)
    assert 1e6 < fastest < 10e6
    assert {row["state"] for row in rows} >= {"open"}
    paces = variant in ("auto", "prague") or "bbr" in variant
    assert any(row["pacing_rate_bps"] for row in rows) == paces


def test_losses_show_in_the_state() -> None:
    def states(variant: str) -> set[str]:
        changes = {**CHANGES, "duration": "6 s", "tcp.variant": variant}
        return set(run(SCENARIO, overrides=changes, probes=["tcp"]).tcp["state"].to_pylist())

    assert states("tahoe") == {"open", "loss"}
    assert "recovery" in states("newreno")
    assert "recovery" in states("sack")


def test_a_step_keeps_one_row_of_each_flow() -> None:
    table = run(SCENARIO, overrides=CHANGES, probes=["tcp"], probe_every_s=0.1).tcp
    steps = [(row["flow"], int(row["time_s"] * 1e9) // 10**8) for row in table.to_pylist()]
    assert len(steps) == len(set(steps))
    assert len(steps) > 20


def test_cuts_are_as_many_as_the_flow_counts() -> None:
    result = run(SCENARIO, overrides=CHANGES, probes=["cuts"])
    counted = {
        (flow["name"], cause): count
        for flow in result.documents[0]["flows"]
        for cause, count in flow["window_cuts"].items()
        if count
    }
    assert counted
    found = [(row["flow"], row["cause"]) for row in result.cuts.to_pylist()]
    assert {key: found.count(key) for key in found} == counted
    assert sum(result.flows["window_cuts.queue"].to_pylist()) == sum(
        count for (_, cause), count in counted.items() if cause == "queue"
    )


def test_a_probe_that_was_off_is_named() -> None:
    result = run(SCENARIO, overrides=CHANGES)
    assert result.probes == {}
    with pytest.raises(UsageError, match=r"probes=\['tcp'\]"):
        _ = result.tcp
    with pytest.raises(UsageError, match="tcp"):
        run(SCENARIO, overrides=CHANGES, probes=["tpc"])
    for step in (0.0, -1.0, float("nan"), float("inf")):
        with pytest.raises(UsageError):
            run(SCENARIO, overrides=CHANGES, probes=["tcp"], probe_every_s=step)


def test_an_empty_table_has_its_columns() -> None:
    quiet = {**CHANGES, "duration": "1 ms"}
    table = run(SCENARIO, overrides=quiet, probes="cuts").cuts
    assert table.num_rows == 0
    assert table["cause"].kind is Kind.TEXT


def test_json_has_columns() -> None:
    probe = ("--probe", "tcp", "--probe-every", "100 ms", "--json")
    one = json.loads(lasthop("run", SCENARIO, *SHORT, *probe).stdout)["probes"]["tcp"]
    lengths = {len(column) for column in one.values()}
    assert len(lengths) == 1
    assert one.keys() >= {"time_s", "flow", "snd_cwnd", "ssthresh", "delivery_rate_bps", "state"}
    both = json.loads(lasthop("run", SCENARIO, *SHORT, *probe, "--replications", 2).stdout)
    assert set(both["probes"]["tcp"]["replication"]) == {0, 1}
    assert both["flows"][0]["goodput_bps"]["n"] == 2


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_out_gets_the_table(tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"cwnd.{ending}"
    done = lasthop("run", SCENARIO, *SHORT, "--probe", "tcp", "--out", path)
    assert done.returncode == 0, done.stderr
    assert "rows in" in done.stdout
    table = csv.read_csv(path) if ending == "csv" else parquet.read_table(path)
    same = run(SCENARIO, overrides=CHANGES, probes=["tcp"]).tcp
    assert table["snd_cwnd"].to_pylist() == same["snd_cwnd"].to_pylist()
    assert table["flow"].to_pylist() == same["flow"].to_pylist()


def test_a_directory_gets_a_table_of_each(tmp_path: Path) -> None:
    out = tmp_path / "new" / "series"
    probes = ("--probe", "tcp", "--probe", "cuts", "--probe-every", "10ms")
    done = lasthop("run", SCENARIO, *SHORT, *probes, "--out", out)
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in out.iterdir()) == ["cuts.csv", "tcp.csv"]
    same = run(SCENARIO, overrides=CHANGES, probes=["tcp"], probe_every_s=0.01).tcp
    written = csv.read_csv(out / "tcp.csv")
    assert written.column_names == same.column_names
    assert written["snd_cwnd"].to_pylist() == same["snd_cwnd"].to_pylist()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--probe", "tpc"), 'unknown probe "tpc"'),
        (("--probe", "tpc"), 'did you mean "tcp"?'),
        (("--probe", "tcp", "--probe-every", "10"), "has no unit"),
        (("--probe", "tcp", "--probe-every", "0 s"), "at least 1 ns"),
        (("--probe-every", "1 s"), "add --probe"),
        (("--out", "x.csv"), "add --probe"),
        (("--probe", "tcp", "--probe", "cuts", "--out", "x.csv"), "one --probe"),
        (("--probe", "tcp", "--out", "x.txt"), "a directory or end with .csv or .parquet"),
        (("--probe", "tcp", "--out", "/dev/null/x"), "is not a directory"),
        (("--probe", "tcp", "--out", "/proc/none/x.csv"), "cannot be written"),
    ],
)
def test_a_wrong_wish_is_refused(arguments: tuple[str, ...], says: str) -> None:
    done = lasthop("run", SCENARIO, *SHORT, *arguments)
    assert done.returncode == 2, done.stderr
    assert says in done.stderr
    assert "Traceback" not in done.stderr


def test_without_a_place_to_go_people_are_told_how_to_get_it() -> None:
    done = lasthop("run", SCENARIO, *SHORT, "--probe", "queue")
    assert "probe queue:" in done.stdout
    assert "--out" in done.stdout
