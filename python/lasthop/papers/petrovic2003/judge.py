"""The verdicts on the paper's claims P1 to P4, by the vocabulary of `lasthop.claims`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from lasthop import claims, stats
from lasthop.claims import Comparison, Outcome, Verdict
from lasthop.papers.petrovic2003.collate import Samples, fair_parts
from lasthop.papers.petrovic2003.design import PAPER_FEC
from lasthop.papers.petrovic2003.facts import Case, Cell, facts

Values = Callable[[Cell, Cell], tuple[Sequence[float], Sequence[float]]]
"""Gives the totals of two cells, kbit/s, value by value of the same replication."""

SMALLEST, LARGEST = 100, 2000

NOTES = {
    "P1": "Compared step by step: each packet size with the next at the same window and case, and "
    "each window with the next at the same size and case. Use of the link is measured by the "
    "total throughput. Shown beside it, and not part of the verdict: end to end, the largest size "
    "over the smallest and the widest window over the narrowest. The intervals of all of them "
    "hold together.",
    "P2": "Each cell with FEC against the same cell without. The paper's table contradicts its "
    "own text in places.",
    "P3": "Each cell without RTS/CTS against the same cell with it.",
    "P4": "A cell-run counts when a station has under 5 % of its fair share. Judged by an exact test "
    "on the differences of the replications, which share random numbers across cells. Table 2 prints the "
    "stations of four cells only, all of them with RTS/CTS; with no other "
    "cell printed it cannot say where most such cells are.",
}


def case_of(rts: bool, fec: bool) -> Case:
    """Return the case with RTS/CTS and FEC on or off."""
    return next(case for case in facts().cases if case.rts == rts and case.fec == fec)


def steps(values: Values) -> list[Comparison]:
    """P1: larger packets and larger windows, one step of the table at a time."""
    paper = facts()
    found = []
    for case in paper.cases:
        for small, large in pairwise(paper.sizes):
            for window in paper.windows:
                a, b = Cell(large, window, case), Cell(small, window, case)
                label = f"{large} B over {small} B, window {window}, {case.label}"
                found.append(Comparison("larger packet", label, *values(a, b)))
        for narrow, wide in pairwise(paper.windows):
            for size in paper.sizes:
                a, b = Cell(size, wide, case), Cell(size, narrow, case)
                label = f"window {wide} over {narrow}, {size} B, {case.label}"
                found.append(Comparison("larger window", label, *values(a, b)))
    return found


def ends(values: Values) -> list[Comparison]:
    """P1 read weakly: largest packet over smallest, widest window over narrowest."""
    paper = facts()
    found = []
    for case in paper.cases:
        for window in paper.windows:
            a, b = Cell(paper.sizes[-1], window, case), Cell(paper.sizes[0], window, case)
            label = f"{a.packet_bytes} B over {b.packet_bytes} B, window {window}, {case.label}"
            found.append(Comparison("largest packet", label, *values(a, b)))
        for size in paper.sizes:
            a, b = Cell(size, paper.windows[-1], case), Cell(size, paper.windows[0], case)
            label = f"window {a.window} over {b.window}, {size} B, {case.label}"
            found.append(Comparison("widest window", label, *values(a, b)))
    return found


def fec_effect(values: Values) -> list[Comparison]:
    """P2: FEC lowers the total at the smallest size and raises it at the largest."""
    found = []
    for size in (SMALLEST, LARGEST):
        raises = size == LARGEST
        for rts in (False, True):
            on, off = case_of(rts, True), case_of(rts, False)
            for window in facts().windows:
                with_fec, without = Cell(size, window, on), Cell(size, window, off)
                a, b = (with_fec, without) if raises else (without, with_fec)
                part = f"{'raised' if raises else 'lowered'} at {size} B"
                label = f"{part}: window {window}, {'RTS' if rts else 'no RTS'}"
                found.append(Comparison(part, label, *values(a, b)))
    return found


def rts_effect(values: Values) -> list[Comparison]:
    """P3: RTS/CTS lowers the total."""
    paper = facts()
    return [
        Comparison(
            case_of(True, fec).label,
            f"no RTS over RTS: {size} B, window {window}, {'FEC' if fec else 'no FEC'}",
            *values(
                Cell(size, window, case_of(False, fec)), Cell(size, window, case_of(True, fec))
            ),
        )
        for fec in (True, False)
        for size in paper.sizes
        for window in paper.windows
    ]


BUILD = {"P1": steps, "P2": fec_effect, "P3": rts_effect}


def published_values(a: Cell, b: Cell) -> tuple[Sequence[float], Sequence[float]]:
    """Return the printed totals of two cells, kbit/s, each as the only value."""
    published = facts().published
    return [published[a]], [published[b]]


def judge(samples: Samples, fec_model: str = PAPER_FEC) -> list[dict[str, Any]]:
    """Return the verdicts on all claims from the runs with one model of FEC."""

    def values(a: Cell, b: Cell) -> tuple[Sequence[float], Sequence[float]]:
        return samples.pairs(a, b, fec_model)

    documents = []
    for claim, build in BUILD.items():
        comparisons = build(values)
        more = ends(values) if claim == "P1" else []
        # One family: all intervals shown behind a claim hold together.
        family = claims.judge_all([*comparisons, *more])
        level = stats.bonferroni(len(family))
        judged, weak = family[: len(comparisons)], family[len(comparisons) :]
        found = claims.evidence(judged, level)
        if weak:
            found["ends"] = claims.evidence(weak, level)
        printed = claims.judge_points(build(published_values))
        documents.append(
            _document(
                claim, claims.verdict([j.outcome for j in judged]), found, _own(printed, judged)
            )
        )
    return [*documents, _starvation(samples, fec_model)]


def _own(printed: list[claims.Judged], judged: list[claims.Judged]) -> dict[str, Any]:
    found = claims.evidence(printed, None)
    return {
        "verdict": str(claims.verdict([j.outcome for j in printed])),
        "shown": found["shown"],
        "denied": found["denied"],
        "denied_but_shown_here": sum(
            ours.outcome is Outcome.SHOWN and theirs.outcome is Outcome.DENIED
            for ours, theirs in zip(judged, printed, strict=True)
        ),
        "parts": found["parts"],
    }


def _document(
    claim: str, verdict: Verdict, found: dict[str, Any], own: dict[str, Any]
) -> dict[str, Any]:
    starving = claim == "P4"
    return {
        "id": claim,
        "text": facts().claims[claim],
        "verdict": str(verdict),
        "evidence": found,
        "thresholds": {
            "starved_below_fair_share": claims.STARVED,
            "least_events": claims.LEAST_EVENTS,
            "p": 1 - stats.CONFIDENCE,
        }
        if starving
        else {"above_ratio": claims.ABOVE, "simultaneous_confidence": stats.CONFIDENCE},
        "paper_table_supports": own["verdict"],
        "paper_table": own,
        "note": NOTES[claim],
    }


def _starvation(samples: Samples, fec_model: str) -> dict[str, Any]:
    """P4: whether runs with a starved station are mostly runs with RTS/CTS."""
    flags = {cell: samples.starved(cell, fec_model) for cell in facts().published}
    complete = sorted(set.intersection(*(set(by) for by in flags.values())))
    counts = {
        rts: [sum(by[r] for cell, by in flags.items() if cell.case.rts == rts) for r in complete]
        for rts in (True, False)
    }
    majority = claims.judge_majority(counts[True], counts[False])
    cells = {rts: sum(cell.case.rts == rts for cell in flags) for rts in (True, False)}
    found = {
        "replications": len(complete),
        "with_rts": _probability(sum(counts[True]), cells[True] * len(complete)),
        "without_rts": _probability(sum(counts[False]), cells[False] * len(complete)),
        "test": majority.as_dict(),
        "starved_cells": [
            {"cell": cell.label, "runs": sum(by.values()), "of": len(by)}
            for cell, by in flags.items()
            if any(by.values())
        ],
    }
    printed = [fair_parts(list(row.kbps)) for row in facts().shares]
    own = {
        "verdict": str(Verdict.CANNOT_TELL),
        "cells_printed": len(printed),
        "starved": sum(parts[0] < claims.STARVED for parts in printed),
        "with_rts": sum(row.cell.case.rts for row in facts().shares),
    }
    return _document("P4", claims.verdict([majority.outcome]), found, own)


def _probability(hits: int, trials: int) -> dict[str, Any]:
    interval = stats.proportion_interval(hits, trials)
    return {
        "starved_runs": hits,
        "runs": trials,
        "probability": hits / trials if trials else None,
        "low": interval.low,
        "high": interval.high,
    }
