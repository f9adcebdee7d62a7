"""Columns of tables about runs: quantities in the units in which people are shown them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from lasthop.core.quantities import ends_of, full, unit_of
from lasthop.core.quantities.units import UNITS, shown_unit
from lasthop.numbers import stats

NOTHING = "-"
"""Text for a missing value."""


@dataclass(frozen=True)
class Column:
    """A column of a table: its quantity says the unit.

    Attributes:
        words: The heading, with ``{}`` in the place of the unit, and line breaks for a terminal.
        key: The path of the quantity in a row: ``delay_s.mean``.
        digits: Digits after the point; a number under 1 has more, so that two of its digits are seen.
        when: Whether it is shown always, where rows differ, where a row has a value, or where one has more than 0.
        shown_in: A unit other than that in which people are shown such a quantity.
    """

    words: str
    key: str
    digits: int = 0
    when: Literal["always", "differs", "known", "any"] = "always"
    shown_in: str | None = None

    @property
    def unit(self) -> tuple[str, float]:
        """The unit in which it is shown, and the factor to it."""
        if self.shown_in is None:
            return shown_unit(unit_of(self.key))
        return self.shown_in, 1 / UNITS[self.shown_in][1]

    def heading(self, *, one_line: bool = False) -> str:
        """Return the heading with its unit."""
        said = self.words.format(self.unit[0])
        return said.replace("-\n", "").replace("\n", " ") if one_line else said

    def cell(self, row: Mapping[str, Any]) -> str:
        """Return the number of a row, or the mean with its interval; a dash where there is none."""
        value, (_, factor) = self.value(row), self.unit
        if value is None:
            return NOTHING
        is_mean = isinstance(value, Mapping)
        shown = value.get("mean") if is_mean else value
        if shown is None:
            return NOTHING
        digits = self._digits(shown * factor, is_mean=is_mean)

        def text(number: float) -> str:
            return f"{number * factor:,.{digits}f}"

        if not is_mean:
            return text(shown)

        def half(width: float) -> str:
            return f"{width * factor:,.{max(digits, 1)}f}"

        return stats.shown_mean(shown, value["ci95"], ends_of(full(self.key)), text, half)

    def _digits(self, shown: float, *, is_mean: bool) -> int:
        """Return the digits after the point: so many that two or more of a number other than 0 can be read.

        A number without them is whole, but not a mean of such.
        """
        if not (self.digits or is_mean) or not 0 < abs(shown) < 1:
            return self.digits
        return max(self.digits, 1 - math.floor(math.log10(abs(shown))))

    def value(self, row: Mapping[str, Any]) -> Any:
        """Return what a row has at the key; None where it has nothing."""
        value: Any = row
        for part in self.key.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        return value

    def tells(self, rows: Sequence[Mapping[str, Any]]) -> bool:
        """Return whether it is shown of these rows."""
        if self.when == "always":
            return True
        if self.when == "any":
            return any(self.value(row) for row in rows)
        shown = {self.cell(row) for row in rows} - {NOTHING}
        return len(shown) > (self.when == "differs")
