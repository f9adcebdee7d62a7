"""wimax2012 as a folder: its claims on results made for them, what derive.py makes, its cells of two scenarios."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lasthop
from lasthop.study.claims import Table
from lasthop.study.claims.tables import Shown
from lasthop.study.papers import alternatives, paper_verdicts, plans
from lasthop.study.papers.folder import Alternative, Paper
from test_papers import made, paper_of

OWN = ["New Reno", "Vegas", "Veno", "Westwood", "BIC"]


@pytest.fixture(scope="module")
def paper() -> Paper:
    return paper_of("wimax2012")


def as_claimed(measure: str, setting: dict[str, Any]) -> float:
    """Give means as the paper has them, where it says how large they are."""
    if measure.endswith("jain"):
        return 0.5 if setting.get("per", 0) > 0.05 else 0.99
    per, tcp = setting.get("per", 1e-4), setting.get("tcp", "New Reno")
    gain = {"Vegas": 0.8, "Veno": 0.9, "Westwood": 1.0, "BIC": 1.0}.get(tcp, 1.0)
    if measure.startswith("wlan_alone") and per < 0.01:
        return 2e6
    if measure == "alone.goodput":
        gain *= {"Westwood": 1.96, "BIC": 1.18}.get(tcp, 1.0)
    if measure == "shared.goodput":
        lead = 1.0 if per > 5e-3 else 2.08
        gain *= 0.3 * {"Westwood": lead, "BIC": 1.1}.get(tcp, 1.0)
    if measure == "six.goodput":
        gain *= {"Westwood": 1.58, "BIC": 1.54}.get(tcp, 1.0)
    return 2e6 * gain / (1 + 100 * per)


def test_every_claim_is_judged_and_holds_where_results_are_as_printed(paper: Paper) -> None:
    found = paper_verdicts.verdicts(paper_verdicts.judge(paper, made(paper, as_claimed)))
    assert {f"W{n}" for n in range(1, 18)} | {"W12b", "W13b", "A1"} == set(found)
    assert {found[each] for each in ("W1", "W2", "W3", "W4", "W6")} == {"holds"}
    flat = paper_verdicts.verdicts(paper_verdicts.judge(paper, made(paper, lambda *_: 1.0)))
    assert {flat[each] for each in ("W1", "W2", "W3", "W6", "W9", "W13", "W16")} == {
        "does not hold"
    }


def test_scenarios_stand_side_by_side(paper: Paper) -> None:
    def mean(measure: str, _: dict[str, Any]) -> float:
        return {"alone.goodput": 3e6, "shared.goodput": 1e6}.get(measure, 0.5)

    both = made(paper, mean)["goodput"]
    for scenario, expected in ((1, 3e6), (2, 1e6)):
        cell = both.at({"scenario": scenario, "tcp": "BIC", "per": 1e-5})
        assert cell is not None
        assert cell.mean() == pytest.approx(expected, rel=0.05)


def test_what_asymmetry_leaves_is_the_least_of_the_greatest(paper: Paper) -> None:
    rows = [({"tcp": "BIC", "ratio": r}, [v, 2 * v]) for r, v in ((1, 4.0), (3, 5.0), (6, 1.0))]
    assert paper.derive is not None
    kept: Table = paper.derive.module.kept(Table.of("ratio.goodput", rows))
    assert kept.cells[("BIC",)] == pytest.approx([0.2, 0.2])
    # The settings are those of the means: in the first run 3:1 is the least by chance, and not taken.
    rows = [
        ({"tcp": "BIC", "ratio": r}, v)
        for r, v in ((1, [4.0, 8.0]), (3, [1.0, 8.0]), (6, [2.0, 2.0]))
    ]
    kept = paper.derive.module.kept(Table.of("ratio.goodput", rows))
    # Of means of 2 and 6: a third, with the changes of both runs to the first order.
    assert kept.cells[("BIC",)] == pytest.approx([4 / 9, 2 / 9])


def test_an_error_rate_is_the_number_that_it_is_and_written_without_an_exponent(
    paper: Paper,
) -> None:
    axis = paper.axes["per"]
    assert axis.value(1e-5) == 1e-5
    assert Shown({"per": axis.says}).value("per", 1e-5) == "PER 0.00001"


def test_an_alternative_may_swap_values_that_keep_their_name(paper: Paper) -> None:
    study = paper.study("alone", 1)
    other = alternatives.changed(
        study, Alternative("x", swap={"tcp.variant": {"linux26-westwood": "westwood+"}})
    )
    changed = [axis.values for group in other.axes for axis in group if axis.key == "tcp.variant"]
    assert "linux26-westwood" not in changed[0]
    assert len(changed[0]) == 8
    assert paper.axes["tcp"].value("westwood+") == paper.axes["tcp"].value("westwood") == "Westwood"


def test_scenario_3_loses_its_gain_at_6_to_1_for_want_of_capacity(paper: Paper) -> None:
    """Two runs: at 6:1 goodput is far below 3:1, and a shorter T16 does not bring it back."""
    scene = paper.path("scene.six.toml")

    def goodput(*sets: str) -> float:
        run = lasthop.run(scene, overrides=["duration=40 s", *sets], replications=2)
        return float(np.mean([flow["goodput_bps"] for flow in _flows(run)]))

    wide, narrow = goodput("wimax.0.ratio=3:1"), goodput("wimax.0.ratio=6:1")
    assert narrow < 0.7 * wide
    assert goodput("wimax.0.ratio=6:1", "wimax.0.t16=20 ms") < 0.7 * wide


def test_quick_has_cells_for_every_claim(paper: Paper) -> None:
    parts = plans.quick(paper, paper.ids, 1, None)
    for part in parts:
        values = {axis.key: axis.values for group in part.study.axes for axis in group}
        if "tcp.variant" in values and part.id != "ratio":
            laws = {"newreno", *(f"linux26-{law}" for law in ("vegas", "veno", "westwood", "bic"))}
            assert laws <= set(values["tcp.variant"])


def _flows(run: lasthop.Run) -> list[dict[str, Any]]:
    return [flow for each in run.documents for flow in each["flows"]]
