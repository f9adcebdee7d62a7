"""The commands: a file each, with its options, its help and `command`, and its name in `cli/grouping.py`.

A command's file is read when the command is asked for, and all of them for the list in `lasthop --help`
(`program`); each imports what it needs when it runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

from cyclopts import App, Group

from lasthop.cli.app import app
from lasthop.cli.grouping import OF_SEVERAL, TASKS, ByTask

__all__ = ["app", "program"]

for place, (task, names) in enumerate(TASKS.items()):
    group = Group(task, sort_key=place, help_formatter=ByTask())
    for order, name in enumerate(names):
        # A command has examples of its own. One of several commands says all this itself.
        own: dict[str, Any] = {"help_epilogue": "", "help_format": "markdown"}
        app.command(
            f"{__name__}.{name}:command",
            name=name,
            group=group,
            sort_key=order,
            **({} if name in OF_SEVERAL else own),
        )
for option in ("--help", "--version"):
    app[option].show = False  # the words below the list name them


def program(words: Sequence[str]) -> App:
    """Return the program for what was typed. Where that begins with no command, all are read, to be listed."""
    names = [*chain.from_iterable(TASKS.values())]
    if not words or words[0] not in names:
        for name in names:
            _ = app[name]
    return app
