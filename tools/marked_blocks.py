"""Blocks of documents that a tool writes: between `<!-- NAME: written by tools/TOOL.py -->` and `<!-- end -->`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from pathlib import Path


def of(tool: str) -> re.Pattern[str]:
    """Return the pattern of the blocks of a tool, whose group `name` says which."""
    begin = rf"<!-- (?P<name>[a-z0-9_]+): written by tools/{re.escape(tool)}.py -->\n"
    return re.compile(rf"(?P<begin>{begin}).*?(?P<end><!-- end -->)", re.S)


def filled(text: str, marked: re.Pattern[str], body: Callable[[str], str]) -> str:
    """Return a document with `body` of its name in each block."""
    return marked.sub(lambda match: f"{match['begin']}{body(match['name'])}{match['end']}", text)


def directory(doc: str | None, of_what: str) -> Path:
    """Return the directory that the command line names, by default `out`; `doc` is the help."""
    parser = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    said = f"the directory of `lasthop {of_what}`"
    parser.add_argument("out", nargs="?", type=Path, default=Path("out"), help=said)
    out: Path = parser.parse_args().out
    return out
