"""Reading what may be anything: regular files only, as a pipe or a device may never end, of a bounded size."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any, BinaryIO

from lasthop import machine

#: Kinds of paths that are not files.
_KINDS = (
    (stat.S_ISDIR, "is a directory"),
    (stat.S_ISFIFO, "is a pipe, which may never end; a file is expected"),
    (stat.S_ISCHR, "is a device, which may never end; a file is expected"),
    (stat.S_ISBLK, "is a device; a file is expected"),
    (stat.S_ISSOCK, "is a socket; a file is expected"),
)


class UnreadableError(Exception):
    """A file cannot be read: in words that go on behind its name.

    Attributes:
        missing: Whether it is because there is none.
    """

    def __init__(self, why: str, *, missing: bool = False) -> None:
        super().__init__(why)
        self.missing = missing


def refuse_irregular(path: Path) -> None:
    """Raise UnreadableError for what is no regular file, such as a pipe, which may never end; raises OSError."""
    mode = path.stat().st_mode
    for is_such, what in _KINDS:
        if is_such(mode):
            raise UnreadableError(what)


def opened(path: Path) -> BinaryIO:
    """Open a regular file; raises UnreadableError for anything else, OSError."""
    refuse_irregular(path)
    # What has become a pipe in between: without waiting for somebody to write.
    return os.fdopen(os.open(path, machine.READING), "rb")


def content(path: Path, most: int) -> bytes:
    """Return the content of a file of at most `most` bytes; raises UnreadableError."""
    try:
        with opened(path) as file:
            found = file.read(most + 1)
    except FileNotFoundError:
        raise UnreadableError("no such file", missing=True) from None
    except OSError as error:
        raise UnreadableError(f"cannot be read: {error.strerror or error}") from None
    except ValueError as error:  # a zero byte in the name
        raise UnreadableError(f"cannot be read: {error}") from None
    if len(found) > most:
        raise UnreadableError(f"larger than {most:,} bytes")
    return found


def json_of(text: str | bytes) -> Any:
    """Return what JSON says; raises UnreadableError where it is none, or lists and tables are nested too deep."""
    try:
        return json.loads(text)
    except UnicodeDecodeError:
        raise UnreadableError("not UTF-8 text") from None
    except json.JSONDecodeError as error:
        raise UnreadableError(
            f"not JSON: line {error.lineno}, column {error.colno}: {error.msg}"
        ) from None
    except ValueError as error:  # a number of thousands of digits
        raise UnreadableError(f"no JSON: {str(error).split(';')[0]}") from None
    except RecursionError:
        raise UnreadableError("lists and tables are nested too deeply") from None
