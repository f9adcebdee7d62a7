"""Output for any paper's folder: its document, its page, and the messages after Ctrl-C and about mistakes."""

from __future__ import annotations

import io
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure
from rich.console import Console

from lasthop.errors import LasthopError, UsageError
from lasthop.pages import papers
from lasthop.pages.figures import curves
from lasthop.pages.papers import claim_forest, dumbbells, reproducing
from lasthop.study.claims.outcomes import DECIDED, Verdict, contradict
from lasthop.study.papers import alternatives, deciding, paper_folder, plans, showing, strips
from lasthop.study.papers.folder import Paper

DOCS = Path(__file__).parents[2] / "docs"
JUN = DOCS / "tutorial/jun2003"


def reproduce(paper: str | Path, out: Path, **more: Any) -> tuple[dict[str, Any], str]:
    screen = io.StringIO()
    console = Console(file=screen, width=100)
    return papers.reproduce(paper, out=out, console=console, **more), screen.getvalue()


@pytest.fixture(scope="module")
def jun(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any], str]:
    """A paper that is not ours, by data alone: where it is, its document, its screen."""
    folder = tmp_path_factory.mktemp("jun")
    return (folder, *reproduce(JUN, folder))


def test_a_paper_that_is_not_ours_needs_no_python(jun: tuple[Path, dict[str, Any], str]) -> None:
    """Jun, Peddabachagari and Sichitiu 2003: the printed throughputs to a third of a per cent."""
    assert not list(JUN.glob("*.py"))
    _, document, screen = jun
    (variation,) = document["audit"]["variations"]
    assert variation["idle"] == []
    near = document["agreement"]["2"]
    assert near["cells"] == 6
    assert near["geometric_mean_ratio"] == pytest.approx(1, abs=0.003)
    assert near["rms_log_error"] < 0.005
    assert {each["id"]: each["verdict"] for each in document["claims"]} == {
        "T1": "holds",
        "T2": "holds",
        "T3": "holds",
    }
    assert "RTS/CTS lowers throughput: holds. RTS/CTS on against off" in " ".join(screen.split())
    assert document["audit_complete"]
    assert "The one alternative" in document["rests_on"]["T1"]


