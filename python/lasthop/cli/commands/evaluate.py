"""`lasthop evaluate`: a congestion control by the criteria of RFC 9743."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cyclopts import Parameter

from lasthop.cli.options import Json, MaybeWhole, Whole
from lasthop.cli.table_files import with_tables


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class EvaluateOptions:
    """The options of `lasthop evaluate`.

    Parameters
    ----------
    replications:
        Replications of each scenario.
    workers:
        How many runs go in parallel. The default is one for each core. The results do not depend
        on it.
    out:
        The directory of the page, by default out/NAME.evaluation. It gets dossier.html.
    as_json:
        Print one JSON document.
    """

    replications: Whole = 20
    workers: MaybeWhole = None
    out: Path | None = None
    as_json: Json = False


@with_tables
def command(law: str, /, *, options: EvaluateOptions | None = None) -> None:
    """Judge one TCP by the internet's rules for new ones.

    Example: lasthop evaluate bbr

    Example: lasthop evaluate my_law.py:Mine

    These are the criteria of RFC 9743. Each has a verdict, with its section.

    Each criterion is a scenario, run with the law and with CUBIC or Reno in its place, by the same random
    numbers. docs/guides/evaluate.md says what is asked and how it is judged.

    Parameters
    ----------
    law:
        A variant that `lasthop list variants` prints, a law in Python as FILE.py:CLASS, or a library that was
        compiled in Rust.
    """
    from lasthop.cli import evaluate_output

    evaluate_output.show(law, options or EvaluateOptions())
