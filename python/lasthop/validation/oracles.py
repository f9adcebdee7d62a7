"""Reference numbers of other simulators, which live outside this repository.

They are read from the folder that `reading` names, and else from the nearest `shared/oracles`.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from lasthop.errors import UsageError

_CHOSEN: ContextVar[Path | None] = ContextVar("oracles", default=None)


@contextmanager
def reading(chosen: Path | None) -> Iterator[None]:
    """Read from this folder; None: from where `nearest_folder` finds one. Raises UsageError."""
    if chosen is not None and not chosen.is_dir():
        raise UsageError(f"--oracles {chosen}: is no folder; one like shared/oracles is expected")
    token = _CHOSEN.set(chosen)
    try:
        yield
    finally:
        _CHOSEN.reset(token)


def folder() -> Path | None:
    """Return the folder of reference numbers: the one chosen, else the nearest."""
    return _CHOSEN.get() or nearest_folder()


def nearest_folder() -> Path | None:
    """Return the nearest folder `shared/oracles` at or above the working directory or this file."""
    here = (Path.cwd(), Path(__file__).resolve().parent)
    for above in (each for start in here for each in (start, *start.parents)):
        found = above / "shared" / "oracles"
        if found.is_dir():
            return found
    return None


def path(name: str) -> Path | None:
    """Return the path of a file of reference numbers; None where it is not on this machine."""
    base = folder()
    found = None if base is None else base / name
    return found if found is not None and found.is_file() else None


def document(name: str) -> dict[str, Any] | None:
    """Return what a JSON file of reference numbers holds; None where it is not on this machine."""
    found = path(name)
    if found is None:
        return None
    held: dict[str, Any] = json.loads(found.read_text(encoding="utf-8"))
    return held


def table(name: str, **where: str) -> list[dict[str, str]] | None:
    """Return the rows of a CSV table in which each column named has the value given.

    None where the table is not on this machine.
    """
    found = path(name)
    if found is None:
        return None
    with found.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [row for row in rows if all(row[key] == value for key, value in where.items())]
