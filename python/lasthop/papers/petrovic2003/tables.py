"""The study's tables as rows for JSON and for Parquet."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from lasthop import stats, store
from lasthop.claims import STARVED
from lasthop.papers.petrovic2003.collate import Samples, fair_parts, rates_kbps
from lasthop.papers.petrovic2003.design import EXACT_FEC, PAPER_FEC
from lasthop.papers.petrovic2003.facts import Cell, facts
from lasthop.stats import Estimate, estimate

UNIT = "kbit/s"
NONE = {"mean": None, "ci95": None, "n": 0}


def _key(cell: Cell) -> dict[str, Any]:
    return {"packet_bytes": cell.packet_bytes, "window": cell.window, "case": cell.case.id}


def _estimate(found: Estimate | None) -> dict[str, Any]:
    return dict(NONE) if found is None else found.as_dict()


def totals(samples: Samples) -> dict[str, Any]:
    """Return table 1: published and simulated total goodput of each of the 80 cells, kbit/s."""
    rows = []
    for cell, published in facts().published.items():
        found = samples.mean(cell)
        ratio = found.mean / published if found else None
        values = {"published": published, **_estimate(found), "ratio": ratio, "unit": UNIT}
        rows.append({**_key(cell), **values})
    return {"id": "1", "what": "total throughput of 5 bulk TCP connections", "rows": rows}


def exact_fec(samples: Samples) -> dict[str, Any]:
    """Return the 40 cells with FEC once more, FEC computed block by block instead."""
    rows = []
    for cell, published in facts().published.items():
        if not cell.case.fec:
            continue
        found, paper = samples.mean(cell, EXACT_FEC), samples.mean(cell)
        rows.append(
            {
                **_key(cell),
                "published": published,
                **_estimate(found),
                "residual_ber_mean": paper.mean if paper else None,
                "unit": UNIT,
            }
        )
    what = "table 1's cells with FEC, when a frame falls with any block beyond correction"
    return {"id": "1-block", "what": what, "rows": rows}


def stations(samples: Samples) -> dict[str, Any]:
    """Return table 2: throughput of the stations of four cells in rising order, kbit/s."""
    rows = []
    for printed in facts().shares:
        runs = samples.runs.get(samples.setting(printed.cell), {})
        ranked = [sorted(rates_kbps(run)) for run in runs.values()]
        for rank, published in enumerate(sorted(printed.kbps)):
            found = estimate([rates[rank] for rates in ranked]) if ranked else None
            place = {"rank": rank + 1, "published": published}
            rows.append({**_key(printed.cell), **place, **_estimate(found), "unit": UNIT})
    what = "throughput of each station in four cells of table 1, rank 1 the lowest"
    return {"id": "2", "what": what, "rows": rows, "note": facts().notes["2"]}


def fairness(samples: Samples) -> dict[str, Any]:
    """Return table 2's cells by Jain's index and starvation, as distributions over runs.

    Each row has Jain's index as published and over runs (mean with its interval, 5th percentile,
    median, 95th percentile), `runs_as_unfair` whose index is at most the published one, and the runs
    with a starved station with the exact 95 % interval of their probability.
    """
    rows = []
    for printed in facts().shares:
        runs = samples.runs.get(samples.setting(printed.cell), {})
        found = [jain(rates_kbps(run)) for run in runs.values()]
        published = jain(list(printed.kbps))
        starved = sum(samples.starved(printed.cell).values())
        interval = stats.proportion_interval(starved, len(found))
        low, median, high = np.quantile(found, (0.05, 0.5, 0.95)).tolist() if found else [None] * 3
        rows.append(
            {
                **_key(printed.cell),
                "published": published,
                **_estimate(estimate(found) if found else None),
                "p05": low,
                "median": median,
                "p95": high,
                "runs_as_unfair": sum(each <= published for each in found),
                "published_starved": fair_parts(list(printed.kbps))[0] < STARVED,
                "starved_runs": starved,
                "starved_low": interval.low,
                "starved_high": interval.high,
                "unit": "1",
            }
        )
    return {"id": "2-fairness", "what": "Jain's index of table 2's cells over runs", "rows": rows}


def jain(rates: list[float]) -> float:
    """Return Jain's index; that of stations which all have nothing is 0: they share nothing."""
    squares = math.fsum(rate**2 for rate in rates)
    return math.fsum(rates) ** 2 / (len(rates) * squares) if squares else 0.0


def flow_rows(samples: Samples) -> list[dict[str, Any]]:
    """Return one tidy row for each table, cell, replication and flow."""
    rows = []
    for setting, runs in samples.runs.items():
        table = "1" if setting.fec_model == PAPER_FEC else "1-block"
        case = setting.cell.case
        key = {
            "table": table,
            **_key(setting.cell),
            "rts": case.rts,
            "fec": case.fec,
            "fec_model": setting.fec_model if case.fec else None,
        }
        for run in runs.values():
            rows += store.flow_rows(run, key)
    return rows


def cell_rows(tables: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows of all tables as one tidy table."""
    return [{"table": table["id"], **row} for table in tables for row in table["rows"]]
