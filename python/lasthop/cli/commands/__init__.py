"""The commands: a file each, with its options, its help and `command`, and a line in `COMMANDS`.

Each imports what it needs when it runs, so that `--help` is quick.
"""

from __future__ import annotations

from importlib import import_module

from lasthop.cli.app import app

__all__ = ["COMMANDS", "app"]

COMMANDS = (
    "run",
    "check",
    "demo",
    "playground",
    "reproduce",
    "advise",
    "audit",
    "sweep",
    "results",
    "plot",
    "report",
    "rerun",
    "export",
    "compare",
    "fit",
    "duel",
    "evaluate",
    "worker",
    "new",
    "conformance",
    "list",
    "schema",
    "validate",
    "bench",
    "completion",
)

for name in COMMANDS:
    app.command(import_module(f"{__name__}.{name}").command, name=name)
    app[name].help_epilogue = ""  # a command has examples of its own
    app[name].help_format = "markdown"
