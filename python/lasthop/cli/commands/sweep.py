"""`lasthop sweep`: runs a study."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cyclopts import Parameter

from lasthop.cli.options import Json, Laws, Many, MaybeWhole, Set, TomlFile
from lasthop.cli.table_files import with_tables


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class SweepOptions:
    """The options of `lasthop sweep`.

    Parameters
    ----------
    out:
        The directory of the results. The default is out/NAME.
    executor:
        Where runs are computed: local (threads); dask (processes here), dask:ADDRESS (a
        scheduler), dask:slurm (workers that SLURM starts); slurm (an array of jobs).
    workers:
        How many runs go in parallel: threads here, workers of a cluster, or jobs. The default is one for
        each core; SLURM gets as many jobs as give each some minutes.
    quick:
        Run only a few replications of each cell, to see whether the study works.
    replications:
        Replications of each cell, instead of the study's replications or precision.
    changes:
        Change the scenario in every cell: key=value with a dotted key. warmup=5s: the warm-up of a
        steady-state study, in place of what pilot runs show.
    laws:
        A law of your own: FILE.py:CLASS, or a library that was compiled in Rust. Every TCP flow of
        every cell uses the first, unless an axis names one:
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


@with_tables
def command(study: TomlFile, /, *, options: SweepOptions | None = None) -> None:
    """Run a study: many settings, each of them repeated.

    Example: lasthop sweep retry_and_queue

    Example: lasthop sweep study.toml --executor slurm --sbatch=--partition=short

    A study is a TOML file: a scenario, its axes and the number of replications.

    The command can be stopped at any moment and run again. Nothing is computed twice, and
    additional replications, cells or metrics extend the existing results.

    Parameters
    ----------
    study:
        A study file, or a name from `lasthop list studies`. docs/guides/studies.md describes its format.
    """
    from lasthop.cli import sweep_output

    sweep_output.show(study, options or SweepOptions())
