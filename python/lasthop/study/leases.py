"""Claims on tasks where several coordinators work on one store: each records the tasks that it has begun.

A claim is a file that its owner touches while it works. It spares work and never guards it: where claims cannot
be written, or two are made in the same instant, both compute, and rows that are there twice are the same.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import socket
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from lasthop import machine
from lasthop.core import shapes
from lasthop.regular_files import UnreadableError, content, json_of
from lasthop.study import plan
from lasthop.study.plan import Coverage, Range, Task

FOLDER = "claims"

#: Interval at which an owner renews its claim, s; and the age after which a claim expires: a machine that
#: died, or a disk that hung. An owner on this machine that is gone is noticed at once.
BEAT_S = 2.0
STALE_S = 30.0


#: The largest claim that is read, bytes.
MOST_BYTES = 50_000_000

_PIECE = shapes.row(shapes.text, shapes.whole(), shapes.whole(), shapes.each(shapes.text))
SHAPE = shapes.fields(
    {
        "host": shapes.path,
        "pid": shapes.whole(1, 2**31 - 1),
        "taken": shapes.number,
        "pieces": shapes.each(_PIECE),
    }
)


class Claims:
    """Tasks that this coordinator has begun, and those of others.

    Args:
        store: The store's directory.
        keys: The keys of the study's cells, by number.
    """

    def __init__(self, store: Path, keys: Mapping[int, str]) -> None:
        self._folder, self.keys = store / FOLDER, keys
        self._host, self._pid = socket.gethostname(), os.getpid()
        self._path = self._folder / f"{uuid.uuid4().hex}.json"
        self._beaten = 0.0
        self._begun: Coverage = {}

    def look(self) -> None:
        """See what others have begun. Before one looks at the rows: theirs are written before a claim goes on."""
        self._begun = self._begun_before(math.inf)

    def free(self, tasks: Sequence[Task]) -> list[Task]:
        """Return what of the tasks nobody else had begun at the last look."""
        return plan.left(tasks, self.keys, self._begun)

    def take(self, tasks: Sequence[Task]) -> list[Task]:
        """Say that these tasks, and no others, are being computed here.

        Returns them without what another took in the same moment and a little earlier.
        """
        taken = time.time()
        pieces = [[self.keys[t.cell], t.start, t.stop, list(t.metrics)] for t in tasks]
        claim = {"host": self._host, "pid": self._pid, "taken": taken, "pieces": pieces}
        with contextlib.suppress(OSError):
            # No fsync: a process that dies with the machine has no claim.
            self._folder.mkdir(parents=True, exist_ok=True)
            begun = self._path.with_suffix(".new")
            begun.write_text(json.dumps(claim), encoding="utf-8")
            begun.replace(self._path)
            self._beaten = time.monotonic()
        return plan.left(tasks, self.keys, self._begun_before(taken))

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

    def _begun_before(self, time_s: float) -> Coverage:
        found: dict[tuple[str, str], list[Range]] = {}
        for key, start, stop, names in self._others(time_s):
            for name in names:
                found.setdefault((key, name), []).append((start, stop))
        return {what: plan.merged(ranges) for what, ranges in found.items()}

    def _others(self, time_s: float) -> Iterator[Any]:
        """Yield the pieces of claims taken before a time; sweep away those whose owners are gone."""
        try:
            paths = [path for path in self._folder.iterdir() if path.suffix == ".json"]
        except OSError:
            return
        for path in paths:
            # Of what is no claim nothing is known to be begun.
            with contextlib.suppress(OSError, UnreadableError, shapes.MisshapenError):
                if path == self._path:
                    continue
                claim = json_of(content(path, MOST_BYTES))
                shapes.check(claim, SHAPE)
                if not self._alive(claim, path.stat().st_mtime):
                    path.unlink()
                elif claim["taken"] < time_s:
                    yield from claim["pieces"]

    def _alive(self, claim: Mapping[str, Any], touched: float) -> bool:
        if time.time() - touched > STALE_S:
            return False
        if claim["host"] != self._host:
            return True
        return machine.is_running(int(claim["pid"]))
