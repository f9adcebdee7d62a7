"""Reports in a real browser, wide and narrow: nothing is complained of, everything is drawn, nothing runs over."""

from __future__ import annotations

from pathlib import Path

import pytest

import lasthop
import studies
from browser import look, require_browser

STUDY = """
[study]
name = "small"
description = "Window & retry limit <of a cell>"
scenario = "small.toml"
metrics = ["goodput", "voice.loss"]

[precision]
metric = "goodput"
relative = 0.01
min_replications = 4
max_replications = 4

[axes]
mac.short_retry_limit = [2, 7]
"tcp.window" = ["2 packets", "8 packets"]

[[compare]]
axis = "mac.short_retry_limit"
metric = "goodput"

[[claim]]
id = "C1"
text = "A larger window gives more."
metric = "goodput"
holds = { above = { a = { "tcp.window" = "8 packets" }, b = { "tcp.window" = "2 packets" } } }
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    require_browser()
    folder = tmp_path_factory.mktemp("study")
    results = lasthop.sweep(studies.written(folder, STUDY), folder / "out")
    return results.report(cell=3)


@pytest.mark.parametrize(("width", "dark"), [(1280, False), (390, True)])
def test_a_report_is_whole_in_a_browser(page: Path, tmp_path: Path, width: int, dark: bool) -> None:
    seen = look(page, tmp_path, width, dark=dark)
    assert seen["complaints"] == []
    assert (seen["width"], seen["dark"]) == (width, dark)
    assert seen["overflow"] == 0
    assert (seen["charts"], seen["broken"]) == (3, 0)
    assert len(seen["coloured"]) == 5
    assert min(seen["coloured"]) > 20


def test_the_browser_tells_what_is_wrong(tmp_path: Path) -> None:
    require_browser()
    bad = tmp_path / "bad.html"
    bad.write_text(
        "<!doctype html><html><head></head><body><canvas></canvas><p style='width:900px'>wide</p>"
        "<script>nothing.there()</script></body></html>"
    )
    seen = look(bad, tmp_path, 390)
    assert "nothing is not defined" in seen["complaints"][0]
    assert seen["overflow"] > 400
    assert seen["coloured"] == [0]
