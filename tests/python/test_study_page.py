"""The page of a study: the question, the answer, and one table of all that was measured."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import lasthop
from lasthop.pages.studies import overview
from lasthop.study.answering import answer
from lasthop.study.claims import Table
from lasthop.study.judgement import verdicts
from lasthop.study.manifest import restored
from lasthop.study.spec import Study

SETTINGS = """
[study]
name = "queues"
scenario = "two_stations"
set = ["duration=6 s", "warmup=2 s"]
seed = 1
replications = 20
metrics = ["goodput_bps", "download.delay_s.p95", "download.retransmits"]

[axes]
"queue.packets" = [5, 40]
"tcp.variant" = ["reno", "cubic"]

[[compare]]
axis = "queue.packets"
metric = "goodput_bps"

[[compare]]
axis = "queue.packets"
metric = "download.delay_s.p95"
"""


@pytest.fixture(scope="module")
def swept(tmp_path_factory: pytest.TempPathFactory) -> lasthop.Results:
    folder = tmp_path_factory.mktemp("study")
    (folder / "study.toml").write_text(SETTINGS)
    return lasthop.sweep(folder / "study.toml", folder / "out")


@pytest.fixture(scope="module")
def study(swept: lasthop.Results) -> Study:
    return restored(swept.manifest)


def _columns(columns: list[Any], words: list[str], count: int) -> list[list[Any]]:
    """Unpack columns of `takeaway.kept`."""
    return [
        [None] * count
        if column is None
        else [words[at] for at in column["words"]]
        if isinstance(column, dict)
        else column
        for column in columns
    ]


def test_a_study_without_a_question_asks_what_its_axes_change(study: Study) -> None:
    assert (
        overview.question(study)
        == "What do the queue limit in packets and the variant of TCP change?"
    )


def test_the_table_has_all_metrics_in_the_order_in_which_people_notice_them(
    swept: lasthop.Results, study: Study
) -> None:
    table = overview.overview(swept, study, answer(swept, study))
    assert table is not None
    assert [each["name"] for each in table["columns"]] == ["5", "40"]
    assert [each["title"] for each in table["cells"]] == ["Reno", "CUBIC"]
    groups = table["cells"][0]["groups"]
    assert [group["title"] for group in groups] == ["Delay", "Goodput", "Other"]
    assert [row["name"] for group in groups for row in group["rows"]] == [
        "The 95th percentile of download's delay",
        "Goodput",
        "Retransmissions of download",
    ]


def test_verdicts_are_those_of_the_study_where_it_compares(
    swept: lasthop.Results, study: Study
) -> None:
    table = overview.overview(swept, study, answer(swept, study))
    assert table is not None
    there = verdicts(swept, study)["download.delay_s.p95 by queue.packets"]
    words = [str(there[f"40 against 5; tcp.variant={x}"].word) for x in ("reno", "cubic")]
    assert "worse" in words
    shown = [cell["groups"][0]["rows"][0]["cells"][1] for cell in table["cells"]]
    assert [each["word"] for each in shown] == [word.replace(" ", "-") for word in words]
    assert all(each["said"] for each in shown)


def test_a_mean_is_that_of_the_results_in_the_shown_unit(
    swept: lasthop.Results, study: Study
) -> None:
    table = overview.overview(swept, study, answer(swept, study))
    assert table is not None
    entry = table["cells"][1]["groups"][1]["rows"][0]["cells"][0]
    row = next(x for x in swept.rows if x.settings == {"queue.packets": 5, "tcp.variant": "cubic"})
    estimate = swept.estimate("goodput_bps", row)
    assert estimate is not None
    factor, _ = swept.scale("goodput_bps")
    assert float(entry["mean"]) == pytest.approx(estimate.mean * factor, rel=1e-3)
    assert entry["half"].startswith("±")


def test_numbers_to_take_away_name_the_reference_and_end_where_the_quantity_does(
    swept: lasthop.Results, study: Study
) -> None:
    table = overview.overview(swept, study, answer(swept, study))
    assert table is not None
    kept = table["numbers"]
    rows = [
        (*lead, *values)
        for lead, count, columns in kept["blocks"]
        for values in zip(*_columns(columns, kept["words"], count), strict=True)
    ]
    assert [row[3] for row in rows if row[7] == "reference"] == ["5"] * 6
    assert all(row[5] is None or row[5] >= 0 for row in rows)


def test_the_page_has_one_table_and_the_rest_is_folded(
    swept: lasthop.Results, tmp_path: Path
) -> None:
    page = swept.report(tmp_path / "page.html").read_text()
    open_ = re.sub(r"<details>.*?</details>", "", page, flags=re.S)
    assert "<h1>What do the queue limit" in page
    assert open_.count("<table") == 2  # one for each cell of the other axis, a tab each
    assert page.count("<table") > 6


def test_an_axis_with_many_settings_has_no_table(
    swept: lasthop.Results, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("thousands of verdicts would take minutes")

    monkeypatch.setattr(overview, "beside", refused)
    monkeypatch.setattr(overview, "MOST_SETTINGS", 1)
    assert overview.overview(swept, study, answer(swept, study)) is None


def test_the_tables_by_which_a_page_judges_are_made_once(
    swept: lasthop.Results, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    of = Table.of
    monkeypatch.setattr(Table, "of", lambda *args: made.append(args[0]) or of(*args))
    swept.report(tmp_path / "page.html")
    assert sorted(made) == sorted(swept.metrics)
