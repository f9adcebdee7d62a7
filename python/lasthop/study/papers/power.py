"""What more runs would decide: the claims that need the fewest, by the spread of the replications there are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lasthop.study import axes
from lasthop.study.claims import JudgedClaim, Table, Verdict
from lasthop.study.claims.judging import open_cells
from lasthop.study.papers.folder import Paper
from lasthop.study.papers.plans import Part

MOST = 2000
"""Replications of a setting beyond which nothing is promised."""

Counts = list[list[int]]
"""Replications of each cell of each part."""


@dataclass
class Further:
    """Further runs, in the order in which they are worth it, and the claims that they would decide."""

    counts: Counts
    claims: list[str] = field(default_factory=list)
    runs: int = 0

    def as_dict(self) -> dict[str, Any]:
        """Return it ready for JSON."""
        return {"runs": self.runs, "claims": self.claims}


def cheapest(
    paper: Paper,
    parts: Sequence[Part],
    made: Mapping[str, Table],
    judged: Sequence[JudgedClaim],
    counts: Counts,
    budget: int,
    target: int | None = None,
) -> Further:
    """Return the further runs that decide most claims, `budget` at most.

    One claim after the other: always that which needs the fewest runs beyond those already given. A claim needs,
    of each cell of its open parts, as many replications as the largest of these parts does (`Judged.needed`:
    with a power of 80 %, were means and spreads those seen so far), or `target` where that is given and enough.
    Claims of which that is unknown, or more than `MOST` or `target`, get none. It is counted in runs, not in
    time, so that a seed has one result on any machine.
    """
    found = Further([list(own) for own in counts])
    needed = {
        each.claim.id: target or each.needed
        for each in judged
        if each.verdict is Verdict.UNDECIDED
        and each.needed is not None
        and each.needed <= (target or MOST)
    }
    open_ = {
        each.claim.id: _cells(paper, parts, made, each)
        for each in judged
        if each.claim.id in needed
    }
    while open_:
        price = {
            id_: sum(max(0, needed[id_] - found.counts[part][cell]) for part, cell in cells)
            for id_, cells in open_.items()
        }
        next_ = min(price, key=lambda id_: price[id_])
        if found.runs + price[next_] > budget:
            break
        for part, cell in open_.pop(next_):
            found.counts[part][cell] = max(found.counts[part][cell], needed[next_])
        found.runs += price[next_]
        if price[next_]:
            found.claims.append(next_)
    return found


def _cells(
    paper: Paper, parts: Sequence[Part], made: Mapping[str, Table], judged: JudgedClaim
) -> list[tuple[int, int]]:
    """Return (part, cell) of all cells of a claim's open parts."""
    wanted = {
        name: {frozenset(setting.items()) for setting in settings}
        for name, settings in open_cells(judged, made, lambda _: True).items()
    }
    return [
        (place, cell)
        for place, part in enumerate(parts)
        for cell, raw in enumerate(axes.settings(part.study.axes))
        if is_needed(paper, part.id, raw, wanted)
    ]


def is_needed(
    paper: Paper,
    study: str,
    raw: Mapping[str, Any],
    needed: Mapping[str, set[frozenset[tuple[str, Any]]]],
) -> bool:
    """Return whether a cell of a study is among the settings that are `needed`, by measure."""
    setting = frozenset(paper.named(raw).items())
    for name, settings in needed.items():
        measure = paper.measures[name]
        if study in measure.studies and (not measure.metric or setting in settings):
            return True  # what derive.py makes may need any cell
    return False
