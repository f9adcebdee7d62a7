"""A run as one HTML file: what came out, what happened when, why, and how to make it again."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lasthop import _core, report, shipped, stats
from lasthop.errors import LasthopError, UsageError
from lasthop.figures import palette
from lasthop.jobs import run_each
from lasthop.listeners import Fraction
from lasthop.noticing import noticed
from lasthop.picture import causes, charting
from lasthop.picture.watching import MOST_PACKETS, watch
from lasthop.prepared import Prepared
from lasthop.recipes.recipe import Recipe, files_in, recipe, scenario
from lasthop.shipped import about
from lasthop.study.laws import as_documents

PAGE = "report.html"

FOLDED = 16
"""From so many rows on a table is folded away."""

Summary = Mapping[str, Any]
"""A document of one replication, or of several with means and intervals."""


def write(
    asked: Prepared,
    summary: Summary,
    path: Path,
    threads: int | None = None,
    told: Fraction = lambda part: None,
) -> Path:
    """Write the page of a scenario that was run with this summary; its first replication is run again, watched."""
    if path.suffix not in (".html", ".htm"):
        raise UsageError(f"--report {path}: allowed: a name that ends in .html")
    document = watch(asked, summary, threads, told)
    count = int(summary.get("replications") or 1)
    series, delays = charting.series_of(document), causes.distributions(document)
    bars = causes.bars(document)
    inputs = {
        "scenario": scenario(asked.text, asked.file, asked.files),
        "changes": list(asked.changes),
        "seed": document["seed"],
        "replications": count,
        "laws": _laws(asked),
    }
    command = _command(shipped.typed(asked.file, asked.text), inputs, path.name)
    made = report.render(
        "run.html.j2",
        version=_core.__version__,
        document=document,
        about=about(asked.text),
        headline=_headline(summary, count),
        noticed=noticed(summary),
        tables=tables(summary),
        several=count if count > 1 else None,
        series=series,
        distribution=delays,
        bars=bars,
        thinned=_thinned(document, series),
        changes=asked.changes,
        text=asked.text,
        laws=inputs["laws"],
        command=command,
        colours={p.name: p.series for p in (palette.LIGHT, palette.DARK)},
        uplot=report.uplot(),
    )
    shown = {"summary": dict(summary), "series": series, "distribution": delays, "bars": bars}
    return report.save(made, path, recipe("run", command, inputs, shown))


def again(recipe_: Recipe, folder: Path, threads: int | None, told: Fraction) -> Path:
    """Run the scenario again and write its page."""
    held = recipe_.inputs
    for law in held.get("laws", []):
        raise LasthopError(
            f"the law {law['name']} is Python code that came with the page, and is not run for that alone: "
            f"make the page again where its law is, with {recipe_.command}"
        )
    base = held["scenario"]
    asked = Prepared(
        base["text"], base["file"], tuple(held["changes"]), files_in(base), held["seed"]
    )
    found = stats.Summary()
    documents: list[dict[str, Any]] = []
    run_each([asked.job(0, held["replications"])], lambda _, each: documents.append(each))
    documents.sort(key=lambda each: int(each["replication"]))
    for document in documents:
        found.add(document)
    summary = documents[0] if len(documents) == 1 else found.document()
    return write(asked, summary, folder / Path(recipe_.file).name, threads, told)


def tables(summary: Summary) -> list[dict[str, Any]]:
    """Return the tables of `lasthop run`, each with headings and rows of shown cells."""
    from lasthop.cli import handoffs, running  # the words of the terminal's tables

    changes = handoffs.rows(dict(summary))
    found = [
        *running.tables_of(dict(summary)),
        ("Handoffs (times in ms)", changes, handoffs.COLUMNS),
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
        for title, rows, columns in found
        if rows
        for filled in [running.filled(rows, columns, one_line=True)]
    ]


def _headline(summary: Summary, count: int) -> str:
    from lasthop.cli import running

    return running.headline(dict(summary), count)


def _laws(asked: Prepared) -> list[dict[str, Any]]:
    """Return the laws in Python that were there; of those whose source is not known their names."""
    try:
        return as_documents(asked.laws, asked.law)
    except UsageError:
        return [{"name": name, "everywhere": name == asked.law, "files": []} for name in asked.laws]


def _command(file: str, inputs: Mapping[str, Any], name: str) -> str:
    words = ["lasthop", "run", file]
    words += [word for change in inputs["changes"] for word in ("--set", change)]
    for law in sorted(inputs["laws"], key=lambda law: not law["everywhere"]):
        words += ["--law", f"{law['files'][0][1]}:{law['kind']}" if law["files"] else law["name"]]
    words += ["--seed", str(inputs["seed"])]
    words += [] if inputs["replications"] == 1 else ["--replications", str(inputs["replications"])]
    return shlex.join([*words, "--report", name])


def _thinned(document: Summary, series: Mapping[str, Any]) -> str:
    """Say what the page leaves out."""
    step = 1e3 * document["duration_s"] / charting.STEPS
    said = [f"Each point of a line is the last state, or the mean, of {step:.3g} ms."]
    charts: Sequence[Mapping[str, Any]] = [c for c in series["charts"] if c.get("kind") == "air"]
    drawn, there = (sum(chart[key] for chart in charts) for key in ("drawn", "all"))
    pieces = sum(len(c["known"]) for c in charts)
    if drawn < there:
        said.append(
            f"Of {there:,} frames the page shows {drawn:,} one by one, in {pieces} periods that are "
            "spread evenly over the run. The others count in the shares of their steps."
        )
    if "packets" not in document["probes"]:
        said.append(f"The run has more than {MOST_PACKETS:,} packets: their delays are not drawn.")
    return " ".join(said)
