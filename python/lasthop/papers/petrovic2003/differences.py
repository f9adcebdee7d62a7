"""Where the simulated table differs from the printed one, and which unstated settings matter there."""

from __future__ import annotations

import math
from typing import Any

STRONGEST = 4
"""How many of the alternatives are named, the strongest first."""
NEAR = 0.1
"""Within this of 1 a ratio counts as near."""


def differences(document: dict[str, Any]) -> dict[str, Any] | None:
    """Return the columns of the table by their ratio, the farthest, and what would change it.

    `columns` are the cases with simulated over published; `farthest` that whose ratio is farthest
    from 1. `strongest` are the audit's alternatives that change it most: `effect` is the ratio to
    the audit's own baseline, `gives` the column's ratio times that. `near` names those that bring
    it within 10 % of 1. `baseline_differs` are the claims on which the audit's baseline, of fewer
    and shorter runs, has another verdict than the study. None without results.
    """
    columns = [
        {key: each[key] for key in ("name", "cells", "geometric_mean_ratio", "within_10_percent")}
        for each in document["agreement"]["by"]
        if each["what"] == "case" and each["cells"]
    ]
    if not columns:
        return None
    farthest = max(columns, key=lambda each: abs(math.log(each["geometric_mean_ratio"])))
    rows = document["alternatives"]
    changed = [
        {
            "item": row["item"],
            "name": row["name"],
            "effect": effect,
            "gives": farthest["geometric_mean_ratio"] * effect["ratio"],
        }
        for row in rows[1:]
        if (effect := row["effects"].get(farthest["name"])) is not None
    ]
    changed.sort(key=lambda each: -abs(math.log(each["effect"]["ratio"])))
    judged = rows[0]["verdicts"] if rows else {}
    verdicts = {c["id"]: c["verdict"] for c in document["claims"] if c["id"] in judged}
    return {
        "columns": columns,
        "farthest": farthest,
        "strongest": changed[:STRONGEST],
        "near": [each["name"] for each in changed if abs(each["gives"] - 1) <= NEAR],
        "baseline_differs": [claim for claim in verdicts if judged[claim] != verdicts[claim]],
    }
