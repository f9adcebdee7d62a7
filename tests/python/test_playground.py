"""The playground: the core in WebAssembly gives what the compiled module gives, and the page works from disk."""

from __future__ import annotations

import functools
import gzip
import http.server
import json
import math
import os
import shutil
import threading
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import driving
import lasthop
import web
from lasthop import _core
from lasthop.core import api, panels, source
from lasthop.core.noticing import noticed
from lasthop.core.panels import STEPS
from lasthop.core.quantities import ends_of, full
from lasthop.core.quantities.shown import Column
from lasthop.pages.picture import watching

SCENARIOS = sorted((web.ROOT / "scenarios").glob("*.toml"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    web.require_tools()
    return web.built(tmp_path_factory.mktemp("playground"))


FAKE = """#!/bin/sh
case "$1" in
metadata) exec "{cargo}" "$@" ;;
build) mkdir -p "$CARGO_TARGET_DIR/{triple}/web"
       printf '\\0asm\\1\\0\\0\\0' > "$CARGO_TARGET_DIR/{triple}/web/lasthop_web.wasm" ;;
esac
"""


@pytest.mark.skipif(shutil.which("cargo") is None, reason="cargo is not here")
def test_it_is_built_wherever_cargo_builds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Its cargo tells where it builds, and makes an empty module there.
    cargo = tmp_path / "bin" / "cargo"
    cargo.parent.mkdir()
    cargo.write_text(FAKE.format(cargo=shutil.which("cargo"), triple=web.TARGET))
    cargo.chmod(0o755)
    monkeypatch.setenv("PATH", f"{cargo.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("CARGO_TARGET_DIR", str(tmp_path / "elsewhere"))
    folder = web.built(tmp_path / "playground")
    assert (folder / "lasthop.wasm").read_bytes() == b"\0asm\1\0\0\0"


def request(path: Path, **more: Any) -> dict[str, Any]:
    text = path.read_text()
    files = {name: text for name, text, _ in source.files_of(text, str(path), ())}
    return {"text": text, "file": path.name, "files": files, **more}


@pytest.mark.parametrize("seed", [1, 20261123])
def test_results_are_those_of_the_compiled_module(folder: Path, seed: int) -> None:
    asked = [request(path, seed=seed, replication=seed % 3) for path in SCENARIOS]
    answers = web.answers(folder, [{"do": "run", "request": each} for each in asked])
    for path, answer in zip(SCENARIOS, answers, strict=True):
        # Text for text: every digit, and the order of keys.
        assert answer == web.native(path, seed=seed, replication=seed % 3), path.name


def test_what_is_noticed_is_said_in_the_same_words(folder: Path) -> None:
    runs = {path.stem: lasthop.run(path, replications=2) for path in SCENARIOS}
    first = [run.documents[0] for run in runs.values()]
    several = [web.summary(run.documents) for run in runs.values()]
    answers = web.answers(folder, [{"do": "noticed", "request": each} for each in first + several])
    native = [noticed(each) for each in first] + [run.noticed for run in runs.values()]
    rules = {finding.rule for findings in native for finding in findings}
    assert len(rules) >= 5, rules
    for answer, findings in zip(answers, native, strict=True):
        assert json.loads(answer) == [asdict(each) for each in findings]


def test_steps_probes_and_changes_make_no_difference(folder: Path) -> None:
    path = web.ROOT / "scenarios" / "voice_and_bulk.toml"
    more = {"overrides": ["tcp.window=2 packets"], "probes": ["tcp", "flows"], "step": "1 s"}
    asked = request(path, **more)
    tasks = [{"do": "run", "request": asked, "rest": [steps]} for steps in (1, 7)]
    once, stepped = web.answers(folder, tasks)
    assert once == stepped
    run = lasthop.run(
        path, overrides="tcp.window=2 packets", probes=["tcp", "flows"], probe_every_s=1
    )
    assert json.dumps(json.loads(once)) == json.dumps(run.documents[0])


def test_errors_have_their_place(folder: Path) -> None:
    text = 'duration = "5 s"\n\n[tcp]\n  wndow = "5 packets"\n'
    (answer,) = web.answers(folder, [{"do": "check", "request": {"text": text, "file": "x.toml"}}])
    error = json.loads(answer)["errors"][0]
    assert (error["line"], error["column"], error["length"]) == (4, 3, 5)
    assert 'did you mean "window"' in error["message"]
    with pytest.raises(lasthop.ScenarioError) as native:
        _core.check(text, "x.toml")
    assert error["shown"] == str(native.value)


def test_all_errors_are_told(folder: Path) -> None:
    text = 'duration = "5 q"\nsede = 3\n\n[tcp]\n  wndow = "5 packets"\nvariant = "newrino"\n'
    (answer,) = web.answers(folder, [{"do": "check", "request": {"text": text, "file": "x.toml"}}])
    errors = json.loads(answer)["errors"]
    assert [error["line"] for error in errors][:4] == [1, 2, 5, 6]
    told = [(error["shown"], error["code"], tuple(error["path"])) for error in errors]
    assert told == [(str(e), e.code, e.path) for e in _core.mistakes(text, "x.toml")]


def test_the_core_is_light(folder: Path) -> None:
    """It has no names of functions and no code that writes the schema: both would add 0.1 MB."""
    assert len(gzip.compress((folder / "lasthop.wasm").read_bytes(), 9)) < 1.08e6


def test_schema_and_catalogue_are_those_of_the_compiled_module(folder: Path) -> None:
    schema, catalogue = web.answers(folder, [{"do": "schema"}, {"do": "catalogue"}])
    assert json.loads(schema) == lasthop.schema()
    assert json.loads(catalogue) == lasthop.catalogue()


@pytest.mark.parametrize("name", ["two_stations", "voice", "web", "roaming", "wimax_downloads"])
def test_means_and_intervals_are_those_of_the_package(name: str) -> None:
    web.require_tools()
    run = lasthop.run(web.ROOT / "scenarios" / f"{name}.toml", replications=4)
    mine = web.summary(run.documents)
    assert_near(mine, run.summary_of_several, name)


def assert_near(mine: Any, native: Any, where: str) -> None:
    """Numbers may differ in the last digits: numpy adds squares in another order."""
    if isinstance(native, dict):
        assert mine.keys() == native.keys(), where
        for key in native:
            assert_near(mine[key], native[key], f"{where}.{key}")
    elif isinstance(native, list):
        assert len(mine) == len(native), where
        for place, each in enumerate(native):
            assert_near(mine[place], each, f"{where}.{place}")
    elif isinstance(native, int | float) and not isinstance(native, bool):
        assert math.isclose(mine, native, rel_tol=1e-12, abs_tol=1e-12), where
    else:
        assert mine == native, where


SHOWN = """
const editor = { make() {} };
const source = require("fs").readFileSync(`${process.argv[1]}/tables.js`, "utf8");
const tables = new Function("editor", `${source}; return tables;`)(editor);
const cells = JSON.parse(require("fs").readFileSync(0, "utf8"));
console.log(JSON.stringify(cells.map((cell) => tables.shown(...cell))));
"""


def test_the_page_writes_numbers_as_tables_of_a_run_do() -> None:
    web.require_tools()
    columns = [Column("", "delay_s.mean", 1), Column("", "drops"), Column("", "mean_packets", 2)]
    values: list[Any] = [0, 0.0000108, 0.0005, 0.0589, 0.3, 1.0, 12.6]
    values += [{"mean": x, "ci95": y} for x in values for y in (None, 0.0, 0.413 * x, 1.737 * x)]
    # Counts are whole.
    rows = [(c, v) for c in columns for v in values if c.key != "drops" or isinstance(v, dict)]
    asked = [
        [
            value,
            column.unit[1],
            column.digits,
            [x if math.isfinite(x) else None for x in ends_of(full(column.key))],
        ]
        for column, value in rows
    ]
    told = json.loads(web.node(SHOWN, json.dumps(asked)))
    native = [column.cell(_nested(column.key.split("."), value)) for column, value in rows]
    assert told == native


def _nested(path: list[str], value: Any) -> dict[str, Any]:
    return {path[0]: _nested(path[1:], value) if path[1:] else value}


DRAWN = (
    *("two_stations", "voice", "roaming", "chain", "dumbbell", "web"),
    *("wimax_downloads", "wimax_backhaul", "shared_lan"),
)


def test_the_page_draws_what_a_run_s_page_draws(folder: Path) -> None:
    tasks, native = [], []
    for name in DRAWN:
        path = web.ROOT / "scenarios" / f"{name}.toml"
        summary = lasthop.run(path).summary
        native.append(watching.watch(api.read(path), None, lambda _: None))
        more = {
            "overrides": [f"measures={json.dumps(panels.MEASURES)}"],
            "probes": [*panels.PROBES, "packets"],
            "step": f"{summary['duration_s'] / STEPS!r} s",
        }
        asked = request(path, **more)
        tasks.append({"do": "draw", "request": asked, "rest": [STEPS]})
    for name, mine, theirs in zip(DRAWN, web.answers(folder, tasks), native, strict=True):
        assert json.loads(mine) == theirs, name


OFFERS = {
    "du|": ["duration"],
    '[tcp]\nvariant = "newr|"': ['"newreno"'],
    '[[flow]]\napp = { kind = "cbr", |': ["deadline", "payload", "rate"],
    '[[cell]]\nstations = ["one", "two"]\n[[flow]]\nfrom = "|': ['"one"', '"two"'],
    "# du|": [],
    "[[fl|": ["[[flow]]"],
    'measures = ["interarr|': ['"interarrival"'],
}


@pytest.mark.parametrize("written", OFFERS, ids=range(len(OFFERS)))
def test_the_editor_offers_what_the_schema_allows(written: str) -> None:
    web.require_tools()
    offset = written.index("|")
    offered = web.offers(lasthop.schema(), written.replace("|", ""), offset)
    assert [each["text"] for each in offered["found"]] == OFFERS[written]


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
def test_the_one_file_works_from_disk(folder: Path, tmp_path: Path, width: int, dark: bool) -> None:
    with driving.browser(tmp_path) as page:
        page.shape(width, 900, dark=dark)
        page.open((folder / "lasthop.html").as_uri())
        page.until("!document.getElementById('run').disabled")
        page.ask(
            "document.getElementById('runs').value = 3; document.getElementById('run').click()"
        )
        page.until("document.querySelectorAll('#charts canvas').length >= 4")
        native = lasthop.run(web.ROOT / "scenarios" / "two_stations.toml", replications=3).summary
        goodput = native["flows"][0]["goodput_bps"]
        shown = f"{goodput['mean'] / 1000:,.1f} ± {goodput['ci95'] / 1000:,.1f}"
        assert page.ask("document.querySelector('#tables td').textContent") == shown
        said = [str(each) for each in lasthop.run("two_stations", replications=3).noticed]
        assert (
            page.ask("[...document.querySelectorAll('#findings li')].map((e) => e.textContent)")
            == said
        )
        assert min(page.ask(COLOURED)) > 200
        assert page.ask("document.documentElement.scrollWidth - innerWidth") <= 0
        link = page.ask("(document.getElementById('link').click(), '')")
        link = page.until("location.hash && location.href")
        page.ask(BREAK)
        assert "did you mean" in page.until("document.querySelector('.paint .said')?.textContent")
        assert page.ask("document.getElementById('run').disabled")
        assert page.ask("document.querySelector('.gutter .bad').textContent") == "1"
        # The second line has two: both are said behind it, and each place is underlined.
        told = page.ask("[...document.querySelectorAll('.paint .said')].map((e) => e.textContent)")
        assert len(told) == 2
        assert 'unknown key "one"' in told[1]
        assert 'unknown key "two"' in told[1]
        assert page.ask("document.querySelectorAll('.paint .wrong').length") == 3
        assert page.ask("document.querySelectorAll('#errors li').length") == 3
        page.open("about:blank")
        page.open(link)
        page.until("!document.getElementById('run').disabled")
        assert page.ask("document.getElementById('runs').value") == "3"
        assert page.complaints == []


def test_the_folder_works_from_a_server(folder: Path, tmp_path: Path) -> None:
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            with driving.browser(tmp_path) as page:
                page.open(f"http://127.0.0.1:{server.server_port}/index.html")
                page.until("!document.getElementById('run').disabled")
                page.ask("document.getElementById('run').click()")
                page.until("document.querySelectorAll('#charts canvas').length >= 4")
                assert page.complaints == []
        finally:
            server.shutdown()
            thread.join()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing of what is asked for."""


#: Types a wrong key before the first line, as a user does.
BREAK = """(() => {
  const area = document.querySelector("#editor textarea");
  area.focus();
  area.setSelectionRange(0, 0);
  document.execCommand("insertText", false, 'durration = "5 s"\\nudp = { one = 1, two = 2 }\\n');
})()"""

#: How many pixels of each chart are in colour: axes are grey.
COLOURED = """[...document.querySelectorAll("#charts canvas")].map((canvas) => {
  const seen = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  let count = 0;
  for (let at = 0; at < seen.length; at += 4)
    if (seen[at + 3] && Math.max(...seen.slice(at, at + 3)) - Math.min(...seen.slice(at, at + 3)) > 60) count += 1;
  return count;
})"""
