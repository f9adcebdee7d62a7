"""Measured flows beside simulated ones: pairs, differences with intervals, and what one run would give.

A measurement is one draw. With one file the question is whether it lies where a further run of the scenario
would lie with 95 %: in the prediction interval of a single run. With several files of the same set-up it is
whether the difference of the means is zero: Welch's interval.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from lasthop.data.measured.model import Flow, Measured
from lasthop.data.measured.quantities import QUANTITIES, Quantity
from lasthop.errors import UsageError, offered
from lasthop.numbers import stats

SAME_LENGTH = 0.1
"""Measured and simulated times that differ by more than this part are named."""


@dataclass(frozen=True)
class Pair:
    """A simulated flow and its measured counterpart: in each file, and in each replication."""

    name: str
    measured_name: str
    measured: tuple[Flow, ...]
    simulated: tuple[Flow, ...]


@dataclass(frozen=True)
class Row:
    """A quantity of a pair.

    Attributes:
        low, high: Of the prediction interval of one run (one file), or of the difference of means (several); None
            where one replication leaves no interval.
        inside: Whether the measured value lies in the first, or zero in the second.
    """

    quantity: Quantity
    key: str
    measured: tuple[float, ...]
    simulated: stats.Estimate
    low: float | None
    high: float | None
    inside: bool | None

    @property
    def mean(self) -> float:
        """The measured mean."""
        return math.fsum(self.measured) / len(self.measured)

    @property
    def part(self) -> float | None:
        """Simulated over measured, less one; None where nothing was measured."""
        return self.simulated.mean / self.mean - 1 if self.mean else None

    def as_dict(self) -> dict[str, Any]:
        """Return the row, ready for JSON."""
        interval = "one_run" if len(self.measured) == 1 else "difference"
        return {
            "quantity": self.key,
            "measured": list(self.measured),
            "simulated": self.simulated.as_dict(),
            interval: None if self.low is None else [self.low, self.high],
            "inside": self.inside,
            "simulated_over_measured": None if self.part is None else 1 + self.part,
        }


@dataclass(frozen=True)
class Comparison:
    """The result of a comparison; see `compare`."""

    files: tuple[Measured, ...]
    runs: tuple[Measured, ...]
    pairs: tuple[Pair, ...]
    rows: Mapping[str, tuple[Row, ...]]
    notes: tuple[str, ...] = field(default=())

    @property
    def said(self) -> str:
        """Say in a sentence how many quantities agree."""
        told = [row for rows in self.rows.values() for row in rows if row.inside is not None]
        if not told:
            if len(self.runs) > 1:
                return (
                    f"All {len(self.runs)} replications are equal in what is compared, so there is no interval "
                    "to compare with."
                )
            return "One replication has no interval: run two or more."
        inside = sum(bool(row.inside) for row in told)
        what = (
            "lie where 95 % of single runs of the scenario would"
            if len(self.files) == 1
            else "differ by no more than chance explains (95 %, each alone)"
        )
        return f"{inside} of {len(told)} measured quantities {what}."

    def as_dict(self) -> dict[str, Any]:
        """Return the comparison, ready for JSON."""
        return {
            "answer": [self.said],
            "files": [
                {"file": each.file, "format": each.format, "seconds": each.seconds}
                for each in self.files
            ],
            "replications": len(self.runs),
            "simulated_seconds": self.runs[0].seconds,
            "flows": [
                {
                    "name": pair.name,
                    "measured": pair.measured_name,
                    "quantities": [row.as_dict() for row in self.rows[pair.name]],
                }
                for pair in self.pairs
            ],
            "notes": list(self.notes),
        }


def compare(
    files: Sequence[Measured], runs: Sequence[Measured], wanted: Mapping[str, str] | None = None
) -> Comparison:
    """Set measured files beside simulated runs; raises UsageError where no flows match.

    `wanted` names the measured flow of simulated ones; the others are paired in their order, TCP with TCP and so
    on.
    """
    pairs, left = _pairs(files, runs, wanted or {})
    rows = {pair.name: tuple(_rows(pair)) for pair in pairs}
    return Comparison(tuple(files), tuple(runs), tuple(pairs), rows, (*_told(files, runs), *left))


def _pairs(
    files: Sequence[Measured], runs: Sequence[Measured], wanted: Mapping[str, str]
) -> tuple[list[Pair], list[str]]:
    ours = {flow.name: flow for flow in runs[0].flows}
    theirs = {flow.name: flow for flow in files[0].flows}
    chosen: dict[str, str] = {}
    for name, other in wanted.items():
        chosen[_known(name, ours, "simulated")] = _known(other, theirs, "measured")
    for transport in ("tcp", "udp", "station"):
        free = [f.name for f in files[0].flows if f.transport == transport]
        free = [name for name in free if name not in chosen.values()]
        open_ = [f.name for f in runs[0].flows if f.transport == transport]
        chosen |= dict(zip([name for name in open_ if name not in chosen], free, strict=False))
    if not chosen:
        raise UsageError(
            f"no measured flow matches a simulated one; measured: {_listed(files[0])}; "
            f"simulated: {_listed(runs[0])}"
        )
    pairs = []
    for name in (each for each in ours if each in chosen):
        place = [flow.name for flow in files[0].flows].index(chosen[name])
        measured = tuple(_at(each, place, theirs[chosen[name]]) for each in files)
        simulated = tuple(flow for run in runs for flow in run.flows if flow.name == name)
        pairs.append(Pair(name, chosen[name], measured, simulated))
    alone = [name for name in ours if name not in chosen]
    unmatched = [name for name in theirs if name not in chosen.values()]
    left = [f"Simulated and not measured: {', '.join(alone)}."] if alone else []
    left += [f"Measured and not simulated: {', '.join(unmatched)}."] if unmatched else []
    return pairs, left


def _known(name: str, there: Mapping[str, Flow], whose: str) -> str:
    if name not in there:
        raise UsageError(f"no {whose} flow {name!r}{offered(name, there)}")
    return name


def _listed(measured: Measured) -> str:
    return ", ".join(f"{flow.name} ({flow.transport})" for flow in measured.flows) or "none"


def _at(file: Measured, place: int, like: Flow) -> Flow:
    """Return a further file's flow at the same place, which must be of the same kind."""
    if place < len(file.flows) and file.flows[place].transport == like.transport:
        return file.flows[place]
    raise UsageError(
        f"{file.file}: no {like.transport} flow at place {place + 1}, where the first file has "
        f"{like.name}; files that are compared together are repetitions of one measurement"
    )


