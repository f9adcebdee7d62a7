"""The files of the reproduction: data first, then figures, then the report, each file whole or absent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lasthop import report, store
from lasthop.claims import Table
from lasthop.papers.audits import holds_only_if
from lasthop.papers.janevski2011.experiments import IDS
from lasthop.papers.janevski2011.facts import LABELS, QUEUES, data, facts, text
from lasthop.papers.janevski2011.pictures import figures
from lasthop.papers.janevski2011.timeline import Timeline
from lasthop.papers.words import evidence_line, own_line
from lasthop.recipes.recipe import of_paper
from lasthop.stats import estimate

RESULT, PAGE, CELLS = "result.json", "report.html", "cells.parquet"
DRAWN = ("figure02", *data("figures.toml"), "trade")
ALL = (PAGE, RESULT, CELLS, *(f"{f}.{kind}" for f in DRAWN for kind in ("png", "pdf")))
SCENARIOS = ("scene.static.toml", "scene.moving.toml")


@dataclass(frozen=True)
class Output:
    """Writes to `directory`; `document["files"]` names what has been written."""

    directory: Path
    tables: Mapping[str, Table]
    seen: Timeline | None
    command: str

    def data(self, document: dict[str, Any]) -> None:
        """Write the data, after removing an earlier report's files: no page beside others' data."""
        recipe = {"lasthop": document["version"], "command": self.command}
        files = [self.directory / RESULT, self.directory / CELLS]
        with store.explained(self.directory):
            for name in ALL:
                (self.directory / name).unlink(missing_ok=True)
            store.write_parquet(files[1], cell_rows(self.tables), recipe)
        document["files"] = [str(file) for file in files]
        self.result(document)

    def result(self, document: dict[str, Any]) -> None:
        """Write the document once more, with what has been added to it."""
        with store.explained(self.directory):
            store.write_json(self.directory / RESULT, document)

    def page(self, document: dict[str, Any]) -> None:
        """Draw the figures, then write the report and the document that names them all."""
        recipe = of_paper(self.command, document)
        drawn = figures(self.tables, self.seen)
        with store.explained(self.directory):
            for name, figure in drawn.items():
                written = figure.light.save_for_paper(self.directory / name, recipe)
                document["files"] += [str(file) for file in written]
            page = self.directory / PAGE
            named = {**document, "files": [str(page), *document["files"]]}
            report.save(self._render(named, drawn), page, recipe)
            document["files"] = named["files"]
        self.result(document)

    def _render(self, document: dict[str, Any], drawn: dict[str, report.Figure]) -> str:
        files = [*(f"{each}.toml" for each in IDS), *SCENARIOS]
        return report.render(
            "janevski2011.html.j2",
            doc=document,
            paper=facts(),
            tables={table["id"]: table for table in document["tables"]},
            figures=report.images(drawn),
            missing=[f"figure {int(name[6:])}" for name in DRAWN[:-1] if name not in drawn],
            quick=text("quick.toml"),
            labels=LABELS,
            queues=QUEUES,
            holds_only_if=holds_only_if,
            evidence_line=evidence_line,
            own_line=own_line,
            command=self.command,
            scenarios={name: text(name) for name in files},
        )


def cell_rows(tables: Mapping[str, Table]) -> list[dict[str, Any]]:
    """Return the mean of every table's every cell, with its 95 % interval, as one tidy table."""
    rows = []
    for name, table in tables.items():
        for key, values in table.cells.items():
            there = values[~np.isnan(values)].tolist()
            if there:
                known = estimate(there).as_dict()
                setting = {axis: str(v) for axis, v in zip(table.axes, key, strict=True)}
                blank = dict.fromkeys(("distance", "speed", "tcp", "ifq", "retries", "ftp", "pick"))
                rows.append({"metric": name, **blank, **setting, **known})
    return rows
