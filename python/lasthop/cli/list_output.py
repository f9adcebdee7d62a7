"""`lasthop list`: what there is, by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.columns import Columns
from rich.console import Console
from rich.table import Table

from lasthop.cli.documents import print_document
from lasthop.cli.terminal import terminal
from lasthop.core import api, checkout, quantities, shipped
from lasthop.errors import UsageError, offered
from lasthop.pages import classroom
from lasthop.study import papers


def show(kind: str | None, *, as_json: bool) -> None:
    """Print the whole catalogue, or one kind of it."""
    entries: dict[str, list[dict[str, Any]]] = {
        **api.catalogue(),
        "papers": [{"name": name, "about": about} for name, about in papers.names()],
        **{kind: shipped.listed(kind) for kind in shipped.KINDS},
        "quantities": quantities.listed(),
        "lessons": [{"name": name, "about": about} for name, about in classroom.names()],
    }
    if checkout.is_here() or kind == "comparisons":
        compared = checkout.module("", "lasthop list comparisons").COMPARISONS
        entries["comparisons"] = [{"name": name, "about": compared[name]} for name in compared]
    if kind is not None:
        if kind not in entries:
            known = ", ".join(entries)
            raise UsageError(f"no kind {kind!r}{offered(kind, entries, known)}")
        entries = {kind: entries[kind]}
    if as_json:
        print_document(entries)
        return
    console = terminal()
    if kind is None:
        _overview(entries, console)
        return
    table = Table(show_header=False, box=None, pad_edge=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    for row in entries[kind]:
        table.add_row(row["name"], row["about"])
    console.print(table)


def _overview(entries: Mapping[str, Sequence[Any]], console: Console) -> None:
    """Print how many there are of each kind: all that is named fits no screen."""
    said = [f"{kind} [dim]{len(rows)}[/dim]" for kind, rows in entries.items()]
    console.print(Columns(said, padding=(0, 3), column_first=True))
    console.print("\nlasthop list KIND describes each entry in a line; --json prints everything.")
