"""Printed tables beside their simulation: rows, and how near they are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from lasthop.numbers import stats
from lasthop.study.claims import Table
from lasthop.study.claims.ranking import ranks
from lasthop.study.papers.folder import Paper
from lasthop.study.papers.printed_tables import Printed


def rows(paper: Paper, made: Mapping[str, Table]) -> list[dict[str, Any]]:
    """Return the printed tables of which there are results, a row for each value; see `papers.reproduce`."""
    return [_table(held, made[held.measure]) for held in paper.tables if held.measure in made]


def as_tables(paper: Paper) -> dict[str, Table]:
    """Return what is printed as a table for each measure, one value a cell, in the measure's own unit.

    Ranks are given as places: the last is 1.
    """
    cells: dict[str, list[tuple[Mapping[str, Any], Sequence[float]]]] = {}
    for held in (each for each in paper.tables if each.kind != "beyond"):
        into = cells.setdefault(held.measure, [])
        if held.kind == "ranks":
            into += _places(held)
        else:
            into += [(setting, [value / held.scale]) for setting, value in held.cells()]
    made = {}
    for name, own in cells.items():
        axes = set(own[0][0])
        made[name] = Table.of(name, [x for x in own if set(x[0]) == axes], paper.shown(name))
    return made


def _places(held: Printed) -> list[tuple[Mapping[str, Any], Sequence[float]]]:
    last = len(held.rows)
    found: list[tuple[Mapping[str, Any], Sequence[float]]] = []
    for setting, name in held.cells():
        rank = setting[held.keys[0]]
        rest = {key: value for key, value in setting.items() if key != held.keys[0]}
        found.append(({**rest, held.along: name}, [float(last + 1 - rank)]))
    return found


def estimate(values: Any, scale: float = 1.0) -> dict[str, Any]:
    """Return mean, half width of the 95 % interval and number of runs."""
    there = [] if values is None else (values[~np.isnan(values)] * scale).tolist()
    if not there:
        return {"mean": None, "ci95": None, "n": 0}
    return stats.estimate(there).as_dict()


def _table(held: Printed, table: Table) -> dict[str, Any]:
    made = _ranked(held, table) if held.kind == "ranks" else _means(held, table)
    return {
        "id": held.id,
        "what": held.what,
        "unit": held.unit,
        "kind": held.kind,
        "note": held.note,
        "keys": list(held.keys),
        "settings": sorted({key for setting, _ in held.cells() for key in setting}),
        "columns": [table.label(column) or table.said for column in held.columns],
        "rows": made,
    }


def _means(held: Printed, table: Table) -> list[dict[str, Any]]:
    found = []
    for setting, published in held.cells():
        values = _at(table, setting)
        known = estimate(values, held.scale)
        mean, ends = known["mean"], reach(values, held.scale)
        found.append(
            {
                **setting,
                "published": published,
                **known,
                "ratio": mean / published if mean is not None and published else None,
                "inside": None
                if ends is None or published is None
                else ends[0] <= published <= ends[1],
                "unit": held.unit,
            }
        )
    return found


def reach(values: Any, scale: float = 1.0) -> tuple[float, float] | None:
    """Return the interval in which one more run lies with a probability of 95 %; None for less than two runs.

    From 39 runs on it is that between two of them, whatever their distribution: between the k-th from below
    and the k-th from above lie n + 1 - 2k of the n + 1 gaps, in each of which one more run lies equally often.
    Of fewer it is Student's.
    """
    there: list[float] = [] if values is None else sorted(values[~np.isnan(values)] * scale)
    count = len(there)
    if place := int((1 - stats.CONFIDENCE) / 2 * (count + 1)):
        return float(there[place - 1]), float(there[count - place])
    known = estimate(values, scale)
    if known["ci95"] is None:
        return None
    # From the mean's interval, s t/sqrt(n), to that of one more value, s t sqrt(1 + 1/n).
    half = known["ci95"] * math.sqrt(count + 1)
    return known["mean"] - half, known["mean"] + half


def _at(table: Table, setting: Mapping[str, Any]) -> Any:
    if set(setting) != set(table.axes):
        return None
    return table.at(setting)


def _ranked(held: Printed, table: Table) -> list[dict[str, Any]]:
    """Return the printed ranks with the places that the runs leave them."""
    found = []
    rank_key = held.keys[0]
    for column in held.columns:
        where = {**column, **held.where}
        names = table.values(held.along)
        cells = {str(n): table.at({**where, held.along: n}) for n in names}
        there = {
            name: values for name, values in cells.items() if values is not None and len(values)
        }
        placed = ranks(there) if len(there) == len(names) else []
        own = [each for each in held.cells() if column.items() <= each[0].items()]
        for place, (setting, published) in enumerate(own):
            at = placed[place] if placed else None
            found.append(
                {
                    **column,
                    "rank": setting[rank_key],
                    "published": published,
                    "simulated": at.name if at else None,
                    "places": at.rank if at else None,
                    **estimate(there.get(at.name) if at else None, held.scale),
                    "unit": held.unit,
                }
            )
    return found


MOST_GROUPS = 8


def agreement(found: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return how near each printed table of means is, by its id.

    `geometric_mean_ratio` is simulated over printed; `rms_log_error` the root mean square of its
    natural logarithm; `scatter` the same after the mean ratio is taken out; `one_run` counts the
    values that lie inside the 95 % prediction interval of a single further run, which is what
    the printed one would be if everything else were alike. `zeros` are simulated as zero, or printed so: of
    these there is no ratio. `groups` are the same numbers of parts of the table, by columns or by what its rows
    are: by what explains most of the spread, since a mean over all may be that of errors which cancel.
    """
    return {
        table["id"]: _agree(own) | {"groups": {name: _agree(each) for name, each in groups.items()}}
        for table in found
        if table["kind"] == "means"
        for own in [[row for row in table["rows"] if row["mean"] is not None]]
        for groups in [_groups(table, own)]
    }


