"""Tables of `lasthop run` in a narrow terminal: nothing is cut."""

from __future__ import annotations

import io
import re

import pytest

from lasthop.cli import fitting_tables
from lasthop.cli.terminal import Terminal

NAMES = ["desk_bulk", "a call"]
COLUMNS = [
    (f"heading\nof {i}", [f"{number:,.1f} ± 0.4", "-"])
    for i, number in enumerate((21_119.4, 3.2, 1_234_567.8, 0.1, 99.5, 31_349.7))
]


def printed(width: int | None) -> str:
    """Print to a terminal so wide, or to a file."""
    file = io.StringIO()
    console = Terminal(file=file, width=width or 80, force_terminal=width is not None)
    fitting_tables.show(console, "Flows", NAMES, COLUMNS)
    return re.sub(r"\x1b\[[0-9;]*m", "", file.getvalue())


@pytest.mark.parametrize("width", [30, 60, 80, 200])
def test_every_number_and_name_is_whole_and_nothing_is_wider_than_the_terminal(width: int) -> None:
    text = printed(width)
    words = [word for _, cells in COLUMNS for cell in cells for word in cell.split()]
    assert set(words) | {"desk_bulk", "call", "heading"} <= set(text.split())
    assert max(map(len, text.split("\n"))) <= width
    assert all(cells[0] in text for _, cells in COLUMNS)
    # At 60 columns it fits when it is turned.
    assert ("continued" in text) == (width == 30)


def test_rows_that_say_nothing_are_left_out_where_a_table_goes_on() -> None:
    file = io.StringIO()
    columns = [
        ("goodput", ["1.5", "2.5"]),
        ("delay " * 9, ["x" * 50, "y" * 50]),
        ("MOS", ["-", "4.1"]),
    ]
    fitting_tables.show(Terminal(file=file, width=62), "Flows", ["bulk", "call"], columns)
    first, *_, last = file.getvalue().split("Flows")
    assert "continued" in last
    assert "call" in last
    assert "bulk" not in last
    assert "bulk" in file.getvalue()
    assert first.strip() == ""


def test_a_pipe_gets_what_a_terminal_of_80_columns_gets() -> None:
    assert printed(None) == printed(80)


def test_without_columns_the_names_stand_alone() -> None:
    file = io.StringIO()
    fitting_tables.show(Terminal(file=file, width=80), "", ["1", "2"], [], corner="cell")
    assert file.getvalue().split() == ["cell", "─" * 4, "1", "2"]


def test_joined_columns_keep_their_places() -> None:
    corner, names = fitting_tables.joined(
        [("tcp.\nvariant", ["reno", "cubic"]), ("k", ["5", "50"])]
    )
    assert corner.split("\n") == ["tcp.        ", "variant   k "]
    assert names == ["reno      5 ", "cubic     50"]
