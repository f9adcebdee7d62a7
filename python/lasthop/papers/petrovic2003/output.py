"""The files of the study: data first, then figures, then the report, each file whole or absent."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from lasthop import report, store
from lasthop.figures import style
from lasthop.papers.petrovic2003 import tables
from lasthop.papers.petrovic2003.collate import Samples
from lasthop.papers.petrovic2003.facts import facts, text
from lasthop.papers.petrovic2003.pictures import FIGURES, pictures
from lasthop.papers.petrovic2003.words import evidence_line, own_line
from lasthop.recipes.recipe import of_paper

RESULT, PAGE, FLOWS, CELLS = "result.json", "report.html", "flows.parquet", "cells.parquet"
ALL = (PAGE, RESULT, FLOWS, CELLS, *(f"{f}.{kind}" for f in FIGURES for kind in ("png", "pdf")))


@dataclass(frozen=True)
class Output:
    """Writes one study to `directory`; `document["files"]` names what has been written."""

    directory: Path
    samples: Samples
    command: str

    def data(self, document: dict[str, Any]) -> None:
        """Write the data, after removing an earlier study's files: no page beside others' data."""
        recipe = {"lasthop": document["version"], "command": self.command}
        with store.explained(self.directory):
            for name in ALL:
                (self.directory / name).unlink(missing_ok=True)
            flows, cells = self.directory / FLOWS, self.directory / CELLS
            store.write_parquet(flows, tables.flow_rows(self.samples), recipe)
            store.write_parquet(cells, tables.cell_rows(self._tables()), recipe)
        document["files"] = [str(self.directory / name) for name in (RESULT, FLOWS, CELLS)]
        self.result(document)

    def result(self, document: dict[str, Any]) -> None:
        """Write the document once more, with what has been added to it."""
        with store.explained(self.directory):
            store.write_json(self.directory / RESULT, document)

    def drawable(self) -> bool:
        """Return whether every cell has a run: figures and report need that."""
        return all(self.samples.mean(cell) for cell in facts().published)

    def page(self, document: dict[str, Any]) -> None:
        """Draw the figures, then write the report and the document that names them all."""
        drawn, recipe = pictures(self.samples), of_paper(self.command, document)
        with store.explained(self.directory):
            for name, figure in drawn.items():
                written = style.save(figure.draw, self.directory / name, recipe)
                document["files"] += [str(file) for file in written]
            page = self.directory / PAGE
            named = {**document, "files": [str(page), *document["files"]]}
            report.save(self._render(named, drawn), page, recipe)
            document["files"] = named["files"]
        self.result(document)

    def _tables(self) -> list[dict[str, Any]]:
        made = (tables.totals, tables.exact_fec, tables.stations)
        return [make(self.samples) for make in made]

    def _render(self, document: dict[str, Any], drawn: dict[str, report.Figure]) -> str:
        totals, block, stations = self._tables()
        paper = facts()
        labels = {case.id: case.label for case in paper.cases}
        grouped = groupby(
            stations["rows"],
            lambda r: f"{r['packet_bytes']} B, window {r['window']}, {labels[r['case']]}",
        )
        return report.render(
            "petrovic2003.html.j2",
            doc=document,
            paper=paper,
            cells=len(paper.published),
            rows={(r["packet_bytes"], r["window"], r["case"]): r for r in totals["rows"]},
            block={(r["packet_bytes"], r["window"], r["case"]): r for r in block["rows"]},
            fec_cases=[case for case in paper.cases if case.fec],
            shares=[(cell, list(rows)) for cell, rows in grouped],
            figures={
                name: {
                    "image": {"light": f.uri(style.LIGHT), "dark": f.uri(style.DARK)},
                    "caption": f.caption,
                }
                for name, f in drawn.items()
            },
            evidence_line=evidence_line,
            own_line=own_line,
            command=self.command,
            scenario=text("bulk.toml"),
        )
