"""Who computes what, where several coordinators work on one store: each says what it has begun.

A claim is a file that its owner touches while it works. It spares work and never guards it: where claims cannot
be written, or two are made in the same instant, both compute, and rows that are there twice are the same.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from lasthop import store as files
from lasthop.study import plan
from lasthop.study.cells import Cell
from lasthop.study.plan import Coverage, Range, Task

FOLDER = "claims"

#: How often an owner touches its claim, s; and after how long without that it counts no more: a machine that
#: died, or a disk that hung. An owner on this machine that is gone is noticed at once.
BEAT_S = 2.0
STALE_S = 30.0


class Claims:
    """What this coordinator has begun, and what others have.

    Args:
        store: The store's directory.
        cells: The study's cells, by number.
    """

    def __init__(self, store: Path, cells: Mapping[int, Cell]) -> None:
        self._folder, self._cells = store / FOLDER, cells
        self._host, self._pid = socket.gethostname(), os.getpid()
        self._path = self._folder / f"{uuid.uuid4().hex}.json"
        self._beaten = 0.0

    def free(self, tasks: Sequence[Task]) -> list[Task]:
        """Return the tasks that nobody else has begun."""
        begun = self._begun()
        return [task for task in tasks if not self._meets(task, begun)] if begun else list(tasks)

    def take(self, tasks: Sequence[Task]) -> None:
        """Say that these tasks, and no others, are being computed here."""
        pieces = [[self._cells[t.cell].key, t.start, t.stop, list(t.metrics)] for t in tasks]
        document = {"host": self._host, "pid": self._pid, "pieces": pieces}
        with contextlib.suppress(OSError):
            files.write_json(self._path, document)
            self._beaten = time.monotonic()

    def beat(self) -> None:
        """Say now and then that they still are."""
        if time.monotonic() - self._beaten >= BEAT_S:
            self._beaten = time.monotonic()
            with contextlib.suppress(OSError):
                os.utime(self._path)

    def release(self) -> None:
        """Take the claim back."""
        with contextlib.suppress(OSError):
            self._path.unlink(missing_ok=True)
            self._folder.rmdir()  # the last one; otherwise it is not empty

    def _meets(self, task: Task, begun: Coverage) -> bool:
        key, wanted = self._cells[task.cell].key, (task.start, task.stop)
        return any(
            plan.without(wanted, begun[key, name]) != [wanted]
            for name in task.metrics
            if (key, name) in begun
        )

    def _begun(self) -> Coverage:
        found: dict[tuple[str, str], list[Range]] = {}
        for key, start, stop, names in self._others():
            for name in names:
                found.setdefault((key, name), []).append((start, stop))
        return {what: plan.merged(ranges) for what, ranges in found.items()}

    def _others(self) -> Iterator[Any]:
        """Yield the pieces of claims that count; sweep away those whose owners are gone."""
        try:
            paths = [path for path in self._folder.iterdir() if path.suffix == ".json"]
        except OSError:
            return
        for path in paths:
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                if path == self._path:
                    continue
                claim = json.loads(path.read_text(encoding="utf-8"))
                if self._alive(claim, path.stat().st_mtime):
                    yield from claim["pieces"]
                else:
                    path.unlink()

    def _alive(self, claim: Mapping[str, Any], touched: float) -> bool:
        if time.time() - touched > STALE_S:
            return False
        if claim["host"] != self._host:
            return True
        try:
            os.kill(int(claim["pid"]), 0)
        except ProcessLookupError:
            return False
        except OSError:
            pass  # another user's
        return True
