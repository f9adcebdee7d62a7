"""`lasthop worker`: computes one shard of a sweep."""

from __future__ import annotations

from pathlib import Path

from lasthop.cli.options import MaybeWhole


def command(store: Path, /, *, shard: str, workers: MaybeWhole = None) -> None:
    """Do one part of a sweep, as a job on a cluster.

    Example: lasthop worker --shard 3/16 out/study

    Each job of an array of SLURM does one.

    Parameters
    ----------
    store:
        The directory of a sweep that ``lasthop sweep --executor slurm`` has started.
    shard:
        The shard, i of N: i/N, with i from 0.
    workers:
        How many runs go in parallel. The default is what SLURM gives the job.
    """
    from lasthop.cli import sweep_output

    sweep_output.work(store, shard, workers)
