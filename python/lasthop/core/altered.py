"""The keys in which two resolved scenarios differ, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lasthop.core import toml

MOST = 6
"""The largest number of keys that a sentence names."""

LONGEST = 60
"""The longest value that is shown whole, characters."""

ABSENT = object()
"""The value of a key that is not there."""


def altered(before: str, after: str) -> list[str]:
    """Return words on each key whose value differs, by its dotted name, as ``--set`` has it.

    Args:
        before: A document as `Job.resolved` returns it.
        after: Another one.
    """
    return list(_differing("", toml.tables(before), toml.tables(after)))


def sentence(keys: list[str]) -> str:
    """Return the first of these words in one line, and how many there are more."""
    if not keys:
        return "no key has another value"
    more = len(keys) - MOST
    return "; ".join([*keys[:MOST], *([f"and {more} more"] if more > 0 else [])])


def _differing(path: str, before: Any, after: Any) -> Iterator[str]:
    ours, theirs = _by_name(before), _by_name(after)
    if ours is not None and theirs is not None:
        for key in dict.fromkeys([*ours, *theirs]):
            inner = f"{path}.{key}" if path else key
            yield from _differing(inner, ours.get(key, ABSENT), theirs.get(key, ABSENT))
    elif before is ABSENT:
        yield f"{path} is new" if theirs is not None else f"{path}: none -> {_shown(after)}"
    elif after is ABSENT:
        yield f"{path} is gone" if ours is not None else f"{path}: {_shown(before)} -> none"
    elif type(before) is not type(after):
        yield f"{path}: {_short(toml.shown(before))} -> {_short(toml.shown(after))}"
    elif before != after:
        yield f"{path}: {_shown(before)} -> {_shown(after)}"


def _by_name(value: Any) -> Mapping[str, Any] | None:
    """Return a table, or a list of tables as a table by their names or places; None for other values."""
    if isinstance(value, dict):
        return value
    if not isinstance(value, list) or not value or not all(isinstance(v, dict) for v in value):
        return None
    names = [each.get("name") for each in value]
    named = len({*names}) == len(names) and None not in names
    return {str(names[at] if named else at): each for at, each in enumerate(value)}


def _shown(value: Any) -> str:
    return _short(value if isinstance(value, str) else toml.shown(value))


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
