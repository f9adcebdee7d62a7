"""What lasthop says when a request cannot be met: a sentence for a person, and an exit code."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from typing import Any

#: So much of a word, and of a message, is shown, characters: a path is a word, an excerpt two lines of 160.
LONGEST_WORD = 300
LONGEST_MESSAGE = 6000


def shortened(message: str) -> str:
    """Return a message without the whole of what is too long to be read, such as a value of 100 kB."""
    if len(message) > LONGEST_WORD:
        message = re.sub(rf"(\S{{{LONGEST_WORD}}})\S+", r"\1…", message)
    return message if len(message) <= LONGEST_MESSAGE else f"{message[:LONGEST_MESSAGE]}…"


class LasthopError(Exception):
    """A request that cannot be met. `exit_code` is what a command line program ends with."""

    exit_code: int = 2

    def __init__(self, message: str = "") -> None:
        super().__init__(shortened(message))


class UsageError(LasthopError):
    """Something was asked for that does not exist; the message names what does."""


def nearest(name: str, known: Iterable[str]) -> str:
    """Return ``"; did you mean 'x'?"`` for the known name nearest to `name`, or an empty string."""
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.65)
    return f"; did you mean {close[0]!r}?" if close else ""


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
        """What the other jobs gave, in the order of the jobs; None where nothing came."""
