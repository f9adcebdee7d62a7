"""Lessons: their pages work in a browser, and what they say is what comes out of their runs."""

from __future__ import annotations

import io
import re
import time
from contextlib import nullcontext
from pathlib import Path

import pytest
from rich.console import Console

import lasthop
from browser import look, require_browser
from commands import lasthop as command
from lasthop.cli.bars import bar
from lasthop.pages import classroom
from lasthop.pages.classroom import class_folder, questions
from lasthop.study.axes import Value
from lasthop.study.cells import cells
from lasthop.study.sweeping import Hooks, study_of, sweep_counts

NAMES = [name for name, _ in classroom.names()]

#: What a page says: a metric is greater in the one setting than in the other, by so much at least.
SAID: dict[str, list[tuple[str, dict[str, Value], dict[str, Value], float]]] = {
    "hidden": [
        ("goodput", {"size": "250 B"}, {"size": "1500 B"}, 1.5),
        ("goodput", {"size": "1500 B", "rts": "always"}, {"size": "1500 B"}, 3),
        ("goodput", {"size": "1500 B", "hears": True}, {"size": "1500 B", "hears": True, "rts": "always"}, 1.02),
    ],
    "anomaly": [
        ("near-1.goodput", {"rate": "11 Mbps"}, {"rate": "1 Mbps"}, 2),
        ("far.airtime_share", {"rate": "1 Mbps"}, {"rate": "11 Mbps"}, 2),
        ("near-1.goodput", {"rate": "1 Mbps", "size": "150 B"}, {"rate": "1 Mbps"}, 2),
    ],
    "aggregation": [
        ("goodput", {"most": "65535 B", "width": "80 MHz"}, {"width": "80 MHz"}, 10),
        ("goodput", {"most": "65535 B", "width": "80 MHz"}, {"most": "65535 B"}, 2.9),
        ("goodput", {"width": "80 MHz"}, {}, 1.15),
        ("call.delay.p95", {"most": "1 MB", "width": "80 MHz"}, {"most": "65535 B", "width": "80 MHz"}, 1.1),
    ],
    "airtime": [
        ("near-1.goodput", {"by": "mac80211"}, {"by": "fq_codel"}, 2),
        ("near-1.goodput", {"mcs": 7}, {}, 10),
        ("far.goodput", {}, {"by": "mac80211"}, 1.5),
        ("goodput", {"by": "mac80211"}, {}, 3),
    ],
    "bufferbloat": [
        ("call.delay.p95", {"packets": 500}, {"packets": 20}, 10),
        ("call.delay.p95", {"packets": 500}, {"packets": 500, "by": "codel"}, 10),
        ("call.delay.p95", {"packets": 500, "by": "codel"}, {"packets": 500, "by": "fq_codel"}, 1.5),
    ],
    "slow-start": [
        ("transfer.retransmits", {"packets": 160}, {"packets": 10}, 5),
        ("transfer.retransmits", {"packets": 10, "variant": "bbr"}, {"packets": 80, "variant": "bbr"}, 5),
        ("goodput", {"packets": 80, "variant": "cubic"}, {"packets": 80}, 1.1),
    ],
    "capture": [
        ("near-*.goodput", {"far": "[0, 80]", "ratio": 10}, {"far": "[0, 60]", "ratio": 10}, 1.1),
        ("far-*.goodput", {"far": "[0, 60]", "ratio": 10}, {"far": "[0, 80]", "ratio": 10}, 1.1),
        ("goodput", {"far": "[0, 80]", "ratio": 10}, {"far": "[0, 80]", "ratio": 60}, 1.05),
    ],
    "handoff": [
        ("handoffs.gap.mean", {"db": 15}, {"db": 2}, 2),
        ("call.loss", {"db": 6, "scan": "passive"}, {"db": 6}, 1.1),
        ("handoffs.count", {"db": 0}, {"db": 6}, 1.1),
    ],
}  # fmt: skip

