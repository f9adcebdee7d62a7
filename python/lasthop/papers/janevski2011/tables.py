"""Tables 4 to 6 as rows, printed beside simulated."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from lasthop import stats
from lasthop.claims import Table
from lasthop.claims.ranking import ranks
from lasthop.papers.janevski2011.facts import QUEUES, VARIANTS, facts

METRICS = {"4": "game.delay", "5": "ftp.delay"}
RETRIES = 3


def tables(found: Mapping[str, Table], wanted: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the paper's tables of which there are results."""
    made = [_delays(number, found) for number, name in METRICS.items() if name in found]
    if "indoor.goodput" in found:
        made.append(_ranks(found["indoor.goodput"]))
    return [table for table in made if table["id"] in wanted]


def estimate(values: Any, scale: float = 1.0) -> dict[str, Any]:
    """Return mean, half width of the 95 % interval and number of runs."""
    there = [] if values is None else (values[~np.isnan(values)] * scale).tolist()
    if not there:
        return {"mean": None, "ci95": None, "n": 0}
    return stats.estimate(there).as_dict()


def _delays(number: str, found: Mapping[str, Table]) -> dict[str, Any]:
    held, table = facts().tables[number], found[METRICS[number]]
    rows = []
    for distance, tcp, *values in held["rows"]:
        for ifq, published in zip(QUEUES, values, strict=True):
            keys = {"distance_m": distance, "tcp": tcp, "ifq": ifq}
            cell = {"distance": distance, "tcp": tcp, "ifq": ifq, "retries": RETRIES}
            known = estimate(table.at(cell), 1e3)
            ratio = None if known["mean"] is None else known["mean"] / published
            rows.append({**keys, "published": published, **known, "ratio": ratio, "unit": "ms"})
    return {"id": number, "what": held["what"], "unit": "ms", "rows": rows}


def _ranks(table: Table) -> dict[str, Any]:
    """Return table 6: the variants of each speed by rank, with the places that cannot be told apart."""
    held = facts().tables["6"]
    rows = []
    for column, speed in enumerate(held["columns"]):
        cells = {
            tcp: table.at({"speed": speed, "tcp": tcp, "ifq": 50, "retries": RETRIES})
            for tcp in VARIANTS
        }
        there = {tcp: values for tcp, values in cells.items() if values is not None and len(values)}
        placed = ranks(there) if len(there) == len(VARIANTS) else []
        for place, printed in enumerate(held["rows"]):
            own = placed[place] if placed else None
            rows.append(
                {
                    "speed_kmh": speed,
                    "rank": place + 1,
                    "published": printed[column],
                    "simulated": own.name if own else None,
                    "places": own.rank if own else None,
                    **estimate(there.get(own.name) if own else None, 1e-3),
                    "unit": "kbit/s",
                }
            )
    return {"id": "6", "what": held["what"], "unit": "kbit/s", "rows": rows}


def agreement(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return how near a table of delays is to the printed one."""
    logs = np.array([math.log(row["ratio"]) for row in table["rows"] if row.get("ratio")])
    if not len(logs):
        return {"cells": 0}
    ratios = np.exp(logs)
    return {
        "cells": len(logs),
        "geometric_mean_ratio": math.exp(float(logs.mean())),
        "rms_log_error": float(np.sqrt((logs**2).mean())),
        "within_10_percent": int((np.abs(ratios - 1) <= 0.1).sum()),
        "least_ratio": float(ratios.min()),
        "largest_ratio": float(ratios.max()),
    }
