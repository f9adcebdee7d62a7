"""A thing that is odd about a run, and how numbers of a summary are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Finding:
    """What is odd.

    Attributes:
        rule: Its short name, which does not change: ``full-queue``.
        what: A sentence with the number.
        why: Why it matters.
        advice: What to try.
    """

    rule: str
    what: str
    why: str
    advice: str

    def __str__(self) -> str:
        """Return all of it, in one paragraph."""
        return f"{self.what} {self.why} {self.advice}"


def number(row: Mapping[str, Any], *keys: str) -> float:
    """Return a number of one run, or its mean over several; 0 where there is none."""
    value: Any = row
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    if isinstance(value, Mapping):
        value = value.get("mean")
    return 0.0 if value is None else float(value)


def known(row: Mapping[str, Any], key: str) -> bool:
    """Return whether a row has a number there."""
    value = row.get(key)
    return (value.get("mean") if isinstance(value, Mapping) else value) is not None


def others(count: int, what: str) -> str:
    """Say that there are more; `what` is the word for one."""
    more = count - 1
    return "" if more < 1 else f" The same is true of {more} more {what}{'s' if more > 1 else ''}."
