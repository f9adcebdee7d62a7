"""Settings by rank: places that are shown, ties of all that is not, means with intervals that hold together."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from lasthop.numbers import stats
from lasthop.numbers.numerals import finite
from lasthop.study.claims.differences_of_means import Comparison, Values
from lasthop.study.claims.letters import letters
from lasthop.study.claims.outcomes import Outcome
from lasthop.study.claims.verdicts import Compared, PairedVerdict, compare, signed


@dataclass(frozen=True)
class Ranked:
    """A setting's place: from `first` to `last` (1 is the best), since ties are what is not shown.

    Settings that share a letter tie. `alike` names those of them that are shown to differ by less than what
    matters; the others are undecided. `mean` has the unit of the values; NaN where no replication has one.
    """

    name: str
    mean: float
    interval: stats.Interval
    replications: int
    first: int
    last: int
    letters: str
    alike: tuple[str, ...] = ()

    @property
    def rank(self) -> str:
        """Say the place: 1, or 2-4."""
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"

    def as_dict(self) -> dict[str, Any]:
        """Return the fields, ready for JSON; None for what is not bounded."""
        mean, low, high = (
            finite(value) for value in (self.mean, self.interval.low, self.interval.high)
        )
        return {
            "setting": self.name,
            "rank": self.rank,
            "first": self.first,
            "last": self.last,
            "letters": self.letters,
            "alike": list(self.alike),
            "mean": mean,
            "low": low,
            "high": high,
            "replications": self.replications,
        }


def ranks(
    cells: Mapping[str, Values],
    *,
    beyond: float = 0.0,
    higher_is_better: bool = True,
    level: float = stats.CONFIDENCE,
) -> list[Ranked]:
    """Rank settings, best mean first; see `rank_all`, of which this is one table."""
    tables = {"": cells}
    return rank_all(tables, beyond=beyond, higher_is_better=higher_is_better, level=level)[""]


def rank_all(
    tables: Mapping[str, Mapping[str, Values]],
    *,
    beyond: float = 0.0,
    higher_is_better: bool = True,
    ends: tuple[float, float] | None = None,
    level: float = stats.CONFIDENCE,
) -> dict[str, list[Ranked]]:
    """Rank the settings of each table, best mean first.

    Two settings of a table tie unless their paired difference is shown, and is not shown to be
    under `beyond`, a part of the mean. The best place that a setting can have is after all that are
    shown to be better, the worst before all shown to be worse. `ends` are what the values are never under or
    over; None: zero, where none is negative. No interval goes beyond. All places of all tables are right
    together with probability `level`, and so are all intervals of means (Bonferroni).
    """
    pairs = sum(math.comb(len(cells), 2) for cells in tables.values())
    settings = sum(map(len, tables.values()))
    by_pair, by_mean = (stats.bonferroni(count, level) for count in (pairs, settings))
    return {
        name: _ranked(cells, _words(cells, beyond, higher_is_better, by_pair), by_mean, ends)
        for name, cells in _sorted(tables, higher_is_better).items()
    }


def _sorted(
    tables: Mapping[str, Mapping[str, Values]], higher_is_better: bool
) -> dict[str, dict[str, Values]]:
    sign = -1 if higher_is_better else 1

    def key(item: tuple[str, Values]) -> tuple[bool, float]:
        there = _there(item[1])
        return not there, sign * _mean(there) if there else 0.0

    return {name: dict(sorted(cells.items(), key=key)) for name, cells in tables.items()}


def _words(
    cells: Mapping[str, Values], beyond: float, higher_is_better: bool, level: float
) -> dict[tuple[str, str], PairedVerdict]:
    """Return of each pair of settings what is shown of the first."""
    return {
        (a, b): _word(cells[a], cells[b], beyond, higher_is_better, level)
        for a, b in combinations(cells, 2)
    }


def _word(
    a: Values, b: Values, beyond: float, higher_is_better: bool, level: float
) -> PairedVerdict:
    if beyond > 0:
        found: Compared = compare(
            a, b, beyond=beyond, higher_is_better=higher_is_better, level=level
        )
        return found.word
    outcome = Comparison("", "", a, b, 1.0).judge(level).outcome
    if outcome is Outcome.OPEN:
        return PairedVerdict.CANNOT_TELL
    return signed(outcome is Outcome.SHOWN, higher_is_better)


def _ranked(
    cells: Mapping[str, Values],
    words: Mapping[tuple[str, str], PairedVerdict],
    level: float,
    ends: tuple[float, float] | None,
) -> list[Ranked]:
    """Return the settings, in their order, with the places that the words leave them."""
    above = {pair for pair, word in words.items() if word is PairedVerdict.BETTER}
    above |= {(b, a) for (a, b), word in words.items() if word is PairedVerdict.WORSE}
    same = (PairedVerdict.NO_DIFFERENCE, PairedVerdict.IDENTICAL)
    alike = {pair for pair, word in words.items() if word in same}
    groups = letters(list(cells), above)
    found = []
    for name, values in cells.items():
        there = _there(values)
        found.append(
            Ranked(
                name,
                _mean(there),
                stats.mean_bounds(there, (1 - level) / 2, ends or _ends(there)),
                len(there),
                1 + sum((other, name) in above for other in cells),
                len(cells) - sum((name, other) in above for other in cells),
                groups[name],
                tuple(other for other in cells if {(name, other), (other, name)} & alike),
            )
        )
    return found


def _ends(values: list[float]) -> tuple[float, float]:
    """Return zero as the lower end of what is never negative."""
    return (0.0 if min(values, default=-1.0) >= 0 else -math.inf), math.inf


def _there(values: Values) -> list[float]:
    numbers = np.asarray(values, dtype=float)
    there: list[float] = numbers[~np.isnan(numbers)].tolist()
    return there


def _mean(values: list[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan
