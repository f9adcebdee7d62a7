"""The numbers behind a verdict in one line, for terminal and report alike."""

from __future__ import annotations

from typing import Any

from lasthop.papers import words


def printed(value: float) -> str:
    """Return a published number as it was printed: one decimal, two where the second is not 0."""
    text = f"{value:.2f}"
    return text.removesuffix("0")


def evidence_line(claim: dict[str, Any]) -> str:
    """Return what the runs say of a claim."""
    found = claim["evidence"]
    if "with_rts" in found:
        return _starving(found)
    line = words.evidence_line(claim)
    if "ends" in found:
        ends = "; ".join(f"{part['name']}: {words.counts(part)}" for part in found["ends"]["parts"])
        line += f"; end to end, {ends}"
    return line


def short_evidence(claim: dict[str, Any]) -> str:
    """Return the counts behind a verdict: shown/denied/open, or starved runs with and without."""
    found = claim["evidence"]
    if "with_rts" in found:
        return f"{found['with_rts']['starved_runs']} RTS, {found['without_rts']['starved_runs']} no"
    return f"{found['shown']}/{found['denied']}/{found['open']}"


def own_line(claim: dict[str, Any]) -> str:
    """Return what the paper's own table says of a claim."""
    own = claim["paper_table"]
    if "cells_printed" in own:
        return (
            f"{own['verdict']}: stations are printed for {own['cells_printed']} cells, "
            f"{own['with_rts']} of them with RTS/CTS; {own['starved']} have a starved station"
        )
    parts = "; ".join(
        f"{part['name']}: {part['shown']} of {part['shown'] + part['denied']}"
        for part in own["parts"]
    )
    total = own["shown"] + own["denied"]
    return f"{own['verdict']}: {own['shown']} of {total} printed pairs agree ({parts})"


def _starving(found: dict[str, Any]) -> str:
    with_rts, without = found["with_rts"], found["without_rts"]
    test, replications = found["test"], found["replications"]
    line = f"a station is starved in {_rate(with_rts)} with RTS/CTS and {_rate(without)} without"
    line += f"; more often with it in {test['replications_more']} of {replications} replications, "
    line += f"less often in {test['replications_fewer']}, exact p = {test['p']:.2g}"
    if test["events"] < test["least_events"]:
        line += f" (too few to judge by: under {test['least_events']})"
    return line


def _rate(group: dict[str, Any]) -> str:
    return f"{group['starved_runs']} of {group['runs']} runs"
