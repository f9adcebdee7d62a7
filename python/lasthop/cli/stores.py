"""Which results a command means: a directory, or the study that they are of."""

from __future__ import annotations

from pathlib import Path

from lasthop.core import shipped
from lasthop.errors import UsageError, nearest
from lasthop.study.store import MANIFEST

OUT = Path("out")
"""Where `lasthop sweep` puts the results of a study that is told no other place."""


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
            raise UsageError(
                f"{directory}: there are no results yet; lasthop sweep {given} makes them"
            )
        return directory
    there = [str(each.parent) for each in sorted(OUT.glob(f"*/{MANIFEST}"))]
    kinds = shipped.KINDS if or_scenario else ("studies",)
    close = nearest(str(given), there) or shipped.hint(given, *kinds)
    expected = f"a {'scenario, a ' if or_scenario else ''}study or a directory of results"
    raise UsageError(f"{given}: no such file; {expected} is expected{close}")
