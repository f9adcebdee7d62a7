"""Mistakes of a file gathered: where all are wanted, reading goes on after each; elsewhere the first ends it.

>>> with gathered() as found:
...     with apart():
...         raise UsageError("wrong")
>>> [str(each) for each in found]
['wrong']
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

from lasthop.errors import LasthopError

T = TypeVar("T")

#: Reading ends after this number of mistakes, since one of them then causes the others.
MOST = 50

_found: ContextVar[list[LasthopError] | None] = ContextVar("_found", default=None)


@contextmanager
def gathered() -> Iterator[list[LasthopError]]:
    """Give the list of what goes wrong inside, in parts that are `apart` or `kept`, and at last in all of it."""
    mine: list[LasthopError] = []
    before = _found.set(mine)
    try:
        try:
            yield mine
        except LasthopError as error:
            mine.append(error)
    finally:
        _found.reset(before)


@contextmanager
def apart() -> Iterator[None]:
    """Do a part on which what follows does not rest: where mistakes are gathered, its own ends it alone."""
    try:
        yield
    except LasthopError as error:
        held = _found.get()
        if held is None or len(held) >= MOST:
            raise
        held.append(error)


def kept(read: Callable[[], T], otherwise: T) -> T:
    """Return what is read, or something else where that is wrong and mistakes are gathered."""
    with apart():
        return read()
    return otherwise


def count() -> int:
    """Return how many mistakes are gathered so far: with more than before, something is not as meant."""
    return len(_found.get() or ())
