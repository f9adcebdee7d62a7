"""`lasthop reproduce`: runs a paper's simulations again and judges its claims."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from lasthop.cli import completing
from lasthop.cli.documents import print_document
from lasthop.cli.options import Json, MaybeWhole, Set, Whole
from lasthop.cli.table_files import with_tables
from lasthop.cli.terminal import refuse_no_directory, terminal

ALL = "all"
"""Stands for all papers that come with lasthop."""


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ReproduceOptions:
    """The options of `lasthop reproduce`.

    Parameters
    ----------
    changes:
        Change every study: key=value, such as tcp.variant=cubic, to see whether the claims survive. The results go
        to a folder of their own.
    table:
        The paper's number of a table. The default is all tables.
    replications:
        Independent runs of each cell. The default is the study's number.
    seed:
        The seed of all random numbers.
    workers:
        How many runs go in parallel. The default is one for each core.
    out:
        The directory for the report, figures and data, in a folder named after the paper.
    audit:
        Also run the alternatives to what the paper leaves unstated, one by one, with some of the settings
        and shorter runs.
    quick:
        Answer in about a minute: fewer settings, and only the alternatives that matter most.
    until_decided:
        Add replications to the settings of undecided claims until all are decided or the budget is
        spent. Verdicts still hold at 95 %.
    budget:
        With --until-decided: the wall time after which no more runs begin, such as 90s or 2h. The default is
        10min.
    as_json:
        Print one JSON document.
    """

    changes: Set = ()
    table: str | None = None
    replications: MaybeWhole = None
    seed: Whole = 1
    workers: MaybeWhole = None
    out: Path = Path("out")
    audit: bool = True
    quick: bool = False
    until_decided: bool = False
    budget: str | None = None
    as_json: Json = False


@with_tables
def command(
    paper: Annotated[str, Parameter(completer=completing.papers_or_all)],
    /,
    *,
    options: ReproduceOptions | None = None,
) -> None:
    """Run a published paper again, and judge its claims.

    Example: lasthop reproduce petrovic2003 --table 1

    Example: lasthop reproduce ./my-paper

    Example: lasthop reproduce all --no-audit

    Parameters
    ----------
    paper:
        The name of a paper (`lasthop list papers` prints all), a folder of your own, as `lasthop new paper`
        makes it, or `all` for the four that README has. With --json, these are one document by name.
    """
    from lasthop.core.jobs import refuse_strange_numbers
    from lasthop.core.shipped import MAIN_PAPERS

    asked = options or ReproduceOptions()
    refuse_strange_numbers(asked.seed, asked.replications, asked.workers, "--")
    refuse_no_directory(asked.out)
    is_all = paper == ALL and not Path(paper).exists()
    found: dict[str, Any] = {}
    for name in MAIN_PAPERS if is_all else (paper,):
        found[name] = _reproduced(name, asked)
        if not found[name].get("complete", True):
            break
    if asked.as_json:
        print_document(found if is_all else found[paper])
    if not all(document.get("complete", True) for document in found.values()):
        sys.exit(130)


def _reproduced(paper: str, asked: ReproduceOptions) -> dict[str, Any]:
    from lasthop.cli.terminal import seconds
    from lasthop.pages import papers

    return papers.reproduce(
        paper,
        table=asked.table,
        replications=asked.replications,
        seed=asked.seed,
        workers=asked.workers,
        out=asked.out,
        console=terminal(stderr=asked.as_json),
        audit=asked.audit,
        quick=asked.quick,
        until_decided=asked.until_decided,
        budget_s=seconds(asked.budget),
        changes=asked.changes,
    )
