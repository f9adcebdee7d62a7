"""The commands for studies. Each imports what it needs when it runs, so that `--help` is quick."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cyclopts import Parameter

from lasthop.cli.options import Json, Laws, Many, MaybeWhole, Set, TomlFile


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class SweepOptions:
    """What `lasthop sweep` is asked.

    Parameters
    ----------
    out:
        The directory of the results. The default is out/NAME.
    executor:
        Where runs are computed: local (threads); dask (processes here), dask:ADDRESS (a
        scheduler), dask:slurm (workers that SLURM starts); slurm (an array of jobs).
    workers:
        How many threads, workers or jobs.
    quick:
        Run only a few replications of each cell, to see whether the study works.
    replications:
        Replications of each cell, instead of the study's replications or precision.
    changes:
        Change the scenario in every cell: key=value with a dotted key. warmup=5s: the warm-up of a
        steady-state study, in place of what pilot runs show.
    laws:
        A law in Python, FILE.py:CLASS. Every TCP flow of every cell uses the first, unless an axis names one:
        tcp.law = ["reno", "CLASS"].
    sbatch:
        An option for SLURM's sbatch, such as --sbatch=--time=10. Can be repeated.
    as_json:
        Print one JSON document: a mean with its 95 % interval for each cell and metric.
    """

    out: Path | None = None
    executor: str = "local"
    workers: MaybeWhole = None
    quick: bool = False
    replications: MaybeWhole = None
    changes: Set = ()
    laws: Laws = ()
    sbatch: Many = ()
    as_json: Json = False


def sweep(study: TomlFile, /, *, options: SweepOptions | None = None) -> None:
    """Run a study: a scenario over axes and replications, as a TOML file says.

    Example: lasthop sweep retry_and_queue

    Example: lasthop sweep study.toml --executor slurm --sbatch=--partition=short

    The command can be stopped at any moment and run again. Nothing is computed twice, and
    additional replications, cells or metrics extend the existing results.

    Parameters
    ----------
    study:
        A study file, or a name from `lasthop list studies`. docs/guides/studies.md describes its format.
    """
    from lasthop.cli import sweeping

    sweeping.show(study, options or SweepOptions())


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ResultsOptions:
    """What `lasthop results` is asked.

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
    by:
        The metric by which the rules are learned. The default is the study's first.
    as_json:
        Print one JSON document.
    """

    where: Many = ()
    columns: Many = ()
    values: bool = False
    export: Path | None = None
    learn_policy: Path | None = None
    by: str | None = None
    as_json: Json = False


def results(directory: Path, /, *, options: ResultsOptions | None = None) -> None:
    """List, filter and export the results of a study.

    Example: lasthop results out/study --where metric=goodput_bps --where 'mac.short_retry_limit>=4'

    Example: lasthop results out/study --export values.csv

    Parameters
    ----------
    directory:
        The directory of a sweep.
    """
    from lasthop.cli import results as listing

    listing.show(directory, options or ResultsOptions())


def worker(store: Path, /, *, shard: str, threads: MaybeWhole = None) -> None:
    """Do one shard of a sweep, as a job of a SLURM array does.

    Example: lasthop worker --shard 3/16 out/study

    Parameters
    ----------
    store:
        The directory of a sweep that ``lasthop sweep --executor slurm`` has started.
    shard:
        The shard, i of N: i/N, with i from 0.
    threads:
        How many runs go in parallel. The default is what SLURM gives the job.
    """
    from lasthop.cli import sweeping

    sweeping.work(store, shard, threads)
