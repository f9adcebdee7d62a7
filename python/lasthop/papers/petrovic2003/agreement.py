"""How near the simulated table lies to the printed one, and how much of the rest can be chance."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from lasthop import stats
from lasthop.papers.petrovic2003.collate import Samples
from lasthop.papers.petrovic2003.facts import Cell, facts


def agreement(samples: Samples) -> dict[str, Any]:
    """Return the agreement over all cells and by case, packet size and window.

    `geometric_mean_ratio` is simulated over printed; `rms_log_error` the root mean square of its
    natural logarithm; `scatter` the same after the mean ratio is taken out; `one_run` counts the
    cells whose printed value lies inside the 95 % prediction interval of a single further run of
    this length, which is what the printed value would be if everything else were alike.
    """
    cells = [cell for cell in facts().published if (mean := samples.mean(cell)) and mean.mean > 0]
    groups: dict[str, Callable[[Cell], str]] = {
        "case": lambda cell: cell.case.label,
        "packet size": lambda cell: f"{cell.packet_bytes} B",
        "window": lambda cell: f"{cell.window}",
    }
    return {
        "all": _agree(samples, cells),
        "by": [
            {"what": what, "name": name, **_agree(samples, [c for c in cells if key(c) == name])}
            for what, key in groups.items()
            for name in dict.fromkeys(key(cell) for cell in cells)
        ],
        "farthest": _farthest(samples, cells),
    }


def _agree(samples: Samples, cells: Sequence[Cell]) -> dict[str, Any]:
    if not cells:
        return {"cells": 0}
    logs = np.array([_log_ratio(samples, cell) for cell in cells])
    return {
        "cells": len(cells),
        "geometric_mean_ratio": math.exp(float(logs.mean())),
        "rms_log_error": float(np.sqrt((logs**2).mean())),
        "scatter": float(logs.std()),
        "within_10_percent": int((np.abs(np.exp(logs) - 1) <= 0.1).sum()),
        "one_run": sum(_one_run(samples, cell) for cell in cells),
    }


def _log_ratio(samples: Samples, cell: Cell) -> float:
    mean = samples.mean(cell)
    assert mean is not None  # only cells with results are asked for
    return math.log(mean.mean / facts().published[cell])


def _one_run(samples: Samples, cell: Cell) -> bool:
    totals = list(samples.totals(cell).values())
    half = stats.half_width(totals)
    if half is None:
        return False
    # From the mean's t interval, s t/sqrt(n), to that of one more value, s t sqrt(1 + 1/n).
    reach = half * math.sqrt(len(totals) + 1)
    return abs(facts().published[cell] - math.fsum(totals) / len(totals)) <= reach


def _farthest(samples: Samples, cells: Iterable[Cell], count: int = 5) -> list[dict[str, Any]]:
    """Return the cells whose ratio is farthest from 1, farthest first."""
    ranked = sorted(cells, key=lambda cell: -abs(_log_ratio(samples, cell)))
    return [
        {"cell": cell.label, "ratio": math.exp(_log_ratio(samples, cell))}
        for cell in ranked[:count]
    ]
