"""Findings about a run in the terminal: after `lasthop run`, and beside advice."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

from lasthop.cli.terminal import Terminal
from lasthop.core.noticing import Finding


def show(console: Terminal, found: Sequence[Finding], title: str = "Noticed") -> None:
    """Print what is odd; nothing where nothing is."""
    if found:
        console.print(f"\n{title}", highlight=False)
    for each in found:
        text = fill(str(each), console.width, initial_indent="- ", subsequent_indent="  ")
        console.print(text, highlight=False, markup=False, soft_wrap=True)
