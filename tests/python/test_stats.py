"""Means, intervals, ratios and the merging of replications."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lasthop.numbers import stats


def test_t_interval_matches_a_printed_table() -> None:
    # Student's t, 95 % two-sided: 12.706 for 1 degree of freedom, 2.262 for 9.
    assert stats.t_quantile(0.95, 1) == pytest.approx(12.706, abs=5e-4)
    assert stats.t_quantile(0.95, 9) == pytest.approx(2.262, abs=5e-4)
    found = stats.estimate([1.0, 2.0, 3.0, 4.0])
    assert found.mean == 2.5
    assert found.ci95 == pytest.approx(3.182 * math.sqrt(5 / 3) / 2, rel=1e-3)


def test_one_replication_has_no_interval() -> None:
    assert stats.estimate([7.0]) == stats.Estimate(7.0, None, 1)
    assert stats.mean_interval([7.0]) == stats.Interval(-math.inf, math.inf)


def test_intervals_cover_at_their_level() -> None:
    rng = np.random.default_rng(2)
    hits = sum(stats.mean_interval(list(rng.normal(5, 1, 5))).contains(5) for _ in range(2000))
    assert 0.935 < hits / 2000 < 0.965


def test_bonferroni_shares_the_error() -> None:
    assert stats.bonferroni(1) == pytest.approx(0.95)
    assert stats.bonferroni(50) == pytest.approx(0.999)


def test_exact_proportions() -> None:
    # No event in 100: the upper bound solves (1 - p)^100 = 0.025.
    none = stats.proportion_interval(0, 100)
    assert none.low == 0
    assert none.high == pytest.approx(1 - 0.025**0.01)
    assert stats.proportion_interval(0, 0) == stats.Interval(0, 1)


def test_jain() -> None:
    assert stats.jain([1, 1, 1, 1]) == pytest.approx(1)
    assert stats.jain([4, 0, 0, 0]) == pytest.approx(0.25)
    assert stats.jain([0, 0]) is None


def _run(replication: int, goodput: float, lost: dict[str, int]) -> dict[str, object]:
    delay = None if goodput == 0 else {"mean": goodput / 10}
    flow = {"name": "a", "goodput_bps": goodput, "packets_lost": lost, "delay_s": delay}
    return {"seed": 3, "replication": replication, "events": 10, "flows": [flow], "queues": []}


def test_summarise_keeps_shape_and_turns_numbers_into_estimates() -> None:
    merged = stats.summarise([_run(0, 2.0, {"queue": 4}), _run(1, 0.0, {"retry": 2})])
    assert merged["seed"] == 3
    assert merged["replications"] == 2
    assert "replication" not in merged
    (flow,) = merged["flows"]
    assert flow["name"] == "a"
    assert flow["goodput_bps"]["mean"] == 1
    assert flow["goodput_bps"]["n"] == 2
    # A reason that one replication lacks is none there; a delay that it lacks is unknown.
    assert flow["packets_lost"]["queue"]["mean"] == 2
    assert flow["packets_lost"]["retry"]["mean"] == 1
    assert flow["delay_s"]["mean"] == {"mean": pytest.approx(0.2), "ci95": None, "n": 1}
    assert merged["events"]["ci95"] == 0
    assert merged["queues"] == []


def test_summarise_matches_flows_by_name_not_by_place() -> None:
    one = {"flows": [{"name": "a", "x": 1}, {"name": "b", "x": 10}]}
    two = {"flows": [{"name": "b", "x": 20}, {"name": "a", "x": 3}]}
    merged = stats.summarise([one, two])
    assert {f["name"]: f["x"]["mean"] for f in merged["flows"]} == {"a": 2, "b": 15}


def test_summarise_matches_handoffs_by_where_they_led_and_how_often() -> None:
    def went(*legs: tuple[str | None, str, int]) -> dict[str, object]:
        keys = ("from", "to", "gap_s")
        return {
            "handoffs": [{"station": "car"} | dict(zip(keys, leg, strict=True)) for leg in legs]
        }

    one = went((None, "west", 0), ("west", "east", 1), ("east", "west", 2), ("west", "east", 3))
    two = went((None, "west", 0), ("west", "west", 9), ("west", "east", 5))
    merged = stats.summarise([one, two])["handoffs"]
    found = [
        (each["from"], each["to"], each["gap_s"]["mean"], each["gap_s"]["n"]) for each in merged
    ]
    assert found == [
        (None, "west", 0, 2),
        ("west", "east", 3, 2),
        ("east", "west", 2, 1),
        ("west", "east", 3, 1),
        ("west", "west", 9, 1),
    ]


def test_nothing_cannot_be_summarised() -> None:
    with pytest.raises(ValueError, match="no replication"):
        stats.summarise([])


def test_sign_test() -> None:
    assert stats.sign_test(0, 0) == 1
    assert stats.sign_test(6, 0) == stats.sign_test(0, 6) == 2 / 64
    assert stats.sign_test(5, 5) == 1
    assert stats.sign_test(8, 2) == pytest.approx(2 * (45 + 10 + 1) / 1024)


def test_flip_test() -> None:
    assert stats.flip_test([]) == stats.flip_test([0, 0]) == 1
    assert stats.flip_test([7]) == 1
    assert stats.flip_test([1] * 6) == stats.flip_test([1, 5, 2, 9, 3, 4]) == 2 / 64
    assert stats.flip_test([3, 2, -1]) == 4 / 8  # +-3 +-2 +-1: 6, 4 and their negatives
    assert stats.flip_test([1] * 200) == pytest.approx(2.0**-199)
