"""Fills tables of mixtures with what the schema allows."""

from __future__ import annotations

import random

from lasthop_validation.mixing.text import Tables
from lasthop_validation.mixing.values import FRAMED, definitions, states, value


def fill(rng: random.Random, into: Tables, what: str | Tables, part: float) -> None:
    """Write keys of this table, by its name or its schema, that are not there yet, each with a probability."""
    what = definitions()[what] if isinstance(what, str) else what
    what = rng.choice(what["oneOf"]) if "oneOf" in what else what
    required = set(what.get("required", ()))
    for key, of in what["properties"].items():
        if key not in into and key not in FRAMED and (key in required or rng.random() < part):
            into[key] = value(rng, key, of)
    states(rng, into)


def names(kind: str) -> list[str]:
    """Return the names that a type of the schema allows."""
    return _consts(definitions()[kind])


def allowed(table: str, key: str) -> list[str]:
    """Return the names that a key of a table allows."""
    return _consts(definitions()[table]["properties"][key])


def _consts(what: Tables) -> list[str]:
    there = [*([what["const"]] if "const" in what else []), *what.get("enum", [])]
    if "$ref" in what:
        there += names(what["$ref"].rsplit("/", 1)[-1])
    for each in [*what.get("anyOf", []), *what.get("oneOf", [])]:
        there += _consts(each)
    return there
