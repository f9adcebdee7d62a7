"""The form of a paper's TOML files: keys that are misspelt, missing or of the wrong type are reported before
any run."""

from __future__ import annotations

import re
from typing import Any

from lasthop.core.shapes import (
    MisshapenError,
    Shape,
    anything,
    each,
    fields,
    flag,
    named,
    number,
    one_of,
    scalar,
    table,
    text,
    whole,
)
from lasthop.errors import Steps

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")
"""A paper's name is a directory's."""

EVIDENCE = ("text", "date", "physics", "convention", "fit", "none")
"""Reasons for a choice: the paper, its time, how radio works, the default of its simulator or field, how
near the tables come, or none."""

MOST_REPLICATIONS = 1_000_000


def some(value: Any, at: Steps) -> None:
    """Text that is not empty."""
    text(value, at)
    if not value.strip():
        raise MisshapenError(f"{named(at)} is empty", code="out-of-range", path=at)


def _name(value: Any, at: Steps) -> None:
    some(value, at)
    if not NAME.fullmatch(value):
        said = f"{named(at)} is {value[:80]!r}; allowed: letters, digits, - and _"
        raise MisshapenError(said, code="out-of-range", path=at)


def _template(value: Any, at: Steps) -> None:
    text(value, at)
    try:
        value.format("x")
    except (ValueError, LookupError, AttributeError):
        allowed = 'text with {} for the value, such as "window {}"'
        said = f"{named(at)} is {value[:80]!r}; allowed: {allowed}"
        raise MisshapenError(said, code="out-of-range", path=at) from None


def _scale(value: Any, at: Steps) -> None:
    number(value, at)
    if value <= 0:
        said = f"{named(at)} is {value!r}; allowed: more than 0"
        raise MisshapenError(said, code="out-of-range", path=at)


def _ends(value: Any, at: Steps) -> None:
    each(number, 2)(value, at)
    if len(value) != 2 or not value[0] < value[1]:
        said = f"{named(at)} is {value!r}; allowed: the lower and the upper, such as [0, 1]"
        raise MisshapenError(said, code="out-of-range", path=at)


def _either(one: Shape, other: Shape) -> Shape:
    """Return the shape of a list of the one or of a single other."""

    def shape(value: Any, at: Steps) -> None:
        (one if isinstance(value, list) else other)(value, at)

    return shape


SETTING = table(scalar)
SEVERAL = table(_either(each(scalar, 1), scalar))
TEXTS = each(some)

_PRINTED: dict[str, Shape] = {
    "id": some,
    "what": text,
    "measure": some,
    "keys": TEXTS,
    "columns": each(SETTING, 1),
    "rows": each(each(scalar, 1), 1),
    "where": SETTING,
    "unit": text,
    "scale": _scale,
    "less": number,
    "note": text,
    "kind": one_of("means", "ranks", "beyond"),
    "along": some,
    "like": some,
}
_ALWAYS = ("id", "what", "measure")
_WHOLE = (*_ALWAYS, "keys", "columns", "rows")


def _printed(value: Any, at: Steps) -> None:
    """A printed table; one that is `like` another takes from it what it does not have."""
    needed = _ALWAYS if isinstance(value, dict) and "like" in value else _WHOLE
    fields(_PRINTED, optional=tuple(key for key in _PRINTED if key not in needed))(value, at)


PAPER = fields(
    {
        "name": _name,
        "title": some,
        "studies": each(some, 1),
        "authors": text,
        "published": text,
        "year": scalar,
        "axes": table(
            fields(
                {"keys": TEXTS, "says": _template, "values": SETTING},
                optional=("keys", "says", "values"),
            )
        ),
        "measures": table(
            fields(
                {
                    "studies": each(some, 1),
                    "metric": some,
                    "unit": text,
                    "scale": _scale,
                    "ends": _ends,
                },
                optional=("studies", "metric", "unit", "scale", "ends"),
            )
        ),
        "stated": each(fields({"item": some, "value": some})),
        "contradiction": each(fields({"text": some})),
        "table": each(_printed),
        "figures": table(
            fields(
                {
                    "measure": some,
                    "shows": text,
                    "x": some,
                    "by": some,
                    "caption": text,
                    "where": SEVERAL,
                    "x_label": text,
                    "log": flag,
                    "panel": _either(TEXTS, some),
                    "width": one_of("one", "two"),
                    "from_zero": flag,
                },
                optional=("where", "x_label", "log", "panel", "width", "from_zero"),
            )
        ),
    },
    optional=(
        "authors",
        "published",
        "year",
        "axes",
        "measures",
        "stated",
        "contradiction",
        "table",
        "figures",
    ),
)
"""paper.toml."""

CHOICES = fields(
    {
        "choice": each(
            fields(
                {
                    "item": some,
                    "taken": some,
                    "reason": some,
                    "evidence": one_of(*EVIDENCE),
                    "of": TEXTS,
                    "alternative": each(
                        fields(
                            {
                                "name": some,
                                "overrides": TEXTS,
                                "instead": table(some),
                                "swap": table(SETTING),
                                "flow": table(anything),
                                "of": TEXTS,
                                "quick": flag,
                            },
                            optional=("overrides", "instead", "swap", "flow", "of", "quick"),
                        )
                    ),
                },
                optional=("evidence", "of", "alternative"),
            )
        )
    },
    optional=("choice",),
)
"""choices.toml."""

CLAIMS = fields({"claim": anything}, optional=("claim",))
"""claims.toml, as far as `lasthop.study.claims` does not say what is wrong."""

CELLS = fields(
    {
        "replications": whole(1, MOST_REPLICATIONS),
        "further_runs": whole(1),
        "shorter": table(TEXTS),
        "part": each(
            fields(
                {
                    "study": some,
                    "replications": whole(1, MOST_REPLICATIONS),
                    "only": table(each(anything, 1)),
                    "quick": flag,
                },
                optional=("replications", "only", "quick"),
            )
        ),
    },
    optional=("replications", "further_runs", "shorter", "part"),
)
"""quick.toml and audit.toml."""
