"""Places of numbers in a run's document, and metrics as functions of their columns."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
"""Numbers, a row for each replication."""

Step = str | int
"""A key, the place of an element, ``*`` for all elements, or ``*key`` for those whose `key` is not null."""


@dataclass(frozen=True)
class Leaf:
    """A number of a document: where it is, and what several numbers there become.

    `reduce` is ``value`` for a path to one number, else ``mean``, ``sum``, ``min``, ``max`` or ``count``. A
    path that ends at a map means its ``mean`` where it has one (a distribution), else the sum of its values
    (counts by reason). Nothing there, or null: NaN, and 0 for ``sum`` and ``count``.
    """

    path: tuple[Step, ...]
    reduce: str = "value"

    def of(self, document: Mapping[str, Any]) -> float:
        """Return the number in `document`."""
        found: list[float] = []
        _collect(document, self.path, found)
        return REDUCE[self.reduce](found)


REDUCE: dict[str, Callable[[list[float]], float]] = {
    "value": lambda found: found[0] if found else math.nan,
    "mean": lambda found: math.fsum(found) / len(found) if found else math.nan,
    "sum": math.fsum,
    "min": lambda found: min(found, default=math.nan),
    "max": lambda found: max(found, default=math.nan),
    "count": lambda found: float(len(found)),
}


def _collect(value: Any, path: tuple[Step, ...], found: list[float]) -> None:
    for place, step in enumerate(path):
        if isinstance(step, str) and step.startswith("*") and isinstance(value, list):
            for element in value:
                if step == "*" or element.get(step[1:]) is not None:
                    _collect(element, path[place + 1 :], found)
            return
        if isinstance(step, int):
            value = value[step] if isinstance(value, list) and step < len(value) else None
        else:
            value = value.get(step) if isinstance(value, Mapping) else None
    if isinstance(value, Mapping):
        value = value["mean"] if "mean" in value else sum(value.values())
    if value is not None:
        found.append(float(value) if isinstance(value, (int, float)) else 1.0)


@dataclass(frozen=True)
class Metric:
    """A name that was found.

    Attributes:
        name: As it was asked for; of ``.each``, with the object's own name.
        unit: ``bit/s``, ``s``, ``packets``, ``B``, ``1`` for a share or an index, empty for other counts.
        leaves: What it needs of a document.
        combine: From (replications, leaves) to one number a replication.
    """

    name: str
    unit: str
    leaves: tuple[Leaf, ...]
    combine: Callable[[Array], Array]

    def of(self, document: Mapping[str, Any]) -> float:
        """Return its value in one run's document; NaN where there is none."""
        return float(self.combine(np.array([[leaf.of(document) for leaf in self.leaves]]))[0])


@dataclass(frozen=True)
class Metrics:
    """Several metrics of one scenario, evaluated together."""

    all: tuple[Metric, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """Their names, in order."""
        return tuple(metric.name for metric in self.all)

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        """The leaves that they read, each once."""
        return tuple(dict.fromkeys(leaf for metric in self.all for leaf in metric.leaves))

    def evaluate(self, matrix: Array) -> Array:
        """Return (replications, metrics) from (replications, `leaves`)."""
        place = {leaf: column for column, leaf in enumerate(self.leaves)}
        columns = [
            metric.combine(matrix[:, [place[leaf] for leaf in metric.leaves]])
            for metric in self.all
        ]
        return np.column_stack(columns) if columns else np.empty((len(matrix), 0))

    def of(self, document: Mapping[str, Any]) -> dict[str, float]:
        """Return each metric's value in one run's document."""
        return {metric.name: metric.of(document) for metric in self.all}

    def over(self, documents: Iterable[Mapping[str, Any]]) -> Array:
        """Return (replications, metrics) of many documents, none of which is kept."""
        rows = [[leaf.of(document) for leaf in self.leaves] for document in documents]
        return self.evaluate(np.array(rows, dtype=float).reshape(-1, len(self.leaves)))
