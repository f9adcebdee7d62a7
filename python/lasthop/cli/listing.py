"""`lasthop list`: what there is, by name."""

from __future__ import annotations

from typing import Any

from rich.table import Table

from lasthop import api, checkout, classroom, papers
from lasthop.cli.terminal import terminal
from lasthop.errors import UsageError, nearest


def show(kind: str | None, *, as_json: bool) -> None:
    """Print the whole catalogue, or one kind of it."""
    entries: dict[str, list[dict[str, Any]]] = {
        **api.catalogue(),
        "papers": [{"name": name, "about": about} for name, about in papers.names()],
        "lessons": [{"name": name, "about": about} for name, about in classroom.names()],
    }
    if checkout.is_here() or kind == "comparisons":
        compared = checkout.module("", "lasthop list comparisons").COMPARISONS
        entries["comparisons"] = [{"name": name, "about": compared[name]} for name in compared]
    if kind is not None:
        if kind not in entries:
            known = ", ".join(entries)
            raise UsageError(f"no kind {kind!r}; there is: {known}{nearest(kind, entries)}")
        entries = {kind: entries[kind]}
    if as_json:
        from lasthop.cli.commands import print_document

        print_document(entries)
        return
    console = terminal()
    for title, rows in entries.items():
        table = Table(
            title=title, title_justify="left", show_header=False, box=None, pad_edge=False
        )
        table.add_column(style="bold", min_width=18)
        table.add_column()
        for row in rows:
            table.add_row(row["name"], row["about"])
        console.print(table)
        console.print()
