"""Claims from TOML: ``[[claim]] id, text, holds = { all = [ { above = { a = ..., b = ... } } ] }``.

Errors name the claim, the place in it, and the nearest name that there is.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from lasthop.core.mistakes import apart
from lasthop.errors import Steps, UsageError, offered
from lasthop.study.claims.vocabulary import WORDS

COMBINERS = ("all", "any", "not")
"""Connectives. ``all`` makes one statement of each cell, ``any`` and ``not`` one of everything."""

COMMON = ("part", "metric", "where", "overall", "reading")
"""Keys that every word may have: a name for this part, its metric, conditions on axes, axes to average over, and
whether it is said *in general* or of *everywhere*."""

READINGS = ("general", "everywhere", "somewhere")
"""In general: of the average over all settings, by one test. Everywhere: of each setting by itself. Somewhere: of
one of them at least."""

CLAIM_KEYS = ("id", "text", "holds", "metric", "where", "overall", "reading", "note")


@dataclass(frozen=True)
class Place:
    """The place of a part of a claim: its file, the path to the claim in it, and its name in messages."""

    file: str
    path: Steps
    name: str

    def inside(self, more: str) -> Place:
        """Return the place of a part of this part."""
        return replace(self, name=f"{self.name}{more}")

    def wrong(self, what: str, code: str) -> UsageError:
        """Return the error that something is wrong with this part."""
        return UsageError(f"{self.name}{what}", code=code, file=self.file, path=self.path)


@dataclass(frozen=True)
class Predicate:
    """A word and what is given for it."""

    word: str
    given: Mapping[str, Any]
    place: Place


@dataclass(frozen=True)
class Joined:
    """Words joined by ``all``, ``any`` or ``not``."""

    how: str
    parts: tuple[Predicate | Joined, ...]


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
    """A statement about a study, and its meaning.

    Attributes:
        id: A short name, such as J4.
        text: What is said, in words.
        holds: What must be shown for it to hold.
        given: metric, where, overall and reading, which every word takes that says nothing else.
        note: What a reader of the verdict should know.
        path: What leads to it in its file.
    """

    id: str
    text: str
    holds: Predicate | Joined
    given: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    path: Steps = field(default=(), compare=False)

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
    else:
        yield from metrics_of({"metric": default, **said.given})


def metrics_of(given: Mapping[str, Any]) -> list[str]:
    """Return the metrics that a word speaks of: those that `a` and `b` name, else its own; none: the first."""
    sides = [given[side]["metric"] for side in ("a", "b") if "metric" in given.get(side, {})]
    named = sides or given.get("metric") or []
    return list(dict.fromkeys([named] if isinstance(named, str) else named))


OF_NUMBERS = ("about", "over", "under")
"""Words whose `value` is the number that the metric is held against; elsewhere it is a value of an axis."""

LARGEST = 1e300
"""Larger numbers, or what is none, are a slip."""


def read_claims(tables: Any, file: str = "claims") -> list[Claim]:
    """Read the tables of ``[[claim]]``; raises UsageError, which begins with `file`."""
    if not isinstance(tables, list) or not all(isinstance(t, dict) for t in tables):
        said = "claims are written [[claim]], each with id, text and holds"
        raise UsageError(said, code="wrong-kind", file=file, path=("claim",))
    claims: list[Claim] = []
    for number, table in enumerate(tables):
        with apart():
            place = Place(file, ("claim", number), f"claim {_name(table, number)}")
            claims.append(_claim(table, place))
    seen: set[str] = set()
    for claim in claims:
        with apart():
            if claim.id in seen:
                said = f"two claims have the id {claim.id!r}"
                raise UsageError(said, code="out-of-range", file=file, path=claim.path)
        seen.add(claim.id)
    return claims


def _name(table: Mapping[str, Any], place: int) -> str:
    name = table.get("id")
    return name if isinstance(name, str) and name else f"number {place + 1}"


def _claim(table: Mapping[str, Any], place: Place) -> Claim:
    _only(table, CLAIM_KEYS, place)
    for key in ("id", "text"):
        if not isinstance(table.get(key), str) or not table[key]:
            raise place.wrong(f": {key} must be a text", "wrong-kind")
    if "holds" not in table:
        raise place.wrong(": holds is missing: { all = [ { above = { ... } } ] }", "missing-key")
    given = _read({k: table[k] for k in COMMON if k in table}, place)
    holds = _holds(table["holds"], place.inside(": holds"))
    note = str(table.get("note", ""))
    return Claim(table["id"], table["text"], holds, given, note, place.path)


def _holds(value: Any, place: Place) -> Predicate | Joined:
    if not isinstance(value, dict) or len(value) != 1:
        raise place.wrong(" must be one word in braces, such as { above = { ... } }", "wrong-kind")
    ((name, inside),) = value.items()
    place = place.inside(f".{name}")
    if name in COMBINERS:
        parts = inside if name != "not" else [inside]
        if not isinstance(parts, list) or not parts:
            raise place.wrong(" must be a list of words in brackets", "wrong-kind")
        read = tuple(
            _holds(part, place if name == "not" else place.inside(f"[{n}]"))
            for n, part in enumerate(parts)
        )
        return Joined(name, read)
    if name not in WORDS:
        known = [*COMBINERS, *WORDS]
        raise place.wrong(f": no word {name!r}{offered(name, known)}", "unknown-name")
    return _said(name, inside, place)


def _said(name: str, inside: Any, place: Place) -> Predicate:
    word = WORDS[name]
    if not isinstance(inside, dict):
        raise place.wrong(f" must be keys in braces: {_keys(name)}", "wrong-kind")
    _only(inside, (*word.needs, *word.may, *COMMON), place)
    for key in word.needs:
        if key not in inside:
            raise place.wrong(f": {key} is missing ({_keys(name)})", "missing-key")
    if name in OF_NUMBERS and not _is_number(inside.get("value", 0)):
        raise place.wrong(f": value must be a number, not {inside['value']!r}", "wrong-kind")
    return Predicate(name, _read(inside, place), place)


def _keys(name: str) -> str:
    return ", ".join((*WORDS[name].needs, *(f"[{key}]" for key in WORDS[name].may)))


def _only(table: Mapping[str, Any], allowed: Sequence[str], place: Place) -> None:
    for key in table:
        if key not in allowed:
            hint = offered(key, allowed, ", ".join(allowed))
            raise place.wrong(f": no key {key!r}{hint}", "unknown-key")


def _read(table: Mapping[str, Any], place: Place) -> dict[str, Any]:
    """Check and read the values of keys, which mean the same everywhere."""
    return {key: _value(key, value, place.inside(f": {key}")) for key, value in table.items()}


def _value(key: str, value: Any, place: Place) -> Any:
    if key in ("a", "b", "where"):
        if not isinstance(value, dict) or not value:
            raise place.wrong(
                ' must be a setting, such as { "tcp.variant" = "sack" }', "wrong-kind"
            )
        return value
    if key in ("by", "within"):
        return _percent(value, place)
    if key in ("order", "but", "overall"):
        if not isinstance(value, list) or not value:
            raise place.wrong(" must be a list in brackets", "wrong-kind")
        for each in value:
            _value("value", each, place)
        return value
    if key in ("at", "from", "high", "low", "to", "value"):
        if not isinstance(value, (str, bool)) and not _is_number(value):
            raise place.wrong(
                f" must be a value of an axis or a number, not {value!r}", "wrong-kind"
            )
        return value
    if key == "metric" and isinstance(value, list) and value:
        return [_value(key, each, place) for each in value]
    if key in ("at_least", "at_most"):
        if not _is_number(value) or value <= 0:
            raise place.wrong(
                f" must be a ratio over 0, such as 2 for twice, not {value!r}", "out-of-range"
            )
        return value
    if key in ("along", "effect", "metric", "part"):
        if not isinstance(value, str) or not value:
            raise place.wrong(" must be a name", "wrong-kind")
        return value
    if key == "direction" and value not in ("up", "down"):
        raise place.wrong(f" must be 'up' or 'down', not {value!r}", "out-of-range")
    if key == "reading" and value not in READINGS:
        raise place.wrong(
            f" must be 'general', 'everywhere' or 'somewhere', not {value!r}", "out-of-range"
        )
    if key == "strictly" and not isinstance(value, bool):
        raise place.wrong(f" must be true or false, not {value!r}", "wrong-kind")
    return value


def _is_number(value: Any) -> bool:
    is_one = isinstance(value, (int, float)) and not isinstance(value, bool)
    return is_one and abs(value) < LARGEST


def _percent(value: Any, place: Place) -> float:
    """Read ``"2 %"`` as 0.02."""
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*%\s*", value) if isinstance(value, str) else None
    if not found or not math.isfinite(float(found[1])):
        said = f' must be a percentage in quotes, such as "2 %", not {value!r}'
        raise place.wrong(said, "wrong-kind")
    return float(found[1]) / 100
