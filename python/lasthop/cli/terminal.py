"""Output: checks of what can be written, and a console for any width and any reader."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.console import Console, Group
from rich.measure import Measurement
from rich.table import Column, Table
from rich.text import Text

from lasthop.cli.kept_tables import KEPT
from lasthop.errors import UsageError

if TYPE_CHECKING:
    from lasthop.study.swept import Results

WIDEST = 1000

#: A cell of a table that is one number, with its interval, its unit, or another beside it: it stays on one line.
NUMBER = re.compile(
    r"[-+−–·?|±(]*\d[\d,.]*(e[-+]?\d+)?[%)]*([ |±−–-]+(to |of )?[-+−(]*[\d.,?]+(e[-+]?\d+)?[%)]*)*"
    r"( ?(%|[kM]?bit/s|[mµ]?s|=))?|[-–?]?"
)

#: No terminal is narrower.
NARROWEST = 20


class Terminal(Console):
    """A console that keeps to its width, and falls silent when nobody reads any more.

    The width is the terminal's; in a file or a pipe 80 columns, or what COLUMNS says.
    """

    def on_broken_pipe(self) -> None:
        """Go on without output, so that files are still written; rich would end with 1."""
        self.quiet = True
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.file.fileno())
        os.close(nowhere)

    def print(self, *objects: Any, **how: Any) -> None:
        """Print; of a table that is too wide the columns go on below, and no number is cut or broken."""
        for each in objects:
            self._keep(each)
        fitting = [part for each in objects for part in self._fitting(each)]
        super().print(*fitting, **how)

    def _keep(self, thing: Any) -> None:
        """Keep a table for the file of `--tables`."""
        if isinstance(thing, Table) and thing.columns:
            cells = [
                [_words(self, cell).plain for cell in column.cells] for column in thing.columns
            ]
            head = [_words(self, column.header).plain for column in thing.columns]
            title = _words(self, thing.title).plain if thing.title else ""
            KEPT.keep(title, head, zip(*cells, strict=True))

    def _fitting(self, thing: Any) -> list[Any]:
        if not isinstance(thing, Table) or not thing.columns:
            return [thing]
        for column in thing.columns:
            cells = [_words(self, cell).plain for cell in column.cells]
            if all(NUMBER.fullmatch(cell) for cell in cells):
                column.min_width = max([column.min_width or 0, *map(cell_len, cells)])
        if self._least(thing) <= self.width:
            self._narrow(thing)
            return [thing]
        parts = _divided(thing, lambda part: self._least(part) <= self.width)
        for part in parts:
            self._narrow(part)
        return parts or [_lines(self, thing)]

    def _narrow(self, table: Table) -> None:
        """Give the columns widths that add up, headings broken first; rich would take from any, and cut."""
        measured = Measurement.get(self, self.options.update(max_width=WIDEST), table)
        if measured.maximum <= self.width:
            return
        ranges = [_ranges(self, column) for column in table.columns]
        widths = [max(each.maximum for each in column) for column in ranges]
        least = [
            max(column.min_width or 0, *(each.minimum for each in found))
            for column, found in zip(table.columns, ranges, strict=True)
        ]

        def cheapest(place: int) -> tuple[bool, int]:
            below_heading = max((each.maximum for each in ranges[place][1:]), default=0)
            return widths[place] > below_heading, widths[place]

        for _ in range(measured.maximum - self.width):
            flexible = [place for place, width in enumerate(widths) if width > least[place]]
            widths[max(flexible, key=cheapest)] -= 1
        for column, width in zip(table.columns, widths, strict=True):
            column.width = width

    def _least(self, table: Table) -> int:
        """Return how narrow a table can be."""
        return Measurement.get(self, self.options.update(max_width=WIDEST), table).minimum


def _divided(table: Table, fits: Callable[[Table], bool]) -> list[Table]:
    """Return a table in parts that fit, each with the first column; nothing where one column does not fit."""
    parts: list[Table] = []
    first, *rest = table.columns
    while rest:
        count = next(
            (n for n in range(len(rest), 0, -1) if fits(_of(table, [first, *rest[:n]]))), 0
        )
        if not count:
            return []
        parts.append(_of(table, [first, *rest[:count]]))
        rest = rest[count:]
        if parts[1:] and table.title:
            parts[-1].title = f"{table.title}, continued"
        if rest:
            parts[-1].caption = None
    return parts


def _of(table: Table, columns: Sequence[Column]) -> Table:
    """Return a table of some columns of another."""
    part = copy(table)
    part.columns = [replace(column, _index=place) for place, column in enumerate(columns)]
    return part


def _lines(console: Console, table: Table) -> Group:
    """Return a table as lines: heading and cell of each column, the first of each row by itself."""
    lines: list[Text] = [Text.from_markup(str(table.title))] if table.title else []
    headings = [_words(console, column.header) for column in table.columns]
    for cells in zip(*(column.cells for column in table.columns), strict=True):
        for place, (heading, cell) in enumerate(zip(headings, cells, strict=True)):
            said = _words(console, cell)
            if place and said.plain:
                lead = f"  {heading.plain}: " if heading.plain else "  "
                lines.append(Text.assemble(lead, said))
            elif not place:
                lines.append(said)
    return Group(*lines)


def _ranges(console: Console, column: Column) -> list[Measurement]:
    """Return the widths that the heading of a column, and each of its cells, can have."""
    wide = console.options.update(max_width=WIDEST)
    words = [
        console.render_str(each) if isinstance(each, str) else each
        for each in (column.header, *column.cells)
    ]
    return [Measurement.get(console, wide, each) for each in words]


def _words(console: Console, cell: Any) -> Text:
    """Return a heading or a cell as one line of text."""
    text = console.render_str(cell) if isinstance(cell, str) else cell
    plain = text if isinstance(text, Text) else Text(str(text))
    return Text(" ").join(plain.split(allow_blank=False)) if "\n" in plain.plain else plain


def terminal(*, stderr: bool = False) -> Terminal:
    """Return a console for standard output, or for what is beside it."""
    # A flow may be named ":bell:"; besides, the names of emoji take 6 ms to load.
    made = Terminal(stderr=stderr, emoji=False)
    made.width = max(made.width, NARROWEST)
    return made


def tell_written(what: object) -> None:
    """Print that a file was written."""
    terminal().print(f"wrote {what}", highlight=False, markup=False, soft_wrap=True)


def open_page(page: Path) -> None:
    """Open a page in the browser, if somebody sits at a terminal and there is a display to show it on."""
    displays = (
        sys.platform in ("win32", "darwin") or {"DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys()
    )
    if displays and sys.stdout.isatty():
        import webbrowser  # as slow to import as half of what else `--help` needs

        webbrowser.open(page.resolve().as_uri())


def tell_other_engine(results: Results) -> None:
    """Say on standard error where another engine than this has computed what follows."""
    if said := results.of_another_engine:
        terminal(stderr=True).print(f"{results.path}: {said}", highlight=False, markup=False)


def refuse_no_directory(out: Path, option: str = "--out") -> None:
    """Raise UsageError where no directory can be made, before anything is simulated."""
    try:
        there = next(p for p in (out, *out.absolute().parents) if os.path.lexists(p))
        out.is_dir()  # raises where the name is too long
    except OSError as error:
        raise UsageError(f"{option} {str(out)[:160]}: {error.strerror}") from None
    if not there.is_dir():
        raise UsageError(f"{option} {out}: {there} is not a directory")
    if not os.access(there, os.W_OK | os.X_OK):
        raise UsageError(f"{option} {out}: {there} cannot be written to")


SECONDS = {"s": 1.0, "min": 60.0, "h": 3600.0}


def seconds(text: str | None) -> float | None:
    """Read the time that --budget is given, s; raises UsageError."""
    if text is None:
        return None
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(s|min|h)\s*", text)
    if not found:
        raise UsageError(f"--budget must be a time such as 90s, 10min, 2h, not {text!r}")
    return float(found[1]) * SECONDS[found[2]]
