"""The measuring window of a study: the warm-up of steady-state studies, found in pilot runs.

In a terminating study (timed flows, handoffs, transfers, start-up) the beginning is part of what is measured:
nothing is cut, and the window is the scenario's own ``warmup`` and ``duration``.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from lasthop.core.jobs import run_jobs
from lasthop.core.listeners import Count, Said
from lasthop.core.metrics.leaves import Array
from lasthop.errors import StudyError
from lasthop.numbers.numerals import counted
from lasthop.numbers.stats import warmup
from lasthop.study.cells import Cell, cells, scenario_of
from lasthop.study.spec import Study, Window

#: Runs of each cell in which the warm-up is looked for; the median of their cuts counts. A single series of
#: noise is now and then cut far beyond its transient, also when it is the mean of several.
PILOTS = 5

#: The first replication of a pilot: none of those that are measured.
FIRST = 2**32

#: Points of a series: MSER-5 has 80 batches, and a queue or a flow is seen at least every 80th of a run.
POINTS = 400

#: Runs whose series are in memory at a time.
PORTION = 40


@dataclass(frozen=True)
class Pilot:
    """The pilots of a cell.

    Attributes:
        cut_s: Where its steady state begins, s.
        by: The series that settles last: ``flow bulk`` or ``queue cell/ap``.
        settled: Whether MSER-5 finds a steady state in the first half of every series.
    """

    cut_s: float
    by: str
    settled: bool = True


@dataclass
class Warming:
    """The warm-up of a study at work.

    Attributes:
        study: The study, whose scenario states none.
        held: What an earlier sweep into the same store found; its cut stays.
        workers: Of the pilot runs; 0: one a core.
        said: Told what a user should know.
        told: Told how far the pilots are.
    """

    study: Study
    held: Mapping[str, Any] | None
    workers: int
    said: Said
    told: Count
    _pilots: dict[str, Pilot] = field(default_factory=dict)

    def found(self) -> Study:
        """Return the study with the warm-up of all its cells among its changes; raises StudyError."""
        bare = replace(self.study, changes=(*self.study.changes, "warmup=0 s"))
        there = {cell.key: cell for cell in cells(bare)}
        known = (self.held or {}).get("pilots", {})
        self._pilots = {key: Pilot(*known[key]) for key in there if key in known}
        kept = self.held["cut_s"] if self.held and self._pilots else None
        self._run(bare, [cell for key, cell in there.items() if key not in self._pilots])
        cut = self._decide(there) if kept is None else kept
        self._tell(there, cut, kept is not None)
        found = {key: [p.cut_s, p.by, p.settled] for key, p in self._pilots.items()}
        window = Window("auto", cut, found)
        changes = (*self.study.changes, f"warmup={cut:.9g} s")
        return replace(self.study, changes=changes, window=window)

    def _run(self, bare: Study, new: Sequence[Cell]) -> None:
        lengths = {cell.key: cell.duration_s for cell in new}
        done = 0
        # A probe's step is that of all runs of a call.
        for length in dict.fromkeys(lengths.values()):
            same = [cell for cell in new if lengths[cell.key] == length]
            for some in _portions(same):
                of_cells = [scenario_of(bare, cell) for cell in some]
                jobs = [each.runs(FIRST + number) for each in of_cells for number in range(PILOTS)]
                before, of = done, len(new) * PILOTS
                documents = run_jobs(
                    jobs,
                    self.workers,
                    lambda count, _, before=before, of=of: self.told(before + count, of),  # type: ignore[misc]
                    probes=("tcp", "queue"),
                    probe_every=f"{length / POINTS!r} s",
                )
                done += len(jobs)
                for place, cell in enumerate(some):
                    mine = documents[place * PILOTS : (place + 1) * PILOTS]
                    self._pilots[cell.key] = pilot_of([each or {} for each in mine], length)

    def _decide(self, there: Mapping[str, Cell]) -> float:
        """Return the longest warm-up of all cells: compared runs have one window and one set of random numbers."""
        cut = max(pilot.cut_s for pilot in self._pilots.values())
        shortest = min(there.values(), key=lambda cell: cell.duration_s)
        if cut >= shortest.duration_s:
            raise StudyError(
                f"study {self.study.name}: the warm-up of {cut:g} s leaves nothing of the cell {shortest.label}; "
                f'run it longer, or state warmup = "5 s"'
            )
        return cut

    def _tell(self, there: Mapping[str, Cell], cut: float, kept: bool) -> None:
        last = max(self._pilots, key=lambda key: self._pilots[key].cut_s)
        by, longest = self._pilots[last].by, self._pilots[last].cut_s
        where = f"{there[last].label}, {by}" if by else "nothing settles later"
        if not kept:
            self.said(
                f"warm-up: {cut:g} s of every run (MSER-5 of {PILOTS} pilots a cell; last settled: {where})"
            )
        elif longest > cut:
            self.said(
                f"warm-up: {cut:g} s as before, but {there[last].label} settles after {longest:g} s only: "
                f'warmup = "{longest:g} s" computes all cells anew'
            )
        unsettled = [there[key].label for key, pilot in self._pilots.items() if not pilot.settled]
        if unsettled:
            more = f" and {counted(len(unsettled) - 1, 'cell')} more" if len(unsettled) > 1 else ""
            self.said(
                f"no steady state in the first half of {unsettled[0]}{more}: half of the run is cut; run longer, "
                'state the warm-up, or take kind = "terminating"'
            )


def pilot_of(documents: Sequence[Mapping[str, Any]], length_s: float) -> Pilot:
    """Return what pilots of a cell show: of each series the median cut of the runs, of all series the longest."""
    found = [dict(series_of(document, length_s)) for document in documents]
    names = dict.fromkeys(name for each in found for name in each)
    latest, settled = Pilot(0.0, ""), True
    for name in names:
        # A series that is not in a run had nothing to settle there.
        there = [each[name].tolist() for each in found if name in each]
        parts = [warmup(series).cut / POINTS for series in there]
        parts += [0.0] * (len(found) - len(there))
        part = statistics.median(parts)
        settled = settled and part <= 0.5
        cut = round(min(part, 0.5) * length_s, 9)
        if cut > latest.cut_s:
            latest = Pilot(cut, name)
    return replace(latest, settled=settled)


def series_of(document: Mapping[str, Any], length_s: float) -> Iterator[tuple[str, Array]]:
    """Yield the series of a run by name: bytes acknowledged to each TCP flow, packets in each queue, by step."""
    probes = document.get("probes") or {}
    for kind, column, name in (("tcp", "flow", "snd_una"), ("queue", "queue", "packets")):
        table = probes.get(kind) or {}
        times, values = np.asarray(table.get("time_s", ())), np.asarray(table.get(name, ()), float)
        owners = np.asarray(table.get(column, ()))
        for owner in dict.fromkeys(owners.tolist()):
            mine = owners == owner
            series = _stepped(times[mine], values[mine], length_s)
            if kind == "tcp":
                yield f"flow {owner}", np.diff(series, prepend=series[0])
            else:
                yield f"queue {owner}", series


def _stepped(times: Array, values: Array, length_s: float) -> Array:
    """Return the last value before the end of each of POINTS steps, 0 before the first."""
    ends = (np.arange(POINTS) + 1) * (length_s / POINTS)
    places = np.searchsorted(times, ends, side="left") - 1
    return np.where(places < 0, 0.0, values[np.maximum(places, 0)])


def _portions(some: Sequence[Cell]) -> Iterator[Sequence[Cell]]:
    step = max(1, PORTION // PILOTS)
    return (some[begin : begin + step] for begin in range(0, len(some), step))
