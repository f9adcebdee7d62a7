"""`--tables`: what is printed, for a paper."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from commands import ROOT, SCENARIO, SHORT, lasthop
from lasthop.cli.table_files import with_tables
from lasthop.errors import UsageError

LOSS = ROOT / "tests" / "snapshots" / "loss.toml"


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def test_a_run_s_tables_are_written_whole_on_any_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = []
    for width in ("40", "120"):
        monkeypatch.setenv("COLUMNS", width)
        file = tmp_path / f"{width}.md"
        done = lasthop("run", SCENARIO, *SHORT, "--tables", file)
        assert done.returncode == 0, done.stderr
        files.append(file.read_text(encoding="utf-8"))
    assert files[0] == files[1]
    assert f"wrote {file}" in done.stdout
    flows, *_ = re.findall(r"\*\*Flows\*\*\n\n((?:\|.*\n)+)", files[0])
    head, _, first, *_ = map(cells, flows.splitlines())
    assert head[:3] == ["", "goodput kbit/s", "sent packets"]
    assert all(number in done.stdout for number in first)


def test_a_study_s_tables_in_every_form(tmp_path: Path) -> None:
    file, out = tmp_path / "t.tex", tmp_path / "out"
    done = lasthop("sweep", LOSS, "--quick", "--out", out, f"--tables={file}")
    assert done.returncode == 0, done.stderr
    text = file.read_text(encoding="utf-8")
    rows = [line.split("&") for line in text.splitlines() if line.startswith(("Reno", "CUBIC"))]
    assert {row[1].strip() for row in rows} == {r"0.1 \%", r"1 \%"}
    assert text.count(r"\begin{tabular}{") == 1
    assert text.splitlines()[-1].startswith("% ± is half of the 95 % interval")

    # `results` has column names on the screen, which its options take, and words in the file.
    picked = ["--where", "tcp.variant=reno", "--tables", tmp_path / "t.md"]
    done = lasthop("results", out, *picked)
    assert done.returncode == 0, done.stderr
    said = (tmp_path / "t.md").read_text(encoding="utf-8")
    assert "variant of TCP" in said
    assert "loss of link 0" in said
    assert "| Reno " in said
    assert "CUBIC" not in said
    assert "variant of TCP" not in done.stdout

    pytest.importorskip("matplotlib")
    done = lasthop("results", out, "--values", "--tables", tmp_path / "t.svg")
    assert done.returncode == 0, done.stderr
    assert 1 <= done.stdout.count("wrote ") == len(list(tmp_path.glob("t*.svg")))


def test_a_picture_keeps_to_a_page_and_its_letters_to_their_size() -> None:
    table_picture = pytest.importorskip("lasthop.pages.figures.table_picture")
    head = ["of", *(f"a measure of {name}" for name in "abcdefgh")]
    rows = [[f"row {n}", *["-1,234.5 ± 67.8"] * 8] for n in range(70)]
    drawn = [draw() for draw in table_picture.pictures("Many", head, rows, 1, ".png")]
    assert len(drawn) == 4  # half of the columns and half of the rows in each
    for content in drawn:
        wide, high = (int.from_bytes(content[at : at + 4], "big") for at in (16, 20))
        assert wide <= 6.4 * 300
        assert high <= 9.7 * 300
        per_metre = int.from_bytes(content.split(b"pHYs")[1][:4], "big")
        assert round(per_metre * 0.0254) == 300
    assert drawn == [draw() for draw in table_picture.pictures("Many", head, rows, 1, ".png")]


@pytest.mark.parametrize("cell", ["words that say which setting it is of, at length", "x" * 120])
def test_columns_that_say_what_a_row_is_of_leave_room(cell: str) -> None:
    table_picture = pytest.importorskip("lasthop.pages.figures.table_picture")
    head, row = [*(f"axis {name}" for name in "abcde"), "value"], [*[cell] * 5, "12.3 ± 0.4"]
    (draw,) = table_picture.pictures("", head, [row], 5, ".png")
    assert int.from_bytes(draw()[16:20], "big") <= 6.4 * 300


def test_pictures_without_matplotlib_are_refused_before_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(UsageError, match="Figures need matplotlib"):
        with_tables(lambda: pytest.fail("ran"))(tables=tmp_path / "t.png")


@pytest.mark.parametrize(
    ("file", "says"), [("t.pdf", "ends in .md, .tex, .png, .svg"), ("", "requires an argument")]
)
def test_another_ending_is_refused_before_the_run(tmp_path: Path, file: str, says: str) -> None:
    done = lasthop("run", SCENARIO, "--tables", *([tmp_path / file] if file else []))
    assert done.returncode == 2
    assert says in done.stderr
    assert not done.stdout


def test_nothing_is_written_where_nothing_was_run(tmp_path: Path) -> None:
    done = lasthop("run", "nothing", "--tables", tmp_path / "t.md")
    assert done.returncode == 2
    assert not list(tmp_path.iterdir())
