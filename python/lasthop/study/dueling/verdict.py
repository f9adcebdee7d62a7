"""The results of a duel: verdicts in every condition and on average, where it wins, and shares of one
path."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from lasthop.core.quantities.better import higher_is_better
from lasthop.numbers import stats
from lasthop.study import phrases
from lasthop.study.claims import Table
from lasthop.study.claims.tables import quantity
from lasthop.study.claims.verdicts import SIGNED, Compared, PairedVerdict, compare, compare_all
from lasthop.study.claims.verdicts import notes as verdict_notes
from lasthop.study.swept import Results

Setting = Mapping[str, Any]
Array = npt.NDArray[np.float64]

LEAST_SIDE = 0.1
"""Each side of a cut has at least this many conditions."""

GAIN = 0.05
"""The share of the verdicts' disorder that a cut must explain."""


@dataclass(frozen=True)
class Place:
    """A condition, and its verdict on the first against a rival."""

    setting: Setting
    compared: Compared


@dataclass(frozen=True)
class Where:
    """The cut through an axis that tells best where the first wins: how many of which verdict lie on each side.

    Found by looking at all cuts of all axes: it describes these conditions, and tests nothing.
    """

    key: str
    at: float
    unit: str
    below: Mapping[str, int]
    above: Mapping[str, int]

    def __str__(self) -> str:
        """Say it in a sentence."""
        above, below = (
            ", ".join(f"{side[w]} {w}" for w in PairedVerdict if side.get(w))
            for side in (self.above, self.below)
        )
        counts = sum(self.above.values()), sum(self.below.values())
        border = f"{self.at:.4g} {self.unit}".rstrip()
        return (
            f"of the {counts[0]} conditions with {self.key} above {border}: {above}; "
            f"of the {counts[1]} others: {below}"
        )


@dataclass(frozen=True)
class Against:
    """The first against a rival by one metric.

    `places` are judged together with 95 %, `average` alone: over the conditions, each weighing alike.
    """

    rival: str
    metric: str
    places: tuple[Place, ...]
    average: Compared
    where: Where | None

    @property
    def tally(self) -> dict[str, int]:
        """The number of conditions by verdict."""
        return dict(Counter(str(place.compared.word) for place in self.places))


@dataclass(frozen=True)
class Share:
    """The share of the first in both goodputs where a rival is on the same path; `jain` is of the two.

    `interval` is that of the mean over the replications, see `stats.mean_bounds`.

    It is the mean of both orders in the scenario; beside itself it is the share of the flow listed first.
    """

    rival: str
    share: float
    interval: stats.Interval
    replications: int
    jain: float
    least: tuple[float, Setting]
    most: tuple[float, Setting]


