"""Tables 3 to 5 as rows for JSON, printed beside simulated, and how near they are."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from lasthop import stats
from lasthop.claims import Table
from lasthop.papers.petrovic2003.traffic.experiments import (
    BULK_BESIDE_VOICE,
    VOICE,
    Experiment,
    Place,
    places,
    what,
)
from lasthop.papers.sweeps import Samples


def estimate(table: Table | None, setting: Mapping[str, Any], scale: float) -> dict[str, Any]:
    """Return mean, half width of the 95 % interval and number of runs of a cell."""
    values = None if table is None else table.at(setting)
    there = [] if values is None else (values[~np.isnan(values)] * scale).tolist()
    if not there:
        return {"mean": None, "ci95": None, "n": 0}
    return stats.estimate(there).as_dict()


def tables(experiment: Experiment, samples: Samples) -> list[dict[str, Any]]:
    """Return the paper's tables of an experiment, a row for each cell."""
    return [
        {
            "id": number,
            "what": what(experiment),
            "unit": experiment.unit,
            "rows": [
                _row(experiment, samples, place)
                for place in places(experiment)
                if place.table == number
            ],
        }
        for number in experiment.tables
    ]


def _row(experiment: Experiment, samples: Samples, place: Place) -> dict[str, Any]:
    found = estimate(samples.tables.get(experiment.metric), place.setting, experiment.scale)
    mean = found["mean"]
    ratio = None if mean is None else mean / place.published
    row = {**place.keys, "published": place.published, **found, "ratio": ratio}
    if experiment == VOICE:
        bulk = estimate(samples.tables.get(BULK_BESIDE_VOICE), place.setting, 1e-3)
        row |= {"bulk_kbps": bulk["mean"], "bulk_kbps_ci95": bulk["ci95"]}
    return {**row, "unit": experiment.unit}


def agreement(table: Mapping[str, Any]) -> dict[str, Any]:
    """Return how near a table is to the printed one; see `petrovic2003.agreement` for the keys."""
    logs = np.array([math.log(row["ratio"]) for row in table["rows"] if row["ratio"]])
    if not len(logs):
        return {"cells": 0}
    return {
        "cells": len(logs),
        "geometric_mean_ratio": math.exp(float(logs.mean())),
        "rms_log_error": float(np.sqrt((logs**2).mean())),
        "within_33_percent": int(((np.exp(logs) > 2 / 3) & (np.exp(logs) < 4 / 3)).sum()),
        "least_ratio": math.exp(float(logs.min())),
        "largest_ratio": math.exp(float(logs.max())),
    }
