"""What audits of papers have in common: their rows, and the sentence on what a claim rests on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from lasthop.claims.audit import Audit, Variation


def rows(found: Audit, effects: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return a row for each variation: item, name, verdicts, what flipped, and its `effects`."""
    return [_row(each, effects[each.name]) for each in found.variations]


def _row(each: Variation, effects: Mapping[str, Any]) -> dict[str, Any]:
    ((item, name),) = each.changes.items()
    row = {**each.as_dict(), "item": item, "name": name, **effects}
    del row["changes"]
    return row


def slug(name: str) -> str:
    """Return a name as a directory can have it."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")


def holds_only_if(found: Mapping[str, Any]) -> list[str]:
    """Return a sentence for each claim that an alternative flips."""
    said = []
    for claim, own in found["claims"].items():
        by = [row for row in found["variations"] if claim in row["flipped"]]
        if not by:
            continue
        verdicts = "; ".join(
            f"{row['verdicts'][claim]} with “{row['name']}” ({row['item']})" for row in by
        )
        said.append(f"{claim} is {own} with what was taken, but {verdicts}.")
    return said
