"""Goals by which TCPs are chosen: what is to be large or small in a run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lasthop.core.metrics.leaves import Array
from lasthop.core.quantities import full
from lasthop.core.quantities.better import is_less_better
from lasthop.errors import UsageError, offered
from lasthop.study.swept import Results

GOALS: dict[str, tuple[str, ...]] = {
    "goodput": ("goodput_bps",),
    "delay": ("delay_s.p95",),
    "power": ("goodput_bps", "delay_s.mean"),
    "fairness": ("jain",),
}
"""Named goals and their quantities; of two the first is divided by the second. Power is that of Giessler, Hänle,
König and Pade, Computer Networks 2(3), 1978: goodput over mean delay."""


@dataclass(frozen=True)
class Goal:
    """A goal.

    Attributes:
        name: As it was named: one of `GOALS`, or a metric.
        metrics: The study's metrics that say how far it is reached: one, or two of which the first is divided by
            the second.
        lower: True where less is better.
    """

    name: str
    metrics: tuple[str, ...]
    lower: bool

    @classmethod
    def of(cls, results: Results, name: str | None = None) -> Goal:
        """Return the goal of this name, by default the study's first metric.

        A named goal is judged by the first object of the study that has its quantities: ``goodput`` by
        ``goodput_bps`` or ``download.goodput_bps``.

        Raises:
            UsageError: The study has not measured what the goal needs.
        """
        if name is None or name not in GOALS:
            metric = full(name or results.metrics[0])
            if metric not in results.metrics:
                known = [*GOALS, *results.metrics]
                raise UsageError(f"no goal {name!r}{offered(name or '', known, ', '.join(known))}")
            return cls(name or metric, (metric,), is_less_better(metric))
        quantities = GOALS[name]
        objects = (m.removesuffix(quantities[0]) for m in results.metrics if _is(m, quantities[0]))
        found = next(
            (
                [of + quantity for quantity in quantities]
                for of in objects
                if all(of + quantity in results.metrics for quantity in quantities)
            ),
            None,
        )
        if found is None:
            there = ", ".join(results.metrics)
            raise UsageError(
                f"the goal {name} needs {' and '.join(quantities)} of all flows or of one, "
                f"which the study did not measure; there are: {there}"
            )
        alone = len(found) == 1
        return cls(name, tuple(found), alone and is_less_better(found[0]))

    @property
    def label(self) -> str:
        """The goal in a few words, with what it is judged by."""
        by = " / ".join(self.metrics)
        return by if self.name in self.metrics else f"{self.name} ({by})"

    def values(self, results: Results, cell: int) -> Array:
        """Return how far each run of a cell reaches it, in the metrics' units; NaN where a run has no value.

        A run that carried nothing has no delay, but its power is zero.
        """
        first, *others = (results.values(metric, cell) for metric in self.metrics)
        for other in others:
            first = np.where(first == 0, 0.0, first / other)
        return first


def _is(metric: str, quantity: str) -> bool:
    """Return whether a metric is of a quantity, of all or of one object."""
    return metric == quantity or metric.endswith("." + quantity)
