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
        The directory of its results, by default out/NAME.
    executor:
        Who computes: local (threads); dask (processes here), dask:ADDRESS (a scheduler), dask:slurm (workers
        that SLURM starts); slurm (an array of jobs).
    workers:
        How many threads, workers or jobs.
    quick:
        A few replications of each cell only, to see whether it runs.
    replications:
        So many of each cell, in place of the study's replications or precision.
    changes:
        Change the scenario in every cell: key=value with a dotted key. warmup=5s: the warm-up of a
        steady-state study, in place of what pilot runs show.
    laws:
        A law in Python, FILE.py:CLASS. Every TCP flow of every cell uses the first, unless an axis names one:
        tcp.law = ["reno", "CLASS"].
    sbatch:
        An option for SLURM's sbatch, such as --sbatch=--time=10; may be given several times.
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

    Example: lasthop sweep studies/retry_and_queue.toml

    Example: lasthop sweep study.toml --executor slurm --sbatch=--partition=short

    It can be stopped at any moment and run again: nothing is computed twice, and more replications, cells
    or metrics are computed beside what is there.

    Parameters
    ----------
    study:
        A study file: docs/guides/studies.md says what is in it.
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
        Only rows for which this holds: column=value, also with !=, <, <=, >, >=; may be given several times.
    columns:
        Only these columns, with commas between them.
    values:
        Every value, not means.
    export:
        Write every value to a file: FILE.csv, FILE.parquet or FILE.feather; or the means as a table for a paper:
        FILE.tex or FILE.md.
    learn_policy:
        Learn rules for tcp.variant="auto" from a study with an axis tcp.variant, and write them to this file.
    by:
        The metric by which they are learned, by default the study's first.
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
        What `lasthop sweep` has written to.
    """
    from lasthop.cli import results as listing

    listing.show(directory, options or ResultsOptions())


def worker(store: Path, /, *, shard: str, threads: MaybeWhole = None) -> None:
    """Do one shard of a sweep's work: what a job of a SLURM array runs.

    Example: lasthop worker --shard 3/16 out/study

    Parameters
    ----------
    store:
        The directory of the sweep, which `lasthop sweep --executor slurm` has begun.
    shard:
        Which of how many: i/N, i from 0.
    threads:
        How many runs at a time; by default as many as SLURM gives the job.
    """
    from lasthop.cli import sweeping

    sweeping.work(store, shard, threads)
