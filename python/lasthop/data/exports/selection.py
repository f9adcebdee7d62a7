"""Selects flows of a run for an export, and their time series."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from itertools import pairwise
from typing import Any

from lasthop.core import api
from lasthop.errors import UsageError

Row = Mapping[str, Any]
"""A row of a table, by column."""


@dataclass(frozen=True)
class Selection:
    """The selected flows and the length of a step.

    Attributes:
        flows: Patterns of flow names; none: all.
        step_s: The length of an interval, s: that of the run's probes.
    """

    flows: tuple[str, ...] = ()
    step_s: float = 1.0

    def of(self, run: api.Run) -> list[dict[str, Any]]:
        """Return the selected flows as they are in the result; raises UsageError where there are none."""
        there: list[dict[str, Any]] = run.documents[0]["flows"]
        chosen = [flow for flow in there if self.has(flow["name"])]
        if not chosen:
            names = ", ".join(flow["name"] for flow in there[:12])
            said = f"no flow matches {', '.join(self.flows)}" if self.flows else "there is no flow"
            raise UsageError(f"{said}; there are: {names or 'none'}")
        return chosen

    def has(self, name: str) -> bool:
        """Return whether a flow of this name is selection."""
        return not self.flows or any(fnmatchcase(name, each) for each in self.flows)


def steps(run: api.Run, flow: str) -> list[dict[str, Any]]:
    """Return a flow's rows of the probe `flows`, each with `start_s` beside `time_s`, its end."""
    rows = [dict(row) for row in run.flow_series.to_pylist() if row["flow"] == flow]
    ends = [row["time_s"] for row in rows]
    length = min((b - a for a, b in pairwise(ends)), default=None)
    for place, row in enumerate(rows):
        before = ends[place - 1] if place else max(0.0, ends[0] - (length or ends[0]))
        row["start_s"] = before
    return rows


def states(run: api.Run, flow: str, ends: list[float]) -> list[Row | None]:
    """Return the state of a flow's TCP sender at each of these times; None before the first."""
    rows = [row for row in run.tcp.to_pylist() if row["flow"] == flow]
    found: list[Row | None] = []
    at = 0
    for end in ends:
        while at < len(rows) and rows[at]["time_s"] <= end:
            at += 1
        found.append(rows[at - 1] if at else None)
    return found


def warmup_s(run: api.Run) -> float:
    """Return how much of the start is not measured."""
    document = run.documents[0]
    return float(document["duration_s"] - document["measured_s"])
