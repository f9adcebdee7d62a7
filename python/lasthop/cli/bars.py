"""A progress bar with an estimate, shown to people only; or lines of the same, for whoever reads a pipe."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from lasthop.core.listeners import Fraction

#: The longest silence of work that is told in lines, s.
SILENCE_S = 2.0


#: The part of work from which its speed says how long the rest takes.
SURE = 0.02


@contextmanager
def bar(what: str, console: Console, in_lines: bool = False) -> Iterator[Fraction]:
    """Show a bar for `what`; yield the function that moves it (0 to 1).

    Without a terminal there is nothing to see, or with `in_lines` a line each two seconds.
    """
    if in_lines and not console.is_terminal:
        yield _lines(what, console)
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    hidden = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as progress:
        task = progress.add_task(what, total=1.0)
        yield lambda done: progress.update(task, completed=done)


def _lines(what: str, console: Console) -> Fraction:
    """Return a function that prints how much is done, with an estimate of the rest, when it has been silent."""
    began = last = time.monotonic()

    def told(done: float) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= SILENCE_S and done > 0:
            last, left = now, max(1, round((now - began) * (1 - done) / done))
            rest = f", about {left} s left" if done >= SURE else ""
            console.print(
                f"{what}: {100 * done:.0f} %{rest}", highlight=False, markup=False, soft_wrap=True
            )

    return told
