"""`lasthop report`: a study as one page, with what was asked, what came out, and how sure it is."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lasthop.core import safe_files, shapes
from lasthop.core.command_lines import typed
from lasthop.core.listeners import Fraction
from lasthop.core.panels import STEPS, panels
from lasthop.core.quantities.units import said_unit
from lasthop.errors import UsageError
from lasthop.numbers.stats import sequential
from lasthop.pages import report
from lasthop.pages.figures import palette
from lasthop.pages.picture.watching import with_probes
from lasthop.pages.recipes.recipe import Recipe, files_in, recipe
from lasthop.pages.studies import answer_chart, recipes
from lasthop.pages.studies.framing import in_report
from lasthop.pages.studies.overview import overview, question
from lasthop.pages.studies.study_figure import chart
from lasthop.pages.studies.verdict_summary import interval
from lasthop.study import phrases
from lasthop.study.answering import answer
from lasthop.study.cells import Cell, scenario_of, some_cells
from lasthop.study.charting import ChartOptions
from lasthop.study.claims.judging import judge_claims
from lasthop.study.judgement import as_dict
from lasthop.study.law_sources import loaded
from lasthop.study.manifest import restored
from lasthop.study.spec import Study
from lasthop.study.swept import Results


@dataclass(frozen=True)
class ReportOptions:
    """The request for a page: results and their study, the cell with time series, wanted replications."""

    results: Results
    study: Study
    cell: int
    wanted: Sequence[int]


def write(
    results: Results,
    path: Path,
    workers: int | None = None,
    cell: int | None = None,
    told: Fraction = lambda part: None,
) -> Path:
    """Write the page with its recipe; raises UsageError where there is no such cell or no replication yet."""
    safe_files.refuse_ending(path, (".html", ".htm"))
    wanted = [row.replications for row in results.rows]
    number = results.find(0 if cell is None else cell).number
    asked = ReportOptions(results, loaded(restored(results.manifest)), number, wanted)
    return _write(asked, path, workers, told)


SHAPE = shapes.fields(
    {**recipes.SHAPES, "cell": shapes.whole(), "wanted": shapes.each(shapes.whole())}
)
"""The form of a recipe of such a page."""


def again(recipe_: Recipe, folder: Path, workers: int | None, told: Fraction) -> Path:
    """Run the study again and write its page."""
    held = recipe_.inputs
    results = recipes.results_again(held, folder, workers, told)
    study = restored(held["manifest"], files_in(held))
    if len(held["wanted"]) != len(results.rows) or held["cell"] >= len(results.rows):
        raise UsageError(f"the recipe is damaged: its study has {len(results.rows)} cells")
    asked = ReportOptions(results, study, held["cell"], held["wanted"])
    return _write(asked, folder / Path(recipe_.file).name, workers, told)


def _write(asked: ReportOptions, path: Path, workers: int | None, told: Fraction) -> Path:
    results = asked.results
    if not any(results.count(row) for row in results.rows):
        raise UsageError(f"{results.name}: there is no replication to report yet")
    cell = some_cells(asked.study, [asked.cell])[asked.cell]
    run = _in_time(asked.study, cell, workers, told)
    inputs = {**recipes.inputs_of(results), "cell": asked.cell, "wanted": list(asked.wanted)}
    own = typed(["lasthop", "report", f"out/{results.name}"], {"--cell": asked.cell})
    command = f"{recipes.command_of(results)} && {own}"
    answered = answer(results, asked.study)
    judged = as_dict(results, asked.study, answered.tables)
    claims = [each.as_dict() for each in judge_claims(asked.study.claims, answered.tables)]
    figures = _figures(results)
    shown = {
        "means": results.summary().to_pylist(),
        **judged,
        "answer": answered.as_dict(),
        "claims": claims,
        "series": run["series"],
    }
    page = report.render(
        "study.html.j2",
        asked=asked,
        name=results.name,
        manifest=results.manifest,
        counts=_counts(asked),
        judged=judged,
        interval=interval,
        asks=question(asked.study),
        answer=answered,
        overview=overview(results, asked.study, answered),
        answer_chart=answer_chart.chart(answered),
        scales={f"{x.metric} by {x.axis}": results.scale(x.metric) for x in asked.study.compare},
        claims=claims,
        precision=_precision(asked),
        spread=_spread(results),
        figures=figures,
        curves=any(each.get("ordered") for each in figures),
        table=_table(results),
        series=run["series"],
        frames=run["frames"],
        cell=cell,
        colours={p.name: p.series for p in (palette.LIGHT, palette.DARK)},
        command=command,
        changes=recipes.changes_of(results),
        tabs=report.text("tabs.js"),
        uplot=report.uplot(),
    )
    return report.save(page, path, recipe("report", command, inputs, shown))


def _in_time(study: Study, cell: Cell, workers: int | None, told: Fraction) -> dict[str, Any]:
    """Run a cell's first replication with probes; return its time charts, and figures of its 802.16 frames."""
    asked = scenario_of(study, cell)
    probes = ("tcp", "queue", "flows", *(("frames",) if asked.outline().get("wimax") else ()))

    def read(text: str) -> dict[str, Any]:
        return {"series": panels(text)["series"], "frames": in_report(json.loads(text))}

    return with_probes(asked, probes, STEPS, workers, told, read)


