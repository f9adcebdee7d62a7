"""Reference numbers of other simulators: `kept` here, and others that live outside this repository.

Those are read from the folder that `reading` names, and else from the nearest `shared/oracles`.
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Any, TypeVar

from lasthop.errors import UsageError, nearest
from lasthop.numbers.stats import t_quantile

T = TypeVar("T")
R = TypeVar("R")
C = TypeVar("C")

REFERENCES = Path(__file__).parents[1] / "references"

_CHOSEN: ContextVar[Path | None] = ContextVar("oracles", default=None)
_LEFT_OUT: ContextVar[list[str] | None] = ContextVar("left_out", default=None)


class TableError(UsageError):
    """A table that cannot be compared at all; the message names file, column and what is there."""


class RowError(UsageError):
    """A row that cannot be compared; the message names file, line, column, value and what is known."""


class Row(dict[str, str]):
    """A row of a table, by column; `where` names its file and line."""

    def __init__(self, where: str, columns: Mapping[str, str]) -> None:
        super().__init__(columns)
        self.where = where

    def __missing__(self, column: str) -> str:
        """Raise TableError: a column that is needed is not there."""
        file = self.where.rpartition(", line ")[0]
        raise TableError(f"{file}: no column {column!r}; there are: {', '.join(self)}")

    def wrong(self, column: str, what: str) -> RowError:
        """Return the error of a value that cannot be used."""
        return RowError(f"{self.where}: {column} {self[column]!r}: {what}")

    def number(self, column: str) -> float:
        """Return a finite number; raises RowError."""
        try:
            found = float(self[column])
        except ValueError:
            found = math.nan
        if not math.isfinite(found):
            raise self.wrong(column, "a number is expected")
        return found

    def reference(self, column: str = "mean") -> float:
        """Return a number that relative differences may be taken of: not zero; raises RowError."""
        found = self.number(column)
        if found == 0:
            raise self.wrong(column, "nothing can be compared with zero in parts")
        return found

    def whole(self, column: str, least: int = 0) -> int:
        """Return a whole number of at least `least`; raises RowError."""
        found = self.number(column)
        if found != int(found) or found < least:
            raise self.wrong(column, f"a whole number of at least {least} is expected")
        return int(found)

    def among(self, column: str, known: Mapping[str, T]) -> T:
        """Return what `known` has for the value; raises RowError."""
        if self[column] not in known:
            there = ", ".join(repr(each) for each in known)
            raise self.wrong(column, f"not compared; known: {there}{nearest(self[column], known)}")
        return known[self[column]]

    def ci95(self) -> float:
        """Return the half width of the mean's 95 % interval, as it stands there or of the spread; 0 for a
        single run."""
        if "ci95" in self:
            return self.number("ci95")
        runs = self.whole("n_seeds", least=1)
        if runs == 1:
            return 0.0
        return t_quantile(0.95, runs - 1) * self.number("std") / math.sqrt(runs)


class Metrics(dict[str, Row]):
    """The rows of one configuration, by metric."""

    def __missing__(self, metric: str) -> Row:
        """Raise RowError: this configuration lacks a metric."""
        first = next(iter(self.values()))
        raise RowError(
            f"{first.where}: of this configuration no metric {metric!r}; there are: {', '.join(self)}"
        )

    @property
    def settings(self) -> Row:
        """Return the configuration's first row."""
        return next(iter(self.values()))


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


def chosen() -> Path | None:
    """Return the folder that `reading` was given."""
    return _CHOSEN.get()


@contextmanager
def noting() -> Iterator[list[str]]:
    """Gather what `each` leaves out."""
    notes: list[str] = []
    token = _LEFT_OUT.set(notes)
    try:
        yield notes
    finally:
        _LEFT_OUT.reset(token)


def each(rows: Iterable[R], make: Callable[[R], list[C]]) -> list[C]:
    """Return what `make` makes of all rows; one that cannot be compared is left out, and noted."""
    found: list[C] = []
    for row in rows:
        try:
            found += make(row)
        except RowError as error:
            notes = _LEFT_OUT.get()
            if notes is None:
                raise
            notes.append(str(error))
    return found


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
    try:
        held: dict[str, Any] = json.loads(found.read_text(encoding="utf-8"))
    except ValueError as error:
        raise TableError(f"{name}: cannot be read: {error}") from None
    return held


def table(name: str, **where: str) -> list[Row] | None:
    """Return the rows of a CSV table in which each column named has the value given.

    None where the table is not on this machine.
    """
    found = path(name)
    if found is None:
        return None
    return [
        row for row in _rows(found, name) if all(row[key] == value for key, value in where.items())
    ]


def kept(name: str) -> list[Row]:
    """Return the rows of a table that this repository holds, beside what it was made with."""
    return _rows(REFERENCES / name, name)


def _rows(found: Path, name: str) -> list[Row]:
    try:
        with found.open(newline="", encoding="utf-8") as file:
            read = csv.DictReader(file, restval="", restkey="more")
            return [Row(f"{name}, line {read.line_num}", row) for row in read]
    except (ValueError, csv.Error) as error:
        raise TableError(f"{name}: cannot be read: {error}") from None


def configurations(rows: Iterable[Row] | None, keys: Iterable[str]) -> list[Metrics]:
    """Return rows by metric, of each configuration: rows alike in the columns `keys`."""
    columns = tuple(keys)
    found: dict[tuple[str, ...], Metrics] = {}
    for row in rows or []:
        key = tuple(row[column] for column in columns)
        found.setdefault(key, Metrics())[row["metric"]] = row
    return list(found.values())