#: The axes of each lesson by a short name, and the value that is meant where none is said.
AXES: dict[str, dict[str, tuple[str, Value]]] = {
    "hidden": {
        "hears": ("medium.cs_threshold", "3.652e-10 W"),
        "rts": ("mac.rts", "never"),
        "size": ("flow.up.app.payload", "100 B"),
    },
    "anomaly": {
        "size": ("flow.far.app.payload", "1500 B"),
        "rate": ("node.far.rate", "1 Mbps"),
    },
    "aggregation": {"most": ("qos.best_effort.ampdu", "0 B"), "width": ("phy.width", "20 MHz")},
    "airtime": {"by": ("node.ap.queue.discipline", "drop_tail"), "mcs": ("node.far.mcs", 0)},
    "bufferbloat": {"by": ("queue.discipline", "drop_tail"), "packets": ("queue.packets", 5)},
    "slow-start": {
        "variant": ("tcp.variant", "newreno"),
        "first": ("tcp.initial_window", "1 packet"),
        "packets": ("link.0.queue.packets", 10),
    },
    "capture": {"ratio": ("medium.capture_db", 3), "far": ("node.far*.position", "[0, 20]")},
    "handoff": {
        "scan": ("association.scan", "active"),
        "db": ("association.hysteresis_db", 0),
    },
}


def cell_of(name: str, said: dict[str, Value]) -> dict[str, Value]:
    """Return the whole setting of which a few axes are named shortly."""
    cell = {key: said.get(short, first) for short, (key, first) in AXES[name].items()}
    if cell.get("medium.cs_threshold") is True:
        cell["medium.cs_threshold"] = "1.559e-11 W"
    return cell


@pytest.mark.parametrize("name", NAMES)
def test_a_lesson_says_what_comes_out(name: str, tmp_path: Path) -> None:
    lesson = classroom.lesson(name)
    study = study_of(lesson.folder / "study.toml")
    # Compared cells run in full, as the page runs them; one replication of the others shows that they run.
    compared = [cell_of(name, said) for _, *both, _ in SAID[name] for said in both]
    counts = [study.replications if each.settings in compared else 1 for each in cells(study)]
    assert sum(count > 1 for count in counts) or study.replications == 1
    results = sweep_counts(study, tmp_path / "runs", counts, None, Hooks())
    assert [control["key"] for control in lesson.controls] == results.keys
    for control in lesson.controls:
        values = {row.settings[control["key"]] for row in results.rows}
        assert len(control.get("values", values)) == len(values)
    assert {curve["metric"] for curve in lesson.curves} <= set(results.metrics)

    def mean(metric: str, said: dict[str, Value]) -> float:
        found = results.values(metric, cell_of(name, said))
        assert len(found) == study.replications
        return float(found.mean())

    for (
        question
    ) in lesson.questions:  # asked of what is there, and with an answer that not everything is
        open_to = set(results.keys) - set(question["at"])
        words = {
            key: [str(value) for value in dict.fromkeys(row.settings[key] for row in results.rows)]
            for key in open_to
        }
        (asked,) = questions.answered(results, [question], words)
        if "ratio" in question:
            assert not open_to
            assert set(question["to"]) == set(results.keys)
            assert asked["right"] not in (0, 1)
        else:
            assert 0 < len(asked["right"]) < len(asked["choices"])
    for curve in lesson.curves:
        assert results.units[curve["metric"]] not in ("", "1") or curve["axis"]
    for metric, more, less, by in SAID[name]:
        assert mean(metric, more) > by * mean(metric, less), (metric, more, less)


