"""Makes the page of a lesson: runs its study, and one run of each setting to be seen in time; asks questions."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lasthop.core import safe_files
from lasthop.core.how import Watching
from lasthop.core.jobs import documents_of
from lasthop.core.listeners import Fraction
from lasthop.core.panels import STEPS
from lasthop.core.quantities.units import said_unit
from lasthop.pages import report
from lasthop.pages.classroom import Lesson, questions
from lasthop.pages.figures import palette
from lasthop.study.axes import Value
from lasthop.study.cells import cells, scenario_of
from lasthop.study.spec import Study
from lasthop.study.sweeping import Hooks, Sweeping, revised, sweep
from lasthop.study.swept import Results

#: A run in time is drawn for each setting, so each gets half the steps of a report's,
#: and all together no more than this.
MOST_STEPS = 2_500


@dataclass(frozen=True)
class Written:
    """A lesson's page: where it is, what it draws over its controls, and its questions with their answers."""

    page: Path
    shown: dict[str, Any]
    questions: list[dict[str, Any]]


def write(lesson: Lesson, out: Path, runs: Path, workers: int | None, told: Fraction) -> Written:
    """Run what is missing of a lesson in the folder `runs`, and write its page into the folder `out`."""
    study = revised(lesson.folder / "study.toml", Sweeping())
    hooks = Hooks(progress=lambda status: told(0.5 * status.done / max(1, status.wanted)))
    results = sweep(study, out=runs, workers=workers, hooks=hooks)
    controls = _controls(lesson, results)
    shown = {"controls": controls, "curves": [_curve(results, said) for said in lesson.curves]}
    words = {
        said["key"]: each["values"] for said, each in zip(lesson.controls, controls, strict=True)
    }
    asked = questions.answered(results, lesson.questions, words)
    series = _series(study, workers, lambda done: told(0.5 + 0.5 * done))
    files = {
        name: (lesson.folder / name).read_text(encoding="utf-8")
        for name in ("scenario.toml", "study.toml")
    }
    page = report.render(
        "lesson.html.j2",
        lesson=lesson,
        shown={**shown, "series": series, "questions": asked},
        near=f"{questions.NEAR:.0%}".replace("%", " %"),
        replications=study.replications,
        command=f"lasthop sweep {shlex.quote('study.toml')}",
        files=files,
        colours={p.name: p.series for p in (palette.LIGHT, palette.DARK)},
        uplot=report.uplot(),
        script=report.text("lesson.js"),
    )
    written = safe_files.write_bytes(out / f"{lesson.name}.html", page.encode())
    return Written(written, shown, asked)


def _controls(lesson: Lesson, results: Results) -> list[dict[str, Any]]:
    """Return each control with the words for its values, in the order of the cells, and its first place."""
    found = []
    for said in lesson.controls:
        values = list(dict.fromkeys(row.settings[said["key"]] for row in results.rows))
        words = said.get("values") or [_words(value) for value in values]
        begin = values.index(said.get("begin", values[0]))
        found.append({"label": said["label"], "values": words, "begin": begin})
    return found


def _words(value: Value) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _curve(results: Results, said: Mapping[str, str]) -> dict[str, Any]:
    """Return a metric in every cell: its mean and half its interval, in the unit in which it is shown."""
    factor, unit = results.scale(said["metric"])
    means, halves = [], []
    for row in results.rows:
        known = results.estimate(said["metric"], row)
        means.append(None if known is None else round(known.mean * factor, 6))
        halves.append(None if known is None else round((known.ci95 or 0.0) * factor, 6))
    return {
        "title": said["title"],
        "unit": said_unit(unit),
        "axis": said.get("axis", unit),
        "means": means,
        "halves": halves,
    }


def _series(study: Study, workers: int | None, told: Fraction) -> list[dict[str, Any]]:
    """Return for every cell what one run of it does in time."""
    every = cells(study)
    steps = min(STEPS // 2, MOST_STEPS // len(every))
    step = scenario_of(study, every[0]).outline()["duration_s"] / steps
    jobs = [scenario_of(study, cell).runs() for cell in every]
    how = Watching(
        workers=workers,
        fraction=told,
        probes=("tcp", "queue", "flows"),
        probe_every_s=step,
        panels=steps,
    )
    found = documents_of(jobs, how)
    return [each["panels"]["series"] for each in found if each]  # of each job: none was interrupted
