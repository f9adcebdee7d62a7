"""Units: how people write them, and in which of them they are shown a number."""

from __future__ import annotations

UNITS: dict[str, tuple[str, float]] = {
    "": ("", 1.0),
    "%": ("1", 0.01),
    "s": ("s", 1.0),
    "ms": ("s", 1e-3),
    "us": ("s", 1e-6),
    "µs": ("s", 1e-6),
    "min": ("s", 60.0),
    **{
        f"{prefix}{unit}": ("bit/s", factor)
        for prefix, factor in (("", 1.0), ("k", 1e3), ("M", 1e6), ("G", 1e9))
        for unit in ("bps", "bit/s")
    },
    "packets": ("packets", 1.0),
    "B": ("B", 1.0),
}
"""Units that may be written: the unit that quantities have, and the factor to it."""

SHOWN = {"s": ("ms", 1e3), "bit/s": ("kbit/s", 1e-3), "1": ("%", 100.0)}
"""Units in which quantities are shown, and the factor to each."""


def said_unit(unit: str) -> str:
    """Return a unit as it stands behind a number in text: 1, that of a ratio or an index, does not."""
    return "" if unit == "1" else unit


def shown_unit(unit: str) -> tuple[str, float]:
    """Return the unit in which people are shown a quantity of this unit, and the factor to it."""
    return SHOWN.get(unit, (unit, 1.0))
