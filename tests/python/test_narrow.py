"""A terminal of 40 columns: every table and message keeps to it, and no number is cut."""

from __future__ import annotations

import os
import pty
import re
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.table import Table

import lasthop
import studies
from commands import begin, end
from lasthop.cli.messages import folded
from lasthop.cli.terminal import Terminal, terminal

WIDTH = 40

CELL = """
duration = "200 ms"
phy = { standard = "802.11b" }
[[cell]]
access_point = "ap"
stations = 2
[[flow]]
name = "a-flow-with-a-long-name-*"
from = "sta*"
to = "ap"
app = "bulk"
"""

LAW = "import lasthop\n\n\nclass Law(lasthop.Law):\n    pass\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("narrow")
    (folder / "cell.toml").write_text(CELL)
    (folder / "law.py").write_text(LAW)
    (folder / "wrong.toml").write_text(CELL.replace('"802.11b"', f'"{"802.11 " * 30}"'))
    study = studies.written(folder)
    lasthop.sweep(study, folder / "out", replications=2)
    return folder


def at_terminal(folder: Path, words: list[str]) -> str:
    """Run the command line at a terminal of 40 columns without colours; return all that it shows."""
    ours, theirs = pty.openpty()
    with pytest.MonkeyPatch.context() as environment:
        for name, value in {"COLUMNS": str(WIDTH), "TERM": "xterm", "NO_COLOR": "1"}.items():
            environment.setenv(name, value)
        begin(words, folder, [theirs] * 3)
    os.close(theirs)
    shown = b""
    try:
        while part := os.read(ours, 65536):
            shown += part
    except OSError:  # Linux's error when nobody holds the other end any more
        pass
    finally:
        os.close(ours)
    end()
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode()).replace("\r", "\n")


@pytest.mark.parametrize(
    "words",
    [
        "run cell.toml",
        "run cell.toml --replications 3",
        "run cell.toml --probe tcp",
        "run wrong.toml",
        "run missing.toml",
        "run cell.toml --set tcp.variant=renoo",
        "run cell.toml --repl 3",
        "list",
        "list laws",
        "list lows",
        "results out",
        "results out --values",
        "results out --where metric=x",
        "sweep study.toml --out out --replications 2",
        "conformance law law.py:Law",
        "conformance cell.toml",
        "validate queues --quick",
        "validate nothing",
        "advise cell.toml --choose tcp.window=2,4 --quick",
        "worker --shard 0/1 out",
        "--help",
        "run --help",
        "sweep --help",
        "nothing",
    ],
)
def test_no_line_is_wider(folder: Path, words: str) -> None:
    shown = at_terminal(folder, words.split())
    assert "Traceback" not in shown
    assert shown.strip()
    wide = [line for line in shown.splitlines() if cell_len(line.rstrip()) > WIDTH]
    assert not wide, "\n".join(wide)


def test_a_table_whose_numbers_would_be_cut_goes_on_below(
    capsys: pytest.CaptureFixture[str],
) -> None:
    table = Table(title="Numbers")
    for number in range(8):
        table.add_column(f"heading\n{number}", justify="right")
    table.add_row(*(f"{number}23,456.789" for number in range(8)))
    Terminal(force_terminal=True, no_color=True, width=WIDTH).print(table)
    shown = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    assert max(map(len, shown.splitlines())) <= WIDTH
    assert all(f" {number}23,456.789" in shown for number in range(1, 8))
    assert shown.count("023,456.789") == 7  # the first column precedes each part
    wide = Table("a", "b")
    wide.add_row("x" * WIDTH, "y")
    Terminal(force_terminal=True, no_color=True, width=WIDTH).print(wide)
    assert "b: y" in capsys.readouterr().out


def test_a_heading_is_broken_before_a_cell(capsys: pytest.CaptureFixture[str]) -> None:
    table = Table("", "a long heading", "interval", "alike", pad_edge=False)
    table.add_row("packets 20", "1.3", "1.1 to 1.5", "cubic, sack")
    table.add_row("packets 4", "1.2", "1.0 to 1.4", "newreno")
    Terminal(force_terminal=True, no_color=True, width=50).print(table)
    shown = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out)
    assert "packets 20 │ 1.3" in shown
    assert "1.1 to 1.5 │ cubic, sack" in shown
    assert re.search("a long +┃", shown)
    assert max(map(len, shown.splitlines())) <= 50


def test_an_excerpt_stays_above_its_carets() -> None:
    line = "abcdefgh " * 15 + "WRONG" + " ijklmno" * 5
    message = (
        f"x.toml:12:136: error: {'something is wrong ' * 5}\n 12 | {line}\n    | {' ' * 135}^^^^^"
    )
    shown = folded(message, WIDTH).splitlines()
    assert max(map(len, shown)) <= WIDTH
    above, carets = shown[-2:]
    assert above[carets.index("^") :].startswith("WRONG")
    assert carets.count("^") == 5


def test_a_name_between_colons_stays_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    terminal().print("flow :bell: lost nothing")
    assert capsys.readouterr().out == "flow :bell: lost nothing\n"
