"""The page of the playground under a reader's hand: it runs by itself, sliders move numbers, B is beside A."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import driving
import lasthop
import web
from lasthop.core import source
from lasthop.core.job import Job
from lasthop.numbers import stats
from lasthop.pages import classroom, playground

SCENARIOS = sorted((web.ROOT / "scenarios").glob("*.toml"))

#: The texts that the sliders of each scenario can make of it: [[scenario, key, value, text]].
EDITS = """
const fs = require("fs");
const { sliders } = require(`${process.argv[1]}/sliders.js`);
const { toml } = require(`${process.argv[1]}/toml.js`);
const edited = (text, key, value) =>
  toml.edits(text, key, value)
    .reduce((all, { from, to, text: said }) => all.slice(0, from) + said + all.slice(to), text);
const found = JSON.parse(fs.readFileSync(0, "utf8")).flatMap(([name, text, controls]) =>
  (controls ? sliders.ofLesson(text, controls) : sliders.ofKeys(text)).flatMap(({ key, values, words, at }) =>
    values.map((value, place) =>
      [name, key, value, place === at, words.length === values.length, edited(text, key, value)])));
console.log(JSON.stringify(found));
"""


def edits(given: list[tuple[str, str, Any]]) -> list[list[Any]]:
    """Return what the sliders of texts do: name, key, value, whether the text has it already, words, text."""
    web.require_tools()
    found: list[list[Any]] = json.loads(web.node(EDITS, json.dumps(given)))
    return found


def test_every_place_of_a_slider_is_a_scenario_that_runs() -> None:
    texts = {path.stem: path.read_text() for path in SCENARIOS}
    found = edits([(name, text, None) for name, text in texts.items()])
    keys: dict[str, set[str]] = {name: set() for name in texts}
    for name, key, value, present, worded, text in found:
        keys[name].add(key)
        path = str(web.ROOT / "scenarios" / f"{name}.toml")
        Job(text, path, files=source.files_of(text, path, ())).check()
        assert worded, (name, key)
        assert (text == texts[name]) == present, (name, key, value)
    few = {name: len(each) for name, each in keys.items() if len(each) != 5}
    assert few.keys() <= {"hidden_stations", "shared_lan"}, few
    assert all(count >= 2 for count in few.values()), few


def test_the_controls_of_every_lesson_edit_its_scenario() -> None:
    folders = {name: classroom.lesson(name) for name, _ in classroom.names()}
    given = []
    for name, lesson in folders.items():
        controls = [{**each, "values": ["!"], "words": ["!"]} for each in lesson.controls]
        given.append((name, (lesson.folder / "scenario.toml").read_text(), controls))
    found = {(name, key) for name, key, *_, text in edits(given) if text.count("!")}
    assert found == {(name, c["key"]) for name, each in folders.items() for c in each.controls}


@pytest.mark.parametrize(
    ("text", "key", "value", "edited"),
    [
        ("a = 1\n", "queue.packets", "9", "a = 1\n\n[queue]\npackets = 9\n"),
        ("[queue]\nx = 1\n[tcp]\n", "queue.packets", "9", "[queue]\npackets = 9\nx = 1\n[tcp]\n"),
        ("queue = { packets = 5 }\n", "queue.packets", "9", "queue = { packets = 9 }\n"),
        ("queue = { x = 5 }\n", "queue.packets", "9", None),
        ("[queue]\npackets = 9\n", "queue.packets", "", "[queue]\n"),
        ("[[node]]\nname = 'b'\nmcs = 1 # x\n", "node.b.mcs", "7", "[[node]]\nname = 'b'\nmcs = 7 # x\n"),
        ("[[a]]\n[[a]]\nx = [1, {y = 2}]\n", "a.1.x.1.y", "7", "[[a]]\n[[a]]\nx = [1, {y = 7}]\n"),
        ("[[a]]\nname = 'q'\n[a.t]\nx = 1\n", "a.*.t.x", "7", "[[a]]\nname = 'q'\n[a.t]\nx = 7\n"),
    ],
)  # fmt: skip
def test_a_key_is_edited_where_it_stands(
    text: str, key: str, value: str, edited: str | None
) -> None:
    controls = [{"key": key, "label": key, "values": [value], "words": [value]}]
    script = EDITS.replace("sliders.ofLesson(text, controls)", "controls")
    web.require_tools()
    ((*_, made),) = json.loads(web.node(script, json.dumps([["", text, controls]])))
    assert made == (text if edited is None else edited)


@pytest.fixture(scope="module")
def one_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of an installation, as the build makes it."""
    web.require_tools()
    return web.built(tmp_path_factory.mktemp("page")) / "lasthop.html"


