"""`lasthop results`: lists the results of a study."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cyclopts import Parameter

from lasthop.cli.options import Json, Many
from lasthop.cli.table_files import with_tables


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ResultsOptions:
    """The options of `lasthop results`.

    Parameters
    ----------
    where:
        Show only rows for which this holds: column=value, also with !=, <, <=, >, >=. Can be
        repeated.
    columns:
        Show only these columns, separated by commas.
    values:
        Show every value instead of means.
    export:
        Write every value to a file: FILE.csv, FILE.parquet or FILE.feather; or the means as a table for a paper:
        FILE.tex or FILE.md.
    learn_policy:
        Learn rules for tcp.variant="auto" from a study with an axis tcp.variant, and write them to this file.
    goal:
        Show the regret of each value of the axis tcp.variant by this goal, on average over all conditions:
        goodput, delay, power, fairness, or a metric of the study. With --learn-policy: learn the rules by it; the
        default is the study's first metric.
    as_json:
        Print one JSON document.
    """

    where: Many = ()
    columns: Many = ()
    values: bool = False
    export: Path | None = None
    learn_policy: Path | None = None
    goal: str | None = None
    as_json: Json = False


@with_tables
def command(directory: Path, /, *, options: ResultsOptions | None = None) -> None:
    """List, filter and export the results of a study.

    Example: lasthop results out/study --where metric=goodput_bps --where 'mac.short_retry_limit>=4'

    Example: lasthop results out/study --export values.csv

    Parameters
    ----------
    directory:
        The directory of a sweep.
    """
    from lasthop.cli import results_output as listing

    listing.show(directory, options or ResultsOptions())
