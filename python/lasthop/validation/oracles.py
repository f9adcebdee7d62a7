"""Reference numbers of other simulators, which live outside this repository."""

from __future__ import annotations

import csv
from pathlib import Path


def folder() -> Path | None:
    """Return the nearest folder `shared/oracles` at or above the working directory or this file."""
    here = (Path.cwd(), Path(__file__).resolve().parent)
    for above in (each for start in here for each in (start, *start.parents)):
        found = above / "shared" / "oracles"
        if found.is_dir():
            return found
    return None


def table(name: str, **where: str) -> list[dict[str, str]] | None:
    """Return the rows of a CSV table in which each column named has the value given."""
    base = folder()
    if base is None:
        return None
    with (base / name).open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [row for row in rows if all(row[key] == value for key, value in where.items())]
