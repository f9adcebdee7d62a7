"""What is said on standard error, in lines that keep to the width of the terminal."""

from __future__ import annotations

import os
import sys


def complain(message: str) -> None:
    """Print a message on standard error; where that is closed or full, nobody is left to be told."""
    try:
        if message and sys.stderr is not None:
            print(_folded(message), file=sys.stderr, flush=True)
    except OSError:
        pass


def _folded(message: str) -> str:
    """Return a message that keeps to the width of the terminal, if there is one."""
    try:
        if not sys.stderr.isatty():
            return message
        width = int(os.environ.get("COLUMNS", "0"))
        width = width or os.get_terminal_size(sys.stderr.fileno()).columns
    except (OSError, ValueError):
        return message
    if all(len(line) <= width for line in message.splitlines()):
        return message
    from lasthop.cli.messages import folded

    return folded(message, max(width, 20))
