"""Documents of other tools, walked with care: what is not as it should be is an error that says where."""

from __future__ import annotations

import gzip
import io
import json
import math
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from lasthop import regular_files
from lasthop.errors import MeasuredError
from lasthop.regular_files import UnreadableError

LARGEST = 1_000_000_000
"""More bytes than a document of a measurement has."""


def fail(file: str, what: str) -> NoReturn:
    """Raise an error of this file."""
    raise MeasuredError(f"{file}: error: {what}")


class Place:
    """A value in a document, and the way to it."""

    def __init__(self, file: str, value: Any, way: str = "") -> None:
        """Begin at the top of a document."""
        self.file, self.value, self.way = file, value, way

    def fail(self, what: str) -> NoReturn:
        """Raise an error that names this place."""
        fail(self.file, f"{self.way or 'the document'} {what}")

    def at(self, key: str) -> Place:
        """Go to a key that must be there."""
        found = self.find(key)
        return self.fail(f'has no "{key}"') if found is None else found

    def find(self, key: str) -> Place | None:
        """Go to a key; None where it is not there, or null."""
        if not isinstance(self.value, dict):
            self.fail("is not an object")
        if self.value.get(key) is None:
            return None
        return Place(self.file, self.value[key], f"{self.way}.{key}" if self.way else key)

    def each(self) -> Iterator[Place]:
        """Go through a list."""
        if not isinstance(self.value, list):
            self.fail("is not a list")
        for place, value in enumerate(self.value):
            yield Place(self.file, value, f"{self.way}[{place}]")

    def number(self) -> float:
        """Return a finite number."""
        value = self.value
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            self.fail("is not a number")
        try:
            found = float(value)
        except OverflowError:
            self.fail("is too large a number")
        return found if math.isfinite(found) else self.fail("is not finite")

    def maybe(self, key: str) -> float | None:
        """Return the number of a key; None where there is none."""
        found = self.find(key)
        return None if found is None else found.number()

    def text(self) -> str:
        """Return text."""
        return self.value if isinstance(self.value, str) else self.fail("is not text")


def read_bytes(path: Path, file: str) -> bytes:
    """Return what a file holds, unpacked where it is gzip."""
    try:
        content = regular_files.content(path, LARGEST)
        if content[:2] == b"\x1f\x8b":
            with gzip.open(io.BytesIO(content)) as packed:
                content = packed.read(LARGEST + 1)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        fail(file, f"is gzip that cannot be unpacked: {str(error) or 'it is cut off'}")
    except UnreadableError as error:
        fail(file, str(error))
    if len(content) > LARGEST:
        fail(file, f"holds more than {LARGEST:,} bytes")
    return content


def document(content: bytes, file: str) -> Place:
    """Read JSON."""
    try:
        text = content.decode("utf-8-sig")
        return Place(file, json.loads(text))
    except UnicodeDecodeError as error:
        fail(file, f"byte {error.start} is not UTF-8 text")
    except json.JSONDecodeError as error:
        raise MeasuredError(f"{file}:{error.lineno}:{error.colno}: error: {error.msg}") from None
    except (RecursionError, ValueError) as error:
        fail(file, f"is JSON that cannot be read: {error}")
