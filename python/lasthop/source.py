"""Scenario files: read with care, since anything may be given where a scenario is expected."""

from __future__ import annotations

from pathlib import Path

from lasthop.errors import ScenarioError, nearest

#: The largest scenario file that is read, bytes; a hand-written one has a few thousand.
MAX_BYTES = 1_000_000


def read(path: str | Path) -> str:
    """Return the text of a scenario file.

    Raises:
        ScenarioError: It is missing, a directory, larger than 1 MB, or not UTF-8 text.
    """
    path = Path(path)
    if path.is_dir():
        inside = sorted(p.name for p in path.glob("*.toml"))
        hint = f"; scenarios in it: {', '.join(inside)}" if inside else ""
        raise ScenarioError(f"{path}:1:1: error: is a directory, a TOML file is expected{hint}")
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise ScenarioError(f"{path}:1:1: error: no such file{_neighbour(path)}") from None
    except OSError as error:
        raise ScenarioError(f"{path}:1:1: error: cannot be read: {error.strerror}") from None
    if len(content) > MAX_BYTES:
        raise ScenarioError(f"{path}:1:1: error: larger than {MAX_BYTES:,} bytes: not a scenario")
    return _decode(path, content)


def _decode(path: Path, content: bytes) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - content.rfind(b"\n", 0, error.start)
        where = f"{path}:{line}:{column}"
        raise ScenarioError(f"{where}: error: not UTF-8 text: a TOML file is expected") from None
    if "\0" in text:
        at = text.index("\0")
        where = f"{path}:{text.count(chr(10), 0, at) + 1}:{at - text.rfind(chr(10), 0, at)}"
        raise ScenarioError(f"{where}: error: a zero byte: a TOML file is expected")
    return text


def _neighbour(path: Path) -> str:
    """Name the file in the same directory whose name is nearest."""
    if not path.parent.is_dir():
        return ""
    return nearest(path.name, (p.name for p in path.parent.glob("*.toml")))
