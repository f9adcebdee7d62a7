"""A page that is open in a browser reloads itself when it is written anew, without a server or a network.

A page on disk may fetch nothing, but may have a script beside it. The page loads that script twenty times a
second; it says which content the page has now.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from lasthop.core import safe_files

EVERY_MS = 50
"""Interval between the page's looks at its stamp, ms."""

SCRIPT = """<script>
(() => {
  let timer = 0;
  window.lasthopStamp = (stamp) => { if (stamp !== %s) { clearInterval(timer); location.reload(); } };
  timer = setInterval(() => {
    const told = document.createElement("script");
    told.src = %s + "?" + Date.now();
    told.onload = () => told.remove();
    // Nobody watches the scenario any more.
    told.onerror = () => { told.remove(); clearInterval(timer); };
    document.head.append(told);
  }, %d);
})();
</script>
"""


def stamp_of(page: Path) -> Path:
    """Return the file beside a page that says which content it has."""
    return page.with_name(f"{page.name}.stamp.js")


def with_script(made: str, page: Path) -> tuple[str, str]:
    """Return a page with the script that reloads it, and the stamp of its content."""
    stamp = hashlib.blake2b(made.encode(errors="backslashreplace"), digest_size=8).hexdigest()
    beside = json.dumps(quote(stamp_of(page).name, errors="surrogateescape"))
    head, end, rest = made.rpartition("</body>")
    return f"{head}{SCRIPT % (json.dumps(stamp), beside, EVERY_MS)}{end}{rest}", stamp


def announce(page: Path, stamp: str) -> None:
    """Tell browsers which content the page has; raises OSError."""
    safe_files.write_text(stamp_of(page), f"lasthopStamp({json.dumps(stamp)});\n")


@contextmanager
def announced(page: Path) -> Iterator[None]:
    """Have a stamp beside a page within the block; without one, open pages stop looking."""
    with safe_files.explained(stamp_of(page)):
        safe_files.write_text(stamp_of(page), "")
    try:
        yield
    finally:
        stamp_of(page).unlink(missing_ok=True)
