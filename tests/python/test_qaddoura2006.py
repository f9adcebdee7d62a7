"""qaddoura2006 as a folder: its cases come from the studies that have them, and its claims are judged by them."""

from __future__ import annotations

from typing import Any

import pytest

from lasthop.study.papers import nearness, paper_verdicts, plans
from lasthop.study.papers.folder import Paper
from test_papers import made, paper_of

PRINTED = {1: 790e3, 2: 1497e3, 3: 2474e3, 4: 2433e3, 5: 2385e3}


@pytest.fixture(scope="module")
def paper() -> Paper:
    return paper_of("qaddoura2006")


def as_printed(measure: str, setting: dict[str, Any]) -> float:
    """Give means as the paper has them."""
    wireless = setting.get("wireless", 25)
    if measure == "injected.goodput":
        return PRINTED[{0: 3, 25: 4, 50: 5}[wireless]] * (1 - 0.1 * (setting["fade"] - 1))
    if measure == "mixed.goodput":
        case = 2 if setting["ber"] == 1e-5 else 1
        return PRINTED[3] if wireless == 0 else PRINTED[case] * 25 / wireless
    return {"nothing": 0.3, "I-TCP": 0.9}.get(setting.get("base", ""), 0.5)


def test_cases_are_those_of_the_printed_table(paper: Paper) -> None:
    network = made(paper, as_printed)["network"]
    for case, value in PRINTED.items():
        cell = network.at({"case": case})
        assert cell is not None
        assert cell.mean() == pytest.approx(value, rel=0.05)


def test_claims_hold_where_results_are_as_printed(paper: Paper) -> None:
    found = paper_verdicts.verdicts(paper_verdicts.judge(paper, made(paper, as_printed)))
    assert {"Q0", "Q1", "Q2", "Q3", "Q4"} <= set(found)
    assert found["Q1"] == found["Q2"] == found["Q4"] == "holds"
    flat = paper_verdicts.verdicts(paper_verdicts.judge(paper, made(paper, lambda *_: 1e6)))
    assert {flat[each] for each in ("Q0", "Q1", "Q4")} == {"does not hold"}
    assert flat["Q3"] == "holds in part at most"  # a fall by nothing is at the edge of a slight one


def test_axes_that_step_together_are_narrowed_by_any_of_them(paper: Paper) -> None:
    study = paper.study("injected", 1)
    half = plans.only(study, {"flow.injected.count": [25]}, "x")
    kept = {axis.key: axis.values for group in half.axes for axis in group}
    assert kept["flow.a.count"] == (1,)
    assert kept["flow.b.count"] == (0,)
    with pytest.raises(Exception, match="no combination"):
        plans.only(study, {"flow.injected.count": [7]}, "x")


def test_the_five_cases_of_every_variant_come_from_the_studies_that_have_them(paper: Paper) -> None:
    def mean(measure: str, setting: dict[str, Any]) -> float:
        if measure == "laws.goodput":
            return {"nothing": 1e3}.get(setting["base"], 4e3)
        if measure == "cases.goodput":
            return {25: 2e3, 0: 3e3, 50: 5e3}[setting["wireless"]]
        return 1e6

    (table,) = [each for each in nearness.rows(paper, made(paper, mean)) if each["id"] == "beyond"]
    assert table["kind"] == "beyond"
    rows = table["rows"]
    assert {row["tcp"] for row in rows} >= {"Reno", "BBR"}
    assert len(rows) == 9 * len(table["columns"])
    for row in rows:
        # bit/s are shown as kbit/s.
        assert row["mean"] == pytest.approx(row["case"], rel=0.05)
        assert row["published"] is None
        assert row["ratio"] is None
        assert row["inside"] is None


def test_quick_leaves_the_other_cases_of_variants_out(paper: Paper) -> None:
    ids = paper.ids
    assert "cases" in {part.id for part in plans.whole(paper, ids, 1, None)}
    assert "cases" not in {part.id for part in plans.quick(paper, ids, 1, None)}
    assert "cases" not in {part.id for part in plans.audit(paper, ids, 1, None, brief=False)}
