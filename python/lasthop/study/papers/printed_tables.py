"""The tables that a paper prints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lasthop.core.quantities.units import said_unit
from lasthop.errors import Steps, UsageError, offered

Wrong = Callable[[str, str], UsageError]
"""Makes the error about a table, of what is wrong and of its code."""


@dataclass(frozen=True)
class Printed:
    """A table as it is printed: leading columns are axes, each other one is a setting of more.

    `kind` is ``means``, or ``ranks``: then the cells are names along the axis `along`, best first. One that is
    ``beyond`` the paper has no printed cells: its rows are values of `keys` alone.
    `less`, in the table's unit, is taken from each printed value. `path`: what leads to it in paper.toml.
    """

    id: str
    what: str
    measure: str
    keys: tuple[str, ...]
    columns: tuple[Mapping[str, Any], ...]
    where: Mapping[str, Any]
    rows: tuple[Sequence[Any], ...]
    unit: str
    scale: float
    note: str = ""
    kind: str = "means"
    along: str = ""
    less: float = 0.0
    path: Steps = field(default=(), compare=False)

    def cells(self) -> list[tuple[dict[str, Any], Any]]:
        """Return every printed value, less what its measure leaves out, with its setting."""
        count = len(self.keys)
        none = [None] * len(self.columns)
        return [
            (
                {**dict(zip(self.keys, row, strict=False)), **column, **self.where},
                round(value - self.less, 9) if self.less else value,
            )
            for row in self.rows
            for column, value in zip(
                self.columns, none if self.kind == "beyond" else row[count:], strict=True
            )
        ]


def completed(
    held: Mapping[str, Any], every: Sequence[Mapping[str, Any]], wrong: Wrong
) -> Mapping[str, Any]:
    """Return a table with all that it takes over from the one that it is `like`; raises UsageError.

    So one printed table is compared with several measures, such as those of two studies.
    """
    if (like := held.get("like")) is None:
        return held
    others = {each["id"]: each for each in every if "like" not in each}
    if like not in others:
        raise wrong(
            f"table {held['id']}: no table {like!r} to be like{offered(like, others)}",
            "unknown-name",
        )
    return {**others[like], **{key: value for key, value in held.items() if key != "like"}}


def read(held: Mapping[str, Any], unit: str, scale: float, wrong: Wrong, path: Steps) -> Printed:
    """Return a table from paper.toml, in its own unit and scale or those of its measure; raises UsageError."""
    where = f"table {held['id']}"
    keys, columns = tuple(held["keys"]), tuple(held["columns"])
    is_ranks = held.get("kind") == "ranks"
    count = len(keys) + (0 if held.get("kind") == "beyond" else len(columns))
    if is_ranks and not (keys and "along" in held):
        raise wrong(f"{where}: ranks need keys, and along: an axis", "missing-key")
    for row in held["rows"]:
        if len(row) != count:
            raise wrong(f"{where}: {row} has not {count} entries", "does-not-fit")
        numbers = row[:1] if is_ranks else row[len(keys) :]
        if any(isinstance(value, (str, bool)) for value in numbers):
            raise wrong(f"{where}: {row} has values that are not numbers", "wrong-kind")
    return Printed(
        held["id"],
        held["what"],
        held["measure"],
        keys,
        columns,
        held.get("where", {}),
        tuple(held["rows"]),
        said_unit(held.get("unit", unit)),
        held.get("scale", scale),
        held.get("note", ""),
        held.get("kind", "means"),
        held.get("along", ""),
        held.get("less", 0.0),
        path,
    )
