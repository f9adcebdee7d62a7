"""All mistakes of a file at once, each with its place and a stable code.

The core reports all that is written wrongly (keys, types, names, units), and of contradictions the first. What is
wrong is taken out, which leaves a key at its default, and the rest is checked again, until nothing is wrong or
what is left may be a consequence of what was taken out.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lasthop import _core, source
from lasthop.checking.codes import code_of
from lasthop.errors import LasthopError, ScenarioError
from lasthop.prepared import Prepared
from lasthop.study import cells, reader

#: A file with more mistakes than these has one that matters.
MOST = 50

#: What may be wrong only because something was taken out.
CONSEQUENCES = ("missing-key", "does-not-fit")

#: Between the steps of a path, as the core joins them.
SEPARATOR = "\x1f"

PLACE = re.compile(
    r"^(?:(?P<file>.*?):(?P<line>\d+):(?P<column>\d+): )?error: (?P<said>.*)", re.DOTALL
)


@dataclass(frozen=True)
class Problem:
    """A mistake: where it is (from 1; None: of the whole file), its code, and what is said of it."""

    file: str
    line: int | None
    column: int | None
    code: str
    message: str

    def as_dict(self) -> dict[str, Any]:
        """Return the fields, ready for JSON."""
        return dict(vars(self))


@dataclass(frozen=True)
class Checked:
    """What is wrong with a file; `whole` tells whether nothing else can be."""

    file: str
    problems: tuple[Problem, ...]
    whole: bool = True


def check(path: str | Path) -> Checked:
    """Check a scenario, a study or the folder of a paper."""
    path = Path(path)
    try:
        if path.is_dir():
            from lasthop.papers import folder, rehearsing

            rehearsing.rehearse(folder.Paper(path))
            return Checked(str(path), ())
        text = source.read(path)
        if source.STUDY.search(text):
            cells.cells(reader.parse(text, str(path)))
            return Checked(str(path), ())
    except LasthopError as error:
        return Checked(str(path), (_problem(str(error), str(path)),), whole=False)
    return _scenario(text, str(path))


def _scenario(text: str, file: str) -> Checked:
    """Check a scenario, and what is left of it without what was wrong, again and again."""
    said = _mistakes(text, file)
    try:
        left = tomllib.loads(text)
        places = {path: (key, value) for path, key, value in _core.toml_places(text, file)}
    except (tomllib.TOMLDecodeError, ScenarioError):
        return Checked(file, tuple(_problem(each, file) for each in said), whole=not said)
    found: list[Problem] = []
    here = text
    while said and len(found) < MOST:
        told = [_problem(each, file) for each in said]
        own = [problem for problem in told if here is text or problem.code not in CONSEQUENCES]
        all_taken = len(own) == len(told)
        for problem in own:
            path = _path(here, file, problem)
            if path in places:
                line, column = places[path][problem.code != "unknown-key"]
                found.append(replace(problem, line=line, column=column))
            elif here is text:
                found.append(problem)  # in what is left its line means nothing
            all_taken = path in places and _take(left, path) and all_taken
        if not all_taken:
            return _sorted(file, found, whole=False)
        here = reader.toml(left)
        said = _mistakes(here, file)
    return _sorted(file, found, whole=not said)


def _sorted(file: str, found: list[Problem], *, whole: bool) -> Checked:
    return Checked(file, tuple(sorted(found, key=lambda each: each.line or 0)), whole)


def _mistakes(text: str, file: str) -> list[str]:
    try:
        return Prepared(text, file, files=source.files_of(text, file, ())).mistakes()
    except ScenarioError as error:
        return [str(error)]


def _problem(said: str, file: str) -> Problem:
    found = PLACE.match(said)
    if found is None:
        return Problem(file, None, None, code_of(said), said)
    message = found["said"].split("\n")[0]
    line, column = found["line"], found["column"]
    return Problem(
        file,
        int(line) if line else None,
        int(column) if column else None,
        code_of(message),
        message,
    )


def _path(text: str, file: str, problem: Problem) -> str:
    """Return the path of the key or value at which a problem is, the innermost; empty where it is at none."""
    here = (problem.line, problem.column)
    found = [path for path, key, value in _core.toml_places(text, file) if here in (key, value)]
    return max(found, key=lambda path: path.count(SEPARATOR), default="")


def _take(document: dict[str, Any], path: str) -> bool:
    """Take a key out; return whether it could be: elements of a list have to stay where they are."""
    *way, last = path.split(SEPARATOR)
    inside: Any = document
    for step in way:
        inside = inside[int(step)] if isinstance(inside, list) else inside[step]
    if isinstance(inside, list):
        return False
    del inside[last]
    return True
