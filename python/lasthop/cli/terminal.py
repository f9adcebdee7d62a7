"""Where output goes: what can be written to, and a console for any width and any reader."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group
from rich.measure import Measurement
from rich.table import Table
from rich.text import Text

from lasthop.errors import UsageError

if TYPE_CHECKING:
    from lasthop.study.results import Results

WIDEST = 1000

#: The width of what nobody looks at, in a file or a pipe, at least.
WIDE = 100

#: No terminal is narrower.
NARROWEST = 20


class Terminal(Console):
    """A console that keeps to the width of its terminal, and falls silent when nobody reads any more."""

    @property
    def keeps_width(self) -> bool:
        """Whether the width matters: for people at a terminal; in a file or a pipe lines may be long."""
        return self.is_terminal

    def on_broken_pipe(self) -> None:
        """Go on without output, so that files are still written; rich would end with 1."""
        self.quiet = True
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.file.fileno())
        os.close(nowhere)

    def print(self, *objects: Any, **how: Any) -> None:
        """Print; a table in which words would be cut is printed as a line for each of its cells."""
        super().print(*(self._fitting(each) for each in objects), **how)

    def _fitting(self, thing: Any) -> Any:
        if not isinstance(thing, Table) or not self.keeps_width or not thing.columns:
            return thing
        options = self.options.update(max_width=WIDEST)
        least = Measurement.get(self, options, thing).minimum
        return thing if least <= self.width else _lines(self, thing)


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


def _words(console: Console, cell: Any) -> Text:
    """Return a heading or a cell as one line of text."""
    text = console.render_str(cell) if isinstance(cell, str) else cell
    plain = text if isinstance(text, Text) else Text(str(text))
    return Text(" ").join(plain.split(allow_blank=False)) if "\n" in plain.plain else plain


def terminal(*, stderr: bool = False) -> Terminal:
    """Return a console for standard output, or for what is beside it."""
    made = Terminal(stderr=stderr)
    made.width = max(made.width, NARROWEST if made.keeps_width else WIDE)
    return made


def print_table(console: Terminal, table: Table) -> None:
    """Print a table; in a file or a pipe it is as wide as it wants to be."""
    if not console.keeps_width:
        wanted = Measurement.get(console, console.options.update(max_width=WIDEST), table).maximum
        console.width = max(console.width, wanted)
    console.print(table)


def tell_other_engine(results: Results) -> None:
    """Say on standard error where another engine than this has computed what follows."""
    if said := results.of_another_engine:
        terminal(stderr=True).print(f"{results.path}: {said}", highlight=False, markup=False)


def refuse_no_directory(out: Path) -> None:
    """Raise UsageError where no directory can be made, before anything is simulated."""
    try:
        there = next(p for p in (out, *out.absolute().parents) if os.path.lexists(p))
        out.is_dir()  # raises where the name is too long
    except OSError as error:
        raise UsageError(f"--out {str(out)[:160]}: {error.strerror}") from None
    if not there.is_dir():
        raise UsageError(f"--out {out}: {there} is not a directory")
    if not os.access(there, os.W_OK | os.X_OK):
        raise UsageError(f"--out {out}: {there} cannot be written to")


SECONDS = {"s": 1.0, "min": 60.0, "h": 3600.0}


def seconds(text: str | None) -> float | None:
    """Read the time that --budget is given, s; raises UsageError."""
    if text is None:
        return None
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*(s|min|h)\s*", text)
    if not found:
        raise UsageError(f"--budget must be a time such as 90s, 10min, 2h, not {text!r}")
    return float(found[1]) * SECONDS[found[2]]
