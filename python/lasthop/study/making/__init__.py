"""Files to begin with: a scenario, a study or a law that runs as it is, with a comment on what may be changed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from lasthop.core import safe_files
from lasthop.errors import LasthopError, ScenarioError, StudyError, UsageError

SCHEMA = "lasthop.schema.json"
"""The name of a file with the JSON Schema of scenarios, as `lasthop schema` prints it."""


def schema_line(folder: Path) -> str:
    """Return the line by which editors find the schema of a scenario in a folder; empty where there is none.

    It is the one in the folder itself or in the nearest one above it. Taplo and tombi read the line.
    """
    for above in (folder.absolute(), *folder.absolute().parents):
        if (above / SCHEMA).is_file():
            way = Path(os.path.relpath(above / SCHEMA, folder.absolute())).as_posix()
            return f"#:schema {way if way.startswith('../') else f'./{way}'}\n"
    return ""


def write(files: dict[Path, str]) -> None:
    """Write new files; raises UsageError where one is there already; writes all or none."""
    for path in files:
        if path.exists():
            raise UsageError(f"{path} exists already: choose another name, or --out")
    written: list[Path] = []
    made = {above for path in files for above in path.parents if not above.exists()}
    try:
        for path, text in files.items():
            with safe_files.explained(path):
                written.append(safe_files.write_text(path, text))
    except LasthopError:
        for path in written:  # a part of them is of no use
            path.unlink(missing_ok=True)
        for folder in sorted(made, reverse=True):  # what is in a folder sorts behind it
            if folder.is_dir():
                folder.rmdir()
        raise


@contextmanager
def told_of_options(
    made: str, file: str, options: Mapping[str, str], otherwise: str = ""
) -> Iterator[None]:
    """Turn an error of a text that is checked as `file` before it is written into one of the option behind it.

    `options` are the options by the keys that they write; `otherwise` is the one behind all other keys.
    """
    try:
        yield
    except (StudyError, ScenarioError) as error:
        said = str(error)
        found = re.match(rf"{re.escape(file)}:(\d+):\d+: (error: .*)", said)
        key = made.splitlines()[int(found[1]) - 1].partition(" =")[0] if found else ""
        option = options.get(key, otherwise)
        raise UsageError(f"{option}: {found[2]}" if found and option else said) from None


def refuse_strange_name(name: str, what: str) -> None:
    """Raise UsageError for what is no name of a file and of a thing in it."""
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,63}", name):
        # A file that is there is what the study is to be about, and not the study's name.
        is_network = what == "study" and name.endswith(".toml") and Path(name).exists()
        hint = f"; a network is given by --scenario {name}" if is_network else ""
        raise UsageError(
            f"{name!r} cannot be the name of a {what}; allowed: letters, digits, - and _, such as "
            f"my_{what}{hint}"
        )
