"""Tables that never cut a number: what is too wide for the terminal goes on below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich import box
from rich.table import Table
from rich.text import Text

from lasthop.cli.terminal import WIDEST, Terminal, print_table

#: A heading and a cell for each row.
Filled = tuple[str, Sequence[str]]

#: What a column takes beside its text, and what the table's edges take.
LOOSE, TIGHT, EDGES = 3, 2, 2
#: More columns than these stand closer.
MOST_LOOSE = 8


def show(
    console: Terminal,
    title: str,
    names: Sequence[str],
    columns: Sequence[Filled],
    corner: str = "",
) -> None:
    """Print columns with `names` before each row: all in one table, or in as many as the terminal needs.

    `corner` is the heading of the names.

    Where nobody looks (a file, a pipe) it is one table, as wide as it wants to be.
    """
    room = console.width if console.keeps_width else WIDEST
    room -= EDGES + _widest([corner, *names])
    for i, part in enumerate(_parts(columns, room)):
        table = _table((corner, names), part, room)
        table.title = ", ".join(filter(None, [title, "continued" if i else ""])) or None
        print_table(console, table)


def joined(columns: Sequence[Filled]) -> Filled:
    """Join columns into one, aligned to the left, that can stand before every part of a table."""
    depth = max((len(heading.split("\n")) for heading, _ in columns), default=1)
    texts = []
    for heading, cells in columns:
        lines = [*[""] * depth, *heading.split("\n")][-depth:]
        texts.append([line.ljust(_widest([heading, *cells])) for line in (*lines, *cells)])
    rows = [(" " * LOOSE).join(row) for row in zip(*texts, strict=True)]
    return "\n".join(rows[:depth]), rows[depth:]


def _parts(columns: Sequence[Filled], room: int) -> Iterator[Sequence[Filled]]:
    begin = 0
    while begin < len(columns):
        end, left = begin, room
        while end < len(columns) and (end == begin or _narrow(columns[end]) + TIGHT <= left):
            left -= _narrow(columns[end]) + TIGHT
            end += 1
        yield columns[begin:end]
        begin = end
    if not columns:
        yield columns


def _table(first: Filled, columns: Sequence[Filled], room: int) -> Table:
    corner, names = first
    loose = len(columns) <= MOST_LOOSE and sum(_narrow(each) + LOOSE for each in columns) <= room
    table = Table(
        title_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        collapse_padding=not loose,
    )
    table.add_column(Text(corner), overflow="fold", width=_widest([corner, *names]))
    widths = _widths(columns, room - (LOOSE if loose else TIGHT) * len(columns))
    for (heading, _), width in zip(columns, widths, strict=True):
        table.add_column(Text(heading), justify="right", overflow="fold", width=width)
    for name, *cells in zip(names, *(cells for _, cells in columns), strict=True):
        table.add_row(Text(name), *map(Text, cells))
    return table


def _widths(columns: Sequence[Filled], room: int) -> list[int]:
    """Return the width of each column: of its longest word, and more where there is room."""
    widths = [_narrow(column) for column in columns]
    left = room - sum(widths)
    # Numbers before headings: an interval on its own line is harder to read than a long heading.
    numbers = [_widest(cells) for _, cells in columns]
    headings = [_widest([heading]) for heading, _ in columns]
    for wanted in (numbers, headings):
        for i, wide in enumerate(wanted):
            more = min(max(wide - widths[i], 0), max(left, 0))
            widths[i], left = widths[i] + more, left - more
    return widths


def _narrow(column: Filled) -> int:
    """Return how narrow a column may be before a word of it is cut."""
    heading, cells = column
    return _widest([word for text in (heading, *cells) for word in text.split()])


def _widest(texts: Sequence[str]) -> int:
    return max((len(line) for text in texts for line in text.split("\n")), default=0)