@dataclass(frozen=True)
class Duel:
    """A duel's results. `shares` has the first against itself too, by which the others are judged.

    `told` is what the contest had to say before it ran; `alone` and `shared` are what they were judged by, and
    `flows` the flows that share a path.
    """

    names: tuple[str, ...]
    key: str
    conditions: int
    replications: int
    against: tuple[Against, ...]
    shares: tuple[Share, ...]
    units: Mapping[str, str]
    told: tuple[str, ...]
    alone: Results = field(repr=False, compare=False)
    shared: Results | None = field(repr=False, compare=False)
    flows: tuple[str, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes for the reader: warnings, rare events, numbers of runs that would decide."""
        compared = (place.compared for each in self.against for place in each.places)
        return (*self.told, *verdict_notes(compared))

    def as_dict(self) -> dict[str, Any]:
        """Return all of it, ready for JSON."""
        return {
            "contestants": list(self.names),
            "conditions": self.conditions,
            "replications": self.replications,
            "against": [
                {
                    "rival": each.rival,
                    "metric": each.metric,
                    "tally": each.tally,
                    "average": each.average.as_dict(),
                    "where": None if each.where is None else str(each.where),
                    "places": [
                        {"setting": dict(p.setting), **p.compared.as_dict()} for p in each.places
                    ],
                }
                for each in self.against
            ],
            "shares": [
                {
                    "rival": each.rival,
                    "share": each.share,
                    "low": each.interval.low,
                    "high": each.interval.high,
                    "replications": each.replications,
                    "jain": each.jain,
                    "least": {"share": each.least[0], "setting": dict(each.least[1])},
                    "most": {"share": each.most[0], "setting": dict(each.most[1])},
                }
                for each in self.shares
            ],
            "notes": list(self.notes),
        }


def words_of(against: Sequence[Against]) -> tuple[str, ...]:
    """Return the verdicts that there can be, in their order: of what nobody wants more of, higher and lower."""
    neutral = {higher_is_better(each.metric) is None for each in against}
    never = {
        word for is_neutral, pair in enumerate(SIGNED) if is_neutral not in neutral for word in pair
    }
    return tuple(str(word) for word in PairedVerdict if word not in never)


def judge(
    names: Sequence[str],
    key: str,
    alone: Results,
    shared: Results | None,
    flows: Sequence[str],
    told: Sequence[str],
) -> Duel:
    """Judge what was run."""
    first, rivals = names[0], names[1:]
    settings, numbered = _numbered(alone, [key])
    against = []
    for metric in alone.metrics:
        table = _table(alone, metric, key, numbered)
        for rival in rivals:
            against.append(_against(table, settings, (first, rival), key))
    shares = [] if shared is None else _shares(shared, names, key, flows)
    count = min((alone.count(row) for row in alone.rows), default=0)
    return Duel(
        tuple(names),
        key,
        len(settings),
        count,
        tuple(against),
        tuple(shares),
        alone.units,
        tuple(told),
        alone,
        shared,
        tuple(flows),
    )


def _numbered(results: Results, free: Sequence[str]) -> tuple[list[Setting], dict[int, int]]:
    """Return the conditions, and by a row's number which of them it has."""
    places: dict[tuple[Any, ...], int] = {}
    settings: list[Setting] = []
    numbered: dict[int, int] = {}
    for row in results.rows:
        setting = {k: v for k, v in row.settings.items() if k not in free}
        where = tuple(setting.values())
        if where not in places:
            places[where] = len(settings)
            settings.append(setting)
        numbered[row.number] = places[where]
    return settings, numbered


def _table(results: Results, metric: str, key: str, numbered: Mapping[int, int]) -> Table:
    rows = [
        (
            {"condition": numbered[row.number], key: row.settings[key]},
            results.values(metric, row.number),
        )
        for row in results.rows
    ]
    return Table.of(metric, rows)


def _against(table: Table, settings: Sequence[Setting], pair: tuple[str, str], key: str) -> Against:
    higher = higher_is_better(table.metric)
    pairs = {}
    for number in range(len(settings)):
        a, b = (table.at({"condition": number, key: name}) for name in pair)
        if a is not None and b is not None:
            pairs[str(number)] = (a, b)
    judged = compare_all(pairs, higher_is_better=higher)
    places = tuple(Place(settings[int(number)], each) for number, each in judged.items())
    pooled = table.pooled([{key: name} for name in pair])
    first, second = (pooled.cells[name,] for name in pair)
    average = compare(first, second, higher_is_better=higher)
    return Against(pair[1], table.metric, places, average, _where(places))


def _where(places: Sequence[Place]) -> Where | None:
    """Return the cut that leaves the least disorder (Gini's, as in a tree of one cut); None where none helps."""
    words = [str(place.compared.word) for place in places]
    least = max(1, math.ceil(LEAST_SIDE * len(places)))
    before, best, found = _disorder(Counter(words)), math.inf, None
    for key in places[0].setting if places else ():
        known = [quantity(place.setting[key]) for place in places]
        numbers = [each[0] for each in known if each is not None]
        units = {each[1] for each in known if each is not None}
        if len(numbers) < len(places) or len(units) != 1:
            continue
        order = sorted(range(len(places)), key=lambda i, numbers=numbers: numbers[i])  # type: ignore[misc]
        for cut in range(least, len(places) - least + 1):
            low, high = numbers[order[cut - 1]], numbers[order[min(cut, len(order) - 1)]]
            if low == high:
                continue
            sides = [Counter(words[i] for i in part) for part in (order[:cut], order[cut:])]
            left = sum(_disorder(side) for side in sides)
            if left < best:
                best = left
                found = Where(key, low, units.copy().pop(), dict(sides[0]), dict(sides[1]))
    return found if before - best > GAIN * len(places) else None


def _disorder(side: Counter[str]) -> float:
    """Return the number of conditions times the probability that two of them differ."""
    total = sum(side.values())
    return total - sum(count**2 for count in side.values()) / total if total else 0.0


def _shares(results: Results, names: Sequence[str], key: str, flows: Sequence[str]) -> list[Share]:
    """Return what the first takes beside each; see `Share`."""
    beside = [each for each in results.keys if each.startswith("flow.") and "-rival.tcp." in each]
    settings, numbered = _numbered(results, [key, *beside])
    parts: dict[tuple[str, str], dict[int, Array]] = {}
    for row in results.rows:
        own, other = (
            np.sum([results.values(f"{flow}{tail}.goodput", row.number) for flow in flows], axis=0)
            for tail in ("", "-rival")
        )
        total = own + other
        part = np.divide(own, total, out=np.full(len(total), np.nan), where=total > 0)
        pair = str(row.settings[key]), str(row.settings[beside[0]])
        parts.setdefault(pair, {})[numbered[row.number]] = part
    first, found = names[0], []
    for name in names:
        there, back = parts.get((first, name), {}), parts.get((name, first), {})
        shares = dict(there) if name == first else {
            number: _joined(there[number], back[number]) for number in there if number in back
        }  # fmt: skip
        if known := {number: x for number, x in shares.items() if len(x) and not np.isnan(x).all()}:
            found.append(_share(name, known, settings))
    return found


def _joined(there: Array, back: Array) -> Array:
    """Return the mean of a share and, in the other order, of what is not the other's."""
    count = min(len(there), len(back))
    mean: Array = (there[:count] + 1 - back[:count]) / 2
    return mean


def _share(name: str, shares: Mapping[int, Array], settings: Sequence[Setting]) -> Share:
    shortest = min(map(len, shares.values()))
    by_run = np.nanmean([each[:shortest] for each in shares.values()], axis=0)
    every = np.concatenate(list(shares.values()))
    every = every[~np.isnan(every)]
    means = [(float(np.nanmean(each)), settings[number]) for number, each in shares.items()]
    return Share(
        name,
        float(np.mean(by_run)),
        stats.mean_bounds(by_run, (1 - stats.CONFIDENCE) / 2, (0.0, 1.0)),
        len(by_run),
        float(np.mean(1 / (2 * (every**2 + (1 - every) ** 2)))),
        min(means, key=lambda pair: pair[0]),
        max(means, key=lambda pair: pair[0]),
    )


def said(setting: Setting) -> str:
    """Write a condition in a few words."""
    return phrases.of_settings(setting) or "the condition"
