"""Files to begin with: a scenario, a study or a law that runs as it is, with a comment on what may be changed."""

from __future__ import annotations

import re
from pathlib import Path

from lasthop import store
from lasthop.errors import UsageError


def write(files: dict[Path, str]) -> None:
    """Write new files; raises UsageError where one is there already, and then writes none."""
    for path in files:
        if path.exists():
            raise UsageError(f"{path} is there already: give another name, or --out")
    for path, text in files.items():
        with store.explained(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")


def refuse_strange_name(name: str, what: str) -> None:
    """Raise UsageError for what is no name of a file and of a thing in it."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,63}", name):
        raise UsageError(
            f"{name!r} cannot be the name of a {what}; allowed: letters, digits, - and _, such as my_{what}"
        )
