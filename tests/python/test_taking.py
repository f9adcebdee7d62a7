"""Every chart of a page can be taken away: as SVG, as PNG and as the numbers that it shows."""

from __future__ import annotations

import csv
import io
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import driving
import lasthop
import studies
from commands import lasthop as command
from lasthop.pages import classroom
from lasthop.pages.classroom import lesson_page
from lasthop.pages.figures import takeaway
from lasthop.pages.papers import reproduce
from test_browser import STUDY

ROOT = Path(__file__).parents[2]
TALL, WIDE = 900, 1000

CHARTS = "document.querySelectorAll('figure:has(svg, canvas, .bar, table)').length"

PNG = b"\x89PNG\r\n\x1a\n"


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[driving.Page]:
    with driving.browser(tmp_path_factory.mktemp("browser")) as page:
        page.shape(WIDE, TALL)
        yield page


@pytest.fixture(scope="module")
def run_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    page = tmp_path_factory.mktemp("run") / "run.html"
    scenario = ROOT / "scenarios" / "two_stations.toml"
    command("run", str(scenario), "--seed", "1", "--report", str(page))
    return page


def taken(browser: driving.Page, page: Path) -> dict[str, bytes]:
    """Return all files of a page's charts, and check that each chart has its three and each is whole."""
    browser.open(page.as_uri())
    charts = browser.until(CHARTS)
    files = browser.takes()
    assert len(files) == 3 * charts
    assert browser.complaints == []
    for name, content in files.items():
        if name.endswith(".png"):
            assert content.startswith(PNG)
        elif name.endswith(".svg"):
            drawn = [each.tag.partition("}")[2] for each in ET.fromstring(content).iter()]
            # A background is there anyway: a chart has more, and words.
            assert drawn.count("path") + drawn.count("line") + drawn.count("rect") > 2, name
            assert "text" in drawn, name
            assert "image" not in drawn, name
        else:
            assert len(rows(files, name)) > 0, name
    return files


def rows(files: Mapping[str, bytes], name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(files[name].decode())))


def test_a_run(browser: driving.Page, run_page: Path) -> None:
    files = taken(browser, run_page)
    assert len(files) == 3 * 10
    goodput = rows(files, "two-stations-goodput-mean-over-1-s.csv")
    shown = browser.ask("JSON.parse(document.getElementById('series').textContent)")
    values = shown["charts"][0]["lines"][0]["values"]
    known = [(row, value) for row, value in zip(goodput, values, strict=True) if value is not None]
    assert len(known) > 100
    assert all(float(row["download (kbit/s)"]) == value for row, value in known)
    air = rows(files, "two-stations-use-of-the-medium-of-cell.csv")
    assert {row["lane"] for row in air} == {"ap", "sta1", "sta2"}
    assert {row["use"] for row in air} >= {"carried", "overlapped"}


def zoom(browser: driving.Page, wanted: tuple[float, float], there: tuple[float, float]) -> None:
    """Zoom the charts over time to a stretch of what is in sight, s."""
    browser.ask("document.querySelector('.u-over').scrollIntoView({ block: 'center' })")
    left, top, wide = browser.ask(
        "(({ left, top, width }) => [left, top, width])(document.querySelector('.u-over').getBoundingClientRect())"
    )
    ends = [(left + wide * (x - there[0]) / (there[1] - there[0]), top + 30) for x in wanted]
    browser.drag(ends[0], ends[1])


