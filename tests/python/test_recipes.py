"""Figures and reports carry what made them; `rerun` makes them again and says what differs."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import lasthop
import studies
from commands import lasthop as command
from lasthop.errors import UsageError
from lasthop.pages.recipes import embedding
from lasthop.study.swept import Results
from lasthop_validation.disturbing import SCENARIO
from lasthop_validation.publishing import publish
from lasthop_validation.running import How, compare

COUNT = 3


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Results:
    folder = tmp_path_factory.mktemp("study")
    return lasthop.sweep(studies.written(folder), folder / "out", replications=COUNT)


@pytest.fixture(scope="module")
def page(results: Results) -> Path:
    return results.report(cell=3)


@pytest.mark.parametrize("kind", ["png", "pdf", "svg"])
def test_a_figure_is_made_again_from_nothing_but_itself(
    results: Results, tmp_path: Path, kind: str
) -> None:
    figure = results.plot(tmp_path / f"figure.{kind}", y="goodput")
    recipe = embedding.extract(figure)
    assert recipe.version == lasthop.__version__
    assert recipe.inputs["replications"] == [COUNT] * 4
    assert str(results.path.parent) not in recipe.text()
    found = lasthop.rerun(figure)
    assert (found.data, found.picture, found.notes) == ([], [], [])


def test_a_report_is_made_again_with_its_series(results: Results, page: Path) -> None:
    text = page.read_text()
    assert str(results.path.parent) not in text
    held = json.loads(re.findall(r'id="series">(.*?)</script>', text, re.DOTALL)[0])
    assert [len(chart["lines"]) > 0 for chart in held["charts"]] == [True] * 5
    assert {len(line["values"]) for chart in held["charts"] for line in chart["lines"]} == {
        len(held["times"])
    }
    assert lasthop.rerun(page).equal


def test_a_report_names_the_changes_that_the_command_made(tmp_path: Path) -> None:
    study = studies.written(tmp_path)
    own = study.read_text().replace("[study]", '[study]\nset = ["tcp.mss=1000 B"]', 1)
    study.write_text(own)
    changed = lasthop.sweep(study, tmp_path / "out", replications=COUNT, overrides="duration=3 s")
    assert changed.manifest["set"] == ["tcp.mss=1000 B", "duration=3 s"]
    page = changed.report()
    said = (
        f"lasthop sweep {study.name} --replications {COUNT} --set 'duration=3 s' && lasthop report"
    )
    assert embedding.extract(page).command.startswith(said)
    text = page.read_text()
    assert said.partition(" &&")[0].replace("'", "&#39;") in text
    assert "<summary>The study file, before <code>--set duration=3 s</code></summary>" in text
    assert lasthop.rerun(page).equal


def test_a_warm_up_that_was_found_is_no_change_of_the_command(tmp_path: Path) -> None:
    study = studies.written(tmp_path)
    own = study.read_text().replace(
        "[study]", '[study]\nset = ["duration=4 s"]\nkind = "steady"', 1
    )
    study.write_text(own)
    changed = lasthop.sweep(study, tmp_path / "out", replications=COUNT, overrides="seed=5")
    assert changed.manifest["set"][2].startswith("warmup=")
    said = f"lasthop sweep {study.name} --replications {COUNT} --set seed=5 && lasthop report"
    assert embedding.extract(changed.report()).command.startswith(said)


def test_a_page_names_all_that_was_given_beside_the_study(tmp_path: Path) -> None:
    study = studies.written(tmp_path)
    (own,) = re.findall(r"^replications = (\d+)", study.read_text(), re.MULTILINE)
    law = tmp_path / "mine.py"
    law.write_text("import lasthop\n\n\nclass Mine(lasthop.Law):\n    pass\n")

    def said(*words: str) -> str:
        out = tmp_path / "-".join(words)
        done = command("sweep", study, "--out", out, *words)
        assert done.returncode == 0, done.stderr
        return embedding.extract(Results(out).plot(out / "figure.svg")).command.partition(" && ")[0]

    assert said("--quick") == f"lasthop sweep {study.name} --replications 3"
    assert said("--replications", own) == f"lasthop sweep {study.name}"
    given = said("--replications", "2", "--law", f"{law}:Mine")
    assert given == f"lasthop sweep {study.name} --replications 2 --law mine.py:Mine"


def test_the_series_are_those_of_the_first_replication(results: Results, page: Path) -> None:
    values = embedding.extract(page).data["values"]
    chart = next(c for c in values["series"]["charts"] if c["of"] == "goodput_bps")
    # The results count what every flow delivers; so do the steps of the chart.
    shown = sum(np.mean(line["values"][1:]) for line in chart["lines"])
    goodput = results.values("goodput", 3)[0] / 1000
    assert shown == pytest.approx(goodput, rel=0.01)


def test_a_page_that_was_tampered_with_is_told(page: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.html"
    text = page.read_text().replace("<h2>Figures</h2>", "<h2>My figures</h2>")
    other.write_text(text)
    found = lasthop.rerun(other)
    assert not found.equal
    assert found.data == []
    assert found.picture == ["the html is drawn differently"]


def test_the_command_line_writes_and_compares(results: Results, tmp_path: Path) -> None:
    done = command("report", results.path, "--out", "page.html", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    done = command("rerun", "page.html", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["equal"] is True


def test_a_validation_figure_is_made_again(tmp_path: Path) -> None:
    ran = [compare("queues", How(quick=True))]
    publish(ran, tmp_path, quick=True, seed=1)
    figure = tmp_path / "queues.png"
    recipe = embedding.extract(figure)
    assert recipe.command == "lasthop validate queues --quick --seed 1 --out DIR"
    assert len(recipe.data["values"]) == len(ran[0].checks) > 0
    assert lasthop.rerun(figure, tmp_path / "again").equal
    assert embedding.extract(tmp_path / "again" / "queues.svg").data == recipe.data


def test_a_pareto_picture_is_made_again(tmp_path: Path) -> None:
    (tmp_path / "small.toml").write_text(SCENARIO)
    line = (
        "advise small.toml --choose mac.short_retry_limit=2,7 --maximise goodput --most 20"
        " --out advice"
    )
    done = command(*line.split(), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for kind in ("png", "pdf"):
        assert lasthop.rerun(tmp_path / "advice" / f"pareto.{kind}").equal


def test_a_report_needs_results(results: Results, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds no study"):
        Results(tmp_path).report()
    with pytest.raises(UsageError, match="no cell 4; there are 4 cells"):
        results.report(tmp_path / "page.html", cell=4)
