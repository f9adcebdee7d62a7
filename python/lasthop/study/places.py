"""A TOML document that knows the places of its values, so that errors name file, line and column."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any, NoReturn

from lasthop.core.engine import toml_places
from lasthop.core.mistakes import apart
from lasthop.errors import ScenarioError, Steps, StudyError, offered


class Document:
    """A parsed document and the places of what is in it.

    Attributes:
        file: What messages call it.
        text: The text.
        root: What `tomllib` makes of it.
    """

    def __init__(self, text: str, file: str) -> None:
        """Parse; raises StudyError where the text is no TOML."""
        self.file, self.text = file, text
        try:
            places = toml_places(text, file)
        except ScenarioError as error:
            raise error.behind("", StudyError) from None
        self._keys = {path: key for path, key, _ in places}
        self._values = {path: value for path, _, value in places}
        try:
            self.root: dict[str, Any] = tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise StudyError(str(error), code="no-toml", file=file, place=(1, 1)) from None

    def place(self, path: Steps, *, key: bool = False) -> tuple[int, int] | None:
        """Return the place of the value at `path`, or of its key; else of the table around it, if that
        exists."""
        known = self._keys if key else self._values
        while path and path not in known:
            path = path[:-1]
        return known.get(path)

    def fail(
        self, path: Steps, message: str, code: str = "does-not-fit", *, key: bool = False
    ) -> NoReturn:
        """Raise StudyError about the value at `path`, or its key, a mistake of the kind `code`.

        Without a value the place is that of the table around it.
        """
        raise self.error(path, message, code, self.place(path, key=key) or (1, 1))

    def error(self, path: Steps, message: str, code: str, place: tuple[int, int]) -> StudyError:
        """Return the error of a kind about what is at a place."""
        line, column = place
        lines = self.text.splitlines()
        shown = lines[line - 1] if line <= len(lines) else ""
        excerpt = ""
        if shown.strip() and len(shown) < 160:
            margin = " " * len(str(line))
            pad = "".join("\t" if c == "\t" else " " for c in shown[: column - 1])
            excerpt = f"\n {line} | {shown}\n {margin} | {pad}^"
        shown = f"{self.file}:{line}:{column}: error: {message}{excerpt}"
        return StudyError(message, code=code, file=self.file, path=path, place=place, shown=shown)

    def at_line(self, path: Steps, message: str, code: str, *, key: bool = False) -> StudyError:
        """Return the error about a value, or about its key with the parts before it in the line."""
        line, column = self.place(path, key=key) or (1, 1)
        if key:
            before = re.split("[{,=]", self.text.splitlines()[line - 1][: column - 1])[-1]
            column -= len(before.lstrip())
        return self.error(path, message, code, (line, column))

    def walk(self) -> Iterator[tuple[Steps, Any]]:
        """Yield the path of each value and the value, in the order of the text."""
        for path in sorted(self._values, key=lambda path: self._values[path]):
            yield path, reduce(_inside, path, self.root)

    def only(self, path: Steps, table: Mapping[str, Any], allowed: Iterable[str]) -> None:
        """Raise StudyError where `table`, at `path`, has another key than those allowed."""
        allowed = tuple(allowed)
        for key in table:
            if key not in allowed:
                hint = offered(key, allowed, word="allowed")
                with apart():
                    said = f'unknown key "{key}"{hint}'
                    self.fail((*path, key), said, "unknown-key", key=True)

    def get(self, path: Steps, table: Mapping[str, Any], kind: type, default: Any = ...) -> Any:
        """Return the value at the end of `path`, which is in `table`.

        Raises StudyError where it is of another kind; a whole number will do for a float. Without a
        default it must be there.
        """
        name = str(path[-1])
        if name not in table:
            if default is ...:
                self.fail(path, f'missing key "{name}"', "missing-key")
            return default
        value = table[name]
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            return float(value)
        if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
            self.fail(path, f"{_shown(value)} is not {KINDS[kind]}", "wrong-kind")
        return value

    def texts(self, path: Steps, table: Mapping[str, Any]) -> tuple[str, ...]:
        """Return a list of strings, empty where it is not there."""
        values: Sequence[Any] = self.get(path, table, list, [])
        for place, value in enumerate(values):
            if not isinstance(value, str):
                with apart():
                    self.fail((*path, place), f"{_shown(value)} is not a string", "wrong-kind")
        return tuple(value for value in values if isinstance(value, str))


KINDS = {
    str: "a string",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}


def _inside(value: Any, step: str | int) -> Any:
    return value[step]


def _shown(value: object) -> str:
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
