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
        r"|^key with no|is no TOML|string values must",
        "The text is no TOML: a quotation mark, a bracket or a value is missing, or a key stands twice. What "
        "comes after it was not read.",
        'duration = 10 s  # a text needs quotes: "10 s"',
    ),
    Code(
        "unknown-key",
        r"^unknown key|\S: unknown(;|$)|: no key '",
        "There is no such key in this table. The nearest is named; the page on the scenario format has them all.",
        'durration = "3 s"',
    ),
    Code(
        "not-modelled",
        r"lasthop does not model",
        "What is asked for is outside of what lasthop simulates. The message names what comes nearest.",
        'phy = { standard = "802.11ax" }',
    ),
    Code(
        "missing-key",
        r"^missing key|^no \[\[|^no key|(^|: )\S+ is missing",
        "Something has no default and must be said.",
        "[[flow]]  # without from or to",
    ),
    Code(
        "unknown-unit",
        r"^unknown unit|has no unit|a unit|is no time, such as",
        'Quantities carry their unit in quotes: "20 ms", "2 Mbps", "50 packets".',
        'duration = "10 q"',
    ),
    Code(
        "unknown-name",
        r"^unknown |(^|: )no (node|flow|station|link|cell|axis|word|study|measure|metric|table|value)"
        r"|is no (node|station|flow)",
        "A name is none of those that may stand here, of a variant, a model, a node, a flow. The nearest is told.",
        'tcp = { variant = "newrino" }',
    ),
    Code(
        "wrong-kind",
        r"^found |^invalid type"
        r"|allowed: ((a|an) )?(finite )?(table|list|text|number|whole number|string|array)(?! or)"
        r"|is no (string|whole number|number|true or false|list|table)|must be (a|an|one|keys) ",
        "The value is of another kind than the key takes: a text for a number, a name for a table.",
        'tcp = "cubic"  # a table: tcp = { variant = "cubic" }',
    ),
    Code(
        "no-such-file",
        r"no such file|cannot be read|not UTF-8",
        "A file that the scenario names is not there or cannot be read. Names begin in the scenario's folder.",
        'file = "walk.tcl"',
    ),
    Code(
        "out-of-range",
        r"allowed: | (are|is) (from|above) "
        r"|at most|more than|too (short|long|large|many|small)|less than|negative",
        "The value is understood and is more or less than it may be, or does not go with another one.",
        'duration = "0 s"',
    ),
    Code(
        "does-not-fit",
        r"",
        "Keys that are right each by itself do not go together. The message says which, and what is missing.",
        "a flow between two nodes without a way from one to the other",
    ),
)


def code_of(message: str) -> str:
    """Return the name of the kind of mistake that a message tells."""
    return next(code.name for code in CODES if re.search(code.pattern, message))


def named(name: str) -> Code | None:
    """Return a kind of mistake by its name."""
    return next((code for code in CODES if code.name == name), None)
