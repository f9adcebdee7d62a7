"""Errors as problems of a file, each at its line and column."""

from __future__ import annotations

from lasthop.core.engine import toml_places
from lasthop.errors import LasthopError, ScenarioError, Steps
from lasthop.study.checking.problem import Problem
from lasthop.study.reader import INLINE


def problem_of(error: LasthopError, file: str, text: str = "") -> Problem:
    """Return an error as a problem of the file that it names, else of `file`; `text` is what that file has."""
    own, path, place = error.file or file, error.path, error.place
    is_inline = own.endswith(INLINE)
    if is_inline:  # the core was given the text of a table of this file
        own, path, place = own.removesuffix(INLINE), ("scenario", *path), None
    if place is None:
        place = _place(text, own, path, key=not is_inline or error.code == "unknown-key")
    line, column = place or (None, None)
    return Problem(own, line, column, error.code, error.said.split("\n")[0])


def _place(text: str, file: str, path: Steps, *, key: bool) -> tuple[int, int] | None:
    """Return where the key or the value at a path is, or else what that would be in; None where nothing is."""
    try:
        places = {path: (own, value) for path, own, value in toml_places(text, file)}
    except ScenarioError:
        return None
    while path and path not in places:
        path = path[:-1]
    return places[path][not key] if path else None
