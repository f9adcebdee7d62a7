"""The commands: a file each, with its options, its help and `command`, and its name in `cli/grouping.py`.

Each imports what it needs when it runs, so that `--help` is quick.
"""

from __future__ import annotations

from importlib import import_module

from cyclopts import Group

from lasthop.cli.app import app
from lasthop.cli.grouping import TASKS, ByTask
from lasthop.cli.table_files import COMMANDS, with_tables

__all__ = ["app"]

for place, (task, names) in enumerate(TASKS.items()):
    group = Group(task, sort_key=place, help_formatter=ByTask())
    for order, name in enumerate(names):
        command = import_module(f"{__name__}.{name}").command
        app.command(with_tables(command) if name in COMMANDS else command, name=name)
        made = app[name]
        made.group, made.sort_key = group, order
        made.help_epilogue = ""  # a command has examples of its own
        made.help_format = "markdown"
for option in ("--help", "--version"):
    app[option].show = False  # the words below the list name them
