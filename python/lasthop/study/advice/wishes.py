"""The objective: a measure to maximise or minimise, and limits on others."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lasthop.core.command_lines import argument
from lasthop.core.quantities import full
from lasthop.core.quantities.units import UNITS
from lasthop.errors import UsageError, offered


@dataclass(frozen=True)
class Bound:
    """That the mean of a measure over replications is under (or over) a limit, in the measure's unit."""

    metric: str
    under: bool
    limit: float
    unit: str
    text: str

    def check(self, unit: str) -> None:
        """Raise UsageError where the measure has another unit than the limit."""
        if self.unit and self.unit != unit:
            has = unit or "no unit"
            raise UsageError(f"{self.text!r}: {self.metric} has {has}, the limit {self.unit}")
        if not self.unit and unit in ("s", "bit/s", "B"):
            raise UsageError(f"{self.text!r}: the limit needs a unit: {self.metric} is in {unit}")


@dataclass(frozen=True)
class Wish:
    """A measure to maximise (or minimise) within bounds.

    `indifferent` is the part of the best under which a difference does not matter; `beside` are measures that are
    shown with the others and decide nothing.
    """

    metric: str
    maximise: bool = True
    bounds: tuple[Bound, ...] = ()
    indifferent: float = 0.02
    beside: tuple[str, ...] = ()

    @property
    def whole(self) -> Wish:
        """The same of a simulator's measures: by their whole names, see `lasthop.core.quantities`."""
        bounds = tuple(replace(bound, metric=full(bound.metric)) for bound in self.bounds)
        return replace(self, metric=full(self.metric), bounds=bounds)

    @property
    def metrics(self) -> tuple[str, ...]:
        """All measures that decide."""
        return tuple(dict.fromkeys((self.metric, *(bound.metric for bound in self.bounds))))

    @property
    def measured(self) -> tuple[str, ...]:
        """All measures that must be known: those that decide, and those beside them."""
        return (*self.metrics, *self.beside)


def wish_of(
    maximise: str | None,
    minimise: str | None,
    subject_to: Sequence[str] | str,
    indifferent: float,
) -> Wish:
    """Read a wish; raises UsageError."""
    if (maximise is None) == (minimise is None):
        raise UsageError(
            f"give either {argument('--maximise')} or {argument('--minimise')} a metric, such as goodput_bps"
        )
    if not 0 <= indifferent < 1:
        raise UsageError(f"indifferent must be a share from 0 to below 1, not {indifferent}")
    listed = [subject_to] if isinstance(subject_to, str) else list(subject_to)
    bounds = tuple(parse_bound(text) for text in listed)
    return Wish(maximise or minimise or "", maximise is not None, bounds, indifferent)


def parse_bound(text: str) -> Bound:
    """Read ``voice.loss < 2%`` or ``game.delay_s.p95 < 30 ms``; raises UsageError."""
    found = re.fullmatch(r"\s*(\S+?)\s*(<=?|>=?)\s*([-+\d.eE]+)\s*(\S*)\s*", text)
    if not found:
        raise UsageError(f"{text!r} must be MEASURE < NUMBER UNIT, such as 'voice.loss < 2%'")
    metric, sign, number, unit = found.groups()
    if unit not in UNITS:
        raise UsageError(f"{text!r}: no unit {unit!r}{offered(unit, UNITS, _units())}")
    try:
        limit = float(number)
    except ValueError:
        limit = math.nan
    if not math.isfinite(limit):
        raise UsageError(f"{text!r}: {number!r} is not a number")
    name, factor = UNITS[unit]
    return Bound(metric, sign.startswith("<"), limit * factor, name, text.strip())


def _units() -> str:
    return ", ".join(unit for unit in UNITS if unit)
