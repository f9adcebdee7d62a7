"""Kinds of mistakes by stable names, and what to do about each: those of the core."""

from __future__ import annotations

import json
from dataclasses import dataclass

from lasthop import _core


@dataclass(frozen=True)
class Code:
    """A kind of mistake.

    Attributes:
        name: Its stable name.
        about: What it means and what to do.
        example: TOML that has it, beside what is right.
    """

    name: str
    about: str
    example: str


CODES = tuple(Code(**row) for row in json.loads(_core.codes()))


def named(name: str) -> Code | None:
    """Return a kind of mistake by its name."""
    return next((code for code in CODES if code.name == name), None)
