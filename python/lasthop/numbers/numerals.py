"""Numbers in sentences: how many there are of a thing, and which in a row.

>>> counted(1, "cell"), counted(1200, "cell"), ordinal(21), ordinal(95)
('1 cell', '1,200 cells', '21st', '95th')
>>> listed(["a"]), listed(["a", "b"], "or"), listed(["a", "b", "c"])
('a', 'a or b', 'a, b and c')
"""

from __future__ import annotations

import math
from collections.abc import Sequence


def counted(number: int, thing: str) -> str:
    """Return how many there are of a thing, whose plural ends with an s."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def ordinal(number: int) -> str:
    """Return 1st, 2nd, 3rd, 4th, 11th, 21st."""
    teens = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """Return words as a sentence has them, the last behind `last`."""
    return f" {last} ".join(part for part in (", ".join(words[:-1]), words[-1]) if part)


def finite(value: float) -> float | None:
    """Return a number as JSON has it: None for what is no finite number."""
    return value if math.isfinite(value) else None


def plain(value: float | None, digits: int = 4, separator: str = "") -> str:
    """Return a number with as many significant digits at most, never in exponent form; a dash for None.

    >>> plain(23657.4), plain(23657.4, separator=","), plain(0.0000123), plain(120.0, 2), plain(0.25)
    ('23660', '23,660', '0.0000123', '120', '0.25')
    """
    if value is None:
        return "-"
    held = float(f"{value:.{digits}g}")
    if not math.isfinite(held) or held == 0:
        return f"{held:g}"
    places = max(digits - 1 - math.floor(math.log10(abs(held))), 0)
    text = f"{held:{separator}.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
