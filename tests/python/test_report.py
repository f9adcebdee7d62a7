"""Files that are whole or absent, and the pieces of reports and figures."""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import IO

import numpy as np
import pytest
from matplotlib.figure import Figure
from pyarrow import parquet

from lasthop.core import safe_files, tidy
from lasthop.errors import LasthopError
from lasthop.pages.figures import palette, style
from lasthop.pages.figures.curves import Chart, Curve, Point, curves
from lasthop.pages.figures.palette import Palette
from lasthop.pages.papers import claim_forest


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    safe_files.write_text(path, "old")

    def fail(file: IO[bytes]) -> None:
        file.write(b"half")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        safe_files.write(path, fail)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_json_refuses_what_json_has_not(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        safe_files.write_json(tmp_path / "x.json", {"x": float("nan")})


def test_parquet_keeps_rows_of_different_columns_and_the_recipe(tmp_path: Path) -> None:
    path = safe_files.write_parquet(
        tmp_path / "x.parquet", [{"a": 1}, {"a": 2, "b": "x"}], {"by": "me"}
    )
    table = parquet.read_table(path)
    assert table.to_pydict() == {"a": [1, 2], "b": [None, "x"]}
    assert table.schema.metadata[b"by"] == b"me"


def test_flow_rows_are_flat_with_units_in_names() -> None:
    run = {
        "seed": 1,
        "replication": 2,
        "flows": [{"name": "f", "delay_s": {"p95": 0.2}, "packets_lost": {"queue": 3}}],
    }
    assert safe_files.flow_rows(run, {"case": "c"}) == [
        {
            "case": "c",
            "seed": 1,
            "replication": 2,
            "name": "f",
            "delay_s.p95": 0.2,
            "packets_lost.queue": 3,
        }
    ]


def test_columns_are_those_of_all_rows() -> None:
    rows = [
        {"name": "a", "delay_s": None, "packets_lost": {"queue": 1}},
        {"name": "b", "delay_s": {"mean": 0.1}, "packets_lost": {"retry": 2}, "x": {"y": 3}},
    ]
    found = tidy.table([tidy.flat(row) for row in rows]).to_pylist()
    assert found[0]["delay_s.p99"] is None
    assert [row["delay_s.mean"] for row in found] == [None, 0.1]
    assert [(row["packets_lost.queue"], row["packets_lost.retry"]) for row in found] == [
        (1, 0),
        (0, 2),
    ]
    assert [row["x.y"] for row in found] == [None, 3]
    assert tidy.table([]).num_rows == 0


def test_what_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(LasthopError, match=r"cannot write .*file"):
        safe_files.probe(tmp_path / "file")
    with pytest.raises(LasthopError, match=r"cannot write .*file"):
        safe_files.probe(tmp_path / "file" / "deeper")
    safe_files.probe(tmp_path / "new" / "folder")
    assert list((tmp_path / "new" / "folder").iterdir()) == []


def _curves(palette: Palette) -> Figure:
    lines = [Curve(name, [Point(1, 2, 0.1), Point(10, 3, None)]) for name in "abcdef"]
    chart = Chart([("one", lines), ("two", lines)], "x", "y", [(1, "1"), (10, "10")], True, True)
    return curves(chart, "two", palette)


def test_a_panel_without_curves_is_not_drawn_and_long_curves_have_no_markers() -> None:
    long = Curve("window", [Point(x, x, None) for x in range(200)])
    short = Curve("window", [Point(x, x, None) for x in range(20)])
    panels = [(f"{n}", [long if n else short]) for n in range(5)]
    figure = curves(Chart(panels, "x", "y", [], False, True), "two", palette.LIGHT)
    assert [axes.get_visible() for axes in figure.axes] == [True] * 5 + [False]
    marked = [axes.lines[0].get_marker() not in ("", "None") for axes in figure.axes[:2]]
    assert marked == [True, False]


@pytest.mark.parametrize("kind", ["png", "pdf", "svg"])
def test_figures_are_the_same_bytes_each_time(kind: str) -> None:
    drawn = _curves
    sheet = style.Sheet(drawn)
    first = sheet.render(kind)
    assert first == sheet.render(kind) == style.Sheet(drawn).render(kind)
    assert first != style.Sheet(drawn, palette.DARK).render(kind)


def test_a_figure_in_a_page_has_the_colours_of_dark_pages_on_them() -> None:
    """But for the names of its clips and markers, which matplotlib makes of what they hold."""

    def unnamed(svg: bytes) -> bytes:
        names: dict[bytes, bytes] = {}
        return re.sub(
            rb"\b[mpC][0-9a-f]{10}\b", lambda x: names.setdefault(x[0], b"%d" % len(names)), svg
        )

    light, dark = (
        style.Sheet(_curves, each).render("svg") for each in (palette.LIGHT, palette.DARK)
    )
    (sheet,) = re.findall(rb"<style>(svg{--c0.*?})</style>", themed := style.themed(light))
    for rules, drawn in zip(re.findall(rb"svg{([^}]*)}", sheet), (light, dark), strict=True):
        there = themed.replace(b"<style>%s</style>" % sheet, b"")
        for rule in rules.split(b";"):
            name, colour = rule.split(b":")
            there = there.replace(b"var(%s)" % name, colour)
        assert unnamed(there) == unnamed(drawn)


def test_a_sheet_is_laid_out_as_each_of_its_files_would_be() -> None:
    """Texts are measured once for all kinds of files; each is within 1 % of its place by itself."""
    sheet = style.Sheet(_curves)
    for kind in ("png", "pdf", "svg"):
        with style.styled(palette.LIGHT):
            alone = _curves(palette.LIGHT)
            alone.savefig(io.BytesIO(), format=kind, dpi=200)
        places = [[axes.get_position().bounds for axes in f.axes] for f in (alone, sheet.figure)]
        assert places[0] == pytest.approx(np.array(places[1]), abs=0.01), kind
        assert places[0] != [axes.get_position().bounds for axes in _curves(palette.LIGHT).axes]


def _part(**changed: object) -> dict[str, object]:
    each = {
        "label": "on against off", "compared": "on against off", "outcome": "shown", "ratio": 1.5,
        "low": 1.2, "high": 1.9, "above": 1.02, "below": None, "alone": False, "was_run": True, "printed": 1.4,
    }  # fmt: skip
    part = {"name": "<more>", "verdict": "holds", "unit": "", "scale": 1, "effect": None}
    return {**part, "replications_needed": None, "details": [{**each, **changed}]}


def test_a_comparison_is_drawn_against_its_threshold() -> None:
    """On a logarithmic axis from 0.45 to 2.2: 1.02 is at 51.56 %, 1.5 at 75.87 %."""
    drawn = str(claim_forest.forest(_part()))
    assert '<rect class="claimed" x="51.56%"' in drawn
    assert '<circle class="dot good" cx="75.87%"' in drawn
    assert 'class="ring"' in drawn
    assert claim_forest.outcome(_part()) == "1.5 (1.2 to 1.9)"
    undecided = str(claim_forest.forest(_part(outcome="open", low=0.9)))
    assert "dot und" in undecided


def test_what_lies_beyond_the_axis_is_written_and_a_count_of_events_has_no_interval() -> None:
    far = str(claim_forest.forest(_part(ratio=12.5, low=None, high=None, printed=None)))
    assert "12 ▶" in far or "13 ▶" in far
    assert 'class="ci' not in far
    assert claim_forest.forest(_part(ratio=None)) is None
    assert claim_forest.forest(_part(was_run=False)) is None
