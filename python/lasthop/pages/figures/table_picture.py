"""A table as a picture for a text such as Word's: three rules, 9 pt type, 300 dots per inch.

A picture is not wider than the text of an A4 page nor higher than a page, so that its letters keep their size.
More than some seven columns that say what a row is of leave no room for that.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D

from lasthop.numbers.table.printed import numbers
from lasthop.pages.figures import style
from lasthop.pages.figures.palette import LIGHT

DPI = 300
POINTS = 72
"""In an inch; all lengths below are in points."""

WIDEST, HIGHEST = 451.0, 640.0
"""The text of an A4 page with margins of an inch, and room for a caption."""
SIZE, LEADING = 9.0, 11.5
GAP, EDGE = 12.0, 2.0
"""Between columns, and around the table."""
WORDS, HEADING = (170.0, 110.0, 75.0, 50.0), 62.0
"""Words in a cell are broken beyond the first of these widths that lets the columns fit, and a heading that is
wider than its cells beyond that."""
THICK, THIN = 0.8, 0.5
"""Of rules, as booktabs has them."""
AROUND = 4.0
"""Above and below a rule."""

FONTS = ["STIXGeneral", "DejaVu Sans"]
"""Both come with matplotlib; the second has the marks that the first lacks."""

Lines = tuple[str, ...]


@dataclass(frozen=True)
class _Column:
    """A column with its heading and cells in lines, and how wide it then is."""

    heading: Lines
    cells: tuple[Lines, ...]
    right: bool
    width: float = field(init=False)

    def __post_init__(self) -> None:
        lines = [*self.heading, *(line for cell in self.cells for line in cell)]
        object.__setattr__(self, "width", max(map(_width, lines), default=0.0))


def pictures(
    title: str, head: Sequence[str], rows: Sequence[Sequence[str]], lead: int, ending: str
) -> Iterator[Callable[[], bytes]]:
    """Yield functions that draw a table's pictures, .png or .svg: what does not fit goes on in a further one.

    A wide table goes on with its first `lead` columns, a long one with its heading.
    """
    columns = _columns(head, rows, HEADING, WORDS[0])
    if _wide(columns) > WIDEST:
        tried = (_columns(head, rows, 0.0, words) for words in WORDS)
        columns = next((each for each in tried if _leave_room(each, lead)), columns)
    said = title
    for part in _beside(columns, lead):
        for begin, end in _below(part, len(rows)):
            yield partial(_drawn, said, part, begin, end, ending)
            said = f"{title}, continued" if title else ""


def _leave_room(columns: Sequence[_Column], lead: int) -> bool:
    """Return whether each column fits beside the first `lead`."""
    first = columns[:lead]
    return all(
        _wide(each) <= WIDEST for each in [first, *([*first, one] for one in columns[lead:])]
    )


def _columns(
    head: Sequence[str], rows: Sequence[Sequence[str]], heading: float, words: float
) -> list[_Column]:
    """Return the columns, whose cells are as wide as `words`.

    A heading is broken where it is wider than `heading` and than its cells.
    """
    made = []
    for place, (said, right) in enumerate(zip(head, numbers(head, rows), strict=True)):
        cells = [re.sub(r"^-(?=\d)", "\N{MINUS SIGN}", row[place]) for row in rows]
        lines = tuple(_broken(" ".join(_parts(cell, words)), words) for cell in cells)
        widest = max((_width(line) for cell in lines for line in cell), default=0.0)
        made.append(_Column(_broken(said, max(widest, heading)), lines, right))
    return made


def _beside(columns: list[_Column], lead: int) -> Iterator[list[_Column]]:
    """Yield groups of columns that fit the width, each behind the first `lead`."""
    first, rest = columns[:lead], columns[lead:]
    taken = list(first)
    for column in rest:
        if len(taken) > len(first) and _wide([*taken, column]) > WIDEST:
            yield taken
            taken = list(first)
        taken.append(column)
    yield taken


def _below(columns: list[_Column], count: int) -> Iterator[tuple[int, int]]:
    """Yield the first row and the one behind the last of each picture."""
    begin, height = 0, 0.0
    for row in range(count):
        added = _high([column.cells[row] for column in columns])
        if row > begin and height + added > HIGHEST:
            yield begin, row
            begin, height = row, 0.0
        height += added
    yield begin, count


def _drawn(title: str, columns: list[_Column], begin: int, end: int, ending: str) -> bytes:
    width = max(_wide(columns), min(_width(title), WIDEST)) + 2 * EDGE
    above = [*_broken(title, width)] if title else []
    head = [column.heading for column in columns]
    rows = [[column.cells[row] for column in columns] for row in range(begin, end)]
    has_head = any(line for heading in head for line in heading)
    height = LEADING * len(above) + sum(map(_high, rows)) + 3 * AROUND + 2 * EDGE
    height += _high(head) + 2 * AROUND if has_head else 0.0
    with style.styled(LIGHT, "paper"):
        page = _Page(Figure(figsize=(width / POINTS, height / POINTS)), width, height)
        for line in above:
            page.text(EDGE, line, right=False)
            page.below += LEADING
        reach = _wide(columns)
        page.rule(reach, THICK)
        if has_head:
            page.row(columns, head, bottom=True)
            page.rule(reach, THIN)
        for row in rows:
            page.row(columns, row, bottom=False)
        page.rule(reach, THICK)
        return page.file(ending)


@dataclass
class _Page:
    """A figure that is filled from above; `below` is how far down it is full."""

    figure: Figure
    width: float
    height: float
    below: float = EDGE

    def text(self, x: float, line: str, *, right: bool, down: float = 0.0) -> None:
        """Write a line, `down` below where the figure is full; `x` is its left or right end."""
        y = self.height - self.below - down - 0.75 * LEADING
        side = "right" if right else "left"
        self.figure.text(
            *(x / self.width, y / self.height, line),
            ha=side,
            va="baseline",
            parse_math=False,
            fontfamily=FONTS,
            fontsize=SIZE,
        )

    def row(self, columns: list[_Column], cells: Sequence[Lines], *, bottom: bool) -> None:
        """Write a row of cells; where they have fewer lines than others, on top or at the bottom."""
        x, lines = EDGE, max(map(len, cells))
        for column, cell in zip(columns, cells, strict=True):
            lower = (lines - len(cell)) * LEADING if bottom else 0.0
            end = x + column.width if column.right else x
            for number, line in enumerate(cell):
                self.text(end, line, right=column.right, down=lower + number * LEADING)
            x += column.width + GAP
        self.below += lines * LEADING

    def rule(self, reach: float, thick: float) -> None:
        """Draw a rule over all columns."""
        self.below += AROUND
        ends = [EDGE / self.width, (EDGE + reach) / self.width]
        y = 1 - self.below / self.height
        self.figure.add_artist(Line2D(ends, [y, y], color=LIGHT.ink, linewidth=thick))
        self.below += AROUND

    def file(self, ending: str) -> bytes:
        """Return the bytes of a file, without a date."""
        kind = ending[1:]
        buffer = io.BytesIO()
        self.figure.savefig(buffer, format=kind, dpi=DPI, metadata=style.NO_DATE[kind])
        return buffer.getvalue()


def _wide(columns: Sequence[_Column]) -> float:
    return sum(column.width for column in columns) + GAP * (len(columns) - 1)


def _high(cells: Sequence[Lines]) -> float:
    return LEADING * max(map(len, cells))


def _parts(text: str, width: float) -> Iterator[str]:
    """Yield the words of a text; one that is wider than this in as many parts as it takes."""
    for word in text.split():
        begin = 0
        for end in range(2, len(word) + 1):
            if _width(word[begin:end]) > width:
                yield word[begin : end - 1]
                begin = end - 1
        yield word[begin:]


def _broken(text: str, width: float) -> Lines:
    """Break a text at spaces into lines of this width; a word that is wider has a line of its own."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".lstrip()
        if not lines[-1] or _width(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)


@cache
def _width(text: str) -> float:
    if not text:
        return 0.0
    wide, _, _ = _renderer().get_text_width_height_descent(
        text, FontProperties(family=FONTS, size=SIZE), ismath=False
    )
    return float(wide) * POINTS / DPI


@cache
def _renderer() -> Any:
    made: Any = RendererAgg  # matplotlib gives it no types
    return made(1, 1, DPI)
