"""A directory in which a study keeps what it has computed.

::

    DIR/manifest.json         the study: its text, its scenario, engine, metrics and their units
    DIR/cells.parquet         a row for each cell: its number, its key, the value of each axis
    DIR/rows/NAME.parquet     finished batches: cell (key), replication, metric, value

Files appear whole or not at all, and are never changed; two coordinators may write at once.
"""

from __future__ import annotations

import contextlib
import errno
import os
import time
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lasthop.core import parquet
from lasthop.core import safe_files as files
from lasthop.core.engine import engine
from lasthop.core.metrics.leaves import Array
from lasthop.errors import LasthopError, UsageError
from lasthop.numbers.numerals import counted
from lasthop.numbers.table import Table
from lasthop.regular_files import UnreadableError, content, json_of
from lasthop.study import batches
from lasthop.study.batches import BrokenError, Part, Piece
from lasthop.study.manifest import checked, same
from lasthop.study.plan import Range, merged

MANIFEST = "manifest.json"
CELLS = "cells.parquet"
ROWS = "rows"

#: The largest manifest that is read, bytes: it holds a scenario and a study, and every value of every axis.
MOST_BYTES = 100_000_000

#: Age after which the leftovers of a killed process are removed, s: writing a file never takes this long.
STALE_S = 3600.0


