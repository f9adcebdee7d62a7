"""`lasthop new paper NAME`: a folder with commented files that run as they are."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

from lasthop import store
from lasthop.errors import UsageError

FILES = ("paper.toml", "claims.toml", "choices.toml", "study.toml")


def new(name: str, where: Path = Path()) -> Path:
    """Make the folder `where`/`name`; return it.

    Raises UsageError for a name that is none, or a folder that is there already.
    """
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", name):
        raise UsageError(
            f"{name!r} cannot be the name of a paper; allowed: letters, digits, - and _, such as jun2003"
        )
    folder = where / name
    if folder.exists():
        raise UsageError(f"{folder} is there already")
    held = resources.files("lasthop.papers").joinpath("template")
    with store.explained(folder):
        folder.mkdir(parents=True)
        for file in FILES:
            text = held.joinpath(file).read_text(encoding="utf-8").replace('"NAME"', f'"{name}"')
            (folder / file).write_text(text, encoding="utf-8")
    return folder
