"""Merging the results of several replications into one document of the same shape, one after the other."""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from lasthop.numbers.stats.means import CONFIDENCE, estimate, t_quantile

COUNTS_BY_REASON = frozenset({"packets_lost", "drops", "window_cuts"})
"""Maps from a reason to a count, in which an absent reason means none."""

APART = frozenset({"choices"})
"""Lists of each replication's own: entries of different replications correspond by position only."""

NAMES = (("name",), ("station", "from", "to"))
"""The keys that identify entries of lists, the preferred first."""

KEPT = 10_000
"""Values of a number that are kept: of more, all there have been are folded into their mean and spread."""


def summarise(runs: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Merge the results of several replications of one run; see `Summary`."""
    summary = Summary()
    for run in runs:
        summary.add(run)
    return summary.document()


class Summary:
    """The results of several replications of one run as one document of the same shape.

    Every number becomes {mean, ci95, n} in its own unit; strings and booleans stay. Entries of
    lists are matched by name, handoffs by station, both ends and how often it went that way
    before, all else by place. A loss reason that a replication does not list
    counts as 0 there; a value that is null (a delay where nothing arrived) is left out, and n
    says so. `seed` stays as it is; `replication` becomes the number of `replications`.

    What it holds does not grow with the number of replications beyond `KEPT` of them.
    """

    def __init__(self) -> None:
        self.runs = 0
        """The number of replications."""
        self._seed: Any = None
        self._rest = _Map(None)

    def add(self, run: Mapping[str, Any]) -> None:
        """Take in a replication. Their order matters to the order of keys, and to the last digit of a spread."""
        if not self.runs:
            self._seed = run.get("seed")
        self.runs += 1
        self._rest.add({k: v for k, v in run.items() if k not in ("seed", "replication")})

    def document(self) -> dict[str, Any]:
        """Return the document; raises ValueError where there was no replication."""
        if not self.runs:
            raise ValueError("nothing to summarise: no replication was finished")
        labels = {"seed": self._seed, "replications": self.runs}
        return {k: v for k, v in labels.items() if v is not None} | self._rest.merged()


class _Numbers:
    """A number of each replication."""

    def __init__(self) -> None:
        self._values = array("d")
        # Of those that were folded: how many, their exact sum in parts, and the squares about their mean.
        self._count, self._sums, self._squares = 0, [0.0], 0.0

    def add(self, value: Any) -> None:
        if len(self._values) == KEPT:
            self._fold()
        self._values.append(float(value))

    def merged(self) -> dict[str, Any]:
        if not self._count:
            return estimate(self._values.tolist()).as_dict()
        self._fold()
        count = self._count
        half = t_quantile(CONFIDENCE, count - 1) * math.sqrt(self._squares / (count - 1) / count)
        return {"mean": math.fsum(self._sums) / count, "ci95": half, "n": count}

    def _fold(self) -> None:
        """Add the values to those before: Chan, Golub and LeVeque (1979), equation 2.1."""
        new = np.asarray(self._values)
        count, mean = len(new), math.fsum(new) / len(new)
        squares = float(np.sum((new - mean) ** 2))
        if self._count:
            apart = mean - math.fsum(self._sums) / self._count
            squares += apart**2 * self._count * count / (self._count + count)
        self._count, self._squares = self._count + count, self._squares + squares
        parts = [*self._sums, *new]
        self._sums = []
        while (
            not self._sums or self._sums[-1]
        ):  # each is what the ones before leave of the exact sum
            self._sums.append(math.fsum(parts))
            parts.append(-self._sums[-1])
            if not math.isfinite(self._sums[-1]):
                break
        self._values = array("d")


class _Label:
    """A string or a flag, the first of them."""

    def __init__(self, first: Any) -> None:
        self._first = first

    def add(self, value: Any) -> None:
        """Take in another, which is the same."""

    def merged(self) -> Any:
        return self._first


class _Map:
    """A map of each replication; `absent` is the number that counts where a key is not in one."""

    def __init__(self, absent: float | None) -> None:
        self._absent, self._count = absent, 0
        self._parts: dict[str, Any] = {}

    def add(self, each: Mapping[str, Any]) -> None:
        for key in each:
            if key not in APART and key not in self._parts:
                self._parts[key] = None
                for _ in range(self._count):
                    self._take(key, self._absent)
        for key in self._parts:
            self._take(key, each.get(key, self._absent))
        self._count += 1

    def _take(self, key: str, value: Any) -> None:
        if value is None:
            return
        part = self._parts[key]
        if part is None:
            part = self._parts[key] = _part(value, 0 if key in COUNTS_BY_REASON else None)
        part.add(value)

    def merged(self) -> dict[str, Any]:
        return {k: None if part is None else part.merged() for k, part in self._parts.items()}


class _List:
    """A list of each replication, its entries matched."""

    def __init__(self) -> None:
        self._key: Sequence[str] | None = None
        self._parts: dict[Any, Any] = {}

    def add(self, each: Sequence[Any]) -> None:
        if self._key is None and each:
            self._key = next((key for key in NAMES if all(_has(x, key) for x in each)), ())
        before: Counter[Any] = Counter()
        for item in each:
            key = self._key or ()
            name = tuple(item[part] for part in key) if _has(item, key) else ()
            place = name, before[name]
            before[name] += 1
            if self._parts.get(place) is None:
                self._parts[place] = None if item is None else _part(item, None)
            if item is not None:
                self._parts[place].add(item)

    def merged(self) -> list[Any]:
        return [None if part is None else part.merged() for part in self._parts.values()]


def _part(first: Any, absent: float | None) -> Any:
    """Return what merges values like this one."""
    if isinstance(first, Mapping):
        return _Map(absent)
    if isinstance(first, (list, tuple)):
        return _List()
    return _Label(first) if isinstance(first, (bool, str)) else _Numbers()


def _has(item: Any, key: Sequence[str]) -> bool:
    return isinstance(item, Mapping) and all(part in item for part in key)