class Store:
    """The content of a directory, as far as it was read.

    Attributes:
        path: The directory.
        broken: What is wrong with files that are not used, by name.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.broken: dict[str, str] = {}
        self._passed_over: set[str] = set()
        self._known: dict[str, tuple[Piece, ...]] = {}
        self._engines: dict[str, str] = {}

    def create(self) -> None:
        """Make the directories, and see whether anything can be written; raises LasthopError if not."""
        files.probe(self.path / ROWS)
        self._sweep()

    def write(self, parts: Sequence[Part]) -> None:
        """Write a batch; raises LasthopError where it cannot be. What has been written before stays."""
        name, content = batches.encode(parts)
        self.write_encoded(name, content)
        self._known[name] = tuple(batches.piece_of(part) for part in parts)

    def write_encoded(self, name: str, content: bytes) -> None:
        """Write a batch that was encoded elsewhere."""
        path = self.path / ROWS / name
        try:
            files.write_bytes(path, content)
        except OSError as error:
            raise LasthopError(_unwritable(path, error)) from error

    def describe(self, manifest: Mapping[str, Any], cells: Table) -> None:
        """Write the study's own two files, where they are not there as they are.

        Raises UsageError where the directory holds another study, LasthopError where nothing can be
        written.
        """
        try:
            held = self.manifest()
        except UsageError:  # damaged: it is written anew
            held = None
        if same(held, manifest) and self._has(cells):
            return
        if held is not None and held.get("study") != manifest["study"]:
            other = held.get("study")
            raise UsageError(f"{self.path} holds the study {other!r}: give another directory")
        self.create()
        with files.explained(self.path):
            files.write_bytes(self.path / CELLS, parquet.written(cells))
            files.write_json(self.path / MANIFEST, manifest)

    def manifest(self) -> dict[str, Any] | None:
        """Return the manifest, checked; None where there is none. Raises UsageError where it is damaged."""
        path = self.path / MANIFEST
        try:
            return checked(json_of(content(path, MOST_BYTES)), str(path))
        except UnreadableError as error:
            if error.missing:
                return None
            raise UsageError(f"{path}: {error}") from None

    def whole_manifest(self) -> dict[str, Any] | None:
        """Return the manifest; None where there is none that is whole, and where it is in another format."""
        try:
            held = self.manifest()
        except UsageError:
            return None
        return held if held is not None and held["format"] is not None else None

    def cells(self) -> Table:
        """Return the table of cells; raises UsageError where there is none."""
        try:
            return parquet.read(self.path / CELLS)
        except (OSError, parquet.ParquetError):
            raise UsageError(f"{self.path} holds no study: {CELLS} is missing or broken") from None

    def look(self) -> None:
        """Read files that have appeared since the last look, and check them."""
        folder = self.path / ROWS
        try:
            names = {entry.name for entry in os.scandir(folder) if _is_batch(entry.name)}
        except FileNotFoundError:
            names = set()
        except OSError as error:
            raise LasthopError(f"{folder}: cannot be read: {error.strerror}") from None
        for gone in self._known.keys() - names:
            del self._known[gone]
        for name in sorted(names - self._known.keys() - self._passed_over):
            self._check(folder / name)

    def covered(self) -> dict[tuple[str, str], list[Range]]:
        """Return which replications are there, by cell's key and metric."""
        found: dict[tuple[str, str], list[Range]] = {}
        for pieces in self._known.values():
            for piece in pieces:
                for metric in piece.metrics:
                    found.setdefault((piece.key, metric), []).append(piece.range)
        return {what: merged(ranges) for what, ranges in found.items()}

    def unused(self, keys: Collection[str]) -> dict[str, str]:
        """Return the message about rows of cells with other keys, by their engine."""
        found: Counter[str] = Counter()
        for name, pieces in self._known.items():
            rows = sum(piece.rows for piece in pieces if piece.key not in keys)
            if rows and name in self._engines:
                found[self._engines[name]] += rows
        ours = engine()
        other = "belong to a scenario, seed or axis value that this study no longer has"
        why = {name: f"are of the engine {name}, and this is {ours}" for name in found} | {
            ours: other
        }
        return {
            name: f"{counted(rows, 'row')} in {self.path} {why[name]}; they are not used"
            for name, rows in found.items()
        }

    def values(self, keys: Sequence[str], names: Sequence[str]) -> dict[str, Array]:
        """Return by cell's key what is there of these metrics: (replications, metrics), NaN where nothing is.

        Rows are those from replication 0 to the last that any of the metrics has.
        """
        wanted, column = set(keys), {name: place for place, name in enumerate(names)}
        covered = self.covered()
        lengths = {
            key: max((covered.get((key, n), [(0, 0)])[-1][1] for n in names), default=0)
            for key in wanted
        }
        found = {key: np.full((lengths[key], len(names)), np.nan) for key in wanted}
        for name, pieces in sorted(self._known.items()):
            mine = [p for p in pieces if p.key in wanted and column.keys() & set(p.metrics)]
            if not mine:
                continue
            _, table = batches.read(self.path / ROWS / name)
            inside = batches.matrix(table, pieces)
            for piece in mine:
                start, stop = piece.range
                for place, metric in enumerate(piece.metrics):
                    if metric in column:
                        found[piece.key][start:stop, column[metric]] = inside[piece][:, place]
        return found

    def _has(self, cells: Table) -> bool:
        try:
            return bool(self.cells().equals(cells))
        except UsageError:
            return False

    def _check(self, path: Path) -> None:
        try:
            pieces, table = batches.read(path)
        except BrokenError as error:
            self.broken[path.name] = str(error)
            try:
                # Away from readers of all rows, and from the file that will have its name.
                os.replace(path, path.with_name(f"{path.name}.broken"))
            except OSError:
                self._passed_over.add(path.name)
        except FileNotFoundError:
            return
        except OSError as error:
            raise LasthopError(f"{path}: cannot be read: {error.strerror or error}") from None
        else:
            self._known[path.name] = tuple(pieces)
            self._engines[path.name] = batches.engine_of(table)

    def _sweep(self) -> None:
        for entry in os.scandir(self.path / ROWS):
            with contextlib.suppress(OSError):
                if entry.name.startswith(".") and entry.stat().st_mtime < time.time() - STALE_S:
                    os.unlink(entry.path)


def _is_batch(name: str) -> bool:
    return name.endswith(batches.ENDING) and not name.startswith(".")


def _unwritable(path: Path, error: OSError) -> str:
    said = f"cannot write {path}: {error.strerror or error}"
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"{said}. Everything written so far is intact: free some space and run the same command again"
    if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM):
        return f"{said}. Results so far can be read with `lasthop results`"
    return said
