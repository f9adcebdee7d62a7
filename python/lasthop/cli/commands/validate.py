"""`lasthop validate`: compares lasthop with theory and other simulators."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from lasthop.cli import completing
from lasthop.cli.options import Json, MaybeWhole, Whole


def command(
    *names: Annotated[str, Parameter(completer=completing.comparisons)],
    quick: bool = False,
    tenth: MaybeWhole = None,
    seed: Whole = 1,
    workers: MaybeWhole = None,
    oracles: Path | None = None,
    out: Path | None = None,
    write: bool = False,
    json_: Json = False,
) -> None:
    """Compare lasthop with theory and other simulators.

    Example: lasthop validate dcf --quick

    The command ends with 1 when a number is farther from its reference than its bound and chance
    explain and validation/known.toml does not list it, and when a number listed there is no longer
    off. It needs a checkout of lasthop. Numbers of other simulators are read from
    shared/oracles, here or further up, or from the folder that --oracles names. Without them their
    comparisons are skipped.

    Parameters
    ----------
    names:
        Which comparisons to run. The default is all; ``lasthop list comparisons`` names them.
    quick:
        Run only a few cases of each.
    tenth:
        Run every tenth case, from this one on (0 to 9), with the random numbers that it has among all.
    seed:
        The seed of all random numbers.
    workers:
        How many runs go in parallel. The default is one for each core.
    oracles:
        The folder of reference numbers, of the form of shared/oracles.
    out:
        Write a figure of each comparison (PNG and SVG) and a table of all (results.md) to this folder.
    write:
        Write what was measured into validation/ and into the tables of the documents.
    json_:
        Print one JSON document.
    """
    from lasthop.core import checkout

    showing = checkout.module("showing", "lasthop validate")
    how = checkout.module("running", "lasthop validate").How(quick, tenth, seed, workers)
    passed = showing.show(names, how=how, oracles=oracles, out=out, write=write, as_json=json_)
    if not passed:
        sys.exit(1)
