"""Where output goes: what can be written to, and a console for any width and any reader."""

from __future__ import annotations

import os
from pathlib import Path

from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

from lasthop.errors import UsageError

WIDEST = 1000


class Terminal(Console):
    """A console that falls silent when nobody reads any more (`lasthop list | head -1`)."""

    def on_broken_pipe(self) -> None:
        """Go on without output, so that files are still written; rich would end with 1."""
        self.quiet = True
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.file.fileno())
        os.close(nowhere)


def terminal(*, stderr: bool = False, narrowest: int = 60) -> Terminal:
    """Return a console at least so many columns wide: below, tables would show dots only."""
    made = Terminal(stderr=stderr)
    if made.width < narrowest:
        made.width = narrowest
    return made


def print_table(console: Terminal, table: Table) -> None:
    """Print a table; in a file or a pipe it is as wide as it wants to be."""
    if not console.is_terminal:
        wanted = Measurement.get(console, console.options.update(max_width=WIDEST), table).maximum
        console.width = max(console.width, wanted)
    console.print(table)


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
