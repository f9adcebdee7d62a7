"""What limited the flows of a run, and findings, in the terminal: with `lasthop run`, and beside advice."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

from lasthop.cli.terminal import Terminal
from lasthop.core.noticing import Finding, Limit


def answer(console: Terminal, found: Sequence[Limit], replications: int) -> None:
    """Print what limited each flow; nothing where no cause dominates."""
    for each in found:
        text = fill(f"{each.what} {each.shown_by}", console.width)
        console.print(text, highlight=False, markup=False, soft_wrap=True)
    if found and replications > 1:
        console.print(f"(in the first of {replications} replications)", highlight=False)


def show(console: Terminal, found: Sequence[Finding], title: str = "Noticed") -> None:
    """Print what is odd; nothing where nothing is."""
    if found:
        console.print(f"\n{title}", highlight=False)
    for each in found:
        text = fill(str(each), console.width, initial_indent="- ", subsequent_indent="  ")
        console.print(text, highlight=False, markup=False, soft_wrap=True)
