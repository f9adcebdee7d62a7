"""One name for a quantity: its path in `run --json`, as a column and as a metric of studies."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lasthop
from lasthop.core import metrics, quantities
from lasthop.core.quantities import QUANTITIES, full
from lasthop.numbers.table import Table

SCENARIOS = sorted((Path(__file__).parents[2] / "scenarios").glob("*.toml"))

#: What a run has by object: the list of rows, and the kind of the objects in names of metrics.
TABLES = {
    "flows": "flow",
    "stations": "station",
    "access": "access",
    "subscribers": "subscriber",
    "wimax": "wimax",
    "lans": "lan",
    "lan_stations": "lan_station",
    "queues": "queue",
    "links": "link",
}

#: Fields that are no quantities: names, settings, and lists of events.
NONE = {"seed", "replication", "handoffs", *TABLES}

#: What no shipped scenario has as it is: 802.16 stations that enter the network, M-TCP, routers of DSDV, and
#: endpoints that choose by marks.
RARE = {
    "wimax_downloads.toml": {"wimax.0.entry.start": "0 s"},
    "snoop.toml": {"proxy.0.kind": "mtcp"},
    "chain.toml": {"routing.kind": "dsdv"},
    "transfers.toml": {"tcp.ecn": "classic", "queue.discipline": "fq_codel"},
}

MEASURES = {"measures": ["delay_split", "acks", "interarrival", "efficiency"]}


def short(path: Path, changes: dict[str, Any]) -> lasthop.Run:
    """Run a shipped scenario, shortly where it can be, with everything measured that costs time."""
    for more in ({**MEASURES, "duration": "12 s"}, {"duration": "12 s"}, {}):
        try:
            return lasthop.run(path, overrides={**changes, **more})
        except lasthop.LasthopError:
            continue
    raise AssertionError(path)


def numbers(row: dict[str, Any]) -> Iterator[str]:
    for path, value in quantities.leaves(row):
        if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
            yield path


def named_alike(document: dict[str, Any], rows: str, kind: str, table: Table) -> set[str]:
    """Return the paths of all numbers of these objects: each is a column, and a metric by its whole name."""
    seen: set[str] = set()
    wanted: dict[str, tuple[str, int]] = {}
    objects = [row["name"] for row in document[rows]]
    for place, row in enumerate(document[rows]):
        paths = set(numbers(row))
        assert paths <= set(table.column_names)
        seen |= paths
        # A station in two cells has a row in each, and a metric of it is of both.
        if objects.count(row["name"]) == 1:
            wanted |= {f"{kind}.{row['name']}.{path}": (path, place) for path in paths}
    columns = {path: table[path].to_pylist() for path in seen}
    found = metrics.resolve(list(wanted), document).all
    assert [each.name for each in found] == list(wanted) == [full(name) for name in wanted]
    for each, (path, place) in zip(found, wanted.values(), strict=True):
        value, column = each.of(document), columns[path][place]
        assert value == column or (column is None and value != value), each.name
    return seen


@pytest.fixture(scope="module")
def runs() -> list[lasthop.Run]:
    rare = [short(path, RARE[path.name]) for path in SCENARIOS if path.name in RARE]
    return [*(short(path, {}) for path in SCENARIOS), *rare]


def test_every_key_of_a_run_is_a_column_and_a_metric_of_studies(runs: list[lasthop.Run]) -> None:
    seen = set()
    for run in runs:
        document = json.loads(json.dumps(run.documents[0]))
        for rows, kind in TABLES.items():
            if document.get(rows):
                seen |= named_alike(document, rows, kind, getattr(run, rows))
        whole = {key: value for key, value in document.items() if key not in NONE}
        # But for the name of a station, or null.
        paths = [path for path in numbers(whole) if path != "clusters.failed"]
        assert metrics.resolve(paths, document).names == tuple(paths)
        assert set(paths) <= set(run.whole.column_names)
        seen |= set(paths)
        for change in document.get("handoffs", ()):
            # But for a name, or null.
            paths = [path for path in numbers(change) if path not in ("from", "to")]
            names = tuple(f"handoffs.{path}.max" for path in paths)
            assert metrics.resolve(names, document).names == names
            assert set(paths) <= set(run.handoffs.column_names)
            seen |= set(paths)
    assert {"delay_s.p95", "mos", "objects.response_time_s.mean", "gap_s", "up.fill"} <= seen
    # Nothing is measured that the list does not have.
    unknown = {
        path
        for path in seen
        if not any(quantities.named(p) for p in (path, f"handoffs.{path}.max"))
    }
    assert not unknown
    # The limit of a flow is decided from one run; no study asks for its parts.
    asked = [each for each in QUANTITIES if not each.name.startswith("limits.")]
    listed = {each.name for each in asked if each.name == "efficiency" or not each.ratio}
    assert not {
        name for name in listed if not any(p == name or p.startswith(f"{name}.") for p in seen)
    }


def test_units_are_those_that_names_say() -> None:
    for each in QUANTITIES:
        said = {"_s": "s", "_bps": "bit/s", "_bytes": "B", "_share": "1"}
        ends = [unit for end, unit in said.items() if each.name.endswith(end)]
        assert ends in ([], [each.unit]), each
    assert quantities.unit_of("download.objects.response_time_s.mean") == "s"
    assert quantities.unit_of("late.goodput_bps") == "bit/s"


def test_no_two_names_are_alike_without_their_units() -> None:
    bare: dict[str, set[str]] = {}
    for each in QUANTITIES:
        kind = "handoffs." if each.of == ("handoff",) else ""
        bare.setdefault(kind + quantities.bare(each.name), set()).add(each.name)
    # Flows have the causes of delays in seconds and, for exact sums, in nanoseconds.
    assert all(len(names) == 1 for names in bare.values()), bare


@pytest.mark.parametrize(
    ("typed", "whole"),
    [
        ("goodput", "goodput_bps"),
        ("voice.delay", "voice.delay_s.mean"),
        ("voice.delay.p95", "voice.delay_s.p95"),
        ("call*.delay.p95.mean", "call*.delay_s.p95.mean"),
        ("flow.voice.goodput.each", "flow.voice.goodput_bps.each"),
        ("up*.goodput.share2", "up*.goodput_bps.share2"),
        ("pages.response_time", "pages.response_time_s.mean"),
        ("bulk.packets_lost.queue.max", "bulk.packets_lost.queue.max"),
        ("delay.goodput", "delay.goodput_bps"),
        ("handoffs.gap", "handoffs.gap_s.mean"),
        ("call.split.state.delay.p99", "call.split.state.delay_s.p99"),
        ("voice.delay.p94", "voice.delay_s.p94"),
        ("nothing.of_the_kind", "nothing.of_the_kind"),
    ],
)
def test_what_is_typed_has_one_whole_name(typed: str, whole: str) -> None:
    assert full(typed) == full(whole) == whole


OLD = """
[study]
name = "old"
replications = 2
metrics = ["goodput",
           "{name}"]

