"""Claims from TOML: ``[[claim]] id, text, holds = { all = [ { above = { a = ..., b = ... } } ] }``.

Errors name the claim, the place in it, and the nearest name that there is.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lasthop.claims.vocabulary import WORDS
from lasthop.errors import UsageError, nearest
from lasthop.mistakes import apart

COMBINERS = ("all", "any", "not")
"""What joins words. ``all`` makes one statement of each cell, ``any`` and ``not`` one of everything."""

COMMON = ("part", "metric", "where", "overall", "reading")
"""Keys that every word may have: a name for this part, its metric, conditions on axes, axes to average over, and
whether it is said *in general* or of *everywhere*."""

READINGS = ("general", "everywhere")
"""In general: of the average over all settings, by one test. Everywhere: of each setting by itself."""

CLAIM_KEYS = ("id", "text", "holds", "metric", "where", "overall", "reading", "note")


@dataclass(frozen=True)
class Predicate:
    """A word and what is given for it; `path` says where it stands, for messages."""

    word: str
    given: Mapping[str, Any]
    path: str


@dataclass(frozen=True)
class Joined:
    """Words joined by ``all``, ``any`` or ``not``."""

    how: str
    parts: tuple[Predicate | Joined, ...]
    path: str


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts in a value, keys of tables too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inside in value.items():
            yield str(key)
            yield from _texts(inside)
    elif isinstance(value, (list, tuple)):
        for inside in value:
            yield from _texts(inside)


@dataclass(frozen=True)
class Claim:
    """Something that is said of a study, and what it means.

    Attributes:
        id: A short name, such as J4.
        text: What is said, in words.
        holds: What must be shown for it to hold.
        given: metric, where, overall and reading, which every word takes that says nothing else.
        note: What a reader of the verdict should know.
    """

    id: str
    text: str
    holds: Predicate | Joined
    given: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""

    def names(self) -> Iterator[str]:
        """Yield every key and every text in what it says: what it may name of a study."""
        yield from _texts(self.given)
        waiting = [self.holds]
        while waiting:
            said = waiting.pop()
            if isinstance(said, Joined):
                waiting += said.parts
            else:
                yield from _texts(said.given)

    def metrics(self) -> list[str]:
        """Return the metrics that it names."""
        return list(dict.fromkeys(_metrics(self.holds, self.given.get("metric"))))


def _metrics(said: Predicate | Joined, default: str | None) -> Iterable[str]:
    if isinstance(said, Joined):
        for part in said.parts:
            yield from _metrics(part, default)
    elif name := said.given.get("metric", default):
        yield name


OF_NUMBERS = ("about", "over", "under")
"""Words whose `value` is the number that the metric is held against; elsewhere it is a value of an axis."""

LARGEST = 1e300
"""Larger numbers, or what is none, are a slip."""


def read_claims(tables: Any, file: str = "claims") -> list[Claim]:
    """Read the tables of ``[[claim]]``; raises UsageError, which begins with `file`."""
    if not isinstance(tables, list) or not all(isinstance(t, dict) for t in tables):
        raise UsageError(f"{file}: claims are written [[claim]], each with id, text and holds")
    claims: list[Claim] = []
    for number, table in enumerate(tables):
        with apart():
            claims.append(_claim(table, f"{file}: claim {_name(table, number)}"))
    seen: set[str] = set()
    for claim in claims:
        with apart():
            if claim.id in seen:
                raise UsageError(f"{file}: two claims are called {claim.id!r}")
        seen.add(claim.id)
    return claims


def _name(table: Mapping[str, Any], place: int) -> str:
    name = table.get("id")
    return name if isinstance(name, str) and name else f"number {place + 1}"


def _claim(table: Mapping[str, Any], path: str) -> Claim:
    _only(table, CLAIM_KEYS, path)
    for key in ("id", "text"):
        if not isinstance(table.get(key), str) or not table[key]:
            raise UsageError(f"{path}: {key} must be a text")
    if "holds" not in table:
        raise UsageError(f"{path}: holds is missing: {{ all = [ {{ above = {{ ... }} }} ] }}")
    given = _read({k: table[k] for k in COMMON if k in table}, path)
    holds = _holds(table["holds"], f"{path}: holds")
    return Claim(table["id"], table["text"], holds, given, str(table.get("note", "")))


def _holds(value: Any, path: str) -> Predicate | Joined:
    if not isinstance(value, dict) or len(value) != 1:
        raise UsageError(f"{path} must be one word in braces, such as {{ above = {{ ... }} }}")
    ((name, inside),) = value.items()
    path = f"{path}.{name}"
    if name in COMBINERS:
        parts = inside if name != "not" else [inside]
        if not isinstance(parts, list) or not parts:
            raise UsageError(f"{path} must be a list of words in brackets")
        read = tuple(
            _holds(part, path if name == "not" else f"{path}[{n}]") for n, part in enumerate(parts)
        )
        return Joined(name, read, path)
    if name not in WORDS:
        known = [*COMBINERS, *WORDS]
        raise UsageError(f"{path}: no word {name!r}{nearest(name, known)} ({', '.join(known)})")
    return _said(name, inside, path)


def _said(name: str, inside: Any, path: str) -> Predicate:
    word = WORDS[name]
    if not isinstance(inside, dict):
        raise UsageError(f"{path} must be keys in braces: {_keys(name)}")
    _only(inside, (*word.needs, *word.may, *COMMON), path)
    for key in word.needs:
        if key not in inside:
            raise UsageError(f"{path}: {key} is missing ({_keys(name)})")
    if name in OF_NUMBERS and not _is_number(inside.get("value", 0)):
        raise UsageError(f"{path}: value must be a number, not {inside['value']!r}")
    return Predicate(name, _read(inside, path), path)


def _keys(name: str) -> str:
    return ", ".join((*WORDS[name].needs, *(f"[{key}]" for key in WORDS[name].may)))


def _only(table: Mapping[str, Any], allowed: Sequence[str], path: str) -> None:
    for key in table:
        if key not in allowed:
            hint = nearest(key, allowed)
            raise UsageError(f"{path}: no key {key!r}{hint} (there are: {', '.join(allowed)})")


def _read(table: Mapping[str, Any], path: str) -> dict[str, Any]:
    """Check and read the values of keys, which mean the same wherever they stand."""
    return {key: _value(key, value, f"{path}: {key}") for key, value in table.items()}


def _value(key: str, value: Any, path: str) -> Any:
    if key in ("a", "b", "where"):
        if not isinstance(value, dict) or not value:
            raise UsageError(f'{path} must be a setting, such as {{ "tcp.variant" = "sack" }}')
        return value
    if key in ("by", "within"):
        return _percent(value, path)
    if key in ("order", "but", "overall"):
        if not isinstance(value, list) or not value:
            raise UsageError(f"{path} must be a list in brackets")
        for each in value:
            _value("value", each, path)
        return value
    if key in ("at", "from", "high", "low", "to", "value"):
        if not isinstance(value, (str, bool)) and not _is_number(value):
            raise UsageError(f"{path} must be a value of an axis or a number, not {value!r}")
        return value
    if key in ("along", "effect", "metric", "part"):
        if not isinstance(value, str) or not value:
            raise UsageError(f"{path} must be a name")
        return value
    if key == "direction" and value not in ("up", "down"):
        raise UsageError(f"{path} must be 'up' or 'down', not {value!r}")
    if key == "reading" and value not in READINGS:
        raise UsageError(f"{path} must be 'general' or 'everywhere', not {value!r}")
    if key == "strictly" and not isinstance(value, bool):
        raise UsageError(f"{path} must be true or false, not {value!r}")
    return value


def _is_number(value: Any) -> bool:
    is_one = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_one and abs(value) < LARGEST


def _percent(value: Any, path: str) -> float:
    """Read ``"2 %"`` as 0.02."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*%\s*", value) if isinstance(value, str) else None
    if not found or not math.isfinite(float(found[1])):
        raise UsageError(f'{path} must be a percentage in quotes, such as "2 %", not {value!r}')
    return float(found[1]) / 100
