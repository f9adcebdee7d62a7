"""Rank tables beside verdicts, and Jain's index with its interval: in audits, their JSON and pages."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import lasthop
from lasthop.cli import audit_output
from lasthop.cli.commands.audit import AuditOptions
from lasthop.numbers import stats
from lasthop.pages.studies import reporting, verdict_summary
from lasthop.study.claims.ranking import rank_all, ranks
from lasthop.study.fairness_of_cells import LONG, WITHIN, fairness
from lasthop_validation.disturbing import SCENARIO

RNG = np.random.default_rng(5)
SHARED = RNG.normal(0, 5, 12)
CELLS = {
    name: (mean + SHARED + RNG.normal(0, noise, 12)).tolist()
    for name, mean, noise in (
        ("a", 100.0, 0.1),
        ("b", 101.0, 0.1),
        ("c", 120.0, 9.0),
        ("d", 80.0, 1.0),
    )
}


def test_what_is_never_negative_has_no_negative_interval() -> None:
    found = {each.name: each for each in ranks({"few": [1.0, 9.0, 2.0], "loss": [-1.0, 9.0, 2.0]})}
    assert found["few"].interval.low == 0
    assert found["few"].interval.high > 9
    assert found["loss"].interval.low < 0  # these may be negative


def test_a_change_without_a_bound_is_told_in_words() -> None:
    assert verdict_summary.bounds(None, None) == "not bounded"
    assert verdict_summary.bounds(0.41, None) == "over +41.0 %"
    assert verdict_summary.bounds(None, 0.5) == "-100.0 to +50.0 %"
    assert verdict_summary.bounds(-0.1, 0.5) == "-10.0 to +50.0 %"


def test_settings_shown_to_be_alike_tie_and_are_told_from_those_not_known() -> None:
    sharp = {each.name: each for each in ranks(CELLS)}
    assert (sharp["b"].rank, sharp["a"].rank) == ("2", "3")
    within = {each.name: each for each in ranks(CELLS, beyond=0.05)}
    assert (within["b"].rank, within["a"].rank) == ("2-3", "2-3")
    assert within["a"].alike == ("b",)
    assert within["a"].letters == within["b"].letters
    assert within["c"].alike == ()


def test_the_intervals_of_more_tables_are_wider() -> None:
    (alone,) = rank_all({"": CELLS}).values()
    two = rank_all({"x": CELLS, "y": CELLS})
    for one, more in zip(alone, two["x"], strict=True):
        assert one.name == more.name
        assert more.interval.low < one.interval.low
        wide = stats.safe_interval(CELLS[one.name], 1 - 0.05 / 8)
        assert more.interval == wide


def test_a_setting_without_a_value_has_any_place_and_is_last() -> None:
    found = ranks(CELLS | {"none": [float("nan")] * 12})
    assert found[-1].name == "none"
    assert found[-1].rank == "1-5"
    assert found[-1].as_dict()["mean"] is None
    json.dumps([each.as_dict() for each in found], allow_nan=False)


STUDY = """
[study]
name = "fair"
scenario = "small.toml"
replications = 12
set = ["duration=2 s"]
metrics = ["jain", "goodput.each", "*.goodput.shares", "goodput"]
[axes]
mac.short_retry_limit = [1, 7]
tcp.window = ["1 packets", "4 packets"]
[[compare]]
axis = "tcp.window"
metric = "goodput"
"""


@pytest.fixture(scope="module")
def audited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("fair")
    (folder / "small.toml").write_text(SCENARIO)
    (folder / "study.toml").write_text(STUDY)
    lasthop.sweep(folder / "study.toml", folder / "out")
    return folder


def test_an_audit_shows_ranks_and_fairness(
    audited: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    audit_output.show(str(audited / "study.toml"), AuditOptions(out=audited / "out", as_json=True))
    found = json.loads(capsys.readouterr().out)
    tables = found["ranks"]["goodput_bps by tcp.window"]
    assert list(tables) == ["mac.short_retry_limit=1", "mac.short_retry_limit=7"]
    assert [each["said"] for each in tables.values()] == [
        "short retry limit 1",
        "short retry limit 7",
    ]
    assert tables["mac.short_retry_limit=1"]["where"] == {"mac.short_retry_limit": 1}
    verdicts = found["compared"]["goodput_bps by tcp.window"]
    for cell, table in tables.items():
        # Of two settings the verdict decides the places.
        pair = verdicts[f"4 packets against 1 packets; {cell}"]
        assert pair["said"] == f"4 packets against 1 packets; {table['said']}"
        assert (pair["setting"], pair["against"]) == ("4 packets", "1 packets")
        assert pair["where"] == table["where"]
        verdict, settings = pair["verdict"], table["settings"]
        placed = [each["rank"] for each in settings]
        assert placed == (["1", "2"] if verdict in ("better", "worse") else ["1-2", "1-2"])
        # Where most runs are equal nothing bounds the mean but zero.
        assert all(each["low"] <= each["mean"] <= (each["high"] or np.inf) for each in settings)
    assert len(found["fairness"]) == 4 * 3
    audit_output.show(str(audited / "study.toml"), AuditOptions(out=audited / "out"))
    said = capsys.readouterr().out
    assert "goodput, by TCP window: ranks" in said
    assert "in the long run" in said


def test_fairness_is_that_of_the_runs(audited: Path) -> None:
    results = lasthop.Results(audited / "out")
    of_run, long, of_shares = fairness(results)[:3]
    assert (of_run.over, long.over, of_shares.over) == (WITHIN, LONG, WITHIN)
    index = results.values("jain", 0)
    assert of_run.index == pytest.approx(index.mean())
    assert of_shares.index == pytest.approx(of_run.index)  # the same, from shares by size
    assert of_shares.interval.low == pytest.approx(of_run.interval.low)
    names = [name for name in results.metrics if name.endswith(".goodput_bps")]
    assert len(names) > 1
    shares = np.column_stack([results.values(name, 0) for name in names])
    assert long.interval == stats.jain_interval(shares.tolist())
    assert long.interval.contains(long.index)


def test_a_flow_that_is_named_twice_counts_once(audited: Path, tmp_path: Path) -> None:
    text = (audited / "study.toml").read_text()
    twice = text.replace('"goodput.each"', '"goodput.each", "flow.bulk.goodput", "b?lk.goodput"')
    assert twice != text
    (tmp_path / "small.toml").write_text((audited / "small.toml").read_text())
    (tmp_path / "study.toml").write_text(twice)
    found = fairness(lasthop.sweep(tmp_path / "study.toml", tmp_path / "out"))
    assert found == fairness(lasthop.Results(audited / "out"))


def test_a_page_has_them_too(audited: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reporting, "_figures", lambda results: [])  # they take seconds
    page = lasthop.Results(audited / "out").report(audited / "page.html").read_text()
    ranks = page.split("<summary>Ranks</summary>")[1]
    assert "<h3>Goodput, by TCP window</h3>" in ranks
    assert "All ranks of one table hold together" in ranks
    assert "in the long run" in page
