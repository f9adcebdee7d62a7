"""Events that a recommendation under limits does not cover, since they are so rare that no run may have had
one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from lasthop.core.quantities import unit_of
from lasthop.core.quantities.units import shown_unit
from lasthop.numbers import stats
from lasthop.numbers.numerals import plain
from lasthop.study.advice.levels import RARE, ends_known
from lasthop.study.advice.racing import Race, Racer
from lasthop.study.advice.wishes import Bound


@dataclass(frozen=True)
class Unseen:
    """The doubts about a recommendation.

    Attributes:
        replications: Runs of the recommended setting.
        part: An event in this share of all runs may be in none of them, with the advice's error over all
            settings.
        breaking: The limits that such an event would break, and what the measure would have to be in it, at least
            (at most where the limit is a lower one), in its unit.
        needed: Runs of the setting that show an event in `RARE` of all.
    """

    replications: int
    part: float
    breaking: tuple[tuple[Bound, float], ...]
    needed: int

    def __str__(self) -> str:
        """Say it in sentences."""
        part = f"{100 * self.part:.2g} %"
        would = []
        for bound, value in self.breaking:
            unit, factor = shown_unit(bound.unit or unit_of(bound.metric))
            way = "above" if bound.under else "below"
            would.append(f"{bound.metric} {way} {plain(factor * value, 3)} {unit}".rstrip())
        return (
            f"Rare events: what happens in fewer than {part} of runs may be in none of these "
            f"{self.replications:,}. Such an event breaks a limit with {' or '.join(would)}. Where a setting "
            f"may have {self.needed:,} runs or more (most), it runs until events in {100 * RARE:g} % of runs are "
            "covered too."
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the fields, ready for JSON."""
        return {
            "part": self.part,
            "breaking": {bound.text: value for bound, value in self.breaking},
            "replications_needed": self.needed,
        }


def unseen_by(race: Race, runner: Racer) -> Unseen | None:
    """Return what may break a limit unseen in a setting that is shown to keep to all; None for nothing."""
    if runner.always or not race.wish.bounds:
        return None
    count = min(runner.runs, race.at[race.look])
    part = stats.unseen(count, race.levels.unseen)
    found = []
    for bound in race.wish.bounds:
        values = runner.values[bound.metric][:count]
        within = race.bounds_of(runner, bound.metric, race.levels.keeps(race.look))
        reach = within.high if bound.under else within.low
        value = stats.breaking_value(bound.limit, reach, part)
        low, high = ends_known(bound.metric, values) or (-math.inf, math.inf)
        if value < high if bound.under else value > low:
            found.append((bound, value))
    return Unseen(count, part, tuple(found), race.levels.for_rare) if found else None
