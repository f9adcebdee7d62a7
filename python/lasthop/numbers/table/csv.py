"""Tables as CSV, written and read: texts in quotation marks, numbers in the fewest digits that give them back."""

from __future__ import annotations

import csv as plain
import re
from collections.abc import Callable, Collection, Sequence
from decimal import Decimal
from typing import IO, Any

from lasthop.numbers.table import Table
from lasthop.numbers.table.columns import MOST_WHOLE, Column, Kind

#: A cell of text that begins so is run as a formula by spreadsheets (OWASP, CSV injection), unless it is a number.
FORMULA = re.compile(r"[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
PLAIN_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")

#: Rows that are made at a time.
STRETCH = 100_000


def write(table: Table, file: IO[bytes]) -> None:
    """Write a table in which no text is run as a formula: an apostrophe precedes text that would be."""
    file.write((",".join(map(quoted, table.column_names)) + "\n").encode())
    for start in range(0, table.num_rows, STRETCH):
        cells = [_cells(column) for column in table.slice(start, STRETCH).columns]
        lines = (",".join(row) for row in zip(*cells, strict=True))
        file.write(("\n".join(lines) + "\n").encode())


class CsvError(Exception):
    """A file is no table as `write` writes it."""


def parsed(content: bytes, texts: Collection[str] = ()) -> Table:
    """Return the table that a file holds; raises CsvError. Columns named in `texts` are text in any case.

    An empty text comes back as null: CSV's readers do not tell the two apart.
    """
    try:
        rows = list(plain.reader(content.decode().splitlines(), strict=True))
    except UnicodeDecodeError:
        raise CsvError("it is not UTF-8 text") from None
    except plain.Error as error:
        raise CsvError(str(error)) from None
    names, lines = (rows[0], rows[1:]) if rows else ([], [])
    if not names or len(set(names)) < len(names):
        raise CsvError("its first line does not name columns")
    for number, line in enumerate(lines, 2):
        if len(line) != len(names):
            raise CsvError(f"line {number} has {len(line)} cells, the first line {len(names)}")
    cells = zip(*lines, strict=True) if lines else [() for _ in names]
    return Table({n: _column(some, n in texts) for n, some in zip(names, cells, strict=True)})


def _column(cells: Sequence[str], is_text: bool) -> Column:
    """Return a column of what its cells say: truths, whole numbers, numbers or else texts."""
    known = {cell for cell in cells if cell}
    if not is_text and known and known <= {"true", "false"}:
        return Column.of([cell == "true" if cell else None for cell in cells], Kind.BOOL)
    if not is_text and all(PLAIN_NUMBER.fullmatch(cell) for cell in known):
        is_whole = bool(known) and not any(set(cell) & set(".eE") for cell in known)
        if is_whole and all(abs(int(cell)) <= MOST_WHOLE for cell in known):
            return Column.of([int(cell) if cell else None for cell in cells], Kind.WHOLE)
        return Column.of([float(cell) if cell else None for cell in cells], Kind.NUMBER)
    return Column.of([_unquoted(cell) if cell else None for cell in cells], Kind.TEXT)


def _unquoted(cell: str) -> str:
    """Return a text as it was before `quoted`."""
    return cell[1:] if cell[0] == "'" and quoted(cell[1:])[1] == "'" else cell


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
