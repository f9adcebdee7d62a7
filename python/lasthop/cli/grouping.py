"""The list of commands in `lasthop --help`: by task, a line each, the task named beside its first."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cyclopts.help import HelpPanel
    from rich.console import Console, ConsoleOptions

#: Each task and its commands, in the order in which they are met.
TASKS = {
    "Start": ("run", "new", "demo", "playground", "check", "list"),
    "Study": ("sweep", "results", "advise", "compare", "fit"),
    "Judge": ("audit", "duel", "evaluate", "reproduce"),
    "Publish": ("report", "plot", "export", "rerun"),
    "Developers": ("completion", "schema", "conformance", "validate", "bench", "worker"),
}

#: Commands that have commands of their own.
OF_SEVERAL = ("new", "conformance")

#: Columns of the task, and of a command, with the space behind them.
TASK, COMMAND = 12, 13

#: Below this many columns a description is on lines of its own.
BESIDE = 60


class ByTask:
    """Formats the commands of a task, without a frame: five frames would fill the screen."""

    def __call__(self, console: Console, options: ConsoleOptions, panel: HelpPanel) -> None:
        """Print a task, and a blank line before all but the first."""
        from rich.text import Text

        task = str(panel.title)
        # One text, printed once: each print costs a millisecond.
        text = Text("" if task == next(iter(TASKS)) else "\n")
        if console.width < BESIDE:
            text.append(f"{task}\n", style="bold")
        for entry in panel.entries:
            told = console.render(entry.description, options.update_width(1000))
            name, about = " ".join(entry.names), "".join(part.text for part in told).strip()
            if console.width < BESIDE:
                lines = [f"  {name}", *textwrap.wrap(about, max(8, console.width - 4))]
                text.append("\n    ".join(lines) + "\n")
                continue
            text.append(f"{task:{TASK}}", style="bold")
            text.append(f"{name:{COMMAND}}", style="cyan")
            lines = textwrap.wrap(about, max(8, console.width - TASK - COMMAND))
            text.append(f"\n{'':{TASK + COMMAND}}".join(lines) + "\n")
            task = ""
        console.print(text, end="")
