"""Published studies as executable claims: their tables simulated anew, their claims judged."""

from __future__ import annotations

from importlib import import_module, metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from lasthop.errors import UsageError, nearest
from lasthop.listeners import Fraction
from lasthop.papers.asking import ReproduceOptions

if TYPE_CHECKING:
    from lasthop.recipes.recipe import Recipe

_PAPERS = {
    "petrovic2003": "TCP over one 802.11 cell: packet size, window, RTS/CTS and FEC; web; voice (tables 1 to 5)",
    "janevski2011": "five TCPs beside film, game and chat over 802.11g, at rest and moving (tables 4 to 6)",
}


def names() -> list[tuple[str, str]]:
    """Return (name, one line about it) of every paper that can be reproduced."""
    return list(_PAPERS.items())


def reproduce(
    paper: str,
    *,
    table: str | int | None = None,
    replications: int | None = None,
    seed: int = 1,
    threads: int | None = None,
    out: Path = Path("out"),
    console: Console | None = None,
    audit: bool = True,
    quick: bool = False,
) -> dict[str, Any]:
    """Simulate a paper's tables, judge its claims, write a report; return it all as a document.

    `table` is the paper's number of a table, None for all that can be had. `replications` defaults
    to what the study asks for. `threads` None uses all cores; the result is the same for any
    number. Files go to `out/<paper>/`: report.html, result.json, figures as PNG and PDF, data as
    Parquet. `audit` also runs, briefly, every alternative to what the paper leaves unstated.
    `quick` makes few replications and tries only the alternatives that matter most.
    `console` receives progress and tables. Throughputs are in kbit/s, intervals half widths at 95 %.

    The document has paper, version, seed, tables (id, what, rows: the paper's keys, published,
    mean, ci95, n, unit), claims (id, text, verdict, evidence, thresholds, paper_table_supports,
    note), unstated (item, taken, alternatives, reason) and files.

    Ctrl-C keeps what is finished: `complete` is false in the document, `audit_complete` too if it
    was the audit (None if that was not asked for or not reached). Data are written before figures
    and report, and the files of an earlier run are removed when they are.

    Raises `lasthop.errors.UsageError` for a paper or table that is not there, and
    `lasthop.errors.LasthopError` where `out` cannot be written, before anything is run.
    """
    if paper not in _PAPERS:
        known = ", ".join(_PAPERS)
        raise UsageError(f"no paper {paper!r}; there is: {known}{nearest(paper, _PAPERS)}")
    study = import_module(f"lasthop.papers.{paper}.study")  # late: it loads matplotlib
    asked = ReproduceOptions(
        table=None if table is None else str(table),
        replications=replications,
        seed=seed,
        threads=threads,
        out=out,
        audit=audit,
        quick=quick,
    )
    document: dict[str, Any] = study.reproduce(asked, console or Console(), _version())
    return document


def again(recipe: Recipe, folder: Path, threads: int | None, told: Fraction) -> Path:
    """Reproduce a paper again for one of its files; the audit only where that shows it."""
    held = recipe.inputs
    told(0.0)
    document = reproduce(
        held["paper"],
        table=held["table"],
        replications=held["replications"],
        seed=held["seed"],
        threads=threads,
        out=folder,
        console=Console(stderr=True, quiet=True),
        audit=held["audit"]
        and (recipe.file.endswith(".html") or recipe.file.startswith("settings.")),
        quick=held["quick"],
    )
    if not document.get("complete", True):
        raise KeyboardInterrupt
    return folder / str(held["paper"]) / recipe.file


def _version() -> str:
    try:
        return metadata.version("lasthop")
    except metadata.PackageNotFoundError:
        return "0+uninstalled"  # run from a checkout, as some tests do
