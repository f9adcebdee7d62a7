"""The numbers of a chart that a page keeps, for its script to give away as CSV (`take.js`)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from typing import Any

Cell = float | str | None

DIGITS = 5
"""Of a number: more than a mean or a time in a page can mean."""


def kept(
    head: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    same: int = 0,
    *,
    digits: int = DIGITS,
    words: dict[str, int] | None = None,
) -> dict[str, Any]:
    """Return a table as headings and blocks, each for neighbours whose first `same` cells are alike.

    A block has these cells, its number of rows, and its further columns; a column without a value is None.
    Texts are places in ``words``, or among the `words` that a page has once for several tables (id ``words``).
    """
    own: dict[str, int] = {}
    blocks = []
    for lead, group in groupby(rows, key=lambda row: list(row[:same])):
        columns = list(zip(*(row[same:] for row in group), strict=True))
        held = [_column(column, own if words is None else words, digits) for column in columns]
        blocks.append([lead, len(columns[0]), held])
    found = {"head": list(head), "blocks": blocks}
    return found if words is not None else found | {"words": list(own)}


def _column(cells: Sequence[Cell], words: dict[str, int], digits: int) -> Any:
    """Return a column of numbers, or of texts as places among the `words`, to which new ones are added."""
    if all(cell is None for cell in cells):
        return None
    if all(isinstance(cell, str) for cell in cells):
        return {"words": [words.setdefault(str(cell), len(words)) for cell in cells]}
    return [_short(cell, digits) for cell in cells]


def _short(cell: Cell, digits: int) -> Cell:
    if cell is None or isinstance(cell, str | int):
        return cell
    short = float(f"{cell:.{digits}g}")
    if not math.isfinite(short):
        return None
    return int(short) if short.is_integer() else short
