"""What every paper's reproduction says on a terminal."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

COLOURS = {"holds": "green", "contradicted": "red", "mixed": "yellow", "cannot tell": "cyan"}

Line = Callable[[dict[str, Any]], str]


def claims(document: dict[str, Any], evidence: Line, own: Line, console: Console) -> None:
    """Print the verdicts, and what they rest on."""
    console.print("\n[bold]Claims[/]  (above, lowers: by over 2 %, intervals simultaneous at 95 %)")
    for claim in document["claims"]:
        verdict = claim["verdict"]
        console.print(f"[bold]{claim['id']}[/] [{COLOURS[verdict]} bold]{verdict}[/]  ", end="")
        console.print(escape(claim["text"]), highlight=False)
        console.print(f"   [dim]simulated:[/] {escape(evidence(claim))}", highlight=False)
        console.print(f"   [dim]paper's own table:[/] {escape(own(claim))}", highlight=False)
        rests = document.get("rests_on", {}).get(claim["id"])
        if rests:
            console.print(f"   [dim]by the audit:[/] it {escape(rests)}", highlight=False)


def unstated(document: dict[str, Any], console: Console) -> None:
    """Print what the paper leaves unstated."""
    out = Table(title="What the paper leaves unstated", title_justify="left")
    for name in ("unstated", "taken", "alternatives"):
        out.add_column(name, overflow="fold")
    for each in document["unstated"]:
        alternatives = "; ".join(each["alternatives"])
        out.add_row(escape(each["item"]), escape(each["taken"]), escape(alternatives))
    console.print()
    console.print(out)


def files(document: dict[str, Any], console: Console) -> None:
    """Print what was written."""
    if document["files"]:
        console.print("\n[bold]Written[/]")
        for file in document["files"]:
            console.print(f"  {escape(file)}", highlight=False, soft_wrap=True)
