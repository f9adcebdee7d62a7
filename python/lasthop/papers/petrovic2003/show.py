"""The study on a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

from lasthop.papers import showing
from lasthop.papers.petrovic2003.facts import Case, facts
from lasthop.papers.petrovic2003.words import evidence_line, own_line, printed

WIDE = 133
"""Columns of a terminal that all four cases need side by side."""


def show(document: dict[str, Any], console: Console) -> None:
    """Print tables, verdicts, what was unstated, and where the files are."""
    by_id = {table["id"]: table for table in document["tables"]}
    if "1" in by_id:
        _totals(by_id["1"], console)
    if "2" in by_id:
        _stations(by_id["2"], console)
        _fairness(by_id["2-fairness"], console)
    for number in ("3", "4"):
        if number in by_id:
            _web(by_id[number], console)
    if "5" in by_id:
        _voice(by_id["5"], console)
    showing.claims(document, evidence_line, own_line, console)
    showing.unstated(document, console)
    showing.files(document, console)


def _number(value: float | None, digits: int = 1) -> str:
    return "-" if value is None else f"{value:.{digits}f}"


def _simulated(row: dict[str, Any], digits: int = 1) -> str:
    if row["ci95"] is None:
        return _number(row["mean"], digits)
    return f"{_number(row['mean'], digits)} ± {_number(row['ci95'], digits)}"


def _totals(table: dict[str, Any], console: Console) -> None:
    cases = facts().cases
    console.print(f"\n[bold]Table 1[/]: {table['what']}, kbit/s")
    console.print("published | simulated mean ± 95 % interval | ratio simulated/published")
    together = console.width >= WIDE
    for some in [cases] if together else [cases[:2], cases[2:]]:
        console.print(_side_by_side(table, some))


def _side_by_side(table: dict[str, Any], cases: Sequence[Case]) -> Table:
    rows = {(r["packet_bytes"], r["window"], r["case"]): r for r in table["rows"]}
    out = Table(header_style="bold")
    out.add_column("bytes", justify="right")
    out.add_column("win", justify="right")
    for case in cases:
        out.add_column(case.label, justify="right", no_wrap=True)
    paper = facts()
    for size in paper.sizes:
        for window in paper.windows:
            found = [rows[size, window, case.id] for case in cases]
            last = window == paper.windows[-1]
            out.add_row(str(size), str(window), *map(_cell, found), end_section=last)
    return out


def _cell(row: dict[str, Any]) -> str:
    ratio = "-" if row["ratio"] is None else f"{row['ratio']:.2f}"
    return f"{printed(row['published']):>5} | {_simulated(row):>13} | {ratio:>4}"


def _stations(table: dict[str, Any], console: Console) -> None:
    console.print(f"\n[bold]Table 2[/]: {table['what']}, kbit/s")
    console.print("published | simulated mean ± 95 % interval, each station by its rank")
    labels = {case.id: case.label for case in facts().cases}
    out = Table(header_style="bold")
    for name in ("cell", "rank", "published", "simulated"):
        out.add_column(name, justify="left" if name == "cell" else "right")
    for row in table["rows"]:
        cell = f"{row['packet_bytes']} B, window {row['window']}, {labels[row['case']]}"
        first, last = row["rank"] == 1, row["rank"] == 5
        values = (str(row["rank"]), printed(row["published"]), _simulated(row))
        out.add_row(cell if first else "", *values, end_section=last)
    console.print(out)


def _fairness(table: dict[str, Any], console: Console) -> None:
    console.print(f"\n{table['what']}, and runs with a starved station")
    labels = {case.id: case.label for case in facts().cases}
    out = Table(header_style="bold")
    for name in ("cell", "published", "simulated", "5 % to 95 %", "starved"):
        out.add_column(name, justify="left" if name == "cell" else "right")
    for row in table["rows"]:
        cell = f"{row['packet_bytes']} B, window {row['window']}, {labels[row['case']]}"
        between = f"{_number(row['p05'], 2)} to {_number(row['p95'], 2)}"
        starved = f"{row['starved_runs']} of {row['n']}"
        out.add_row(cell, f"{row['published']:.2f}", _simulated(row, 2), between, starved)
    console.print(out)


def _web(table: dict[str, Any], console: Console) -> None:
    size = table["rows"][0]["packet_bytes"]
    console.print(f"\n[bold]Table {table['id']}[/]: {table['what']}, {size} B packets, s")
    console.print("published | simulated mean ± 95 % interval")
    labels = {case.id: case.label for case in facts().cases}
    rows = {(labels[row["case"]], f"window {row['window']}"): row for row in table["rows"]}
    _grid(rows, console)


def _voice(table: dict[str, Any], console: Console) -> None:
    console.print(f"\n[bold]Table 5[/]: {table['what']}, %")
    console.print("published | simulated mean ± 95 % interval")
    rows = {(f"window {row['window']}", f"{row['udp_bytes']} B"): row for row in table["rows"]}
    _grid(rows, console)


def _grid(rows: Mapping[tuple[str, str], dict[str, Any]], console: Console) -> None:
    """Print the rows by (name of the line, name of the column), in halves on a narrow terminal."""
    columns = list(dict.fromkeys(column for _, column in rows))
    half = len(columns) if console.width >= WIDE else 2
    for start in range(0, len(columns), half):
        some = columns[start : start + half]
        out = Table(header_style="bold")
        out.add_column("", no_wrap=True)
        for column in some:
            out.add_column(column, justify="right", no_wrap=True)
        for line in dict.fromkeys(line for line, _ in rows):
            cells = (rows[line, column] for column in some)
            out.add_row(line, *(f"{c['published']:.2f} | {_simulated(c, 2)}" for c in cells))
        console.print(out)
