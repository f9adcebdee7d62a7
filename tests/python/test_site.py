"""The documentation site builds without a warning: no link is dead, the pages made from the program are whole."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from commands import ROOT
from lasthop import api


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


def test_the_format_s_page_has_every_key(site: Path) -> None:
    page = (site / "reference" / "scenario.html").read_text()
    shown = set(re.findall(r"<td><code>([a-z_0-9]+)</code></td>", page))
    schema = api.schema()
    for name, node in schema["$defs"].items():
        assert set(node.get("properties", {})) <= shown, name


def test_python_s_page_has_what_is_public(site: Path) -> None:
    import lasthop

    page = (site / "reference" / "python.html").read_text()
    for name in lasthop.__all__:
        assert f'id="{name.lower()}"' in page or name.startswith("__"), name
