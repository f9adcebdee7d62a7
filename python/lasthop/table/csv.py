"""Tables as CSV: texts in quotation marks, numbers in the fewest digits that give them back."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import IO, Any

from lasthop.table import Table
from lasthop.table.columns import Column, Kind

#: A cell of text that begins so is run as a formula by spreadsheets (OWASP, CSV injection), unless it is a number.
FORMULA = re.compile(r"[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
PLAIN_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")

#: Rows that are made at a time.
STRETCH = 100_000


def write(table: Table, file: IO[bytes]) -> None:
    """Write a table in which no text is run as a formula: before what would be stands an apostrophe."""
    file.write((",".join(map(quoted, table.column_names)) + "\n").encode())
    for start in range(0, table.num_rows, STRETCH):
        cells = [_cells(column) for column in table.slice(start, STRETCH).columns]
        lines = (",".join(row) for row in zip(*cells, strict=True))
        file.write(("\n".join(lines) + "\n").encode())


def quoted(text: str) -> str:
    """Return a text as a cell that is no formula."""
    runs = FORMULA.match(text) and not PLAIN_NUMBER.fullmatch(text)
    doubled = text.replace('"', '""')
    return f'"{chr(39) if runs else ""}{doubled}"'


def number(value: float) -> str:
    """Return a number: as it is from 0.000001 to 1e10, else with an exponent."""
    if value == 0 or 1e-4 <= abs(value) < 1e10 or value - value != 0:
        return repr(value).removesuffix(".0")
    sign, digits, _ = Decimal(repr(value)).normalize().as_tuple()
    exponent = Decimal(repr(value)).adjusted()
    shown = "".join(map(str, digits))
    lead = "-" if sign else ""
    if -7 < exponent < 0:
        return f"{lead}0.{'0' * (-exponent - 1)}{shown}"
    point = f".{shown[1:]}" if shown[1:] else ""
    return f"{lead}{shown[0]}{point}e{exponent:+d}"


CELLS: dict[Kind, Callable[[Any], str]] = {
    Kind.NUMBER: number,
    Kind.WHOLE: str,
    Kind.BOOL: lambda value: "true" if value else "false",
    Kind.TEXTS: lambda value: quoted(" ".join(value)),
}


def _cells(column: Column) -> list[str]:
    if column.kind is Kind.TEXT:
        words = [quoted(word) for word in column.words] or [""]
        found = [words[place] for place in column.values.tolist()]
        known = [True] * len(found) if column.valid is None else column.valid.tolist()
        return [cell if there else "" for cell, there in zip(found, known, strict=True)]
    cell = CELLS[column.kind]
    return ["" if value is None else cell(value) for value in column.to_pylist()]
