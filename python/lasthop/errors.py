"""Errors of lasthop: a sentence for a person, and an exit code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias, TypeVar

from lasthop import above

Steps: TypeAlias = tuple[str | int, ...]
"""Keys and places in lists that lead to something in a file, from the top."""

Kind = TypeVar("Kind", bound="LasthopError")

#: Lengths of excerpts of a word and of a message, characters: a path is a word, an excerpt two lines of 160.
LONGEST_WORD = 300
LONGEST_MESSAGE = 6000


def shortened(message: str) -> str:
    """Return a message without the whole of what is too long to be read, such as a value of 100 kB."""
    if len(message) > LONGEST_WORD:
        message = re.sub(rf"(\S{{{LONGEST_WORD}}})\S+", r"\1…", message)
    return message if len(message) <= LONGEST_MESSAGE else f"{message[:LONGEST_MESSAGE]}…"


class LasthopError(Exception):
    """A request that cannot be met. `exit_code` is what a command line program ends with.

    Attributes:
        said: What is wrong, without where.
        code: The kind of mistake; `lasthop check --explain` knows all.
        file: The file that has it; empty where none is known.
        path: What leads to it in that file.
        place: Its line and column, from 1; None where only its path is known.
        change: The ``key=value`` that has it, where no file does.
    """

    exit_code: int = 2

    def __init__(
        self,
        said: str = "",
        *,
        code: str = "does-not-fit",
        file: str = "",
        path: Steps = (),
        place: tuple[int, int] | None = None,
        change: str | None = None,
        shown: str = "",
    ) -> None:
        """Make the error; `shown` is what a person reads, where that is more than the place and `said`."""
        where = f"{file}:{place[0]}:{place[1]}: error: " if place else f"{file}: " if file else ""
        super().__init__(shortened(shown or f"{where}{said}"))
        self.said, self.code, self.file = shortened(said), code, file
        self.path, self.place, self.change = path, place, change

    def behind(self, where: str, kind: type[Kind], file: str = "", path: Steps = ()) -> Kind:
        """Return this mistake behind more words, of something in a file where it has no place of its own yet."""
        if self.place is not None:
            shown = ": ".join([*filter(None, (file, where)), str(self)])
            at: dict[str, Any] = {"file": self.file, "path": self.path, "place": self.place}
            return kind(self.said, code=self.code, shown=shown, **at)
        own = self.said if self.change is None else str(self)
        return kind(f"{where}: {own}" if where else own, code=self.code, file=file, path=path)


class UsageError(LasthopError):
    """Something was asked for that does not exist; the message names what does."""


def nearest(name: str, known: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the known name nearest to `name`, or an empty string."""
    close = above.nearest(name, list(known))
    return f"; did you mean {close!r}?" if close else ""


def offered(name: str, known: Iterable[str], listed: str = "", word: str = "there are") -> str:
    """Return what a name may mean and what is known: ``"; did you mean 'x'? there are: x, y"``.

    `listed` is the known as a text, by default with commas between them.
    """
    names = list(known)
    return f"{nearest(name, names) or ';'} {word}: {listed or ', '.join(names) or 'none'}"


class ScenarioError(LasthopError):
    """A scenario is wrong; the message names file, line, column, what is allowed, and the nearest name."""


class StudyError(LasthopError):
    """A study is wrong; the message names file, line, column, what is allowed, and the nearest name."""


class LawError(LasthopError):
    """A law in Python went wrong; the message names file, line, flow and simulated time."""


class CaptureError(LasthopError):
    """A capture could not be written; the message names the file and what the system says."""


class MeasuredError(LasthopError):
    """A measured file cannot be read; the message names the file and the line or byte at which it goes wrong."""


class InternalError(LasthopError):
    """A defect of lasthop, never of a scenario; the message says how to report it."""

    exit_code = 70

    def __init__(self, message: str, results: Sequence[dict[str, Any] | None] = ()) -> None:
        super().__init__(message)
        self.results = results
        """The results of the other jobs, in the order of the jobs; None where there is none."""
