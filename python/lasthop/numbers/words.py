"""The thresholds of the words that claims are made of: `words.toml`, as constants."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def words() -> dict[str, Any]:
    """Return all thresholds by name."""
    return tomllib.loads(files("lasthop.numbers").joinpath("words.toml").read_text("utf-8"))


MATTERS: float = words()["above"]
"""The difference, as a part, under which two things do not differ in a way that matters."""

ABOVE: float = 1 + MATTERS
"""The ratio of means over which one thing is *above* another."""

ABOUT: tuple[float, float] = tuple(words()["about"])
"""*About x*: the ratio is shown to be above 1 by between these parts of x."""

SLIGHTLY: tuple[float, float] = tuple(1 + bound for bound in words()["slightly"])
"""*Slightly above*: the ratio is shown to be between these."""

HALVED: float = words()["halved"]
"""*Drastically*: the ratio is shown to be under this."""

SAME: float = words()["same"]
"""*The same*: shown to differ by no more than this part."""

NEGLIGIBLE: float = words()["negligible"]
"""*Negligible*: shown to differ by less than this part."""

LITTLE_AFFECTED: float = 1 - words()["little_affected"]
"""*Little affected*: the ratio is shown to be over this."""

SENSITIVE: float = 1 + words()["sensitive"]
"""*Very sensitive*: some two values over the range have a ratio over this."""

DOUBLES: tuple[float, float] = tuple(words()["doubles"])
"""*Doubles*: the ratio is shown to be between these."""

CLOSE_TO_ONE: float = words()["close_to_one"]
"""An index is *close to one* when it is shown to be over this."""

LOW_INDEX: float = words()["low_index"]
"""An index is *low* when it is shown to be under this."""

STARVED: float = words()["starved"]
"""A station with under this part of its fair share is *starved*."""

LEAST_EVENTS: int = words()["least_events"]
"""Of fewer events none is said to be the greater part: "mostly" is no word for a handful."""
