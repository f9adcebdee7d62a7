"""Web and voice of petrovic2003: tables 3 to 5, the audit, and what verdicts rest on."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

import lasthop
from lasthop import papers
from lasthop.claims import Table
from lasthop.claims.audit import Audit, Variation
from lasthop.papers import audits
from lasthop.papers.petrovic2003.facts import choices
from lasthop.papers.petrovic2003.rests import Tried, rests_on, sentence
from lasthop.papers.petrovic2003.traffic import audit, experiments, judging, rows
from lasthop.papers.petrovic2003.traffic.experiments import BULK_BESIDE_VOICE, VOICE, WEB
from lasthop.papers.sweeps import Samples


def _made(experiment: experiments.Experiment, by: Any, replications: int = 6) -> Samples:
    """Return samples in which a cell's values are `by` of its place, with a little noise of its own."""
    study = experiment.study(1, replications, quick=False)
    samples = Samples(None, study, len(experiments.places(experiment)))
    draws = np.random.default_rng(1)
    cells = [
        (place.setting, (by(place) / experiment.scale * _noise(draws, replications)).tolist())
        for place in experiments.places(experiment)
    ]
    samples.tables = {experiment.metric: Table.of(experiment.metric, cells)}
    if experiment == VOICE:
        noise = _noise(draws, replications)
        bulk = [(p.setting, (1e4 * p.keys["window"] * noise).tolist()) for p in _places()]
        samples.tables[BULK_BESIDE_VOICE] = Table.of(BULK_BESIDE_VOICE, bulk)
    return samples


def _noise(draws: np.random.Generator, count: int) -> Any:
    return 1 + 0.0005 * draws.standard_normal(count)


def _places() -> tuple[experiments.Place, ...]:
    return experiments.places(VOICE)


def _verdicts(experiment: experiments.Experiment, by: Any) -> dict[str, str]:
    return {c["id"]: c["verdict"] for c in judging.judge(experiment, _made(experiment, by))}


def test_the_printed_cells_are_those_of_the_paper() -> None:
    web = {(p.keys["packet_bytes"], p.keys["window"], p.keys["case"]): p for p in _web_places()}
    assert len(web) == 32
    assert web[100, 5, "norts_fec"].published == 3.99
    assert web[1000, 10, "rts_fec"].published == 3.55
    assert web[100, 1, "rts_fec"].table == "3"
    voice = {(p.keys["window"], p.keys["udp_bytes"]): p.published for p in _places()}
    assert len(voice) == 30
    assert (voice[1, 1000], voice[16, 500], voice[32, 200]) == (8.5, 0.23, 1.2)


def _web_places() -> tuple[experiments.Place, ...]:
    return experiments.places(WEB)


@pytest.mark.parametrize("experiment", [WEB, VOICE])
def test_every_printed_cell_is_one_of_the_study(experiment: experiments.Experiment) -> None:
    axes = {
        axis.key: axis.values for group in experiment.study(1, None, False).axes for axis in group
    }
    for place in experiments.places(experiment):
        assert set(place.setting) == set(axes)
        assert all(value in axes[key] for key, value in place.setting.items())


def test_runs_as_printed_get_the_verdicts_of_the_printed_tables() -> None:
    def as_printed(place: experiments.Place) -> float:
        return place.published

    web = judging.judge(WEB, _made(WEB, as_printed))
    assert {c["id"]: c["verdict"] for c in web} == {"P5": "holds", "P6": "mixed"}
    assert {c["id"]: c["paper_table_supports"] for c in web} == {"P5": "holds", "P6": "mixed"}
    assert _verdicts(VOICE, as_printed) == {"P7": "holds", "P8": "mixed"}


def test_claims_fall_where_runs_deny_them() -> None:
    # Everywhere the same, over 2 %: RTS/CTS lengthens nothing, voice is usable nowhere.
    assert _verdicts(WEB, lambda place: 3.0) == {"P5": "contradicted", "P6": "contradicted"}
    verdicts = _verdicts(VOICE, lambda place: 5.0)
    assert verdicts["P7"] == "mixed"  # not usable at 1000 B is still shown
    assert verdicts["P8"] == "mixed"  # the bulk throughput grows with the window