def _rows(pair: Pair) -> list[Row]:
    found = []
    for key, quantity in QUANTITIES.items():
        measured = [flow.values[key] for flow in pair.measured if key in flow.values]
        simulated = [flow.values[key] for flow in pair.simulated if key in flow.values]
        if len(measured) == len(pair.measured) and simulated:
            found.append(_row(quantity, key, measured, simulated))
    return found


def _row(quantity: Quantity, key: str, measured: list[float], simulated: list[float]) -> Row:
    known = stats.estimate(simulated)
    if len(simulated) < 2 or (len(measured) == 1 and len(set(simulated)) == 1):
        return Row(quantity, key, tuple(measured), known, None, None, None)
    if len(measured) == 1:
        half = (known.ci95 or 0.0) * math.sqrt(len(simulated) + 1)
        low, high = known.mean - half, known.mean + half
        inside = low <= measured[0] <= high
    else:
        low, high = welch(measured, simulated)
        inside = low <= 0 <= high
    return Row(quantity, key, tuple(measured), known, low, high, inside)


def welch(a: Sequence[float], b: Sequence[float]) -> tuple[float, float]:
    """Return Welch's 95 % interval of mean(b) - mean(a), two groups of independent values.

    The degrees of freedom (Satterthwaite 1946) are rounded down.
    """
    parts = [float(np.var(each, ddof=1)) / len(each) for each in (a, b)]
    middle, square = math.fsum(b) / len(b) - math.fsum(a) / len(a), sum(parts)
    if square == 0:
        return middle, middle
    rest = sum(part**2 / (len(each) - 1) for part, each in zip(parts, (a, b), strict=True))
    half = stats.t_quantile(stats.CONFIDENCE, max(1, int(square**2 / rest))) * math.sqrt(square)
    return middle - half, middle + half


def _told(files: Sequence[Measured], runs: Sequence[Measured]) -> list[str]:
    told = [f"{each.file}: {note}" for each in files for note in each.notes]
    simulated = runs[0].seconds
    for each in files:
        if abs(each.seconds - simulated) > SAME_LENGTH * max(each.seconds, simulated):
            told.append(
                f"{each.file} holds {each.seconds:.3g} s, a run {simulated:.3g} s: what changes with "
                f"time, such as a slow start, weighs differently. Set the duration to {each.seconds:.3g} s."
            )
    return told
