"""Shapes of JSON documents: combined from parts, each of which reports where a value does not fit.

>>> check({"seed": 1}, fields({"seed": whole(0)}))
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeAlias

from lasthop.core.mistakes import apart, gathered
from lasthop.errors import LasthopError, Steps, nearest, offered

Shape: TypeAlias = Callable[[Any, Steps], None]
"""Raises MisshapenError where the value at a place has another shape."""


class MisshapenError(LasthopError):
    """A document has the wrong shape: the place, the value there, and what is allowed."""


def check(document: Any, shape: Shape) -> None:
    """Raise MisshapenError, the first, where a document has not this shape."""
    if found := wrong(document, shape):
        raise found[0]


def wrong(document: Any, shape: Shape) -> list[LasthopError]:
    """Return all that is of another shape in a document."""
    with gathered() as found:
        shape(document, ())
    return found


def text(value: Any, at: Steps) -> None:
    """Text in UTF-8."""
    path(value, at)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise refusal(value, at, "text") from None


def path(value: Any, at: Steps) -> None:
    """The name of a file, which need not be UTF-8."""
    if not isinstance(value, str):
        raise refusal(value, at, "text")


def flag(value: Any, at: Steps) -> None:
    """True or false."""
    if not isinstance(value, bool):
        raise refusal(value, at, "true or false")


def number(value: Any, at: Steps) -> None:
    """A finite number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not _finite(value):
        raise refusal(value, at, "a finite number")


def scalar(value: Any, at: Steps) -> None:
    """Text, a finite number, true or false."""
    if isinstance(value, str):
        text(value, at)
    elif not isinstance(value, (bool, int, float)) or not _finite(value):
        raise refusal(value, at, "text, a finite number, true or false")


def anything(_value: Any, _at: Steps) -> None:
    """Whatever it is."""


def whole(least: int = 0, most: int = 2**64 - 1) -> Shape:
    """Return the shape of a whole number within bounds."""

    def shape(value: Any, at: Steps) -> None:
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        if not is_whole or not least <= value <= most:
            code = "out-of-range" if is_whole else "wrong-kind"
            raise refusal(value, at, f"a whole number from {least:,} to {most:,}", code)

    return shape


def one_of(*allowed: str) -> Shape:
    """Return the shape of one of these words."""

    def shape(value: Any, at: Steps) -> None:
        if not isinstance(value, str) or value not in allowed:
            hint = nearest(value, allowed) if isinstance(value, str) else ""
            code = "out-of-range" if isinstance(value, str) else "wrong-kind"
            raise refusal(value, at, f"{' or '.join(allowed)}{hint}", code)

    return shape


def maybe(inside: Shape) -> Shape:
    """Return the shape of null or something."""

    def shape(value: Any, at: Steps) -> None:
        if value is not None:
            inside(value, at)

    return shape


def either(*allowed: Shape) -> Shape:
    """Return the shape of what has one of these shapes; the last says what is wrong with anything else."""

    def shape(value: Any, at: Steps) -> None:
        for inside in allowed[:-1]:
            with gathered() as found:
                inside(value, at)
            if not found:
                return
        allowed[-1](value, at)

    return shape


def each(inside: Shape, least: int = 0) -> Shape:
    """Return the shape of a list of such items, at least `least` of them."""

    def shape(value: Any, at: Steps) -> None:
        if not isinstance(value, list) or len(value) < least:
            raise refusal(value, at, "a list" + (f" of {least} or more" if least else ""))
        for place, element in enumerate(value):
            with apart():
                inside(element, (*at, place))

    return shape


def row(*parts: Shape) -> Shape:
    """Return the shape of a list with these elements."""

    def shape(value: Any, at: Steps) -> None:
        if not isinstance(value, list) or len(value) != len(parts):
            raise refusal(value, at, f"a list of {len(parts)}")
        for place, (element, part) in enumerate(zip(value, parts, strict=True)):
            with apart():
                part(element, (*at, place))

    return shape


def table(inside: Shape) -> Shape:
    """Return the shape of a table with any keys."""

    def shape(value: Any, at: Steps) -> None:
        if not isinstance(value, dict):
            raise refusal(value, at, "a table")
        for key, element in value.items():
            with apart():
                text(key, at)
                inside(element, (*at, key))

    return shape


def fields(known: Mapping[str, Shape], optional: Collection[str] = ()) -> Shape:
    """Return the shape of a table with these keys and no others."""

    def shape(value: Any, at: Steps) -> None:
        if not isinstance(value, dict):
            raise refusal(value, at, "a table")
        for key, inside in known.items():
            with apart():
                if key in value:
                    inside(value[key], (*at, key))
                elif key not in optional:
                    said = f"{named((*at, key))} is missing"
                    raise MisshapenError(said, code="missing-key", path=at)
        for key in value:
            if key not in known:
                hint = offered(str(key), known, word="allowed")
                with apart():
                    said = f"{named((*at, _shown(key)))}: unknown{hint}"
                    raise MisshapenError(said, code="unknown-key", path=(*at, key))

    return shape


def refusal(value: Any, at: Steps, allowed: str, code: str = "wrong-kind") -> MisshapenError:
    """Return the error that a value is not what is allowed."""
    said = f"{named(at) or 'it'} is {_shown(value)}; allowed: {allowed}"
    return MisshapenError(said, code=code, path=at)


def named(at: Steps) -> str:
    """Return a path as messages write it: ``table[0].rows``."""
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in at)
    return "".join(steps).removeprefix(".")


#: Length of an excerpt of a value, characters.
SHOWN = 40


def _shown(value: Any) -> str:
    if isinstance(value, (list, dict)):
        return "a list" if isinstance(value, list) else "a table"
    if isinstance(value, int) and abs(value) > 10**SHOWN:
        return "a very large number"
    said = "null" if value is None else repr(value)
    return said if len(said) <= SHOWN else f"{said[:SHOWN]}…"


def _finite(value: float) -> bool:
    return abs(value) <= 2**64 if isinstance(value, int) else math.isfinite(value)