def _groups(
    table: Mapping[str, Any], own: Sequence[dict[str, Any]]
) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of a table parted by its columns, or by its keys: by what explains most."""
    values = [key for key in own[0] if key in table["settings"]] if own else []
    keys = tuple(key for key in table["keys"] if key in values)
    columns = tuple(key for key in values if key not in keys)
    best: dict[str, list[dict[str, Any]]] = {}
    explained = 0.0
    for axes in dict.fromkeys((columns, keys, *((key,) for key in values))):
        parted: dict[str, list[dict[str, Any]]] = {}
        for row in own:
            parted.setdefault(", ".join(f"{key} {row[key]}" for key in axes), []).append(row)
        logs = [
            [math.log(row["ratio"]) for row in rows if row["ratio"]] for rows in parted.values()
        ]
        every = [value for each in logs for value in each]
        between = sum(len(each) * (np.mean(each) - np.mean(every)) ** 2 for each in logs if each)
        if 1 < len(parted) <= MOST_GROUPS and between > explained:
            best, explained = parted, float(between)
    return best


def _agree(own: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    there = [row["ratio"] for row in own if row["ratio"]]
    if not there:
        return {"cells": 0}
    logs = np.log(there)
    ratios = np.exp(logs)
    return {
        "cells": len(own),
        "zeros": len(own) - len(there),
        "geometric_mean_ratio": math.exp(float(logs.mean())),
        "rms_log_error": float(np.sqrt((logs**2).mean())),
        "scatter": float(logs.std()),
        "within_10_percent": int((np.abs(ratios - 1) <= 0.1).sum()),
        "one_run": sum(bool(row["inside"]) for row in own),
        "least_ratio": float(ratios.min()),
        "largest_ratio": float(ratios.max()),
    }
