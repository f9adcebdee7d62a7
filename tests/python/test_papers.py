"""The papers that come with lasthop: their facts, their cells, and the verdicts on runs that are made up."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lasthop
from lasthop.pages.papers import pictures
from lasthop.pages.papers.output import Output
from lasthop.study import axes, papers
from lasthop.study.claims import Table
from lasthop.study.papers import alternatives, nearness, paper_tables, paper_verdicts, plans
from lasthop.study.papers.folder import Paper
from lasthop.study.papers.wanted import ReproduceOptions

OURS = [name for name, _ in papers.names()]
Mean = Callable[[str, dict[str, Any]], float]
"""Gives the mean of a measure in a setting, in the paper's words."""


def paper_of(name: str) -> Paper:
    return Paper(papers.folder_of(name))


def made(
    paper: Paper, mean: Mean, replications: int = 12, parts: list[plans.Part] | None = None
) -> dict[str, Table]:
    """Results of these parts of its studies, by default of all, with a little noise that all settings share and a
    little of their own."""
    found: dict[str, list[dict[str, Table]]] = {}
    rng = np.random.default_rng(1)
    shared = 0.02 * rng.standard_normal(replications)
    for part in plans.whole(paper, paper.ids, 1, None) if parts is None else parts:
        own: dict[str, Table] = {}
        for measure in paper.measures.values():
            if measure.metric and part.id in measure.studies:
                rows = []
                for raw in axes.settings(part.study.axes):
                    noise = 1 + shared + 0.0005 * rng.standard_normal(replications)
                    rows.append((raw, mean(measure.name, paper.named(raw)) * noise))
                own[measure.metric] = Table.of(measure.metric, rows)
        found.setdefault(part.id, []).append(own)
    return paper_tables.tables(paper, found)


def as_claimed(measure: str, setting: dict[str, Any]) -> float:
    """Give means with which P1, P2 and P3 hold."""
    if measure != "total":
        return 0.01
    gain = 1.2 if setting["packet"] >= 1000 else 0.8
    total = setting["packet"] * (1 + setting["window"]) * (0.7 if setting["rts"] == "on" else 1.0)
    return float(total * (gain if setting["fec"] == "on" else 1.0))


def verdicts(name: str, mean: Mean) -> dict[str, str]:
    paper = paper_of(name)
    return paper_verdicts.verdicts(paper_verdicts.judge(paper, made(paper, mean)))


@pytest.mark.parametrize("name", OURS)
def test_a_paper_is_whole(name: str) -> None:
    paper = paper_of(name)
    found = made(paper, lambda *_: 0.02)
    there = set(found) | {
        "film.follows_window",
        "window",
        "cwnd",
        "off",
        "least",
        "most",
    }  # runs of derive.py
    assert {m for claim in paper.claims for m in claim.metrics()} <= there
    assert {held["measure"] for held in paper.figures.values()} <= set(found)
    assert all(choice.reason and choice.taken for choice in paper.choices)
    for table in paper.tables:
        for setting, _ in table.cells() if table.kind == "means" else ():
            assert found[table.measure].at(setting) is not None, (table.id, setting)


@pytest.mark.parametrize("name", OURS)
def test_every_alternative_can_be_set(name: str, tmp_path: Path) -> None:
    paper = paper_of(name)
    for choice in paper.choices:
        for other in choice.alternatives:
            for id_ in other.of if other.can_be_set else ():
                study = alternatives.changed(paper.study(id_, 1), other)
                assert study != paper.study(id_, 1)
                for place in (0, -1):
                    cell = [f"{a.key}={_toml(a.values[place])}" for g in study.axes for a in g]
                    lasthop.check(study.scenario, overrides=[*study.changes, *cell])


