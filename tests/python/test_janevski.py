"""The study of janevski2011 on made-up results: its data, tables, verdicts and figures."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import lasthop
from lasthop.claims import Table
from lasthop.papers import words
from lasthop.papers.janevski2011 import audit, collate, experiments, judging, pictures, tables
from lasthop.papers.janevski2011.facts import VARIANTS, choices, claims, data, facts, text
from lasthop.papers.janevski2011.timeline import correlation
from lasthop.study import axes

REPLICATIONS = 12


def _made(goodput: Any) -> dict[str, list[dict[str, Table]]]:
    """Results of every study: `goodput` (bit/s) of a cell, all other measures alike."""
    found = {}
    for id_ in experiments.IDS:
        study = experiments.study(id_, 1, None)
        cells = axes.settings(study.axes)
        wobble = 1 + 0.001 * np.random.default_rng(1).standard_normal(REPLICATIONS)
        own = {}
        for metric in study.metrics:
            rows = []
            for cell in cells:
                mean = goodput(experiments.named(cell)) if metric == "ftp.active_goodput" else 0.02
                rows.append((cell, mean * wobble))
            own[metric] = Table.of(metric, rows)
        found[id_] = [own]
    return found


def _variant(cell: dict[str, Any]) -> float:
    return 1e6 * (1.5 if cell.get("tcp") == "sack" else 1.0)


def test_the_printed_tables_have_their_cells() -> None:
    paper = facts().tables
    assert [len(paper[each]["rows"]) for each in "456"] == [5, 10, 5]
    assert all(
        sorted(column) == sorted(VARIANTS) for column in zip(*paper["6"]["rows"], strict=True)
    )


def test_every_claim_speaks_of_tables_that_there_are() -> None:
    made = collate.tables(_made(_variant))
    wanted = {name for claim in claims() for name in claim.metrics()}
    assert wanted - made.keys() == {"film.follows_window"}  # figure 2's own runs
    assert [claim.id for claim in claims()][:3] == ["J0", "J1", "J2"]
    assert len(claims()) == 14


def test_verdicts_follow_the_results() -> None:
    found = {c["id"]: c for c in judging.judge(collate.tables(_made(_variant)))}
    parts = {p["name"]: p["verdict"] for p in found["J5"]["evidence"]["parts"]}
    assert parts["4: SACK best"] == "holds"
    assert parts["3: Vegas best"] == "contradicted"
    assert found["J6"]["verdict"] == "cannot tell"  # equal to the last bit in too few runs
    assert "SACK best at queue 50: 3 shown" in words.evidence_line(found["J7"])


def test_the_papers_own_tables_are_judged_by_the_same_words() -> None:
    own = {claim.id: judging.own_tables(claim) for claim in claims()}
    assert own["J6b"]["verdict"] == "contradicted"  # table 4 against the text
    assert own["J10"]["verdict"] == "mixed"
    assert own["J2"]["verdict"] == "not printed"


def test_cells_that_were_not_run_stay_open() -> None:
    made = _made(_variant)
    only = {
        name: table.where({"tcp.variant": ["sack"]}) for name, table in made["static"][0].items()
    }
    found = {c["id"]: c for c in judging.judge(collate.tables({"static": [only]}))}
    assert found["J5"]["verdict"] == "cannot tell"
    assert found["J5"]["evidence"]["denied"] == 0


def test_throughput_counts_over_the_transfers_own_time() -> None:
    made = collate.tables(_made(lambda cell: 75e6))
    values = made["ftp.goodput"].at({"distance": 5, "tcp": "sack", "ifq": 25, "retries": 3})
    assert values is not None
    assert values.mean() == pytest.approx(75e6, rel=1e-2)


def test_picking_by_other_replications_gains_nothing_from_luck() -> None:
    rng = np.random.default_rng(2)
    rows = [
        ({"cell": c, "tcp": v}, 1 + 0.1 * rng.standard_normal(200))
        for c in range(20)
        for v in VARIANTS
    ]
    rows += [({"cell": "too far", "tcp": v}, np.zeros(200)) for v in VARIANTS]
    luck = collate.picked([Table.of("x", rows)])
    assert luck.at({"pick": "per scenario"}).mean() == pytest.approx(1, abs=0.02)  # type: ignore[union-attr]


def test_table_6_ranks_and_says_what_is_not_told_apart() -> None:
    (ranks,) = (t for t in tables.tables(collate.tables(_made(_variant)), ("6",)) if t["id"] == "6")
    first, second = ranks["rows"][:2]
    assert (first["simulated"], first["places"]) == ("sack", "1")
    assert second["places"] == "2-5"


def test_quick_and_the_audit_run_cells_of_the_studies() -> None:
    quick = experiments.parts(experiments.IDS, 1, None, quick=True)
    assert {part.id for part in quick} == set(experiments.IDS)
    for part in quick:
        whole = experiments.study(part.id, 1, None)
        for own, of in zip(part.study.axes, whole.axes, strict=True):
            assert set(own[0].values) <= set(of[0].values)
    assert sum(len(axes.settings(part.study.axes)) for part in quick) < 120
    for part in quick:
        lasthop.check(part.study.file, overrides=list(part.study.changes))


def test_quick_runs_the_same_cells_with_shorter_transfers() -> None:
    (whole,) = (p.study for p in experiments.parts(("pace",), 1, None, quick=False))
    (part,) = (p.study for p in experiments.parts(("pace",), 1, None, quick=True))
    assert part.replications == 6
    assert part.changes[: len(whole.changes)] == whole.changes
    assert "duration=31 s" in part.changes
    (asked,) = experiments.parts(("pace",), 1, 2, quick=True)
    assert asked.study.replications == 2


@pytest.mark.parametrize("choice", [c for c in choices() if c.alternatives], ids=lambda c: c.item)
def test_every_alternative_can_be_set(choice: Any) -> None:
    for alternative in choice.alternatives:
        for id_ in alternative.studies if alternative.overrides else ():
            study = audit.changed(experiments.study(id_, 1, None), alternative)
            key = alternative.retry_key
            changes = [*study.changes, *([f"{key}=2"] if key else [])]
            lasthop.check(study.file, overrides=changes)


def test_every_figure_is_drawn_from_a_table() -> None:
    made = collate.tables(_made(_variant))
    drawn = pictures.figures(made, None)
    assert drawn.keys() == {*data("figures.toml"), "trade"}
    chart, _ = drawn["figure12"].draw.args  # type: ignore[attr-defined]
    assert chart.panels[0][0] == "5 m, queue 25"
    assert all(len(line.points) == 4 for _, lines in chart.panels for line in lines)


def test_a_film_that_swings_with_the_window_correlates_with_it() -> None:
    times = np.arange(35, 111, 0.02)
    window = np.repeat(np.arange(76.0), 50)[: len(times)]
    gaps = 0.02 + 0.001 * window * np.where(np.arange(len(times)) % 2, 1, -1)
    assert correlation((times, window), (times, gaps)) > 0.99
    assert correlation((times, window), (times, gaps[::-1])) < -0.99


def test_the_studies_can_be_copied() -> None:
    for id_ in experiments.IDS:
        assert 'scenario = "scene.' in text(f"{id_}.toml")
