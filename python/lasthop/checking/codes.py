"""Kinds of mistakes by stable names, and what to do about each."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Code:
    """A kind of mistake.

    Attributes:
        name: Its stable name.
        pattern: What its messages look like.
        about: What it means and what to do.
        example: TOML that has it, beside what is right.
    """

    name: str
    pattern: str
    about: str
    example: str


#: The first whose pattern is found counts; the last takes all else.
CODES = (
    Code(
        "no-toml",
        r"^(invalid (?!type)|expected|unexpected|duplicate|unclosed|missing (value|quote)|newlines|extra)"
        r"|^key with no|is not TOML|string values must",
        "The text is not valid TOML: a quotation mark, a bracket or a value is missing, or a key is given twice. "
        "What follows the mistake was not read.",
        'duration = 10 s  # a text needs quotes: "10 s"',
    ),
    Code(
        "unknown-key",
        r"^unknown key|\S: unknown(;|$)|: no key '",
        "The table has no such key. The message names the nearest; the reference of the scenario format has all.",
        'durration = "3 s"',
    ),
    Code(
        "not-modelled",
        r"lasthop does not model",
        "lasthop does not simulate this. The message names what comes nearest.",
        'phy = { standard = "802.11ax" }',
    ),
    Code(
        "missing-key",
        r"^missing key|^no \[\[|^no key|(^|: )\S+ is missing",
        "The key has no default and must be given.",
        "[[flow]]  # without from or to",
    ),
    Code(
        "unknown-unit",
        r"^unknown unit|has no unit|a unit|is not a time, such as",
        'Quantities carry their unit in quotes: "20 ms", "2 Mbps", "50 packets".',
        'duration = "10 q"',
    ),
    Code(
        "unknown-name",
        r"^unknown |(^|: )no (node|flow|station|link|cell|axis|word|study|measure|metric|table|value)"
        r"|is not a (node|station|flow)",
        "The name of a variant, a model, a node or a flow is not among those allowed here. The message names "
        "the nearest.",
        'tcp = { variant = "newrino" }',
    ),
    Code(
        "wrong-kind",
        r"^found |^invalid type"
        r"|allowed: ((a|an) )?(finite )?(table|list|text|number|whole number|string|array)(?! or)"
        r"|is not (a )?(string|whole number|number|true or false|list|table)|must be (a|an|one|keys) ",
        "The value has another kind than the key takes, such as a text instead of a number, or a name instead of "
        "a table.",
        'tcp = "cubic"  # a table: tcp = { variant = "cubic" }',
    ),
    Code(
        "no-such-file",
        r"no such file|cannot be read|not UTF-8",
        "A file that the scenario names does not exist or cannot be read. Paths begin in the scenario's folder.",
        'file = "walk.tcl"',
    ),
    Code(
        "out-of-range",
        r"allowed: | (are|is) (from|above) "
        r"|at most|more than|too (short|long|large|many|small)|less than|negative",
        "The value is understood, but it is outside of what is allowed, or does not go with another value.",
        'duration = "0 s"',
    ),
    Code(
        "does-not-fit",
        r"",
        "Keys that are right by themselves do not go together. The message says which ones, and what is missing.",
        "a flow between two nodes without a way from one to the other",
    ),
)


def code_of(message: str) -> str:
    """Return the name of the kind of mistake that a message tells."""
    return next(code.name for code in CODES if re.search(code.pattern, message))


def named(name: str) -> Code | None:
    """Return a kind of mistake by its name."""
    return next((code for code in CODES if code.name == name), None)
