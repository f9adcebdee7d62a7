"""The study's figures: its samples in the shapes that `lasthop.figures` draws."""

from __future__ import annotations

from functools import partial

from lasthop import stats
from lasthop.figures.bulk import Panel, Point, ratio_map, throughput
from lasthop.figures.shares import Group, Starving, fairness
from lasthop.papers.petrovic2003.collate import Samples, fair_parts
from lasthop.papers.petrovic2003.facts import Cell, facts
from lasthop.report import Figure

FIGURES = ("throughput", "ratio", "fairness")
"""The names of the figures."""


def pictures(samples: Samples) -> dict[str, Figure]:
    """Return the figures by name."""
    panels = _panels(samples)
    printed = [part for row in facts().shares for part in fair_parts(list(row.kbps))]
    groups = [_group(samples, rts) for rts in (True, False)]
    drawn = {
        "throughput": Figure(
            partial(throughput, panels),
            "Total throughput over packet size for each window: simulated (filled, solid, with "
            "95 % intervals) and published (open, dotted). Points of one size are spread sideways.",
        ),
        "ratio": Figure(
            partial(ratio_map, panels),
            "Simulated over published throughput in each cell. White is agreement; one colour is "
            "above the paper, the other below.",
        ),
        "fairness": Figure(
            partial(fairness, groups, printed),
            "Left: the distribution of a station's goodput over its fair share, all cells and "
            "runs, with and without RTS/CTS, and in the four cells that the paper prints. Right: "
            "how often a run leaves a station under 5 % of its fair share; exact 95 % intervals "
            "that take runs as independent.",
        ),
    }
    return {name: drawn[name] for name in FIGURES}


def _panels(samples: Samples) -> list[Panel]:
    paper = facts()
    return [
        Panel(
            case.label,
            {
                (cell.packet_bytes, cell.window): Point(published, found.mean, found.ci95)
                for cell, published in paper.published.items()
                if cell.case == case and (found := samples.mean(cell)) is not None
            },
        )
        for case in paper.cases
    ]


def _group(samples: Samples, rts: bool) -> Group:
    cells = [cell for cell in facts().published if cell.case.rts == rts]
    parts = [p for cell in cells for run in samples.shares(cell).values() for p in run]
    starving = {size: _starving(samples, cells, size) for size in facts().sizes}
    return Group("RTS" if rts else "no RTS", parts, starving)


def _starving(samples: Samples, cells: list[Cell], size: int) -> Starving:
    flags = [
        flag
        for cell in cells
        if cell.packet_bytes == size
        for flag in samples.starved(cell).values()
    ]
    interval = stats.proportion_interval(sum(flags), len(flags))
    return Starving(len(flags), sum(flags), interval.low, interval.high)