[scenario]
duration = "2 s"
link = [{{ ends = ["a", "b"], rate = "1 Mbps", delay = "5 ms" }}]
flow = [{{ name = "up", from = "a", to = "b", app = "bulk" }}]
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("up.sent", "packets_sent"),
        ("up.lost.queue", "packets_lost.queue"),
        ("cuts", "window_cuts"),
        ("up.delay_p95_s", "delay_s.p95"),
        ("lost_queue", "packets_lost.queue"),
        ("up.ip_throughput", "throughput_bps"),
    ],
)
def test_an_old_name_is_refused_with_the_new_one_and_its_line(
    tmp_path: Path, old: str, new: str
) -> None:
    file = tmp_path / "study.toml"
    file.write_text(OLD.format(name=old))
    with pytest.raises(lasthop.StudyError) as refused:
        lasthop.sweep(file, tmp_path / "out")
    assert f"is called {new!r} now" in str(refused.value)
    assert str(refused.value).startswith(f"{file}:6:12: error: ")


def test_an_old_column_is_refused_with_the_new_one(runs: list[lasthop.Run]) -> None:
    run = runs[0]
    with pytest.raises(lasthop.UsageError, match=r"did you mean 'delay_s\.p95'"):
        run.flows["delay_p95_s"]
    flow = run[run.flow_names[0]]
    with pytest.raises(AttributeError, match=r"is called 'delay_s\.p95' now"):
        flow.delay_p95_s  # noqa: B018
    assert flow["delay_s.p95"] == flow["delay.p95"] == run.flows["delay_s.p95"].to_pylist()[0]


