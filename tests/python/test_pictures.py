"""The pictures of the documentation: each page has one, each is small, and runs of today draw it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import renew_pictures
from commands import ROOT
from curves import ALL

DOCS = ROOT / "docs"
PAGES = [DOCS / "index.md", *DOCS.glob("guides/*.md"), *DOCS.glob("tutorial/*.md")]

#: The largest picture, B.
LARGEST = 60_000

#: Pictures of a run or two; sweeps draw the others.
QUICK = {
    "a-law-in-python", "captures", "exports", "first-run", "index", "measured", "notebooks", "playground",
}  # fmt: skip

HOW = "to renew: .venv/bin/python tools/renew_pictures.py"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_has_a_picture(page: Path) -> None:
    shown = re.findall(r"!\[([^\]]+)\]\((?!https:)([^)]+)\)", page.read_text(encoding="utf-8"))
    assert shown
    for words, path in shown:
        assert words
        assert (page.parent / path).is_file()


def test_every_picture_is_small_and_readable_in_the_dark() -> None:
    there = {path.stem: path for path in renew_pictures.PICTURES.glob("*.svg")}
    assert there.keys() == ALL.keys()
    for name, path in there.items():
        text = path.read_text(encoding="utf-8")
        assert len(text) < LARGEST
        assert "prefers-color-scheme:dark" in text or name == "github"
        assert str(ROOT) not in text


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in sorted(ALL)]
)
def test_a_picture_is_what_runs_draw(name: str) -> None:
    path = renew_pictures.PICTURES / f"{name}.svg"
    kept = path.read_text(encoding="utf-8")
    assert _of_any_build(renew_pictures.drawn(name)) == _of_any_build(kept), f"{HOW} {name}"


def _of_any_build(picture: str) -> str:
    """Leave out of a picture's recipe which build of lasthop drew it: each change of the sources is another."""
    return re.sub(r'(?<="\d\.\d\.\d\+)[0-9a-f]{16}(?=")', "", picture)
