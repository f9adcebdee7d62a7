"""`lasthop new paper NAME`: a folder with commented files that run as they are."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

from lasthop.core import safe_files, source
from lasthop.errors import UsageError
from lasthop.study.papers import folder_of

#: Endings of files that belong to a paper, and the place that names them.
ENDINGS = (".toml", ".py")
NAMED = re.compile(r'^name = "[^"]*"', re.MULTILINE)


def new(name: str, where: Path = Path(), like: str = "") -> Path:
    """Make the folder `where`/`name`, with all that the paper `like` has, to be changed; return it.

    Raises UsageError for a name that is none, a paper that is none, or a folder that is there already.
    """
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", name):
        raise UsageError(
            f"{name!r} cannot be the name of a paper; allowed: letters, digits, - and _, such as jun2003"
        )
    folder = where / name
    if folder.exists():
        raise UsageError(f"{folder} is there already")
    template = Path(str(resources.files("lasthop.study.papers").joinpath("template")))
    held = folder_of(like) if like else template
    kept = [path for path in sorted(held.iterdir()) if path.suffix in ENDINGS]
    files = [path for path in kept if path.name != "__init__.py"]
    with safe_files.explained(folder), safe_files.new_folder(folder) as made:
        for file in files:
            text = source.read(file).replace('"NAME"', f'"{name}"')
            if like and file.name == "paper.toml":
                text = NAMED.sub(f'name = "{name}"', text, count=1)
            safe_files.write_text(made / file.name, text)
    return folder