def test_a_vegas_that_loses_nothing(tmp_path: Path) -> None:
    study = classroom.lesson("slow-start").folder / "study.toml"
    results = lasthop.sweep(study, tmp_path, metrics=["loss"])
    of_vegas = [row.number for row in results.rows if row.settings["tcp.variant"] == "vegas"]
    assert all(results.values("loss", number).max() == 0 for number in of_vegas)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a folder for a class, of two lessons only."""
    some = [(name, title) for name, title in classroom.names() if name in ("hidden", "anomaly")]
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(classroom, "names", lambda: some)
        index = class_folder.write(
            tmp_path_factory.mktemp("class"), None, lambda _: nullcontext(lambda _: None)
        )
    return index.parent


@pytest.fixture
def hidden(folder: Path) -> Path:
    require_browser()
    return folder / "hidden.html"


def test_a_folder_for_a_class_needs_nothing_else(folder: Path) -> None:
    index = (folder / "index.html").read_text()
    links = re.findall(r'href="([^"]+)"', index)
    assert links == ["anomaly.html", "hidden.html", "answers.html"]
    assert all((folder / link).is_file() for link in links)
    assert index.count("<circle") == 4 + 5  # the curve of each lesson, over its slider
    for page in folder.glob("*.html"):
        assert not re.findall(
            r"""(?:src|href)\s*=\s*["'](?!(?:\w|-)+\.html|data:)""", page.read_text()
        )


def test_the_answers_are_those_of_the_runs(folder: Path) -> None:
    answers = (folder / "answers.html").read_text()
    results = lasthop.Results(folder / "runs" / "hidden")
    deaf: dict[str, Value] = {"medium.cs_threshold": "3.652e-10 W", "flow.up.app.payload": "1500 B"}
    once, never = (
        float(results.values("goodput", {**deaf, "mac.rts": rts}).mean())
        for rts in ("always", "never")
    )
    assert f"<b>{once / never:.3g}</b>" in answers
    assert "<b>250 B, or 500 B</b>" in answers


@pytest.mark.parametrize(("given", "told"), [("5.5", "✓ Right: 5.78"), ("3", "✕ No: 5.78")])
def test_a_page_checks_what_is_answered(
    hidden: Path, tmp_path: Path, given: str, told: str
) -> None:
    script = f"""<script>
    const asked = document.querySelectorAll("form.question")[1];
    asked.querySelector("input").value = "{given}";
    asked.requestSubmit();
    const seen = document.createElement("figcaption");
    seen.textContent = asked.querySelector("output").textContent;
    document.querySelector("h1").append(seen);
    </script></body>"""
    page = tmp_path / "asked.html"
    page.write_text(hidden.read_text().replace("</body>", script))
    assert look(page, tmp_path, 1280)["captions"][0].startswith(told)


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
def test_a_page_is_whole_in_a_browser(hidden: Path, tmp_path: Path, width: int, dark: bool) -> None:
    seen = look(hidden, tmp_path, width, dark=dark)
    assert seen["complaints"] == []
    assert seen["overflow"] == 0
    assert min(seen["coloured"]) > 100
    assert seen["captions"][0].startswith("Goodput of both stations together: 0.26 ± ")


def test_the_slider_shows_other_runs(hidden: Path, tmp_path: Path) -> None:
    moved = tmp_path / "moved.html"
    script = """<script>
    const slider = document.getElementById("slider");
    slider.value = 0;
    slider.dispatchEvent(new Event("input"));
    </script></body>"""
    moved.write_text(hidden.read_text().replace("</body>", script))
    seen = look(moved, tmp_path, 1280)
    assert seen["complaints"] == []
    assert seen["captions"][0].startswith("Goodput of both stations together: 0.403 ± ")


def test_a_lesson_that_is_not_there_is_told() -> None:
    told = command("demo", "hiden")
    assert told.returncode == 2
    assert "did you mean 'hidden'?" in told.stderr
    neither = command("demo")
    assert neither.returncode == 2
    assert "--all FOLDER" in neither.stderr


def test_a_demo_is_never_silent_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 1.9, 2.0, 3.0, 4.0])
    monkeypatch.setattr(time, "monotonic", lambda: next(clock))
    read = io.StringIO()
    with bar("A lesson", Console(file=read), in_lines=True) as told:
        for done in (0.005, 0.01, 0.3, 0.4):
            told(done)
    assert read.getvalue().splitlines() == ["A lesson: 1 %", "A lesson: 40 %, about 6 s left"]
