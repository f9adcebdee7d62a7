"""Draw the pictures of the documentation again, each from runs: docs/pictures/NAME.svg.

    python tools/renew_pictures.py [NAME...]     by default all; prints which it changed

A picture has the name of the page that shows it. `tests/python/test_pictures.py` draws them again and compares.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pictures_of_guides  # noqa: F401 it registers pictures
import pictures_of_tutorials  # noqa: F401
from curves import ALL, DOCS

PICTURES = DOCS / "pictures"


def drawn(name: str) -> str:
    """Return a picture as it is today."""
    with tempfile.TemporaryDirectory() as folder:
        return ALL[name](Path(folder))


def main(names: Sequence[str]) -> None:
    """Draw pictures."""
    PICTURES.mkdir(exist_ok=True)
    for name in names or sorted(ALL):
        text, path = drawn(name), PICTURES / f"{name}.svg"
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
            print(f"{path.relative_to(DOCS.parent)}: {len(text):,} B")


if __name__ == "__main__":
    main(sys.argv[1:])
