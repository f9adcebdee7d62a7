"""Places of mistakes that are told by names: of claims, tables, measures, and of a scenario within a study."""

from __future__ import annotations

import re
import tomllib

from lasthop import _core
from lasthop.checking.codes import code_of
from lasthop.checking.problem import INLINE, SEPARATOR, Problem
from lasthop.errors import ScenarioError
from lasthop.study import reader

Place = tuple[int, int]

PLACE = re.compile(
    r"^(?:(?P<file>.*?):(?P<line>\d+):(?P<column>\d+): )?error: (?P<said>.*)", re.DOTALL
)

#: How messages name what stands in a file: words, the table that it is of, and the key that holds its name.
NAMED = (
    (r"claim (?:number (?P<number>\d+)|(?P<name>[^:]+))", "claim", "id"),
    (r"table (?P<name>[^:]+)", "table", "id"),
    (r"choice '(?P<name>[^']+)'", "choice", "item"),
    (r"measure (?P<name>[^: ]+)", "measures", ""),
    (r"figures (?P<name>[^: ]+)", "figures", ""),
    (r"two claims are called '(?P<name>[^']+)'", "claim", "id"),
)


def problem_of(said: str, file: str, text: str = "") -> Problem:
    """Return what an error says as a problem; of a study's own text the place is looked up where it is by name."""
    found = PLACE.match(said)
    if found is None:
        return _problem(said, file, text)
    message = found["said"].split("\n")[0]
    line, column = found["line"], found["column"]
    own = found["file"] or file
    if own.endswith(INLINE):
        return _inline(file, text, (int(line), int(column)), message)
    return Problem(
        own,
        int(line) if line else None,
        int(column) if column else None,
        code_of(message),
        message,
    )


def _problem(said: str, file: str, text: str) -> Problem:
    """Return a message without a place as a problem of a file, at the line of what it names."""
    message = said.split("\n")[0].removeprefix(f"{file}: ").removeprefix("error: ")
    line, column = _place(message, file, text) or (None, None)
    return Problem(file, line, column, code_of(message), message)


def _inline(file: str, text: str, at: Place, message: str) -> Problem:
    """Return a mistake of a scenario that stands in a study, of whose table the core was given a text."""
    given = reader.toml(tomllib.loads(text)["scenario"])
    steps = [p for p, key, value in _core.toml_places(given, file) if at in (key, value)]
    innermost = max(steps, key=lambda path: path.count(SEPARATOR), default="")
    code = code_of(message)
    path = SEPARATOR.join(["scenario", *([innermost] if innermost else [])])
    line, column = _of_path(text, file, path, key=code == "unknown-key") or (None, None)
    return Problem(file, line, column, code, message)


def _of_path(text: str, file: str, path: str, *, key: bool = True) -> Place | None:
    try:
        places = {path: (own, value) for path, own, value in _core.toml_places(text, file)}
    except ScenarioError:
        return None
    while path and path not in places:
        path = path.rpartition(SEPARATOR)[0]
    return places[path][not key] if path else None


def _place(message: str, file: str, text: str) -> Place | None:
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r"at line (\d+), column (\d+)", f"{error} {message}")
        return (int(found[1]), int(found[2])) if found else None
    for pattern, kind, key in NAMED:
        found = re.match(pattern, message)
        if found is None or kind not in document:
            continue
        groups, held = found.groupdict(), document[kind]
        if isinstance(held, dict):
            return _of_path(text, file, SEPARATOR.join([kind, groups["name"]]))
        places = [
            n
            for n, row in enumerate(held)
            if isinstance(row, dict) and row.get(key) == groups["name"]
        ]
        if groups.get("number"):
            places = [int(groups["number"]) - 1]
        return _of_path(text, file, SEPARATOR.join([kind, str(places[-1])])) if places else None
    # By a path as shapes write it: table[0].rows[1] is ...
    found = re.match(r"[\w'-]+(?:[.\[][\w'-]+\]?)*", message)
    steps = re.findall(r"[\w-]+", found[0]) if found else []
    return _of_path(text, file, SEPARATOR.join(steps)) if steps and steps[0] in document else None
