"""Tables that never cut a number: what is too wide is turned, or goes on below."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

from rich import box
from rich.console import JustifyMethod
from rich.table import Table
from rich.text import Text

from lasthop.cli.kept_tables import KEPT
from lasthop.cli.terminal import NUMBER, Terminal

#: A heading and a cell for each row.
Filled = tuple[str, Sequence[str]]

#: Widths beside the text of a column, and at the table's edges.
LOOSE, TIGHT, EDGES = 3, 2, 2
#: With more columns than these, padding is tight.
MOST_LOOSE = 8


def show(
    console: Terminal,
    title: str,
    names: Sequence[str],
    columns: Sequence[Filled],
    corner: str = "",
    axes: Sequence[Filled] = (),
) -> None:
    """Print columns with `names` before each row: in one table, turned, or in as many as the width needs.

    `corner` is the heading of the names, and `axes` are the columns that were `joined` into them. A table is
    turned, a row for each column, where it fits so only. Where it goes on below, rows that say nothing there are
    left out.
    """
    whole = [*(axes or [(corner, names)]), *columns]
    KEPT.keep(
        title,
        (heading for heading, _ in whole),
        zip(*(cells for _, cells in whole), strict=True),
        lead=len(axes) or 1,
    )
    room = console.width - EDGES - _widest([corner, *names])
    parts = list(_parts(columns, room))
    if len(parts) > 1 and not corner and (turned := _turned(names, columns)):
        headings, across = turned
        rest = console.width - EDGES - _widest(headings)
        if sum(_narrow(each) + TIGHT for each in across) <= rest:
            names, parts, room = headings, [across], rest
    for i, part in enumerate(parts):
        rows = _telling(part) if i else range(len(names))
        shown = [(heading, [cells[row] for row in rows]) for heading, cells in part]
        table = _table((corner, [names[row] for row in rows]), shown, room)
        table.title = (_continued(title, console.measure(table).maximum) if i else title) or None
        with KEPT.pause():
            console.print(table)


def _continued(title: str, width: int) -> str:
    """Return the title of a table that goes on; where it is too wide, without the parentheses, which are above."""
    said = ", ".join(filter(None, [title, "continued"]))
    return said if len(said) <= width else f"{title.split(' (', 1)[0]}, continued"


def _telling(columns: Sequence[Filled]) -> list[int]:
    """Return the rows in which a column says something; all where none does."""
    rows = list(zip(*(cells for _, cells in columns), strict=True))
    telling = [row for row, cells in enumerate(rows) if set(cells) - {"", "-"}]
    return telling or list(range(len(rows)))


def _turned(names: Sequence[str], columns: Sequence[Filled]) -> tuple[list[str], list[Filled]]:
    """Return a table with a row for each of its columns."""
    headings = [heading.replace("-\n", "").replace("\n", " ") for heading, _ in columns]
    across: list[Filled] = [
        (name, [cells[place] for _, cells in columns]) for place, name in enumerate(names)
    ]
    return headings, across


def joined(columns: Sequence[Filled]) -> Filled:
    """Join columns into one, aligned to the left, that begins every part of a table."""
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
    for (heading, cells), width in zip(columns, widths, strict=True):
        numbers = all(NUMBER.fullmatch(cell) for cell in cells)
        justify: JustifyMethod = "right" if numbers else "left"
        table.add_column(
            Text(_wrapped(heading, width)), justify=justify, overflow="fold", width=width
        )
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
    """Return how narrow a column may be before a number of it, or a word, is cut or broken."""
    heading, cells = column
    whole = [cell for cell in cells if NUMBER.fullmatch(cell)]
    words = [word for text in (_kept(heading), *cells) for word in re.split(r"[ \n]+", text)]
    return _widest([*whole, *words])


def _kept(heading: str) -> str:
    """Return a heading in which a per cent sign stays with its number."""
    return heading.replace(" %", "\N{NO-BREAK SPACE}%")


def _wrapped(heading: str, width: int) -> str:
    """Return a heading in lines of this width; `textwrap` breaks no line at a no-break space, as rich would."""
    lines = [
        textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)
        for line in _kept(heading).split("\n")
    ]
    return "\n".join(lines).replace("\N{NO-BREAK SPACE}", " ")


def _widest(texts: Sequence[str]) -> int:
    return max((len(line) for text in texts for line in text.split("\n")), default=0)
