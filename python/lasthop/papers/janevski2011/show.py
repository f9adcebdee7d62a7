"""The reproduction on a terminal."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from lasthop.papers import showing
from lasthop.papers.audits import holds_only_if
from lasthop.papers.janevski2011.facts import LABELS, QUEUES
from lasthop.papers.words import evidence_line, own_line


def show(document: dict[str, Any], console: Console) -> None:
    """Print tables, verdicts, what was unstated, and where the files are."""
    if document["quick"]:
        console.print(
            "--quick: a few cells, transfers of 25 to 31 s instead of 75 s; the rest stays open"
        )
    for table in document["tables"]:
        console.print(f"\n[bold]Table {table['id']}[/]: {table['what']}, {table['unit']}")
        if table["id"] == "6":
            _ranks(table, console)
        else:
            console.print("published | simulated mean ± 95 % interval")
            _delays(table, console)
    showing.claims(document, evidence_line, own_line, console)
    if document["audit"]:
        for line in holds_only_if(document["audit"]):
            console.print(escape(line), highlight=False)
    showing.unstated(document, console)
    showing.files(document, console)


def simulated(row: dict[str, Any], digits: int = 2) -> str:
    """Return a mean with its interval."""
    if row["mean"] is None:
        return "-"
    mean = f"{row['mean']:.{digits}f}"
    return mean if row["ci95"] is None else f"{mean} ± {row['ci95']:.{digits}f}"


def _delays(table: dict[str, Any], console: Console) -> None:
    out = Table(header_style="bold")
    for name in ("m", "TCP", *(f"queue {ifq}" for ifq in QUEUES)):
        out.add_column(name, justify="left" if name == "TCP" else "right")
    rows = {(row["distance_m"], row["tcp"], row["ifq"]): row for row in table["rows"]}
    for distance, tcp in dict.fromkeys((d, t) for d, t, _ in rows):
        cells = (rows[distance, tcp, ifq] for ifq in QUEUES)
        shown = (f"{cell['published']:.2f} | {simulated(cell)}" for cell in cells)
        out.add_row(str(distance), LABELS[tcp], *shown)
    console.print(out)


def _ranks(table: dict[str, Any], console: Console) -> None:
    console.print("published | simulated, with the places that it shares with those not told apart")
    out = Table(header_style="bold")
    rows = {(row["speed_kmh"], row["rank"]): row for row in table["rows"]}
    speeds = list(dict.fromkeys(speed for speed, _ in rows))
    for name in ("rank", *(f"{speed} km/h" for speed in speeds)):
        out.add_column(name)
    for rank in dict.fromkeys(rank for _, rank in rows):
        out.add_row(str(rank), *(_place(rows[speed, rank]) for speed in speeds))
    console.print(out)


def _place(row: dict[str, Any]) -> str:
    own = f"{LABELS[row['simulated']]} ({row['places']})" if row["simulated"] else "-"
    return f"{LABELS[row['published']]} | {own}"
