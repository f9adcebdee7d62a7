"""The playground of an installation: a page that runs lasthop in a browser, with a scenario in it.

The page itself is made by ``tools/playground.py``, which compiles the core for browsers; wheels contain it. Here a
scenario is put into it, with the files that the scenario names.
"""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from lasthop.core import api, engine, safe_files
from lasthop.errors import ScenarioError, UsageError
from lasthop.pages.in_script import in_script

if TYPE_CHECKING:
    from lasthop.core.job import Job

PAGE = Path(str(resources.files(__name__))) / "page.html"
"""The page of this installation; it is missing where lasthop was built without it."""

PLACE = "<!-- opened -->"
"""In the page: where the element with the scenario goes."""

MOST_BYTES = 20_000_000
"""The most that the files of a scenario may have together: the page holds them in memory, some three times."""

MISSING = (
    "this installation of lasthop was built without the page of the playground, as a checkout is. `make"
    " playground` makes it in a checkout, and needs Rust's target for browsers: rustup target add"
    " wasm32-unknown-unknown"
)


def write(scenario: str, out: Path | None) -> Path:
    """Write the page with a scenario in it, and return where it is.

    Args:
        scenario: A file, or the name of a scenario that comes with lasthop.
        out: The page; None stands for ``out/playground/NAME.html`` with the name of the scenario.

    Raises:
        UsageError: This installation has no page, or one of another engine, or the page could not hold the files.
        ScenarioError: The scenario is wrong, or needs a law in Python.
    """
    page = _page()
    job = api.read(scenario)
    _check(job)
    name = re.sub(r"[^\w.-]", "_", Path(job.file).stem)
    opened = {"name": name, "text": job.text, "files": _files(job)}
    element = f'<script type="application/json" id="opened">{in_script(opened)}</script>'
    target = out or Path("out/playground") / f"{name}.html"
    safe_files.refuse_ending(target, (".html", ".htm"))
    with safe_files.explained(target):
        return safe_files.write_bytes(target, page.replace(PLACE, element, 1).encode())


def generator(name: str) -> str:
    """Return the element by which a page says which engine it has: the value of ``lasthop.__engine__``."""
    return f'<meta name="generator" content="lasthop {name}">'


def _page() -> str:
    if not PAGE.is_file():
        raise UsageError(MISSING)
    page = PAGE.read_text(encoding="utf-8")
    if generator(engine.engine()) not in page:
        raise UsageError(
            f"{PAGE}: this page was made by another engine than {engine.engine()}, so its numbers may differ from"
            " those of `lasthop run`; `make playground` makes it anew"
        )
    return page


def _check(job: Job) -> None:
    try:
        job.check()
    except ScenarioError as error:
        if not error.said.startswith("unknown TCP law"):
            raise
        advice = "The playground runs no laws in Python; `lasthop run --law FILE.py:CLASS` does."
        raise ScenarioError(
            error.said,
            code=error.code,
            file=error.file,
            path=error.path,
            place=error.place,
            shown=f"{error}\n{advice}",
        ) from None


def _files(job: Job) -> dict[str, str]:
    """Return the texts of the files that a scenario names, by their names in it."""
    files = {name: text for name, text, _ in job.files if text is not None}
    whole = sum(map(len, files.values()))
    if whole > MOST_BYTES:
        raise UsageError(
            f"{job.file}: its files have {whole / 1e6:.0f} MB together, and the page takes at most"
            f" {MOST_BYTES / 1e6:.0f} MB; `lasthop run` takes them"
        )
    return files
