"""A run as one HTML file: what came out, what happened when, why, and how to make it again."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lasthop.core import safe_files, shapes, shipped
from lasthop.core.command_lines import typed
from lasthop.core.engine import version
from lasthop.core.job import Job
from lasthop.core.jobs import MOST_REPLICATIONS, run_each
from lasthop.core.listeners import Fraction
from lasthop.core.noticing import noticed
from lasthop.core.shipped import about
from lasthop.errors import LasthopError, UsageError
from lasthop.numbers import stats
from lasthop.pages import report
from lasthop.pages.figures import palette
from lasthop.pages.picture import handoffs, reloading, tabled
from lasthop.pages.picture.since import Since
from lasthop.pages.picture.watching import watch
from lasthop.pages.recipes.recipe import JOB, Recipe, job_of, of_job, recipe
from lasthop.study.law_sources import as_documents

PAGE = "report.html"

FOLDED = 16
"""Tables with this number of rows or more are folded."""

Summary = Mapping[str, Any]
"""A document of one replication, or of several with means and intervals."""

Panels = Mapping[str, Any]
"""The panels of a run (`lasthop.core.panels`)."""


def write(
    asked: Job,
    summary: Summary,
    path: Path,
    workers: int | None = None,
    told: Fraction = lambda part: None,
    before: Since | None = None,
    *,
    panels: Panels | None = None,
    reloads: bool = False,
) -> Path:
    """Write the page of a scenario that was run with this summary, and with these panels of its first replication.

    Without panels, that replication is run again for them. With a run `before`, the page has the differences to
    it. One that `reloads` is for an open browser, and is announced to it (`reloading`).
    """
    safe_files.refuse_ending(path, (".html", ".htm"), "--report")
    panels = panels or watch(asked, workers, told)
    inputs = {
        **of_job(asked),
        "seed": summary["seed"],
        "replications": _count(summary),
        "laws": _laws(asked),
    }
    command = _command(shipped.typed(asked.file, asked.text), inputs, path.name)
    made = _page(asked, summary, before, panels=panels, laws=inputs["laws"], command=command)
    shown = {key: panels[key] for key in ("series", "distribution", "bars")}
    told_of = recipe("run", command, inputs, {"summary": dict(summary)} | shown)
    if not reloads:
        return report.save(made, path, told_of)
    made, stamp = reloading.with_script(made, path)
    report.save(made, path, told_of)
    reloading.announce(path, stamp)
    return path


def _count(summary: Summary) -> int:
    """Return the number of replications."""
    return int(summary.get("replications") or 1)


def _page(asked: Job, summary: Summary, before: Since | None, **made: Any) -> str:
    """Return the HTML, with what was `made` for it: panels of the first replication, laws and the command."""
    count = _count(summary)
    return report.render(
        "run.html.j2",
        version=version(),
        scenario=summary["scenario"] or Path(asked.file).stem,
        seed=summary["seed"],
        about=about(asked.text),
        headline=tabled.headline(summary, count, before),
        since=before.said if before else "",
        noticed=noticed(summary, asked),
        tables=tables(summary, before),
        several=count if count > 1 else None,
        changes=asked.overrides,
        text=asked.text,
        colours={p.name: p.series for p in (palette.LIGHT, palette.DARK)},
        uplot=report.uplot(),
        **made,
    )


SHAPE = shapes.fields(
    {
        **JOB,
        "seed": shapes.whole(),
        "replications": shapes.whole(1, MOST_REPLICATIONS),
        "laws": shapes.each(
            shapes.fields(
                {
                    **dict.fromkeys(("name", "kind"), shapes.text),
                    **dict.fromkeys(("model_based", "everywhere"), shapes.flag),
                    "files": shapes.each(shapes.row(shapes.text, shapes.text, shapes.text)),
                    "library": shapes.text,
                },
                ["kind", "model_based", "library"],
            )
        ),
    },
    ["laws"],
)
"""The form of a recipe of such a page."""


def again(recipe_: Recipe, folder: Path, workers: int | None, told: Fraction) -> Path:
    """Run the scenario again and write its page."""
    held = recipe_.inputs
    for law in held.get("laws", []):
        what = (
            "a library that the page names" if law.get("library") else "Python code from the page"
        )
        raise LasthopError(
            f"the law {law['name']} is {what}, which is not run unasked: "
            f"make the page again where its law is, with {recipe_.command}"
        )
    asked = job_of(held)
    found = stats.Summary()
    documents: list[dict[str, Any]] = []
    run_each([asked.runs(0, held["replications"])], lambda _, each: documents.append(each))
    documents.sort(key=lambda each: int(each["replication"]))
    for document in documents:
        found.add(document)
    summary = documents[0] if len(documents) == 1 else found.document()
    return write(asked, summary, folder / Path(recipe_.file).name, workers, told)


def tables(summary: Summary, before: Since | None = None) -> list[dict[str, Any]]:
    """Return the tables of `lasthop run`, each with headings and rows of shown cells."""
    changes = handoffs.rows(summary)
    found = [
        *tabled.tables_of(summary, before),
        *([("Handoffs (times in ms)", changes, handoffs.COLUMNS, None)] if changes else []),
    ]
    return [
        {
            "title": title,
            "headings": [heading for heading, _ in filled],
            "rows": [
                {"name": row["name"], "cells": [cells[at] for _, cells in filled]}
                for at, row in enumerate(rows)
            ],
            "folded": len(rows) > FOLDED,
        }
        for title, rows, columns, earlier in found
        for filled in [tabled.filled(rows, columns, one_line=True, before=earlier)]
    ]


def _laws(asked: Job) -> list[dict[str, Any]]:
    """Return the laws in Python that were there; of those whose source is not known their names."""
    try:
        return as_documents(asked.laws, asked.law)
    except UsageError:
        return [{"name": name, "everywhere": name == asked.law, "files": []} for name in asked.laws]


def _named(law: Mapping[str, Any]) -> str:
    """Return what `--law` says of a law."""
    if not law["files"]:
        return str(law["name"])
    file = str(law["files"][0][1])
    return file if law.get("library") else f"{file}:{law['kind']}"


def _command(file: str, inputs: Mapping[str, Any], name: str) -> str:
    laws = sorted(inputs["laws"], key=lambda law: not law["everywhere"])
    count = inputs["replications"]
    options = {
        "--set": inputs["changes"],
        "--law": [_named(law) for law in laws],
        "--seed": inputs["seed"],
        "--replications": None if count == 1 else count,
        "--report": name,
    }
    return typed(["lasthop", "run", file], options)