def test_rows_are_in_the_papers_unit_with_bulk_beside_voice() -> None:
    (table,) = rows.tables(VOICE, _made(VOICE, lambda place: 2 * place.published))
    assert table["id"] == "5"
    row = next(r for r in table["rows"] if (r["window"], r["udp_bytes"]) == (2, 800))
    assert row["published"] == 0.28
    assert row["ratio"] == pytest.approx(2.0, rel=0.01)
    assert row["bulk_kbps"] == pytest.approx(20.0, rel=0.01)
    assert rows.agreement(table)["geometric_mean_ratio"] == pytest.approx(2.0, rel=0.01)


@pytest.mark.parametrize("experiment", [WEB, VOICE])
def test_every_alternative_is_a_scenario(
    experiment: experiments.Experiment, tmp_path: Path
) -> None:
    study = experiment.study(1, 1, quick=True)
    named = {choice.name: choice.others for choice in audit.choices_of(experiment, quick=False)}
    for choice in choices():
        for each in choice.alternatives:
            if each.name in named.get(choice.item, ()):
                changed = audit.with_alternative(study, each)
                assert changed != study
                file = tmp_path / "changed.toml"
                file.write_text(changed.scenario)
                lasthop.check(file, overrides=changed.changes)


def test_a_row_of_the_audit_has_all_that_its_alternative_moves() -> None:
    varied = Variation("FEC: on", {"FEC": "on"}, (), (), ())
    effects = {
        "": {"means": {}, "traded": []},
        "FEC: on": {"means": {"a": 1.0}, "traded": [{"x": 2}]},
    }
    (row,) = audits.rows(Audit((), (varied,), 1), effects)
    assert row == {
        "name": "on", "item": "FEC", "verdicts": {}, "flipped": [], "changed": [],
        "means": {"a": 1.0}, "traded": [{"x": 2}],
    }  # fmt: skip


def test_what_a_verdict_rests_on() -> None:
    taken = {"who": "each node"}
    other = Tried("who", "the cell", "contradicted")
    unsure = Tried("code", "(7, 5)", "cannot tell")
    assert sentence("holds", "cannot tell", [other, unsure], taken) == (
        "holds only if “each node” (who): with “the cell” it is contradicted"
    )
    assert sentence("holds", "holds", [unsure], taken).startswith(
        "holds as taken, and none of the 1"
    )
    turned = [Tried("who", "the cell", "holds"), unsure]
    assert sentence("mixed", "mixed", turned) == (
        "holds only if “the cell” (who); with what was taken: mixed"
    )
    assert "contradicted with “the cell” (who)" in sentence("mixed", "mixed", [other, unsure])


def test_only_claims_with_an_alternative_are_said_to_rest_on_something() -> None:
    baseline = {"item": "run length", "name": "12 s", "verdicts": {"P1": "mixed"}}
    document = {
        "unstated": [],
        "claims": [{"id": "P1", "verdict": "mixed"}],
        "alternatives": [baseline],
        "traffic": {"web": {"audit": None}},
    }
    assert rests_on(document) == {}
    document["alternatives"] = [baseline, baseline | {"verdicts": {"P1": "holds"}}]
    assert rests_on(document)["P1"].startswith("holds only if “12 s”")


def test_table_5_alone_from_end_to_end(tmp_path: Path) -> None:
    screen = io.StringIO()
    document = papers.reproduce(
        "petrovic2003",
        table=5,
        replications=2,
        quick=True,
        audit=False,
        out=tmp_path,
        console=Console(file=screen, width=80),
    )
    assert [table["id"] for table in document["tables"]] == ["5"]
    assert {claim["id"] for claim in document["claims"]} == {"P7", "P8"}
    assert document["complete"]
    folder = tmp_path / "petrovic2003"
    assert json.loads((folder / "result.json").read_text()) == document
    page = (folder / "report.html").read_text()
    assert "Table 5" in page
    assert "Table 1" not in page
    assert "window 32" in screen.getvalue()  # the lines are named on a narrow terminal too
