"""Where text for people goes: rich's console, made to bear narrow terminals and readers that leave."""

from __future__ import annotations

import os

from rich.console import Console


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
