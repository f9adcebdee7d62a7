"""`lasthop audit`: judges a study's claims and what they depend on."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from lasthop.cli.options import Json, Laws, MaybeWhole, TomlFile
from lasthop.cli.table_files import with_tables


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class AuditOptions:
    """The options of `lasthop audit`.

    Parameters
    ----------
    out:
        The directory of the study's results. The default is out/NAME. Variations go to
        out/NAME.audit.
    replications:
        Replications of each cell, instead of the study's replications or precision.
    quick:
        Run only a few replications, to see whether the study works.
    pairs:
        Also vary two choices at a time.
    workers:
        How many runs go in parallel. The default is one for each core.
    laws:
        A law of your own: FILE.py:CLASS, or a library that was compiled in Rust. Every TCP flow uses
        the first, unless an axis tcp.law names one.
    summary:
        Also write the verdicts into this file as Markdown (.md), for a review.
    badge:
        Also write a badge, how many claims hold, into this file: a picture (.svg), or what shields.io draws it
        from (.json). Give the option twice for both.
    as_json:
        Print one JSON document.
    """

    out: Path | None = None
    replications: MaybeWhole = None
    quick: bool = False
    pairs: bool = False
    workers: MaybeWhole = None
    laws: Laws = ()
    summary: Path | None = None
    badge: Annotated[Sequence[Path], Parameter(negative="")] = ()
    as_json: Json = False


@with_tables
def command(study: TomlFile, /, *, options: AuditOptions | None = None) -> None:
    """Tell which claims of a study hold, and why.

    Example: lasthop audit retry_and_queue

    Example: lasthop audit study.toml --summary verdicts.md --badge claims.svg

    It judges the study's comparisons and claims, and finds which of them depend on unstated choices.

    The command can be stopped and run again: nothing is computed twice. After Ctrl-C it judges
    what was run by then and ends with 130.

    Parameters
    ----------
    study:
        A study file with [[claim]] and [[unstated]], which docs/guides/verdicts.md describes, or a name from
        `lasthop list studies`.
    """
    from lasthop.cli import audit_output

    if not audit_output.show(study, options or AuditOptions()):
        sys.exit(130)
