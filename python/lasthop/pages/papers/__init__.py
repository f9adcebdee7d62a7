"""Papers reproduced: their studies run, their claims judged and audited, a page with pictures written."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console

from lasthop.core import shapes
from lasthop.core.jobs import MOST_REPLICATIONS
from lasthop.core.listeners import Fraction
from lasthop.extras import needed
from lasthop.study.papers import folder_of
from lasthop.study.papers.wanted import ReproduceOptions

if TYPE_CHECKING:
    from lasthop.pages.recipes.recipe import Recipe


def reproduce(
    paper: str | Path,
    *,
    table: str | int | None = None,
    replications: int | None = None,
    seed: int = 1,
    workers: int | None = None,
    out: Path = Path("out"),
    console: Console | None = None,
    audit: bool = True,
    quick: bool = False,
    until_decided: bool = False,
    budget_s: float | None = None,
    changes: Sequence[str] = (),
) -> dict[str, Any]:
    """Simulate a paper's tables, judge its claims, write a page; return it all as a document.

    `paper` is a name of those that come with lasthop, or a folder that anybody wrote (see
    `lasthop.study.papers.folder`; its derive.py, if it has one, is run). `table` is the paper's
    number of a table, None for all that can be had. `replications` defaults
    to what the studies ask for. `workers` None uses all cores; the result is the same for any
    number. Files go to `out/NAME/`, NAME being that of the folder and of what is changed: report.html,
    result.json, pictures as PNG and PDF, data as Parquet. `changes` are made to every study, each
    ``key=value``, such as ``tcp.variant=cubic``: to see whether a claim survives. `audit` also runs,
    briefly, every alternative to what the paper leaves unstated.
    `quick` runs fewer cells, and only the alternatives that matter most. `until_decided` gives replications
    to the settings of open claims, in place of a fixed number to each, until they are decided or `budget_s`
    seconds (600) are over: verdicts hold at 95 % all the same.
    `console` receives progress and tables. Means are in the printed tables' units, intervals half widths at 95 %.

    The document has paper, version, seed; claims (id, text, verdict, sentence, parts with verdicts, effects
    and settings of their own); agreement (by table, and by parts of it); tables (id, what, unit, rows: the
    paper's keys, published (null where the table is beyond the paper), mean, ci95, n, ratio, inside: whether
    the printed value is in the reach of one run); audit; rests_on; unstated (item, taken, evidence, reason,
    alternatives) and files.

    Ctrl-C keeps what is finished: `complete` is false in the document, `audit_complete` too if it
    was the audit (None if that was not asked for or not reached). Data are written before pictures
    and page, and the files of an earlier run are removed when they are.

    Raises `lasthop.errors.UsageError` for a paper or table that is not there, or a folder in which something is
    wrong, and `lasthop.errors.LasthopError` where `out` cannot be written, before anything is run.
    """
    asked = ReproduceOptions(
        paper=str(paper),
        table=None if table is None else str(table),
        replications=replications,
        seed=seed,
        workers=workers,
        out=out,
        audit=audit,
        quick=quick,
        until_decided=until_decided,
        budget_s=budget_s,
        changes=tuple(changes),
    )
    return _reproduced(asked, console or Console())[0]


def _reproduced(asked: ReproduceOptions, console: Console) -> tuple[dict[str, Any], str]:
    """Return what :func:`reproduce` does, and the folder in `asked.out` that has the files."""
    needed("matplotlib")
    from lasthop.pages.papers import reproducing  # late: it loads matplotlib
    from lasthop.study.papers.folder import Paper

    paper = Paper(folder_of(asked.paper), asked.changes)
    return reproducing.reproduce(paper, asked, console), paper.place


SHAPE = shapes.fields(
    {
        "paper": shapes.text,
        "seed": shapes.whole(),
        "changes": shapes.each(shapes.text),
        "table": shapes.maybe(shapes.text),
        "replications": shapes.maybe(shapes.whole(1, MOST_REPLICATIONS)),
        **dict.fromkeys(("audit", "quick", "until_decided"), shapes.flag),
        "budget_s": shapes.maybe(shapes.number),
    },
    ["changes"],
)
"""The form of a recipe of a paper's figures and report."""


def again(recipe: Recipe, folder: Path, workers: int | None, told: Fraction) -> Path:
    """Reproduce a paper again for one of its files; the audit only where that shows it."""
    told(0.0)
    held = {**recipe.inputs, "changes": tuple(recipe.inputs.get("changes", ()))}
    held["audit"] = held["audit"] and recipe.file.endswith(".html")
    asked = ReproduceOptions(**held, workers=workers, out=folder)
    document, place = _reproduced(asked, Console(stderr=True, quiet=True))
    if not document.get("complete", True):
        raise KeyboardInterrupt
    return folder / place / recipe.file
