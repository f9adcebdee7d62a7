"""Files in a recipe: what a figure was drawn from, packed where it is not too long, else known by its digest."""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from lasthop.core import shapes
from lasthop.errors import UsageError
from lasthop.pages.recipes.recipe import checked
from lasthop.regular_files import UnreadableError, content

MOST_PACKED = 2_000_000
"""Characters of all files together: of more only the digests are kept."""

MOST_BYTES = 2_000_000_000
"""The largest file that is read, bytes."""

_KEPT = shapes.table(shapes.fields({"sha256": shapes.text, "packed": shapes.text}, ["packed"]))


def keep(files: Iterable[Path]) -> dict[str, Any]:
    """Return files as a recipe holds them, in their order: no path of this machine. Raises UsageError."""
    found: dict[str, Any] = {}
    left = MOST_PACKED
    for number, file in enumerate(files, 1):
        name = f"{number}-{file.name}" if file.name in found else file.name
        held = _read(file)
        found[name] = {"sha256": hashlib.sha256(held).hexdigest()}
        packed = base64.b64encode(zlib.compress(held, 9)).decode()
        if len(packed) <= left:
            found[name]["packed"] = packed
            left -= len(packed)
    return found


def put(kept: Any, folder: Path) -> list[Path]:
    """Write the files of a recipe into a folder; one that was too long to be kept is read from here.

    Raises UsageError where that is not here, or has changed, or where the recipe is damaged.
    """
    checked(kept, _KEPT)
    made = []
    for name, held in kept.items():
        path = folder / Path(name).name
        path.write_bytes(_content(name, held))
        made.append(path)
    return made


def _content(name: str, held: Mapping[str, str]) -> bytes:
    if "packed" not in held:
        found = _read(Path(name))
        if hashlib.sha256(found).hexdigest() != held["sha256"]:
            raise UsageError(f"{name} has changed since the figure was made")
        return found
    try:
        return zlib.decompressobj().decompress(base64.b64decode(held["packed"]), MOST_BYTES)
    except (ValueError, zlib.error):
        raise UsageError(f"the recipe is damaged: {name} cannot be unpacked") from None


def _read(file: Path) -> bytes:
    try:
        return content(file, MOST_BYTES)
    except UnreadableError as error:
        raise UsageError(f"{file}: {error}") from None