def _toml(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def selections(paper: Paper) -> list[list[plans.Part]]:
    """The cells of --quick, of the audit, and of the audit of --quick."""
    audits = [plans.audit(paper, paper.ids, 1, None, brief) for brief in (False, True)]
    return [plans.quick(paper, paper.ids, 1, None), *audits]


@pytest.mark.parametrize("name", OURS)
def test_quick_and_the_audit_run_cells_of_the_studies(name: str) -> None:
    paper = paper_of(name)
    for parts in selections(paper):
        for part in parts:
            whole = paper.study(part.id, 1)
            for own, of in zip(part.study.axes, whole.axes, strict=True):
                assert set(own[0].values) <= set(of[0].values)
    # Parts that no claim needs may be left to the whole study.
    beyond = {"cases"} if name == "qaddoura2006" else set()
    assert {part.id for part in plans.quick(paper, paper.ids, 1, None)} == set(paper.ids) - beyond


@pytest.mark.parametrize("name", OURS)
def test_a_part_of_the_cells_can_be_judged(name: str) -> None:
    """What is not run stays open; it is no mistake of the paper's claims."""
    paper = paper_of(name)
    for parts in selections(paper):
        found = made(paper, lambda *_: 0.02, 6, parts)
        judged = paper_verdicts.verdicts(paper_verdicts.judge(paper, found))
        assert set(judged) == {each.id for each in paper_verdicts.judgeable(paper, found)}


def test_the_facts_are_those_of_the_papers() -> None:
    petrovic = {table.id: dict_of(table.cells()) for table in paper_of("petrovic2003").tables}
    assert [len(petrovic[each]) for each in "12345"] == [80, 20, 16, 16, 30]
    assert petrovic["1"]["packet 100, window 1, rts on, fec on"] == 56.3
    assert petrovic["1"]["packet 2000, window 10, rts off, fec on"] == 826.0
    assert petrovic["1"]["packet 1000, window 10, rts on, fec off"] == 227.6
    assert petrovic["3"]["rts off, fec on, window 5, packet 100"] == 3.99
    assert petrovic["5"]["window 1, udp 1000"] == 8.5
    janevski = {table.id: table for table in paper_of("janevski2011").tables}
    assert [len(janevski[each].rows) for each in "456"] == [5, 10, 5]


def dict_of(cells: list[tuple[dict[str, Any], Any]]) -> dict[str, Any]:
    return {", ".join(f"{k} {v}" for k, v in setting.items()): value for setting, value in cells}


def test_claims_hold_where_the_runs_show_them() -> None:
    found = verdicts("petrovic2003", as_claimed)
    assert {found[each] for each in ("P1", "P2", "P3")} == {"holds"}


def test_claims_fall_where_the_runs_deny_them() -> None:
    found = verdicts("petrovic2003", lambda measure, _: 3.0)
    assert {found[each] for each in ("P1", "P2", "P3", "P5", "P6")} == {"does not hold"}
    assert found["P4"] == "does not hold" or found["P4"] == "undecided"


def test_runs_as_printed_get_the_verdicts_of_the_printed_tables() -> None:
    paper = paper_of("petrovic2003")
    own = nearness.as_tables(paper)

    def as_printed(measure: str, setting: dict[str, Any]) -> float:
        cell = own[measure].at(setting) if measure in own else None
        return 1.0 if cell is None else float(cell[0])

    found = {each["id"]: each for each in paper_verdicts.judge(paper, made(paper, as_printed))}
    assert found["P3"]["verdict"] == "holds"
    assert found["P3"]["parts"][0]["settings"]["in_the_claimed_direction"] == 39
    assert found["P3"]["parts"][0]["printed"] == {"of": 40, "agree": 39}  # 100 B, window 2, no FEC
    assert found["P5"]["verdict"] == "holds"
    assert found["P7"]["verdict"] == "holds"
    assert [part["verdict"] for part in found["P2"]["parts"]] == [
        "does not hold",
        "holds",
        "holds",
        "does not hold",
    ]


def test_janevskis_variants_are_ranked_by_the_same_words() -> None:
    paper = paper_of("janevski2011")

    def sack(measure: str, setting: dict[str, Any]) -> float:
        best = setting.get("tcp") == "SACK" and measure.endswith("goodput")
        return 1.5e6 if best else 1e6 if measure.endswith("goodput") else 0.02

    tables = made(paper, sack)
    found = {each["id"]: each for each in paper_verdicts.judge(paper, tables)}
    parts = {part["name"]: part["verdict"] for part in found["J5"]["parts"]}
    assert parts["4: SACK best"] == "holds"
    assert parts["3: Vegas best"] == "does not hold"
    ranks = next(table for table in nearness.rows(paper, tables) if table["id"] == "6")
    first, second = ranks["rows"][:2]
    assert (first["simulated"], first["places"]) == ("SACK", "1")
    assert second["places"] == "2-5"
    # The paper's own tables 4 and 5 against its text: delays grow with the queue.
    assert found["J6b"]["parts"][0]["printed"] == {"of": 5, "agree": 0}


def test_picking_by_other_replications_gains_nothing_from_luck() -> None:
    derive = paper_of("janevski2011").derive.module
    assert derive is not None
    rng = np.random.default_rng(2)
    variants = ("Tahoe", "Reno", "SACK")
    rows = [
        ({"cell": c, "tcp": v}, 1 + 0.1 * rng.standard_normal(200))
        for c in range(20)
        for v in variants
    ]
    rows += [({"cell": "too far", "tcp": v}, np.zeros(200)) for v in variants]
    luck = derive.picked([Table.of("x", rows)])
    assert luck.at({"pick": "per scenario"}).mean() == pytest.approx(1, abs=0.02)


def test_a_film_that_swings_with_the_window_correlates_with_it() -> None:
    derive = paper_of("janevski2011").derive.module
    assert derive is not None
    times = np.arange(35, 111, 0.02)
    window = np.repeat(np.arange(76.0), 50)[: len(times)]
    gaps = 0.02 + 0.001 * window * np.where(np.arange(len(times)) % 2, 1, -1)
    assert derive.correlation((times, window), (times, gaps)) > 0.99
    assert derive.correlation((times, window), (times, gaps[::-1])) < -0.99


def test_a_printed_table_can_be_compared_with_the_runs_of_two_studies() -> None:
    tables = {table.id: table for table in paper_of("petrovic2003").tables}
    for printed, again in (("1", "1-DSDV"), ("2", "2-DSDV")):
        one, other = tables[printed], tables[again]
        assert one.cells() == other.cells()
        assert (one.measure, other.measure) in (
            ("total", "routed.total"),
            ("station", "routed.station"),
        )


def test_one_more_run_is_in_reach_as_often_as_is_said() -> None:
    """Of skewed values, such as those of starved stations, Student's interval would end below zero."""
    rng = np.random.default_rng(1)
    found = 0
    for _ in range(4000):
        *runs, new = rng.lognormal(0.0, 2.0, 41)
        ends = nearness.reach(np.array(runs))
        assert ends is not None
        assert min(runs) == ends[0]
        found += ends[0] <= new <= ends[1]
    assert found / 4000 == pytest.approx(39 / 41, abs=0.012)  # 3.5 standard deviations
    few = nearness.reach(np.array([1.0, 2.0, 3.0]), 10.0)
    assert few == pytest.approx((20 - 43.027 * 2 / 3**0.5, 20 + 43.027 * 2 / 3**0.5), rel=1e-4)
    assert nearness.reach(np.array([1.0])) is None
    assert nearness.reach(None) is None


def test_stations_are_put_in_order_of_what_they_got() -> None:
    paper = paper_of("petrovic2003")

    def mean(measure: str, setting: dict[str, Any]) -> float:
        return {"total": 100e3, "share1": 0.5, "share5": 0.01}.get(measure, 0.2)

    table = made(paper, mean)["station"]
    setting = {"packet": 100, "window": 1, "rts": "on", "fec": "on"}
    first, last = (table.at({**setting, "rank": rank}) for rank in (1, 5))
    assert first is not None
    assert last is not None
    assert first.mean() == pytest.approx(50e3, rel=0.05)
    assert last.mean() == pytest.approx(1e3, rel=0.05)


def test_the_page_of_a_whole_paper_is_light(tmp_path: Path) -> None:
    """2,188 settings of claims with 30 replications each; an audit adds 20 kB to those that are under 500 kB."""
    paper = paper_of("janevski2011")

    def mean(measure: str, setting: dict[str, Any]) -> float:
        share = zlib.crc32(f"{measure} {sorted(setting.items())}".encode()) / 2**32
        return 0.3 * share if "loss" in measure else 1e5 * (0.5 + share)

    found = made(paper, mean, 30)
    document = {
        "paper": paper.name, "changes": [], "version": "1", "seed": 1, "quick": False, "replications": 30,
        "runs": 1, "runs_planned": 1, "complete": True, "tables": nearness.rows(paper, found),
        "claims": paper_verdicts.judge(paper, found), "rests_on": {}, "audit": None, "audit_complete": None,
        "unstated": [choice.as_dict() for choice in paper.choices], "files": [], "further": None,
    }  # fmt: skip
    document["agreement"] = nearness.agreement(document["tables"])
    drawn = pictures.of_paper(paper, found)
    page = Output(paper, tmp_path, found, ReproduceOptions(paper.name))._render(document, drawn)
    assert len(page.encode()) < 450_000
