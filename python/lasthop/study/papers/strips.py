"""A claim in one line of marks: a mark a setting, grouped by part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

KINDS = ("shown", "open", "denied", "not-run")
"""Kinds of marks, in their order."""

MOST = 24
"""Marks of one part: with more settings each mark represents several."""


def strips(claim: Mapping[str, Any], most: int = MOST) -> list[list[str]]:
    """Return the marks of each part of a judged claim, at most `most` each; no kind is lost."""
    return [_strip(part["details"], most) for part in claim["parts"]]


def _strip(details: list[Mapping[str, Any]], most: int) -> list[str]:
    kinds = ["not-run" if not each["was_run"] else each["outcome"] for each in details]
    counts = {kind: kinds.count(kind) for kind in KINDS if kind in kinds}
    if len(kinds) > most:
        counts = {kind: max(1, round(count * most / len(kinds))) for kind, count in counts.items()}
    return [kind for kind, count in counts.items() for _ in range(count)]