def test_what_is_seen_is_taken(browser: driving.Page, run_page: Path) -> None:
    """A line that is switched off is gone; near enough for single frames the numbers are theirs."""
    browser.open(run_page.as_uri())
    browser.until(CHARTS)
    names = ("goodput-mean-over-1-s", "use-of-the-medium-of-cell")
    goodput, air = (f"two-stations-{name}" for name in names)
    before = browser.takes()[f"{goodput}.svg"].count(b"<path")
    browser.ask("document.querySelector('.charts .head button').click()")
    shown = browser.ask("JSON.parse(document.getElementById('series').textContent)")
    medium = next(chart for chart in shown["charts"] if chart.get("kind") == "air")
    begin, end = medium["known"][len(medium["known"]) // 2]
    near, wide = (begin - 0.15, end + 0.15), (begin - 1, begin + 1)
    zoom(browser, wide, (0, shown["times"][-1]))
    zoom(browser, near, wide)
    files = browser.takes()
    assert files[f"{goodput}.svg"].count(b"<path") < before
    frames = rows(files, f"{air}.csv")
    assert 10 < len(frames) < 2_000
    assert all(begin - 0.4 < float(each["begin (s)"]) < end + 0.4 for each in frames)
    assert any("data" in each["frame"] and "Mbit/s" in each["frame"] for each in frames)


def test_a_study(browser: driving.Page, tmp_path: Path) -> None:
    results = lasthop.sweep(studies.written(tmp_path, STUDY), tmp_path / "out")
    files = taken(browser, results.report(cell=3))
    answer = rows(files, "small-answer.csv")
    assert {row["what"] for row in answer} == {"mean", "dot"}
    measured = rows(files, "small-measured.csv")
    assert {row["verdict"] for row in measured} >= {"reference"}
    assert len(measured) == len(results.rows) * len(results.metrics)
    means = rows(files, "small-goodput_bps.csv")
    assert len(means) == 4
    known = results.estimate("goodput", results.rows[0])
    assert known is not None
    factor, _ = results.scale("goodput")
    assert any(float(row["mean"]) == pytest.approx(known.mean * factor, rel=1e-4) for row in means)


def test_a_paper(browser: driving.Page, tmp_path: Path) -> None:
    document = reproduce(ROOT / "docs" / "tutorial" / "jun2003", out=tmp_path, audit=False)
    files = taken(browser, tmp_path / "jun2003" / "report.html")
    claims = {each["id"]: each for each in document["claims"]}
    (part,) = claims["T1"]["parts"]
    assert b">0.75</text>" in files["jun2003-T1.svg"]  # the axis, which is once on the page
    drawn = rows(files, "jun2003-T1.csv")
    assert len(drawn) == len(part["details"]) + (part["effect"] is not None)
    ratios = sorted(each["ratio"] for each in part["details"])
    taken_ratios = sorted(float(row["value"]) for row in drawn if row["setting"] != "average")
    assert taken_ratios == pytest.approx(ratios, rel=1e-3)
    settings = browser.ask("document.querySelectorAll('#T1 details tbody tr').length")
    assert settings == len(drawn)  # the page has them as a table too
    table = rows(files, "jun2003-table-2.csv")
    assert len(table) == 6
    assert all(float(row["printed"]) > 0 for row in table)


def test_a_lesson(browser: driving.Page, tmp_path: Path) -> None:
    lesson = classroom.lesson("hidden")
    page = lesson_page.write(lesson, tmp_path, tmp_path / "runs", None, lambda part: None).page
    files = taken(browser, page)
    assert sum(len(rows(files, name)) > 0 for name in files if name.endswith(".csv")) > 2


def test_a_table_is_packed_by_neighbours() -> None:
    rows = [["a", 1, 0.5, None], ["a", 2, float("nan"), None], ["b", 3, 1 / 3, 2.0]]
    assert takeaway.kept(["name", "x", "y", "z"], rows, 1) == {
        "head": ["name", "x", "y", "z"],
        "blocks": [
            [["a"], 2, [[1, 2], [0.5, None], None]],
            [["b"], 1, [[3], [0.33333], [2]]],
        ],
        "words": [],
    }


def test_texts_are_kept_once() -> None:
    found = takeaway.kept(["setting", "y"], [["5 m", 1], ["9 m", 2], ["5 m", 3]])
    assert found["words"] == ["5 m", "9 m"]
    assert found["blocks"] == [[[], 3, [{"words": [0, 1, 0]}, [1, 2, 3]]]]


def test_no_text_of_a_csv_is_a_formula(browser: driving.Page, run_page: Path) -> None:
    browser.open(run_page.as_uri())
    said = browser.ask("""csvOf([["=1+1", 'a "b"'], [-1, null]])""")
    assert said == '"\'=1+1","a ""b"""\n-1,\n'