def _counts(asked: ReportOptions) -> dict[str, Any]:
    there = [asked.results.count(row) for row in asked.results.rows]
    return {
        "least": min(there),
        "most": max(there),
        "all": sum(there),
        "missing": sum(asked.wanted) - sum(there),
    }


def _precision(asked: ReportOptions) -> dict[str, Any] | None:
    """Return for a study with a precision how near each cell has come to it."""
    wish, results = asked.study.precision, asked.results
    if wish is None:
        return None
    factor, unit = results.scale(wish.metric)
    relative = wish.absolute is None
    goal = wish.relative if wish.absolute is None else wish.absolute * factor
    assert goal is not None  # the reader asks for one of the two
    rule = sequential.Precision(goal / (1.0 if relative else factor), relative, wish.level)
    rows: list[dict[str, Any]] = []
    for row in results.rows:
        values = results.values(wish.metric, row.number)
        values = values[~np.isnan(values)]
        look = rule.look(values.tolist()) if len(values) else None
        half = None if look is None else look.estimate.ci95
        if half is not None and look is not None:
            mean = abs(look.estimate.mean)
            half = (half / mean if mean else None) if relative else half * factor
        reached = look is not None and look.reached
        label = phrases.of_cell(row.settings)
        rows.append({"label": label, "n": results.count(row), "half": half, "reached": reached})
    known = {"wish": wish, "goal": goal, "relative": relative, "unit": unit, "rows": rows}
    return known | {"reached": sum(each["reached"] for each in rows)}


def _spread(results: Results) -> list[dict[str, Any]]:
    """Return how wide the intervals of each metric are, over their means: middle and widest cell."""
    found = []
    for metric in results.metrics:
        known = [(results.estimate(metric, row), row) for row in results.rows]
        parts = sorted(
            ((each.ci95 / abs(each.mean), phrases.of_cell(row.settings)) for each, row in known
             if each is not None and each.ci95 is not None and each.mean),
        )  # fmt: skip
        if parts:
            worst = parts[-1]
            middle = parts[len(parts) // 2][0]
            found.append(
                {
                    "metric": phrases.of_metric(metric),
                    "median": middle,
                    "widest": worst[0],
                    "where": worst[1],
                }
            )
    return found


def _figures(results: Results) -> list[dict[str, Any]]:
    """Return a figure of each metric, wide and narrow, or why there is none."""
    found: list[dict[str, Any]] = []
    for metric in results.metrics:
        try:
            drawn = chart(results, ChartOptions(y=metric, width="two"))
        except UsageError as error:
            found.append({"metric": phrases.of_metric(metric), "why": str(error)})
            continue
        caption = f"{phrases.of_metric(metric)}, by {drawn.x_label}: means with 95 % intervals"
        image = report.of_curves(drawn, caption, name=f"{results.name}-{metric}").inline()
        found.append({"metric": metric, "image": image, "ordered": drawn.ordered})
    return found


def _table(results: Results) -> dict[str, Any]:
    units = {name: results.shown_unit(name) for name in results.metrics}
    return {
        "axes": [*map(phrases.of_key, results.keys)],
        "titles": [(phrases.of_metric(name), said_unit(unit)) for name, unit in units.items()],
        "rows": [
            {
                "number": row.number,
                "settings": [*map(phrases.of_value, row.settings.values())],
                "n": results.count(row),
                "shown": [results.shown(name, row) for name in results.metrics],
            }
            for row in results.rows
        ],
    }
