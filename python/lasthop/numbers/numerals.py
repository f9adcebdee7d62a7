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


def number(value: float | None, digits: int = 3) -> str:
    """Return a number with this number of significant digits, never in exponent form; a dash for None."""
    if value is None:
        return "-"
    if value == 0:
        return "0"
    whole = len(str(int(abs(value)))) if abs(value) >= 1 else 0
    return f"{value:.{max(digits - whole, 0)}f}"
