"""Work that the core does without the interpreter, in several threads."""

from __future__ import annotations

import contextvars
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from lasthop.machine import cores

T = TypeVar("T")
R = TypeVar("R")

FEW = 64
"""Fewer items are done before threads have been started."""
AT_ONCE = 1024
"""Items that are begun before the first of them is asked for."""


def each(work: Callable[[T], R], items: Sequence[T]) -> Iterator[R]:
    """Yield what `work` returns for each item, in their order, by a thread for each core.

    Raises what it raises for the first item for which it does; up to `AT_ONCE` further items have been tried then.
    """
    if len(items) < FEW:
        yield from map(work, items)
        return
    from concurrent.futures import ThreadPoolExecutor

    context = contextvars.copy_context()
    with ThreadPoolExecutor(cores()) as pool:
        for first in range(0, len(items), AT_ONCE):
            yield from pool.map(
                lambda item: context.copy().run(work, item), items[first : first + AT_ONCE]
            )
