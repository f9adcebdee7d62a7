"""The numbers of a chart that a page keeps, for its script to give away as CSV (`take.js`)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

Cell = float | str | None

DIGITS = 6
"""Of a number: more than a mean or a time in a page can mean."""


def kept(head: Sequence[str], rows: Sequence[Sequence[Cell]], same: int = 0) -> dict[str, Any]:
    """Return a table as headings and blocks, each for neighbours whose first `same` cells are alike.

    A block has these cells, its number of rows, and its further columns; a column without a value is None.
    """
    blocks = []
    for lead, group in groupby(rows, key=lambda row: list(row[:same])):
        columns = [
            [_short(cell) for cell in column]
            for column in zip(*(row[same:] for row in group), strict=True)
        ]
        held = [None if all(cell is None for cell in column) else column for column in columns]
        blocks.append([lead, len(columns[0]), held])
    return {"head": list(head), "blocks": blocks}


def _short(cell: Cell) -> Cell:
    if cell is None or isinstance(cell, str | int):
        return cell
    short = float(f"{cell:.{DIGITS}g}")
    if short - short != 0:  # no finite number
        return None
    return int(short) if short.is_integer() else short
