"""The papers that are encoded from what could be read of them: their measures, recomputed apart."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lasthop.core.shipped import FURTHER_PAPERS
from lasthop.study import papers
from lasthop.study.claims import Table
from lasthop.study.papers.folder import Paper
from lasthop.study.papers.showing import titled


def paper_of(name: str) -> Paper:
    return Paper(papers.folder_of(name))


def derive_of(name: str) -> Any:
    derive = paper_of(name).derive
    assert derive is not None
    return derive.module


@pytest.mark.parametrize("name", FURTHER_PAPERS)
def test_what_was_read_says_where(name: str) -> None:
    text = (papers.folder_of(name) / "paper.toml").read_text("utf-8")
    head = text.split("\n\n", 1)[0]
    assert all(line.startswith("#") for line in head.splitlines())
    assert any(
        place in head
        for place in ("github ", "commit 63fefa050477", "hal-", "cris.tau.ac.il", "scispace")
    )


@pytest.mark.parametrize(
    ("name", "measure"), [("bianchi2000", "over_model"), ("ns3tcp2020", "off")]
)
def test_a_ratio_has_no_unit_in_text(name: str, measure: str) -> None:
    paper = paper_of(name)
    assert paper.shown(measure).unit == ""
    assert all(printed.unit != "1" for printed in paper.tables)
    assert titled({"what": "over print", "unit": "", "kind": "means"}) == "over print"
    goodput = {"what": "goodput", "unit": "Mbit/s"}
    assert titled({**goodput, "kind": "means"}) == "goodput (Mbit/s)"
    assert titled({**goodput, "kind": "ranks"}) == "goodput"


def test_bianchis_model_is_that_of_ns3s_table_but_for_frozen_counters() -> None:
    derive, paper = derive_of("bianchi2000"), paper_of("bianchi2000")
    cells = [
        (setting, value) for setting, value in paper.tables[0].cells() if setting["wait"] == "DIFS"
    ]
    assert len(cells) == 8
    for setting, value in cells:
        # ns-3 counts the slot in which a counter froze, which is 1/32 of a window.
        assert derive.modelled(setting) == pytest.approx(value, rel=0.02)


def test_bianchis_fixed_point() -> None:
    attempts = derive_of("bianchi2000").attempts
    # Alone there are no collisions: 2 / (W + 1).
    assert attempts(1, 32, 5) == pytest.approx(2 / 33)
    tau = attempts(10, 32, 3)
    p = 1 - (1 - tau) ** 9
    closed = 2 * (1 - 2 * p) / ((1 - 2 * p) * 33 + p * 32 * (1 - (2 * p) ** 3))
    assert tau == pytest.approx(closed)


def test_uploads_over_downloads_also_where_nothing_came_down() -> None:
    own = {"buffer": 5, "flows": 1}
    up = Table.of("up", [(own, np.array([4e6, 6e6]))])
    down = Table.of("down", [(own, np.array([2e6, 0.0]))])
    found = derive_of("pilosof2003").tables({"up": up, "down": down})
    assert found["ratio"].at(own).tolist() == [2.0, 6e6]
    assert found["throughput"].at({**own, "way": "downloads"}).tolist() == [2e6, 0.0]
    assert derive_of("pilosof2003").tables({"up": up}) == {}


def test_fast_and_slow_hosts_in_one_table() -> None:
    own = {"slowest": 1, "hosts": 2}
    made = {
        f"{host}.{measure}": Table.of("x", [(own, np.array([value]))])
        for host, measure, value in (
            ("fast", "throughput", 8.0),
            ("slow", "throughput", 7.0),
            ("fast", "attempts", 80.0),
            ("slow", "attempts", 70.0),
        )
    }
    found = derive_of("heusse2003").tables(made)
    assert found["attempts"].at({**own, "host": "slow"}).tolist() == [70.0]
    assert found["throughput"].at({**own, "host": "fast"}).tolist() == [8.0]


def test_airtime_of_three_stations_in_one_table() -> None:
    own = {"fairness": "on"}
    rates = {"fast1": 25e6, "fast2": 24e6, "slow": 2e6}
    made = {name: Table.of(name, [(own, np.array([rate]))]) for name, rate in rates.items()}
    found = derive_of("ath9k2016").tables(made)["throughput"]
    assert found.at({**own, "station": "fast 2"}).tolist() == [24e6]
    assert found.at({**own, "station": "all"}).tolist() == [51e6]
    del made["slow"]
    assert derive_of("ath9k2016").tables(made) == {}


def test_a_window_at_a_time_and_those_of_a_span() -> None:
    derive = derive_of("ns3tcp2020")
    run = np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 15.0])
    assert derive.at(run, 2.5) == 20.0
    assert derive.at(run, 3.0) == 15.0
    # The window with which a span begins is in it, what comes at its end is not.
    assert derive.held_in(run, 1.5, 3.0).tolist() == [10.0, 20.0]


def test_where_slow_start_ends_decides_cubics_first_maximum() -> None:
    derive, paper = derive_of("ns3tcp2020"), paper_of("ns3tcp2020")
    found, drawn = derive.more(paper, ["cubic"], 1, 1, lambda *_: None)
    first = {"ecn": "off", "moment": "first maximum"}
    windows = {
        end: float(found["cwnd"].at({**first, "exit": end})[0])
        for end in ("ns-3's rule", "Linux's HyStart", "at 490")
    }
    # Print has 511: a rule of half a round trip ends far below, one of a whole one near.
    assert windows["Linux's HyStart"] < 200
    assert windows["ns-3's rule"] == pytest.approx(511, rel=0.1)
    assert windows["at 490"] == pytest.approx(511, rel=0.03)
    assert set(drawn) == {"windows"}
    assert derive.more(paper, ["dctcp"], 1, 1, lambda *_: None) == ({}, {})
