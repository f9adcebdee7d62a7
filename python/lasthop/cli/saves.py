"""Files whose contents are watched: who saves them, and how, does not matter.

Some editors write into a file, others write a new one and rename it, and some do so in several steps. So files
are looked at, some times a second; what counts is that their content is another one.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from lasthop import regular_files
from lasthop.core.source import MAX_FILE_BYTES
from lasthop.regular_files import UnreadableError

#: Interval between two looks at the files, s.
EVERY_S = 0.02

#: Time without a change after which a file counts as saved, s: some programs empty it before they write.
SETTLED_S = 0.02

#: Times of files are this coarse at worst (FAT), s: a file that is younger may change and keep its time.
COARSE_S = 2.0


@dataclass
class _Seen:
    """What a file was at the last look: its time, size and number; a hash of its content, None without one."""

    state: tuple[int, int, int] | None
    content: bytes | None


class Saves:
    """Watches files for other contents; one that is missing, as between two steps of a save, has not changed."""

    def __init__(self) -> None:
        self._seen: dict[Path, _Seen] = {}

    def add(self, paths: Iterable[Path]) -> bool:
        """Watch these files too, from their contents on; return whether one of them is new here."""
        new = [path for path in paths if path not in self._seen]
        for path in new:
            self._seen[path] = _seen(path)
        return bool(new)

    def changed(self) -> list[Path]:
        """Return the files that have another content than at the last call of `take`."""
        return [path for path, _ in self._changes()]

    def take(self) -> list[Path]:
        """Return the files that have changed, and know their contents from now on."""
        found = self._changes()
        self._seen |= found
        return [path for path, _ in found]

    def wait(self) -> list[Path]:
        """Wait until files have changed and have come to rest; return them."""
        found: list[Path] = []
        while True:
            fresh = self.take()
            if found and not fresh:
                return [*dict.fromkeys(found)]
            found += fresh
            time.sleep(SETTLED_S if found else EVERY_S)

    def _changes(self) -> list[tuple[Path, _Seen]]:
        found = []
        for path, seen in self._seen.items():
            if _is_as_seen(path, seen):
                continue
            now = _seen(path)
            if now.content is None:
                continue
            if now.content == seen.content:
                seen.state = now.state
            else:
                found.append((path, now))
        return found


def _is_as_seen(path: Path, seen: _Seen) -> bool:
    """Tell without reading it whether a file surely has the content that was seen."""
    state = _state(path)
    return state is None or (state == seen.state and time.time() - state[0] / 1e9 > COARSE_S)


def _state(path: Path) -> tuple[int, int, int] | None:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _seen(path: Path) -> _Seen:
    # Before the content: what is written in between has then another state.
    state = _state(path)
    try:
        content = regular_files.content(path, MAX_FILE_BYTES)
    except UnreadableError:
        return _Seen(state, None)
    except OSError:
        return _Seen(state, None)
    return _Seen(state, hashlib.blake2b(content).digest())
