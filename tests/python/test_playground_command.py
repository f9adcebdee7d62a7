"""`lasthop playground`: the page of an installation with a scenario in it, and why there can be none."""

from __future__ import annotations

import json
import re
import sys
import tomllib
import webbrowser
from pathlib import Path
from typing import Any

import pytest

from commands import ROOT, copy_package, lasthop
from lasthop import _core
from lasthop.cli.commands import playground as command
from lasthop.core import shipped, source
from lasthop.errors import UsageError
from lasthop.pages import playground

#: A page as far as the command knows it.
PAGE = f"<html>{playground.generator(_core.__engine__)}{playground.PLACE}</html>"
SMALL = """duration = "5 s"
[[link]]
ends = ["a", "b"]
rate = "1 Mbps"
delay = "1 ms"
[[flow]]
from = "a"
to = "b"
"""


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder whose commands run in an installation that has a page."""
    (copy_package(tmp_path) / "pages" / "playground" / "page.html").write_text(PAGE)
    (tmp_path / "own.toml").write_text(SMALL)
    return tmp_path


def opened(page: Path) -> dict[str, Any]:
    """Return what the command has put into a page."""
    text = page.read_text(encoding="utf-8")
    found = re.findall(r'<script type="application/json" id="opened">(.*?)</script>', text)
    assert len(found) == 1
    assert text.startswith("<html>")
    assert text.endswith("</html>")
    return dict(json.loads(found[0]))


def test_the_page_has_the_scenario_in_it(installed: Path) -> None:
    done = lasthop("playground", "own.toml", "--no-open", cwd=installed)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "wrote out/playground/own.html\n"
    page = installed / "out" / "playground" / "own.html"
    assert opened(page) == {"name": "own", "text": SMALL, "files": {}}


def test_the_first_scenario_is_two_stations(installed: Path) -> None:
    assert lasthop("playground", "--out", "page.html", cwd=installed).returncode == 0
    text = shipped.paths("scenarios")["two_stations"].read_text()
    assert opened(installed / "page.html")["text"] == text


def test_the_files_of_a_scenario_are_in_the_page(installed: Path) -> None:
    path = shipped.paths("scenarios")["trace"]
    files = {name: text for name, text, _ in source.files_of(path.read_text(), str(path), ())}
    assert files
    done = lasthop("playground", "trace", "--out", "page.html", cwd=installed)
    assert done.stdout == "wrote page.html\n"
    assert opened(installed / "page.html")["files"] == files


def test_no_text_ends_the_element_that_it_is_in(installed: Path) -> None:
    text = f"# </script><!-- é\n{SMALL}"
    (installed / "own.toml").write_text(text, encoding="utf-8")
    lasthop("playground", "own.toml", "--out", "page.html", cwd=installed)
    assert opened(installed / "page.html")["text"] == text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("nosuch",), "nosuch:1:1: error: no such file"),
        (("wrong.toml",), "wrong.toml:2:1: error: unknown key"),
        (("law.toml",), "The playground runs no laws in Python; `lasthop run --law FILE.py:CLASS`"),
        (("lost.toml",), "no such file"),
        (("retry_and_queue.toml",), "this is a study, not a scenario"),
        (("own.toml", "--out", "page.txt"), "--out page.txt: allowed: a name that ends in .html"),
        (("own.toml", "--out", "own.toml/page.html"), "cannot write"),
    ],
)
def test_what_cannot_be_opened_is_refused(
    installed: Path, words: tuple[str, ...], said: str
) -> None:
    (installed / "wrong.toml").write_text(f"\nsede = 1\n{SMALL}")
    (installed / "law.toml").write_text(f"{SMALL}[tcp]\nlaw = 'Mine'\n")
    (installed / "lost.toml").write_text(f'conventions = "lost-too.toml"\n{SMALL}')
    study = shipped.paths("studies")["retry_and_queue"].read_text()
    (installed / "retry_and_queue.toml").write_text(study)
    done = lasthop("playground", *words, cwd=installed)
    assert done.returncode != 0
    assert said in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_an_installation_without_the_page_says_how_to_make_it(installed: Path) -> None:
    (installed / "lasthop" / "pages" / "playground" / "page.html").unlink()
    done = lasthop("playground", cwd=installed)
    assert done.returncode == 2
    assert "make playground" in done.stderr
    assert "rustup target add wasm32-unknown-unknown" in done.stderr.replace("\n", " ")


def test_a_page_of_another_engine_is_refused(installed: Path) -> None:
    page = installed / "lasthop" / "pages" / "playground" / "page.html"
    page.write_text(PAGE.replace(_core.__engine__, "0.0.1+0123456789abcdef"))
    done = lasthop("playground", cwd=installed)
    assert done.returncode == 2
    assert "made by another engine" in done.stderr


def test_files_that_no_page_holds_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "page.html").write_text(PAGE)
    monkeypatch.setattr(playground, "PAGE", tmp_path / "page.html")
    monkeypatch.setattr(playground, "MOST_BYTES", 10)
    with pytest.raises(UsageError, match="its files have"):
        playground.write("trace", tmp_path / "out.html")
    assert not (tmp_path / "out.html").exists()


@pytest.mark.parametrize("display", [True, False])
@pytest.mark.parametrize("at_a_terminal", [True, False])
@pytest.mark.parametrize("wanted", [True, False])
def test_it_opens_where_somebody_can_see_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    display: bool,
    at_a_terminal: bool,
    wanted: bool,
) -> None:
    addresses: list[str] = []
    (tmp_path / "page.html").write_text(PAGE)
    monkeypatch.setattr(playground, "PAGE", tmp_path / "page.html")
    monkeypatch.setattr(webbrowser, "open", addresses.append)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: at_a_terminal, raising=False)
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    if display:
        monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    command.command("two_stations", out=tmp_path / "out.html", open_=wanted)
    seen = display and at_a_terminal and wanted
    assert addresses == ([(tmp_path / "out.html").as_uri()] if seen else [])


def test_wheels_have_the_page() -> None:
    """Git ignores it, and maturin what git ignores, unless it is named."""
    named = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["maturin"]["include"]
    page = playground.PAGE.relative_to(ROOT).as_posix()
    assert {"path": page, "format": ["sdist", "wheel"]} in named
    assert f"/{page}" in (ROOT / ".gitignore").read_text().splitlines()
