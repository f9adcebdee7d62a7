"""A paper's measures as tables in its own words, over all cells, whether they were run or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lasthop.errors import Steps, UsageError
from lasthop.study import axes
from lasthop.study.claims import Table
from lasthop.study.papers.folder import Measured, Paper

Array = npt.NDArray[np.float64]
Found = Mapping[str, Sequence[Mapping[str, Table]]]
"""By study, the tables of each part of it that was run, by metric."""


def tables(paper: Paper, found: Found) -> dict[str, Table]:
    """Return a table for each measure of which a study was run, and what derive.py makes of them."""
    made = {
        name: _joined(paper, measure, found)
        for name, measure in paper.measures.items()
        if measure.metric and any(id_ in found for id_ in measure.studies)
    }
    if paper.derive is not None and paper.derive.has("tables"):
        made |= _tables(paper.derive.call("tables", made), paper)
    return {name: _shown(paper, name, table) for name, table in made.items()}


def _tables(found: Any, paper: Paper) -> Mapping[str, Table]:
    is_one = isinstance(found, Mapping) and all(isinstance(each, Table) for each in found.values())
    if not is_one:
        said = "tables must return tables by name"
        raise UsageError(said, code="wrong-kind", file=str(paper.path("derive.py")))
    return {str(name): table for name, table in found.items()}


def _shown(paper: Paper, name: str, table: Table) -> Table:
    return Table(name, table.axes, table.cells, paper.shown(name))


def _joined(paper: Paper, measure: Measured, found: Found) -> Table:
    rows: dict[tuple[Any, ...], tuple[dict[str, Any], Array]] = {}
    for id_ in measure.studies:
        for raw in axes.settings(paper.study(id_, 0).axes):
            setting = paper.named(raw)
            rows[tuple(setting.values())] = (setting, np.empty(0))
        for part in found.get(id_, ()):
            table = part.get(measure.metric)
            for key, values in table.cells.items() if table else ():
                setting = paper.named(dict(zip(table.axes, key, strict=True))) if table else {}
                place = tuple(setting.values())
                if place not in rows or len(values) >= len(rows[place][1]):
                    rows[place] = (setting, values)
    try:
        return Table.of(measure.name, list(rows.values()))
    except ValueError as error:
        said = f"measure {measure.name}: its studies have not the same axes: {error}"
        at: Steps = ("measures", measure.name)
        raise UsageError(said, file=str(paper.path("paper.toml")), path=at) from None
