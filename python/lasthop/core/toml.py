"""Writes scenarios that were made or changed in Python as TOML, and reads resolved ones."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date, time
from functools import lru_cache
from typing import Any

from lasthop.errors import UsageError

BARE = re.compile(r"[A-Za-z0-9_-]+")


@lru_cache(maxsize=4)
def tables(text: str) -> Mapping[str, Any]:
    """Return the tables of a text. Callers share them, so they must not change them."""
    return tomllib.loads(text)


def written(document: Mapping[str, Any]) -> str:
    """Return a document as TOML: plain keys first, then tables and lists of tables; deeper values are
    inline."""
    plain = [line(key, value) for key, value in document.items() if not _stands_apart(value)]
    parts = ["\n".join(plain)] if plain else []
    for key, value in document.items():
        if isinstance(value, Mapping):
            parts.append(_table(f"[{name(key)}]", value))
        elif _stands_apart(value):
            parts += [_table(f"[[{name(key)}]]", each) for each in value]
    return "\n\n".join(parts) + "\n"


def line(key: str, value: Any) -> str:
    """Return ``key = value``."""
    try:
        return f"{name(key)} = {shown(value)}"
    except TypeError as error:
        raise UsageError(f"{key!r}: {error}") from None


def name(key: str) -> str:
    """Return a key, in quotation marks where it needs them."""
    return key if BARE.fullmatch(key) else json.dumps(key, ensure_ascii=False)


def shown(value: Any) -> str:
    """Return a value; raises TypeError for what no scenario has."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        return repr(float(value)) if math.isfinite(value) else str(float(value))
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, Mapping):
        return "{ " + ", ".join(line(key, each) for key, each in value.items()) + " }"
    if isinstance(value, Sequence) and not isinstance(value, bytes):
        return "[" + ", ".join(map(shown, value)) + "]"
    if hasattr(value, "item"):  # numbers of numpy
        return shown(value.item())
    raise TypeError(f"{value!r} is not a value in a scenario")


def _stands_apart(value: Any) -> bool:
    if isinstance(value, Mapping):
        return True
    listed = isinstance(value, Sequence) and not isinstance(value, str | bytes)
    return listed and bool(value) and all(isinstance(each, Mapping) for each in value)


def _table(head: str, table: Mapping[str, Any]) -> str:
    return "\n".join([head, *(line(key, value) for key, value in table.items())])
