"""What a verdict rests on, in one line: for terminals and reports of every paper."""

from __future__ import annotations

from typing import Any


def counts(found: dict[str, Any]) -> str:
    """Return how many statements are shown, denied and open."""
    return f"{found['shown']} shown, {found['denied']} denied, {found['open']} open"


def evidence_line(claim: dict[str, Any]) -> str:
    """Return what the runs say of a claim."""
    found = claim["evidence"]
    whole = f"{counts(found)} of {found['comparisons']} comparisons"
    parts = "; ".join(f"{part['name']}: {counts(part)}" for part in found["parts"])
    return f"{whole} ({parts})"


def own_line(claim: dict[str, Any]) -> str:
    """Return what the paper's own tables say of a claim."""
    own = claim["paper_table"]
    parts = "; ".join(
        f"{part['name']}: {part['shown']} of {part['shown'] + part['denied']}"
        for part in own["parts"]
    )
    total = own["shown"] + own["denied"]
    if not total:
        return "nothing printed that could be judged"
    return f"{own['verdict']}: {own['shown']} of {total} printed comparisons agree ({parts})"
