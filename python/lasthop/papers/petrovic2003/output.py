"""The files of the study: data first, then figures, then the report, each file whole or absent."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from lasthop import report, store
from lasthop.papers.petrovic2003 import tables
from lasthop.papers.petrovic2003.collate import Samples
from lasthop.papers.petrovic2003.facts import facts, text
from lasthop.papers.petrovic2003.pictures import FIGURES, pictures
from lasthop.papers.petrovic2003.traffic import pictures as traffic
from lasthop.papers.petrovic2003.traffic.parts import Part
from lasthop.papers.petrovic2003.words import evidence_line, own_line
from lasthop.recipes.recipe import of_paper

RESULT, PAGE, FLOWS, CELLS = "result.json", "report.html", "flows.parquet", "cells.parquet"
DRAWN = (*FIGURES, *(name for names in traffic.FIGURES.values() for name in names))
ALL = (PAGE, RESULT, FLOWS, CELLS, *(f"{f}.{kind}" for f in DRAWN for kind in ("png", "pdf")))


@dataclass(frozen=True)
class Output:
    """Writes one study to `directory`; `document["files"]` names what has been written.

    `samples` are those of tables 1 and 2, None where these are not wanted; `parts` web and voice.
    """

    directory: Path
    samples: Samples | None
    parts: tuple[Part, ...]
    command: str

    def data(self, document: dict[str, Any]) -> None:
        """Write the data, after removing an earlier study's files: no page beside others' data."""
        recipe = {"lasthop": document["version"], "command": self.command}
        with store.explained(self.directory):
            for name in ALL:
                (self.directory / name).unlink(missing_ok=True)
            files = [self.directory / RESULT]
            if self.samples is not None:
                files.append(self.directory / FLOWS)
                store.write_parquet(files[-1], tables.flow_rows(self.samples), recipe)
            files.append(self.directory / CELLS)
            store.write_parquet(files[-1], tables.cell_rows(self._tables(document)), recipe)
        document["files"] = [str(file) for file in files]
        self.result(document)

    def result(self, document: dict[str, Any]) -> None:
        """Write the document once more, with what has been added to it."""
        with store.explained(self.directory):
            store.write_json(self.directory / RESULT, document)

    def drawable(self) -> bool:
        """Return whether every cell has a run: figures and report need that."""
        return all(part.samples.judgeable for part in self.parts) and (
            self.samples is None or all(self.samples.mean(cell) for cell in facts().published)
        )

    def page(self, document: dict[str, Any]) -> None:
        """Draw the figures, then write the report and the document that names them all."""
        recipe = of_paper(self.command, document)
        drawn = {} if self.samples is None else pictures(self.samples)
        for part in self.parts:
            audit = document["traffic"][part.experiment.id]["audit"]
            drawn |= traffic.pictures(part.experiment, part.samples, audit)
        with store.explained(self.directory):
            for name, figure in drawn.items():
                written = figure.light.save_for_paper(self.directory / name, recipe)
                document["files"] += [str(file) for file in written]
            page = self.directory / PAGE
            named = {**document, "files": [str(page), *document["files"]]}
            report.save(self._render(named, drawn), page, recipe)
            document["files"] = named["files"]
        self.result(document)

    def _tables(self, document: dict[str, Any]) -> list[dict[str, Any]]:
        """Return every table, those of the bulk transfers whether they are asked for or not."""
        made = (tables.totals, tables.exact_fec, tables.stations, tables.fairness)
        bulk = [] if self.samples is None else [make(self.samples) for make in made]
        own = {table["id"] for table in bulk}
        return [*bulk, *(table for table in document["tables"] if table["id"] not in own)]

    def _render(self, document: dict[str, Any], drawn: dict[str, report.Figure]) -> str:
        paper = facts()
        return report.render(
            "petrovic2003.html.j2",
            doc=document,
            paper=paper,
            labels={case.id: case.label for case in paper.cases},
            bulk=None if self.samples is None else _bulk(self.samples, document),
            traffic={table["id"]: table for table in document["tables"] if table["id"] in "345"},
            figures=report.images(drawn),
            evidence_line=evidence_line,
            own_line=own_line,
            command=self.command,
            scenarios={name: text(name) for name in self._scenarios()},
        )

    def _scenarios(self) -> list[str]:
        bulk = [] if self.samples is None else ["bulk.toml"]
        return [*bulk, *(part.experiment.file for part in self.parts)]


def _bulk(samples: Samples, document: dict[str, Any]) -> dict[str, Any]:
    """Return what the report says of tables 1 and 2."""
    made = (tables.totals, tables.exact_fec, tables.stations)
    totals, block, stations = (make(samples) for make in made)
    paper = facts()
    labels = {case.id: case.label for case in paper.cases}
    grouped = groupby(
        stations["rows"],
        lambda r: f"{r['packet_bytes']} B, window {r['window']}, {labels[r['case']]}",
    )
    return {
        "cells": len(paper.published),
        "claims": [claim for claim in document["claims"] if claim["id"] in paper.claims],
        "rows": {(r["packet_bytes"], r["window"], r["case"]): r for r in totals["rows"]},
        "block": {(r["packet_bytes"], r["window"], r["case"]): r for r in block["rows"]},
        "fec_cases": [case for case in paper.cases if case.fec],
        "fairness": tables.fairness(samples)["rows"],
        "shares": [(cell, list(rows)) for cell, rows in grouped],
    }