def test_results_of_before_are_read_under_the_names_of_now(tmp_path: Path) -> None:
    file = tmp_path / "study.toml"
    file.write_text(OLD.format(name="up.delay.p95"))
    results = lasthop.sweep(file, tmp_path / "new")
    assert results.metrics == ["goodput_bps", "up.delay_s.p95"]
    older = as_before(results, tmp_path / "before")
    assert json.loads((older / "manifest.json").read_text())["asked"] == ["goodput", "up.delay.p95"]
    read = lasthop.Results(older)
    assert read.metrics == results.metrics
    assert read.values("up.delay.p95").tolist() == results.values("up.delay_s.p95").tolist()
    assert read.complete
    # Gone on with, nothing is run again.
    again = lasthop.sweep(file, older, replications=2)
    assert again.values("goodput").tolist() == results.values("goodput_bps").tolist()
    assert len(list((older / "rows").iterdir())) == 1


def as_before(results: lasthop.Results, folder: Path) -> Path:
    """Write results as they were written when metrics had the names that were typed."""
    from lasthop.core import parquet
    from lasthop.core.safe_files import write_bytes, write_json
    from lasthop.numbers.table import Column, Kind
    from lasthop.study import batches
    from lasthop.study.batches import Part

    old = {"goodput_bps": "goodput", "up.delay_s.p95": "up.delay.p95"}
    (folder / "rows").mkdir(parents=True)
    held = json.loads((results.path / "manifest.json").read_text())
    held["asked"] = [old[name] for name in held["asked"]]
    held["metrics"] = {old[name]: unit for name, unit in held["metrics"].items()}
    write_json(folder / "manifest.json", held)
    cells = parquet.read(results.path / "cells.parquet")
    columns = {name: cells[name] for name in cells.column_names}
    columns["metrics"] = Column.of([list(old.values())], Kind.TEXTS)
    write_bytes(folder / "cells.parquet", parquet.written(type(cells)(columns)))
    row = results.rows[0]
    import numpy as np

    values = np.column_stack([results.values(name) for name in old])
    name, content = batches.encode([Part(row.key, 0, tuple(old.values()), values)])
    write_bytes(folder / "rows" / name, content)
    return folder


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.0, "0.0"),
        (0.0000108, "0.011"),
        (0.0005, "0.50"),
        (0.0589, "58.9"),
        (1.0, "1,000.0"),
        ({"mean": 0.0000108, "ci95": 0.000002}, "0.011 ± 0.002"),
        ({"mean": 0.0000108, "ci95": 0.00002}, "0.011 (0.000 to 0.031)"),
        ({"mean": 0.0000108, "ci95": 0.0}, "0.011 ="),
        ({"mean": None, "ci95": None}, "-"),
    ],
)
def test_a_short_time_is_not_shown_as_none(value: object, said: str) -> None:
    from lasthop.core.quantities.shown import Column

    column = Column("delay {}", "delay_s.mean", 1)
    assert column.cell({"delay_s": {"mean": value}}) == said


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0, "0"),
        (1234, "1,234"),
        ({"mean": 0.2, "ci95": 0.1}, "0.20 ± 0.10"),
        ({"mean": 0.2, "ci95": 0.25}, "0.20 (0.00 to 0.45)"),
        ({"mean": 12.3, "ci95": 0.25}, "12 ± 0.2"),
        ({"mean": 0.0, "ci95": 0.0}, "0 ="),
    ],
)
def test_a_mean_of_rare_events_is_not_shown_as_none(value: object, said: str) -> None:
    from lasthop.core.quantities.shown import Column

    assert Column("drops", "drops").cell({"drops": value}) == said
