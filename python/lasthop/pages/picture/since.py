"""What differs from the run before: beside each number that changed, by how much."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lasthop.core.quantities.shown import Column

Rows = Sequence[Mapping[str, Any]]
"""Rows of a table, each with its name."""


@dataclass(frozen=True)
class Since:
    """The run before.

    Attributes:
        summary: What it has measured.
        said: What has changed in the scenario since, a line.
    """

    summary: Mapping[str, Any]
    said: str


def cell(column: Column, row: Mapping[str, Any], before: Rows | None) -> str:
    """Return the cell of a row and, where the row was there `before` with another value, the difference."""
    text = column.cell(row)
    earlier = next((each for each in before or () if each["name"] == row["name"]), None)
    return text if earlier is None else f"{text}{difference(column, row, earlier)}"


def difference(column: Column, row: Mapping[str, Any], earlier: Mapping[str, Any]) -> str:
    """Return a blank and the difference of two rows, of means where there are replications.

    It is relative to the earlier value; where that is 0, it has the unit of the column. It is empty where both
    are the same.
    """
    now, then = _number(column.value(row)), _number(column.value(earlier))
    if now == then:
        return ""
    if now is None or then is None:
        return " gone" if now is None else " new"
    if then == 0:
        text = f"{(now - then) * column.unit[1]:+,.{column.digits}f}"
    else:
        part = 100 * (now - then) / abs(then)
        text = f"{part:+,.{0 if abs(part) >= 100 else 1}f} %"
    return f" {text}".replace("-", "\N{MINUS SIGN}")


def title(said: str, rows: Rows, columns: Sequence[Column], before: Rows | None) -> str:
    """Return the title of a table, which says so where all its numbers are those of `before`."""
    if before is None or [row["name"] for row in rows] != [row["name"] for row in before]:
        return said
    pairs = zip(rows, before, strict=True)
    same = all(column.value(a) == column.value(b) for a, b in pairs for column in columns)
    return f"{said}: same" if same else said


def _number(value: Any) -> float | None:
    return value.get("mean") if isinstance(value, Mapping) else value