def test_the_page_is_one_file_with_the_claims_first(
    jun: tuple[Path, dict[str, Any], str],
) -> None:
    folder, document, _ = jun
    page = (folder / "jun2003" / "report.html").read_text()
    assert "http://" not in page
    assert "https://" not in page
    assert 'name="viewport"' in page
    order = ["The claims", "How close the simulated values are"]
    order += ["Printed and simulated", "What we had to choose"]
    places = [page.index(f">{name}") for name in order]
    assert places == sorted(places)
    for claim in document["claims"]:
        assert f'id="{claim["id"]}"' in page
    assert all(Path(file).stat().st_size > 500 for file in document["files"])
    assert json.loads((folder / "jun2003" / "result.json").read_text()) == document


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every figure is an empty one: drawing takes most of the time."""
    monkeypatch.setattr(curves, "curves", lambda *_, **__: Figure(figsize=(1, 1)))


@pytest.mark.usefixtures("undrawn")
def test_one_table_of_a_paper_from_end_to_end(tmp_path: Path) -> None:
    document, screen = reproduce(
        "petrovic2003", tmp_path, table=5, replications=2, quick=True, audit=False
    )
    assert [table["id"] for table in document["tables"]] == ["5"]
    assert {claim["id"] for claim in document["claims"]} == {"P7", "P8"}
    assert document["complete"]
    assert "Table 5" in screen
    assert "Table 1" not in screen


@pytest.mark.usefixtures("undrawn")
@pytest.mark.parametrize("paper", ["petrovic2003", "wimax2012"])
def test_a_quick_run_contradicts_no_published_verdict(tmp_path: Path, paper: str) -> None:
    """With a seed that is not that of the published runs, so that nothing but what is claimed is shared."""
    published = json.loads((DOCS / "reference/papers.json").read_text())[paper]
    document, _ = reproduce(paper, tmp_path, quick=True, audit=False, seed=published["seed"] + 1)
    words = {claim["id"]: Verdict(claim["verdict"]) for claim in published["claims"]}
    found = {claim["id"]: Verdict(claim["verdict"]) for claim in document["claims"]}
    assert found.keys() == words.keys()
    assert not [id_ for id_, word in found.items() if contradict(word, words[id_])]
    assert any(word in DECIDED for word in found.values())


@pytest.mark.usefixtures("undrawn")
def test_a_new_folder_runs_as_it_is(tmp_path: Path) -> None:
    folder = paper_folder.new("mine", tmp_path)
    document, _ = reproduce(folder, tmp_path / "out")
    assert document["claims"][0]["verdict"] == "holds"
    with pytest.raises(UsageError, match="there already"):
        paper_folder.new("mine", tmp_path)
    with pytest.raises(UsageError, match="cannot be the name of a paper"):
        paper_folder.new("../x", tmp_path)


@pytest.mark.usefixtures("undrawn")
def test_an_assumption_is_changed_for_every_study(
    tmp_path: Path, jun: tuple[Path, dict[str, Any], str]
) -> None:
    document, screen = reproduce(JUN, tmp_path, changes=["phy.control_rate=2 Mbps"], audit=False)
    assert document["changes"] == ["phy.control_rate=2 Mbps"]
    assert "Changed in every study" in screen
    before, now = (each["tables"][0]["rows"][0]["mean"] for each in (jun[1], document))
    assert 1.0 < now / before < 1.2  # shorter acknowledgements
    assert [path.name for path in tmp_path.iterdir()] == ["jun2003,phy.control_rate=2_Mbps"]
    with pytest.raises(UsageError, match=r"mac\.rts is an axis of jun2003"):
        reproduce(JUN, tmp_path, changes=["mac.rts=always"])


@pytest.mark.usefixtures("undrawn")
def test_a_copy_of_a_paper_is_changed_and_has_results_of_its_own(tmp_path: Path) -> None:
    folder = paper_folder.new("mine", tmp_path, str(JUN))
    assert {path.name for path in folder.iterdir()} == {path.name for path in JUN.iterdir()}
    document, _ = reproduce(folder, tmp_path / "out", replications=2, audit=False)
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["mine"]
    assert len(document["claims"]) == 3
    # A folder is known by its own name, whatever its paper.toml says.
    renamed = folder.rename(tmp_path / "other")
    reproduce(renamed, tmp_path / "out", replications=2, audit=False)
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"mine", "other"}
    with pytest.raises(UsageError, match="no paper 'petrovic2033'"):
        paper_folder.new("more", tmp_path, "petrovic2033")


@pytest.mark.usefixtures("undrawn")
def test_ctrl_c_keeps_the_data_and_nothing_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = paper_folder.new("mine", tmp_path)
    out = tmp_path / "out"
    reproduce(folder, out, replications=3, audit=False)

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(reproducing.Output, "page", stop)
    (out / "mine" / "mine.txt").write_text("kept")
    document, screen = reproduce(folder, out, replications=3, seed=2, audit=False)
    there = {file.name for file in (out / "mine").iterdir()}
    assert there == {"studies", "mine.txt", "result.json", "cells.parquet"}
    assert not document["complete"]
    assert "interrupted" in screen


@pytest.mark.usefixtures("undrawn")
def test_ctrl_c_in_the_audit_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = paper_folder.new("mine", tmp_path)

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(alternatives, "changed", stop)
    document, screen = reproduce(folder, tmp_path / "out", replications=3)
    assert document["audit_complete"] is False
    assert not document["complete"]
    assert "0 of 1 alternatives were finished" in " ".join(screen.split())


@pytest.mark.usefixtures("undrawn")
def test_replications_go_on_until_the_claims_are_decided(tmp_path: Path) -> None:
    folder = paper_folder.new("mine", tmp_path)
    more = {"until_decided": True, "audit": False}
    document, screen = reproduce(folder, tmp_path / "out", **more)
    assert document["until_decided"] == {
        "looks": 1,
        "runs": 40,
        "most_replications": 20,
        "budget_over": False,
        "undecided": [],
    }
    assert "all claims are decided" in screen
    # With losses the ratio is near 8.5, which ten replications do not tell from 8.35.
    text = (folder / "claims.toml").read_text()
    word = 'above = { a = { window = 8 }, b = { window = 1 }, by = "735 %", part = "x" }'
    start = text.index("monotone")
    (folder / "claims.toml").write_text(f"{text[:start]}{word} }}\n")
    noisy = (folder / "study.toml").read_text().replace("loss = 0.001", "loss = 0.01")
    (folder / "study.toml").write_text(noisy)
    document, _ = reproduce(folder, tmp_path / "more", budget_s=20, **more)
    found = document["until_decided"]
    assert found["looks"] > 1
    assert found["most_replications"] > 20


@pytest.mark.usefixtures("undrawn")
def test_quick_gives_further_runs_where_they_decide(tmp_path: Path) -> None:
    """Ten replications leave the claim open, and thirty are forecast to be enough: 20 more for two cells."""
    folder = paper_folder.new("mine", tmp_path)
    text = (folder / "claims.toml").read_text()
    word = 'above = { a = { window = 8 }, b = { window = 1 }, by = "650 %", part = "x" }'
    start = text.index("monotone")
    (folder / "claims.toml").write_text(f"{text[:start]}{word} }}\n")
    noisy = (folder / "study.toml").read_text().replace("loss = 0.001", "loss = 0.01")
    (folder / "study.toml").write_text(noisy)
    quick = folder / "quick.toml"
    found = []
    for name, further in (
        ("none", ""),
        ("few", "further_runs = 3\n"),
        ("some", "further_runs = 100\n"),
    ):
        quick.write_text(f"replications = 10\n{further}")
        found.append(reproduce(folder, tmp_path / name, quick=True, audit=False)[0])
    none, few, some = found
    assert none["runs"] == few["runs"]
    assert none["further"]["claims"] == [claim["id"] for claim in none["claims"]]
    assert "would decide 1." in showing.opening(none)
    assert some["until_decided"]["looks"] == 2
    assert some["until_decided"]["most_replications"] == deciding.SECOND
    assert none["runs"] < some["runs"] <= none["runs"] + 100
    again = reproduce(folder, tmp_path / "again", quick=True, audit=False)[0]
    assert again["claims"] == some["claims"]


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("paper.toml", 'title = "Title of the paper"', "", "paper.toml: title is missing"),
        ("paper.toml", 'measure = "goodput"', 'measure = "goodptu"', "did you mean 'goodput'"),
        ("paper.toml", "rows = [[1, 250.0]", "rows = [[1]", "has not 2 entries"),
        ("paper.toml", "[measures.goodput]", "[measure.goodput]", "did you mean 'measures'"),
        ("paper.toml", 'keys = ["window"]', "", "table[0].keys is missing"),
        ("paper.toml", 'says = "window {}"', 'say = "window {}"', "did you mean 'says'"),
        ("paper.toml", 'keys = ["window"]', 'like = "2"', "no table '2' to be like"),
        (
            "paper.toml",
            'measure = "goodput"\nshows',
            'measure = "goodptu"\nshows',
            "figures goodput",
        ),
        ("claims.toml", "monotone", "monotonous", "did you mean 'monotone'"),
        ("choices.toml", 'evidence = "none"', 'evidence = "dat"', "did you mean 'date'"),
        (
            "choices.toml",
            'item = "TCP flavour"',
            "item = ",
            "choices.toml:3:8: error: string values must be quoted",
        ),
    ],
)
def test_errors_name_the_file_and_the_nearest_word(
    tmp_path: Path, file: str, old: str, new: str, said: str
) -> None:
    folder = paper_folder.new("mine", tmp_path)
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new))
    with pytest.raises(UsageError) as error:
        reproduce(folder, tmp_path / "out", replications=2)
    assert said in str(error.value)
    assert not (tmp_path / "out" / "mine" / "studies").exists()  # nothing was run


@pytest.mark.parametrize("paper", ["petrovic203", "x"])
def test_an_unknown_paper_names_those_there_are(paper: str) -> None:
    with pytest.raises(UsageError, match="petrovic2003") as error:
        papers.reproduce(paper, console=Console(file=io.StringIO()))
    assert error.value.exit_code == 2


@pytest.mark.parametrize("table", ["6", 0, "one"])
def test_an_unknown_table_names_those_there_are(table: str | int, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there are: 1, 2, 1-DSDV, 2-DSDV, 3, 4, 5"):
        reproduce("petrovic2003", tmp_path, table=table)


def test_what_cannot_be_run_is_refused_before_any_run(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="at least 1"):
        reproduce("petrovic2003", tmp_path, replications=0)
    (tmp_path / "file").write_text("x")
    with pytest.raises(LasthopError, match=r"cannot write .*file"):
        reproduce("petrovic2003", tmp_path / "file")


# The basis of verdicts


@pytest.mark.parametrize(("said", "run"), [(10, 10), (30, 12)])
def test_an_audit_that_says_no_number_has_the_study_s_up_to_twelve(
    tmp_path: Path, said: int, run: int
) -> None:
    folder = shutil.copytree(JUN, tmp_path / "jun2003")
    study = folder / "one_station.toml"
    study.write_text(study.read_text().replace("replications = 10", f"replications = {said}"))
    paper = Paper(folder)
    for parts in (
        plans.audit(paper, paper.ids, 1, None, False),
        plans.quick(paper, paper.ids, 1, None),
    ):
        assert {part.study.replications for part in parts} == {run}


def test_a_strip_loses_no_kind_of_mark() -> None:
    details = [{"was_run": True, "outcome": "shown"}] * 200
    details += [{"was_run": True, "outcome": "denied"}, {"was_run": False, "outcome": "open"}]
    (strip,) = strips.strips({"parts": [{"details": details}]}, most=10)
    assert set(strip) == {"shown", "denied", "not-run"}
    assert len(strip) <= 12


def test_the_page_draws_every_setting_and_every_printed_value(
    jun: tuple[Path, dict[str, Any], str],
) -> None:
    claims = {claim["id"]: claim for claim in jun[1]["claims"]}
    (part,) = claims["T1"]["parts"]
    drawn = str(claim_forest.forest(part))
    dots = re.findall(r'<path class="dots (\w+)" d="([^"]*)"', drawn)
    assert sum(d.count("h0") for kind, d in dots if kind == "good") == len(part["details"])
    assert drawn.count('class="dot good"') == (part["effect"] is not None)
    assert drawn.count('class="ring"') == len(part["details"])
    (table,) = (table for table in jun[1]["tables"] if table["id"] == "2")
    charts = dumbbells.panels(table)
    assert [name for name, _ in charts] == table["columns"]
    assert sum(str(chart).count('class="dot"') for _, chart in charts) == len(table["rows"])
    page = (jun[0] / "jun2003" / "report.html").read_text()
    assert all(str(chart) in page for _, chart in charts)
    assert drawn in page
