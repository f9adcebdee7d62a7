"""Published studies as executable claims: folders of data, simulated anew and judged.

`lasthop.pages.papers.reproduce` runs one and writes its page.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path

from lasthop.core.shipped import PAPERS
from lasthop.errors import UsageError, offered


def names() -> list[tuple[str, str]]:
    """Return (name, one line about it) of every paper that comes with lasthop."""
    return list(PAPERS.items())


@cache
def folder_of(paper: str) -> Path:
    """Return the folder of a paper: of a name that comes with lasthop, else the path that it is.

    Raises UsageError where there is neither.
    """
    if paper in PAPERS:
        return Path(str(resources.files("lasthop.study.papers").joinpath(paper)))
    if Path(paper).is_dir():
        return Path(paper)
    known = ", ".join(PAPERS)
    raise UsageError(f"no paper {paper!r}, and no folder of one{offered(paper, PAPERS, known)}")