@pytest.fixture(scope="module")
def page(one_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[driving.Page]:
    with driving.browser(tmp_path_factory.mktemp("browser")) as page:
        page.shape(1280, 900)
        yield page
        assert page.complaints == []


def shown(run: lasthop.Run, digits: int = 1) -> str:
    """Return the goodput of the first flow as the page shows it, kbit/s."""
    found = run.summary["flows"][0]["goodput_bps"]
    return f"{found['mean'] / 1000:,.{digits}f} ± {found['ci95'] / 1000:,.{digits}f}"


def first_number(page: driving.Page) -> str:
    return str(page.ask("document.querySelector('#tables td')?.textContent ?? ''"))


def move(page: driving.Page, title: str, word: str) -> None:
    """Move the slider of a key until it says a word."""
    found = page.ask(f"""(() => {{
      const slide = document.querySelector('#sliders input[title="{title}"]');
      const said = slide.parentElement.querySelector('output');
      for (let at = 0; at <= slide.max; at += 1) {{
        slide.value = at;
        slide.dispatchEvent(new Event('input'));
        if (said.textContent === {json.dumps(word)}) return true;
      }}
      return false;
    }})()""")
    assert found, (title, word)


def wait_for(page: driving.Page, number: str) -> None:
    page.until(f"document.querySelector('#tables td')?.textContent === {json.dumps(number)}")


def open_anew(page: driving.Page, address: str) -> None:
    page.open("about:blank")
    page.open(address)
    page.until("document.querySelectorAll('#charts canvas').length >= 3")


def link(page: driving.Page) -> str:
    """Return the address that holds what is shown."""
    page.ask(
        "(document.getElementById('copied').textContent = '', document.getElementById('link').click())"
    )
    page.until("document.getElementById('copied').textContent")
    return str(page.ask("location.href"))


def test_the_page_of_the_command_opens_already_run(
    one_file: Path, page: driving.Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playground, "PAGE", one_file)
    mine = tmp_path / "mine.toml"
    mine.write_text((web.ROOT / "scenarios" / "trace.toml").read_text())
    (tmp_path / "traces").symlink_to(web.ROOT / "scenarios" / "traces")
    open_anew(page, playground.write(str(mine), tmp_path / "page.html").as_uri())
    assert first_number(page) == shown(lasthop.run(mine, replications=5))
    assert page.ask("document.getElementById('scenarios').value") == "mine"
    assert page.ask("document.querySelector('#editor textarea').value") == mine.read_text()


def test_a_slider_edits_the_text_and_moves_the_numbers(one_file: Path, page: driving.Page) -> None:
    open_anew(page, one_file.as_uri())
    assert first_number(page) == shown(lasthop.run("two_stations", replications=5))
    move(page, "queue.packets", "6")
    changed = lasthop.run("two_stations", replications=5, overrides="queue.packets=6")
    wait_for(page, shown(changed))
    text = page.ask("document.querySelector('#editor textarea').value")
    assert text == SCENARIO.replace("packets = 50", "packets = 6")
    # Typing moves the sliders.
    page.ask(TYPE % json.dumps(SCENARIO.replace("packets = 50", "packets = 20")))
    said = "document.querySelector('#sliders input[title=\"queue.packets\"]').parentElement.textContent"
    page.until(f"{said} === 'queue.packets20'")
    # The key of the causes has colours that are seen.
    page.until("document.querySelectorAll('.bar-key i').length")
    assert (
        page.ask(
            "Math.min(...[...document.querySelectorAll('.bar-key i')].map((e) => e.offsetWidth))"
        )
        > 5
    )


def test_stopped_runs_leave_workers_for_those_that_follow(
    one_file: Path, page: driving.Page
) -> None:
    open_anew(page, one_file.as_uri())
    page.ask("document.getElementById('runs').value = 100; document.getElementById('run').click()")
    page.until("document.getElementById('progress').value > 0.03")
    page.ask("document.getElementById('stop').click()")
    said = page.until(f"/^Stopped: /.test({STATE}.textContent) && {STATE}.textContent")
    finished = int(said.split()[1])
    assert 0 < finished < 100
    page.ask("document.getElementById('runs').value = 3; document.getElementById('run').click()")
    wait_for(page, shown(lasthop.run("two_stations", replications=3)))


STATE = "document.getElementById('state')"

#: Types a text in the place of the whole scenario.
TYPE = """(() => {
  const area = document.querySelector("#editor textarea");
  area.focus();
  area.select();
  document.execCommand("insertText", false, %s);
})()"""

SCENARIO = (web.ROOT / "scenarios" / "two_stations.toml").read_text()
TOLD = """Object.fromEntries([...document.querySelectorAll('#differences tbody tr')].map((line) =>
  [line.children[0].textContent, [...line.children].slice(1).map((each) => each.textContent)]))"""


def test_b_is_shown_with_its_difference_from_a(one_file: Path, page: driving.Page) -> None:
    open_anew(page, one_file.as_uri())
    page.ask("document.getElementById('pin').click()")
    assert page.ask("document.getElementById('compared').hidden")
    move(page, "queue.packets", "100")
    a, b = (
        lasthop.run("two_stations", replications=5, overrides=f"queue.packets={packets}")
        for packets in (50, 100)
    )
    wait_for(page, shown(b))
    told = page.ask(TOLD)
    each = [[run["flows"][0]["goodput_bps"] / 1000 for run in runs.documents] for runs in (a, b)]
    differences = [after - before for before, after in zip(*each, strict=True)]
    mean = math.fsum(differences) / 5
    spread = math.sqrt(math.fsum((value - mean) ** 2 for value in differences) / 4)
    half = stats.t_quantile(0.95, 4) * spread / math.sqrt(5)
    percent = 100 * mean / (math.fsum(each[0]) / 5)
    found = told["download: goodput kbit/s"]
    assert found[:2] == [shown(a), shown(b)]
    sign = "+" if percent > 0 else ""
    relative = f"{percent:.{1 if abs(percent) < 10 else 0}f}"
    assert found[2] == f"{sign}{mean:,.1f} ± {half:,.1f} ({sign}{relative} %)"
    # No wired queue drops anything in either.
    assert told["server>ap: dropped"] == ["0 =", "0 =", "same"]
    assert page.ask("document.querySelector('#differences pre').textContent") == (
        "A  packets = 50\nB  packets = 100"
    )
    # Anyone who opens the link sees both.
    open_anew(page, link(page))
    page.until("!document.getElementById('compared').hidden")
    assert page.ask(TOLD) == told
    page.ask("document.getElementById('back').click()")
    wait_for(page, shown(a))
    same = page.ask(TOLD)
    assert {line[2] for line in same.values()} == {"same"}


def test_a_lesson_has_its_question_and_its_controls(one_file: Path, page: driving.Page) -> None:
    open_anew(page, one_file.as_uri())
    page.ask("""(() => {
      const menu = document.getElementById('scenarios');
      menu.value = 'lesson hidden';
      menu.dispatchEvent(new Event('change'));
    })()""")
    lesson = classroom.lesson("hidden")
    wait_for(page, shown(lasthop.run(lesson.folder / "scenario.toml", replications=5)))
    said = page.ask("document.getElementById('lesson').textContent")
    assert lesson.about in said
    assert lesson.see in said
    labels = page.ask(
        "[...document.querySelectorAll('#sliders span')].map((each) => each.textContent)"
    )
    assert labels == [control["label"] for control in lesson.controls]
    move(page, "mac.rts", "always")
    changed = lasthop.run(
        lesson.folder / "scenario.toml", replications=5, overrides="mac.rts=always"
    )
    wait_for(page, shown(changed))
    open_anew(page, link(page))
    assert page.ask("document.getElementById('scenarios').value") == "lesson hidden"
    wait_for(page, shown(changed))
