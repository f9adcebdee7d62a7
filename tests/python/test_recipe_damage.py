"""Recipes changed by chance: `rerun` says what is wrong with them, or makes the file again."""

from __future__ import annotations

import copy
import json
import random
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import lasthop
from commands import lasthop as command
from lasthop.errors import LasthopError, UsageError
from lasthop.pages.recipes import embedding
from lasthop.pages.recipes.rerunning import MAKERS
from test_damage import NO_JSON, STRANGE, changed, places

LINK = """
duration = "100 ms"
[[link]]
ends = ["near", "far"]
rate = "10 Mbps"
delay = "5 ms"
[[flow]]
name = "upload"
from = "near"
to = "far"
app = "bulk"
"""

STUDY = """
[study]
name = "small"
scenario = "path.toml"
replications = 2
metrics = ["goodput"]
[axes]
"link.0.delay" = ["1 ms", "2 ms"]
"""

PAGE = b"<!doctype html><html><body></body></html>"

#: Each is a file that is made again in a tenth of a second, and the commands that make it.
COMMANDS = {
    "run": ("run path.toml --report page.html",),
    "probes": (
        "run path.toml --probe tcp --probe-every 50ms --out tcp.csv",
        "plot tcp.csv --out page.html",
    ),
    "report": ("sweep study.toml --out small", "report small --out page.html"),
    "clusters": ("plot clusters --set duration=200ms --clusters --out page.html",),
}

DAMAGES = 40
"""The number of damages of each recipe, drawn with a fixed seed."""


@pytest.fixture(scope="module", params=sorted(COMMANDS))
def recipe(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp(request.param)
    (folder / "path.toml").write_text(LINK)
    (folder / "study.toml").write_text(STUDY)
    for words in COMMANDS[request.param]:
        done = command(*words.split(), cwd=folder)
        assert done.returncode == 0, done.stderr
    return json.loads(embedding.extract(folder / "page.html").text())


def said(held: Any, folder: Path) -> str:
    """Return the message about a page with this recipe; nothing where it is made again."""
    page = folder / "page.html"
    text = json.dumps(held) if not isinstance(held, bytes) else held.decode(errors="replace")
    element = f'<script type="application/json" id="recipe">{text}</script></body>'
    page.write_bytes(PAGE.replace(b"</body>", element.encode(errors="replace")))
    try:
        lasthop.rerun(page)
    except LasthopError as error:
        return str(error)
    return ""


def test_the_recipe_is_good_as_it_is(recipe: Any, tmp_path: Path) -> None:
    assert said(recipe, tmp_path) == ""


def test_anything_else_is_taken_or_refused(recipe: Any, tmp_path: Path) -> None:
    rng = random.Random("recipes")
    shown = ("data", "values")
    ways = [way for way in places(recipe) if way[:2] != shown]
    refused = 0
    for _ in range(DAMAGES):
        way = rng.choice(ways)
        refused += bool(said(changed(recipe, way, rng.choice(STRANGE)), tmp_path))
    assert refused > DAMAGES // 2


def test_what_is_left_out_is_named(recipe: Any, tmp_path: Path) -> None:
    for key in recipe["inputs"]:
        held = copy.deepcopy(recipe)
        del held["inputs"][key]
        told = said(held, tmp_path)
        assert f"{key} is missing" in told or (key, told) == ("laws", "")


def test_what_is_no_recipe_is_refused(tmp_path: Path) -> None:
    for text in NO_JSON:
        assert "damaged" in said(text, tmp_path) or "later lasthop" in said(text, tmp_path)


@pytest.mark.parametrize("file", ["../page.html", "/page.html", "page.pdf", "", "..", "page"])
def test_the_file_of_a_recipe_is_of_its_kind(recipe: Any, tmp_path: Path, file: str) -> None:
    held = recipe | {"file": file}
    with pytest.raises(UsageError, match="allowed: the name of a HTML file"):
        raise UsageError(said(held, tmp_path))


@pytest.mark.parametrize("kind", sorted(MAKERS))
def test_every_maker_says_what_its_recipes_hold(kind: str) -> None:
    maker = import_module(MAKERS[kind])
    with pytest.raises(LasthopError):
        maker.SHAPE({"x": 1}, "")
