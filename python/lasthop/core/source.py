"""Scenario files: read with care, since anything may be given where a scenario is expected."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from lasthop import _core, regular_files
from lasthop.core import shipped
from lasthop.errors import ScenarioError, UsageError, nearest
from lasthop.regular_files import UnreadableError

if TYPE_CHECKING:
    from lasthop.core.job import Handed

#: The largest scenario file that is read, bytes; a hand-written one has a few thousand.
MAX_BYTES = 1_000_000

#: The largest file that a scenario may name, bytes: traces of thousands of vehicles have less.
MAX_FILE_BYTES = 200_000_000

#: The beginning of a study's table, which no scenario has: "[study]", "study = {", "study.scenario =".
STUDY = re.compile(r"^[ \t]*(?:\[[ \t]*study[ \t]*[\].]|study[ \t]*[=.])", re.MULTILINE)

#: Longer names are cut in messages.
LONGEST_NAME = 160

#: TOML files that occur in many directories and are no scenarios.
NO_SCENARIOS = frozenset({"Cargo.toml", "pyproject.toml"})


@runtime_checkable
class Written(Protocol):
    """A scenario made in Python, as `lasthop.Scenario` is."""

    @property
    def file(self) -> str:
        """Its name in messages."""

    def toml(self) -> str:
        """Return its text."""


Given = str | Path | Written
"""A scenario as functions accept it: a file, the name of one of ours, TOML text, or a `lasthop.Scenario`."""


def load(scenario: Given) -> tuple[str, str]:
    """Return the text of a scenario, and what to call it in messages."""
    if isinstance(scenario, Written):
        return scenario.toml(), scenario.file
    if isinstance(scenario, str) and ("\n" in scenario or "\r" in scenario):
        return scenario, "<text>"
    if not isinstance(scenario, str | os.PathLike):
        raise UsageError(
            "a scenario is a file's path, TOML text of several lines, or a lasthop.Scenario; not "
            f"{type(scenario).__name__}"
        )
    scenario = shipped.found(scenario, "scenarios")
    text = read(scenario)
    if found := STUDY.search(text):
        line = text.count("\n", 0, found.start()) + 1
        said = "this is a study, not a scenario: run `lasthop sweep` on it, or run the scenario that it names"
        shown = f"{scenario}:{line}:1: error: {said}\n {line} | {found[0]}"
        raise ScenarioError(said, file=str(scenario), place=(line, 1), shown=shown)
    return text, str(scenario)


def document(text: str, file: str) -> dict[str, Any]:
    """Return the keys of TOML text; raises ScenarioError, which names line and column."""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        _core.toml_places(text, file)  # says it better, as everywhere
        raise ScenarioError("this is not TOML", code="no-toml", file=file, place=(1, 1)) from None


def read(path: str | Path, kinds: Sequence[str] = ("scenarios",)) -> str:
    """Return the text of a scenario file.

    Args:
        path: The file.
        kinds: What of ours may be meant where there is no such file (`shipped.KINDS`).

    Raises:
        ScenarioError: It is missing, a directory, larger than 1 MB, or not UTF-8 text.
    """
    if str(path) == "":
        said = "the scenario's name is empty; a TOML file is expected"
        raise ScenarioError(said, code="no-such-file", shown=f"error: {said}")
    path = Path(path)
    shown = _short(str(path))
    try:
        if path.is_dir():
            inside = ", ".join(_scenarios(path))
            hint = f"; scenarios in it: {inside}" if inside else ""
            raise _unreadable(f"is a directory, a TOML file is expected{hint}", shown)
        content = regular_files.content(path, MAX_BYTES)
    except UnreadableError as error:
        hint = _neighbour(path, kinds) if error.missing else ""
        large = ": not a scenario" if str(error).startswith("larger") else ""
        raise _unreadable(f"{error}{hint}{large}", shown) from None
    except (OSError, ValueError) as error:  # a name that is too long, or has a zero byte in it
        why = getattr(error, "strerror", None) or error
        raise _unreadable(f"cannot be read: {why}", repr(shown)) from None
    return decoded(path, content)


def may_name_files(text: str) -> bool:
    """Return False where this text, a scenario or a change to one, names no file."""
    return _core.may_name_files(text)


def files_of(text: str, file: str, overrides: Sequence[str]) -> tuple[Handed, ...]:
    """Read the files that a scenario names, such as traces, as seen from the scenario's own folder.

    One that cannot be read is handed on with the reason: the core knows the line that names it.

    Args:
        text: The scenario.
        file: Its path, or what messages call it.
        overrides: Changes to it, each ``key=value``.

    Raises:
        ScenarioError: It is no scenario and may name some.
    """
    folder = Path(file).parent
    names = _core.files_named(text, file, list(overrides))
    return tuple(_handed(folder, name) for name in names)


def _handed(folder: Path, name: str) -> Handed:
    path = folder / name
    try:
        content = regular_files.content(path, MAX_FILE_BYTES)
    except UnreadableError as error:
        if not error.missing:
            return name, None, f"{_short(name)}: {error}"
        return name, None, f"no such file in {_short(str(path.parent))}{_nearest_in(path, '*')}"
    try:
        return name, content.decode("utf-8-sig"), ""
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return name, None, f"{_short(name)}:{line}: not UTF-8 text"


def decoded(path: Path, content: bytes) -> str:
    """Return the text of a TOML file; raises ScenarioError where it is none."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - content.rfind(b"\n", 0, error.start)
        said = "not UTF-8 text: a TOML file is expected"
        raise ScenarioError(said, code="no-toml", file=str(path), place=(line, column)) from None
    if "\0" in text:
        at = text.index("\0")
        place = (text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))
        said = "a zero byte: a TOML file is expected"
        raise ScenarioError(said, code="no-toml", file=str(path), place=place)
    return text


def _unreadable(said: str, file: str) -> ScenarioError:
    return ScenarioError(said, code="no-such-file", file=file, place=(1, 1))


def _neighbour(path: Path, kinds: Sequence[str]) -> str:
    """Name the nearest scenario in the same directory, or one of ours: ours first for a bare name."""
    is_bare = str(path) == path.stem and not Path(f"{path}.toml").exists()
    if is_bare and shipped.closest(path, *kinds):
        return shipped.hint(path, *kinds)
    return _nearest_in(path) or shipped.hint(path, *kinds)


def _nearest_in(path: Path, pattern: str = "") -> str:
    """Name the file in the same directory whose name is nearest: any that matches, else a scenario."""
    try:
        found = (
            sorted(p.name for p in path.parent.glob(pattern))
            if pattern
            else _scenarios(path.parent)
        )
    except OSError:
        return ""
    return nearest(path.name, found)


def _scenarios(folder: Path) -> list[str]:
    """Name the TOML files that may be scenarios."""
    return sorted(p.name for p in folder.glob("*.toml") if p.name not in NO_SCENARIOS)


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_NAME else f"{name[:LONGEST_NAME]}…"
