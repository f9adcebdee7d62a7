"""Finds the results that a command needs: a directory, or those of a study."""

from __future__ import annotations

from pathlib import Path

from lasthop.core import shipped
from lasthop.errors import UsageError, nearest
from lasthop.study.store import MANIFEST

OUT = Path("out")
"""The default directory of `lasthop sweep`."""


def directory_of(given: Path, *, or_scenario: bool = False) -> Path:
    """Return the directory of results that is meant by its path, or by the file or the name of a study.

    Args:
        given: What the command was given.
        or_scenario: Whether a scenario might have been meant too, which is there to be named.

    Raises:
        UsageError: There is no such directory, or the study has no results yet.
    """
    study = shipped.found(given, "studies")
    if given.is_dir():
        return given
    if study.is_file():
        from lasthop.study.reader import read

        directory = OUT / read(study).name
        if not directory.is_dir():
            raise UsageError(f"{directory}: no results yet; run lasthop sweep {given}")
        return directory
    there = [str(each.parent) for each in sorted(OUT.glob(f"*/{MANIFEST}"))]
    kinds = shipped.KINDS if or_scenario else ("studies",)
    close = nearest(str(given), there) or shipped.hint(given, *kinds)
    expected = f"a {'scenario, a ' if or_scenario else ''}study or a directory of results"
    raise UsageError(f"{given}: no such file; {expected} is expected{close}")
