"""Makes a folder for a class: the pages of all lessons, a page that leads to them, and the answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from lasthop.core import safe_files
from lasthop.core.engine import version
from lasthop.core.listeners import Fraction
from lasthop.pages import classroom, report
from lasthop.pages.classroom import lesson_page

Bar = Callable[[str], AbstractContextManager[Fraction]]

#: The box in which the curve of a lesson is drawn beside its words, in units of its picture.
WIDTH, TOP, BOTTOM = 300, 22, 88


def write(folder: Path, workers: int | None, bar: Bar) -> Path:
    """Write all lessons into a folder, their runs below it; return the page that leads to them.

    `bar` is opened with the title of each lesson as it begins, and is told how much of it is done.
    """
    lessons = []
    for name, title in classroom.names():
        with bar(title) as told:
            lesson = classroom.lesson(name)
            made = lesson_page.write(lesson, folder, folder / "runs" / name, workers, told)
        picture = _picture(made.shown)
        about = {"name": name, "title": title, "about": lesson.about}
        lessons.append({**about, "picture": picture, "questions": made.questions})
    _page(folder / "answers.html", lessons, "The answers", answers=True)
    return _page(folder / "index.html", lessons, "The last hop in pictures", answers=False)


def _page(out: Path, lessons: list[dict[str, Any]], title: str, *, answers: bool) -> Path:
    page = report.render(
        "class.html.j2", title=title, lessons=lessons, answers=answers, version=version()
    )
    return safe_files.write_bytes(out, page.encode())


def _picture(shown: Mapping[str, Any]) -> dict[str, Any]:
    """Return the first curve of a lesson, over its last control, where its page begins."""
    curve, *_ = shown["curves"]
    *others, last = shown["controls"]
    count, first = len(last["values"]), 0
    for control in others:
        first = first * len(control["values"]) + control["begin"]
    means = [mean or 0.0 for mean in curve["means"][first * count : (first + 1) * count]]
    most = max(curve["means"], key=lambda mean: mean or 0.0) or 1.0
    steps = [WIDTH * (n + 0.5) / count for n in range(count)]
    heights = [BOTTOM - (BOTTOM - TOP) * mean / most for mean in means]
    return {
        "title": curve["title"],
        "axis": curve["axis"],
        "points": [(round(x, 1), round(y, 1)) for x, y in zip(steps, heights, strict=True)],
        "over": last["label"],
        "ends": (last["values"][0], last["values"][-1]),
    }
