"""The files of a reproduction: data first, then pictures, then the page, each file whole or absent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from lasthop.core import safe_files
from lasthop.numbers.stats.unseen import said as unseen
from lasthop.pages import report
from lasthop.pages.papers import claim_forest, dumbbells, pictures
from lasthop.pages.recipes.recipe import recipe
from lasthop.study.claims import Table
from lasthop.study.papers.folder import Paper
from lasthop.study.papers.nearness import estimate
from lasthop.study.papers.showing import opening, printed, read, titled
from lasthop.study.papers.wanted import ReproduceOptions

RESULT, PAGE, CELLS = "result.json", "report.html", "cells.parquet"


@dataclass
class Output:
    """Writes to `directory`; `document["files"]` names what has been written."""

    paper: Paper
    directory: Path
    tables: Mapping[str, Table]
    asked: ReproduceOptions
    more: Mapping[str, report.Figure] = field(default_factory=dict)

    def data(self, document: dict[str, Any]) -> None:
        """Write the data, after removing an earlier report's files: no page beside others' data."""
        origin = {"lasthop": document["version"], "command": self.asked.command()}
        files = [self.directory / RESULT, self.directory / CELLS]
        with safe_files.explained(self.directory):
            for path in self._old():
                path.unlink(missing_ok=True)
            safe_files.write_parquet(files[1], cell_rows(self.tables), origin)
        document["files"] = [str(file) for file in files]
        self.result(document)

    def _old(self) -> list[Path]:
        names = [RESULT, PAGE, CELLS]
        stems = [*self.paper.figures, *self.more]
        names += [f"{stem}.{kind}" for stem in stems for kind in ("png", "pdf")]
        return [self.directory / name for name in names]

    def result(self, document: dict[str, Any]) -> None:
        """Write the document once more, with what has been added to it."""
        with safe_files.explained(self.directory):
            safe_files.write_json(self.directory / RESULT, document)

    def page(self, document: dict[str, Any]) -> None:
        """Draw the pictures, then write the page and the document that names them all.

        Of a whole reproduction each picture is a PNG and a PDF too, for slides and papers; --quick is for a look,
        and leaves out these files, which take as long as some of its simulations.
        """
        shown = {name: document[name] for name in ("tables", "claims")}
        made = recipe("paper", self.asked.command(), self.asked.inputs(), shown)
        drawn = {**self.more, **pictures.of_paper(self.paper, self.tables)}
        with safe_files.explained(self.directory):
            for name, figure in ({} if document["quick"] else drawn).items():
                written = figure.light.save_for_paper(self.directory / name, made)
                document["files"] += [str(file) for file in written]
            page = self.directory / PAGE
            named = {**document, "files": [str(page), *document["files"]]}
            report.save(self._render(named, drawn), page, made)
            document["files"] = named["files"]
        self.result(document)

    def _render(self, document: dict[str, Any], drawn: dict[str, report.Figure]) -> str:
        # The choices are a table of the page; what a run has not used made nothing of it.
        used = {
            "quick.toml": document["quick"],
            "audit.toml": document["audit"],
            "claims.toml": True,
        }
        names = [*self.paper.files, *(name for name, is_used in used.items() if is_used)]
        words: dict[str, int] = {}  # filled by the claims, before the page writes them
        return report.render(
            "paper.html.j2",
            doc=document,
            paper=self.paper,
            figures=[figure.inline() for figure in drawn.values()],
            paper_css=report.text("paper.css"),
            settings_js=report.text("settings.js"),
            axis=claim_forest.axis(),
            forest=claim_forest.forest,
            outcome=claim_forest.outcome,
            numbers_of_claim=partial(claim_forest.numbers, words=words),
            words=words,
            dumbbells=dumbbells.panels,
            room=dumbbells.room,
            numbers_of_table=dumbbells.numbers,
            printed=printed,
            opening=opening(document) if document["claims"] else "",
            read=read,
            titled=titled,
            unseen=unseen(document["replications"]),
            command=self.asked.command(),
            sources={n: self.paper.text(n) for n in names if self.paper.path(n).is_file()},
        )


def cell_rows(tables: Mapping[str, Table]) -> list[dict[str, Any]]:
    """Return the mean of every measure's every cell, with its 95 % interval, as one tidy table."""
    axes = dict.fromkeys(axis for table in tables.values() for axis in table.axes)
    rows = []
    for name, table in tables.items():
        for key, values in table.cells.items():
            if len(values[~np.isnan(values)]):
                setting = {axis: str(v) for axis, v in zip(table.axes, key, strict=True)}
                known = estimate(values)
                rows.append({"metric": name, **dict.fromkeys(axes), **setting, **known})
    return rows
