"""All mistakes of a file at once, each with its place and a stable code.

The core reports all that is written wrongly (keys, types, names, units); where nothing is, all contradictions
of parts that do not rest on each other. What is wrong is taken out, which leaves a key at its default, and the
rest is checked again, until nothing is wrong or what is left may be a consequence of what was taken out.
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

from lasthop.core import shipped, source, toml
from lasthop.core.engine import toml_places
from lasthop.core.job import Job
from lasthop.core.mistakes import gathered
from lasthop.errors import LasthopError, ScenarioError, Steps
from lasthop.study import reader, rehearsing
from lasthop.study.checking.claim_texts import warnings
from lasthop.study.checking.placing import problem_of
from lasthop.study.checking.problem import Checked as Checked
from lasthop.study.checking.problem import Problem

#: A file with more mistakes than these has one that matters.
MOST = 50

#: Codes that may only follow from what was taken out.
CONSEQUENCES = ("missing-key", "does-not-fit")


def check(path: str | Path) -> Checked:
    """Check a scenario, a study or the folder of a paper."""
    path = Path(path)
    if path.is_dir():
        from lasthop.study.checking import folders

        return folders.check(path)
    try:
        text = source.read(path, shipped.KINDS)
    except LasthopError as error:
        return Checked(str(path), (problem_of(error, str(path)),), whole=False)
    if source.STUDY.search(text):
        return _study(text, str(path))
    return _scenario(text, str(path))


def _study(text: str, file: str) -> Checked:
    """Check a study: its own tables, its scenario under each value of an axis, and its metrics."""
    study = None
    with gathered() as own:
        study = reader.parse(text, file)
    problems = [problem_of(each, file, text) for each in own]
    if study is not None and study.scenario:
        with gathered() as found:
            if own:
                rehearsing.rehearse_scenario(study)
            else:
                rehearsing.rehearse(study)
        more = [problem_of(each, file, text) for each in found]
        # What a table that is wrong would have said may be what is missing.
        problems += [each for each in more if not own or each.code not in CONSEQUENCES]
    whole = not problems
    if study is not None:
        problems += warnings(study.claims, file, text)
    ordered = sorted(dict.fromkeys(problems), key=lambda each: (each.line or 0, each.column or 0))
    return Checked(file, tuple(ordered[:MOST]), whole=whole)


def _scenario(text: str, file: str) -> Checked:
    """Check a scenario, and what is left of it without what was wrong, again and again."""
    said = _mistakes(text, file)
    try:
        left = tomllib.loads(text)
        places = {path: (key, value) for path, key, value in toml_places(text, file)}
    except (tomllib.TOMLDecodeError, ScenarioError):
        return Checked(file, tuple(problem_of(each, file) for each in said), whole=not said)
    found: list[Problem] = []
    here = text
    while said and len(found) < MOST:
        own = [error for error in said if here is text or error.code not in CONSEQUENCES]
        all_taken = len(own) == len(said)
        for error in own:
            path, problem = error.path, problem_of(error, file)
            if path in places:
                line, column = places[path][problem.code != "unknown-key"]
                found.append(replace(problem, line=line, column=column))
            elif here is text:
                found.append(problem)  # in what is left its line means nothing
            all_taken = path in places and _take(left, path) and all_taken
        if not all_taken:
            return _sorted(file, found, whole=False)
        here = toml.written(left)
        said = _mistakes(here, file)
    return _sorted(file, found, whole=not said)


def _sorted(file: str, found: list[Problem], *, whole: bool) -> Checked:
    return Checked(file, tuple(sorted(found, key=lambda each: each.line or 0)), whole)


def _mistakes(text: str, file: str) -> list[ScenarioError]:
    try:
        files = source.files_of(text, file, ())
    except ScenarioError:
        files = ()  # what it names cannot be told, and is not looked for where so much is wrong
    return Job(text, file, seed=None, files=files).mistakes()


def _take(document: dict[str, Any], path: Steps) -> bool:
    """Take a key out; return whether it could be: elements of a list have to stay where they are."""
    *way, last = path
    inside: Any = document
    for step in way:
        if isinstance(inside, dict) and step not in inside:
            return True  # it went with what it was in
        inside = inside[step]
    if not isinstance(inside, dict):
        return False
    inside.pop(last, None)  # two mistakes may be in one value
    return True
