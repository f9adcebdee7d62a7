"""The documentation site builds without a warning: no link is dead, the pages made from the program are whole."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import browser
from commands import ROOT
from lasthop import _core
from lasthop.core import api
from lasthop.data.exports.ns2 import REASONS

LONGEST_DECISION = 230
ALL_DECISIONS = 7500
"""Words of a record, and of all together, as `wc -w` counts them."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, in a folder of this process: others may build it at the same time."""
    out = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, ROOT / "tools" / "make_site.py", "--strict", "--out", out],
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    return out / "site"


def test_every_page_is_in_the_menu(site: Path) -> None:
    menu = (ROOT / "mkdocs.yml").read_text()
    for page in (ROOT / "docs").rglob("*.md"):
        name = page.relative_to(ROOT / "docs").as_posix()
        if not name.startswith("decisions/"):
            assert name in menu, f"{name} is not in mkdocs.yml"


def test_links_between_pages_work_in_a_checkout() -> None:
    dead = [
        f"{page.relative_to(ROOT)}: {target}"
        for page in _sources("*.md")
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())
        if not (page.parent / target).exists()
    ]
    assert not dead, "\n".join(dead)


def test_decisions_that_are_cited_have_a_record() -> None:
    missing = [
        f"{path.relative_to(ROOT)}: decision {number}"
        for path in _sources("*.md", "*.py", "*.rs", "*.toml")
        for number in re.findall(r"(?i)\bdecisions?[ /]0*([1-9][0-9]*)", path.read_text())
        if not list((ROOT / "docs" / "decisions").glob(f"{int(number):04}-*.md"))
    ]
    assert not missing, "\n".join(missing)


def test_every_cause_of_loss_is_explained_and_exported() -> None:
    core = (ROOT / "crates" / "net" / "src" / "packet.rs").read_text()
    declared = core.partition("pub enum DropReason")[2].partition("\n    }")[0]
    causes = re.findall(r'^ +\w+ = "(\w+)":', declared, re.M)
    assert "queue" in causes
    page = (ROOT / "docs" / "model" / "counting.md").read_text()
    table = page.partition("## Losses")[2].partition("\n## ")[0]
    told = re.findall(r"^\| (`.*?) \|", table, re.M)
    # `retry_limit_collision`, `_channel`: the second is the first with another end.
    names = [name for row in told for name in re.findall(r"`(\w+)`", row)]
    whole = {f"retry_limit{name}" if name.startswith("_") else name for name in names}
    assert whole == set(causes)
    assert set(REASONS) == set(causes)


def test_decisions_are_short() -> None:
    """A record states a choice and its reasons; measurements belong to the pages about models."""
    records = sorted((ROOT / "docs" / "decisions").glob("*.md"))
    words = {record.name: len(record.read_text().split()) for record in records}
    long = {name: number for name, number in words.items() if number > LONGEST_DECISION}
    assert not long, f"of more than {LONGEST_DECISION} words: {long}"
    assert sum(words.values()) <= ALL_DECISIONS


def _sources(*patterns: str) -> list[Path]:
    """Return the files of the repository whose names match."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [path for name in listed.stdout.splitlines() if (path := ROOT / name).is_file()]


def test_the_format_s_page_has_every_key(site: Path) -> None:
    folder = site / "reference" / "scenario"
    texts = {page.stem: page.read_text() for page in folder.glob("*.html")}
    assert {"tcp", "flow", "values"} <= texts.keys()
    top = (site / "reference" / "scenario.html").read_text()
    schema = api.schema()
    for name, node in [("", schema), *schema["$defs"].items()]:
        (home,) = (
            [page for page in texts.values() if f'id="{name.lower()}"' in page] if name else [top]
        )
        shown = set(re.findall(r"<td><code>([a-z_0-9]+)</code></td>", home))
        assert set(node.get("properties", {})) <= shown, name
        assert name not in re.sub(r"<[^>]+>", "", home) or not name.endswith("Spec")
    for text in (top, *texts.values()):  # strict mode says nothing of places within pages
        for page, place in re.findall(r'href="(?:scenario/)?([a-z_]+\.html)?#([a-z]+)"', text):
            assert f'id="{place}"' in (texts.get(page.removesuffix(".html")) or text)


def test_python_s_page_has_what_is_public(site: Path) -> None:
    import lasthop

    page = (site / "reference" / "python.html").read_text()
    for name in lasthop.__all__:
        assert f'id="{name.lower()}"' in page or name.startswith("__"), name


def test_the_search_works_from_disk(site: Path, tmp_path: Path) -> None:
    page = site / "guides" / "studies.html"
    assert not re.findall(r'<script[^>]* src="[a-z]+://', page.read_text()), "it needs a network"
    shown = browser.drawn(f"{page.as_uri()}?q=Gilbert", tmp_path)
    assert re.search(r'md-search-result__meta">\d+ matching documents<', shown)
    assert "radio.html?h=gilbert#gilbert-elliott" in shown


def test_what_is_modelled_is_on_its_page() -> None:
    page = (ROOT / "docs" / "reference" / "features.md").read_text()
    words = re.sub(r"[^a-z0-9]", "", page.lower().replace("bbrv", "bbr"))
    for kind in ("queues", "recoveries", "laws", "proxies", "receptions"):
        names = [row["name"].rstrip("+") for row in json.loads(_core.catalogue())[kind]]
        missing = [name for name in names if re.sub(r"[^a-z0-9]", "", name) not in words]
        assert not missing, f"{kind}: {missing}"
