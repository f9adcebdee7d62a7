"""`--tables`: what is printed, for a paper."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from commands import ROOT, SCENARIO, SHORT, lasthop

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


def test_a_study_s_table_has_its_axes_as_columns(tmp_path: Path) -> None:
    file = tmp_path / "t.tex"
    done = lasthop("sweep", LOSS, "--quick", "--out", tmp_path / "out", f"--tables={file}")
    assert done.returncode == 0, done.stderr
    text = file.read_text(encoding="utf-8")
    rows = [line.split("&") for line in text.splitlines() if line.startswith(("reno", "cubic"))]
    assert {row[1].strip() for row in rows} == {r"0.1 \%", r"1 \%"}
    assert text.count(r"\begin{tabular}{") == 1


@pytest.mark.parametrize(
    ("file", "says"), [("t.pdf", "ends in .md, .tex"), ("", "ends in .md, .tex")]
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
