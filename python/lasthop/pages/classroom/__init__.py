"""Classroom pages: a scenario, a few controls over runs that were made before, and what one sees.

A lesson is a folder: `scenario.toml`, `study.toml` over it, and `lesson.toml`, which has the words. The controls
are the study's axes, so that everything a page shows can be run again by `lasthop sweep`.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from lasthop.errors import UsageError, offered

HOME = Path(str(resources.files(__name__)))


@dataclass(frozen=True)
class Lesson:
    """A lesson before it is run.

    Attributes:
        name: Its folder.
        title: What the page is called.
        about: What happens, in a paragraph.
        see: What to look for.
        controls: For each axis of the study, in its order: ``key``, ``label``, the words for its ``values``, and
            the value at which the page ``begin``s, by default its first.
        curves: What is drawn over the last control: ``metric``, ``title``, and the words beside the ``axis`` of a
            metric without a unit.
        questions: What students are asked: ``ask``, the metric of which they find the ``most``, ``least`` or
            ``ratio``, in the settings ``at`` and, for a ratio, ``to``.
    """

    name: str
    title: str
    about: str
    see: str
    controls: list[dict[str, Any]]
    curves: list[dict[str, str]]
    questions: list[dict[str, Any]]

    @property
    def folder(self) -> Path:
        """The folder of its files."""
        return HOME / self.name


def names() -> list[tuple[str, str]]:
    """Return the lessons and their titles."""
    found = sorted(path.parent.name for path in HOME.glob("*/lesson.toml"))
    return [(name, lesson(name).title) for name in found]


def lesson(name: str) -> Lesson:
    """Read a lesson; raises UsageError where there is none of that name."""
    file = HOME / name / "lesson.toml"
    if not file.is_file() or file.parent.parent != HOME:
        known = [path.parent.name for path in sorted(HOME.glob("*/lesson.toml"))]
        raise UsageError(f"no lesson {name!r}{offered(name, known)}")
    said = tomllib.loads(file.read_text(encoding="utf-8"))
    parts = (said["control"], said["curve"], said["question"])
    return Lesson(name, said["title"], said["about"], said["see"], *parts)
