"""A TOML document that knows where its values stand, so that errors name file, line and column."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn

from lasthop import _core
from lasthop.errors import ScenarioError, StudyError, nearest
from lasthop.mistakes import apart

Path = tuple[str | int, ...]
"""Keys and places in lists, from the top."""


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
            places = _core.toml_places(text, file)
        except ScenarioError as error:
            raise StudyError(str(error)) from None
        self._keys = {path: key for path, key, _ in places}
        self._values = {path: value for path, _, value in places}
        try:
            self.root: dict[str, Any] = tomllib.loads(text)
        except (tomllib.TOMLDecodeError, RecursionError) as error:
            raise StudyError(f"{file}:1:1: error: {error}") from None

    def fail(self, path: Path, message: str, *, key: bool = False) -> NoReturn:
        """Raise StudyError about the value at `path`, or its key.

        Where nothing stands there, it is about what that would be in.
        """
        known = self._keys if key else self._values
        parts = [str(part) for part in path]
        while parts and "\x1f".join(parts) not in known:
            parts.pop()
        line, column = known.get("\x1f".join(parts), (1, 1))
        lines = self.text.splitlines()
        shown = lines[line - 1] if line <= len(lines) else ""
        excerpt = ""
        if shown.strip() and len(shown) < 160:
            margin = " " * len(str(line))
            pad = "".join("\t" if c == "\t" else " " for c in shown[: column - 1])
            excerpt = f"\n {line} | {shown}\n {margin} | {pad}^"
        raise StudyError(f"{self.file}:{line}:{column}: error: {message}{excerpt}")

    def only(self, path: Path, table: Mapping[str, Any], allowed: Iterable[str]) -> None:
        """Raise StudyError where `table`, at `path`, has another key than those allowed."""
        allowed = tuple(allowed)
        for key in table:
            if key not in allowed:
                hint = nearest(key, allowed)
                there = ", ".join(allowed)
                with apart():
                    said = f'unknown key "{key}"{hint}; allowed: {there}'
                    self.fail((*path, key), said, key=True)

    def get(self, path: Path, table: Mapping[str, Any], kind: type, default: Any = ...) -> Any:
        """Return the value at the end of `path`, which is in `table`.

        Raises StudyError where it is of another kind; a whole number will do for a float. Without a
        default it must be there.
        """
        name = str(path[-1])
        if name not in table:
            if default is ...:
                self.fail(path, f'missing key "{name}"')
            return default
        value = table[name]
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            return float(value)
        if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
            self.fail(path, f"{_shown(value)} is not {KINDS[kind]}")
        return value

    def texts(self, path: Path, table: Mapping[str, Any]) -> tuple[str, ...]:
        """Return a list of strings, empty where it is not there."""
        values: Sequence[Any] = self.get(path, table, list, [])
        for place, value in enumerate(values):
            if not isinstance(value, str):
                with apart():
                    self.fail((*path, place), f"{_shown(value)} is not a string")
        return tuple(value for value in values if isinstance(value, str))


KINDS = {
    str: "a string",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}


def _shown(value: object) -> str:
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
