"""Printed beside simulated values: a dumbbell for each value of a table, a panel for each column."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from markupsafe import Markup

from lasthop.pages.figures import inline_svg as draw
from lasthop.pages.figures import takeaway

ROW = 22
"""Height of a row, pixels."""


def room(table: Mapping[str, Any]) -> int:
    """Return how wide the names of a table's rows are, pixels."""
    return 24 + 6 * max(len(_label(table, row)) for row in table["rows"])


def _label(table: Mapping[str, Any], row: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {row[key]}" for key in table["keys"])


def panels(table: Mapping[str, Any]) -> list[tuple[str, Markup]]:
    """Return (column, chart) of a table of means, all columns on one scale; nothing of other tables.

    Only values that are printed and simulated are drawn.
    """
    if table["kind"] != "means":
        return []
    width = len(table["columns"])
    own = [table["rows"][column::width] for column in range(width)]
    there = [
        [row for row in rows if row["published"] is not None and row["mean"] is not None]
        for rows in own
    ]
    every = [x for rows in there for row in rows for x in (row["published"], row["mean"])]
    if not every:
        return []
    scale = draw.even(every)
    return [
        (name, _panel(table, name, rows, scale))
        for name, rows in zip(table["columns"], there, strict=True)
        if rows
    ]


def numbers(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return what the charts of a table of means show."""
    names = table["columns"]
    rows = [
        [*(row[key] for key in table["keys"]), names[at % len(names)]]
        + [row[key] for key in ("published", "mean", "ci95")]
        for at, row in enumerate(table["rows"])
    ]
    return takeaway.kept([*table["keys"], "column", "printed", "simulated", "ci95"], rows)


def _panel(
    table: Mapping[str, Any], name: str, rows: list[Mapping[str, Any]], scale: draw.Scale
) -> Markup:
    height = ROW * len(rows)
    ticks = draw.steps(scale)
    marks = [draw.upright("g", scale, tick, height) for tick in ticks]
    marks += [draw.text(f"{tick:,g}", scale.at(tick), height + 16) for tick in ticks]
    for place, row in enumerate(rows):
        y = ROW * place + ROW / 2
        half = row["ci95"] or 0.0
        marks += [
            draw.text(_label(table, row), 0, y + 4, "lab", "end", -10),
            draw.line("ln2", scale, row["published"], row["mean"], y),
            draw.line("ci", scale, row["mean"] - half, row["mean"] + half, y),
            draw.dot("ring", scale, row["published"], y, 4),
            draw.dot("dot", scale, row["mean"], y, 4),
        ]
    said = f"Table {table['id']}, {name}: printed and simulated"
    return draw.svg(marks, height + 24, said)
