"""`lasthop fit`: estimates a path from a capture."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from lasthop.cli.options import Json
from lasthop.cli.table_files import with_tables


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class FitOptions:
    """The options of `lasthop fit`.

    Parameters
    ----------
    out:
        Write the scenario to this file.
    as_json:
        Print one JSON document.
    """

    out: Annotated[Path | None, Parameter(name=("--out", "-o"))] = None
    as_json: Json = False


@with_tables
def command(*captures: Path, options: FitOptions | None = None) -> None:
    """Make a scenario from a recording of real traffic.

    Example: lasthop fit sender.pcap -o path.toml

    It estimates the path from a capture: rate, delay, queue, losses and their bursts.

    For a TCP flow the sender's capture is enough; for UDP give the captures of both ends. Every
    number has a 95 % interval, and a test of run lengths says whether the model of losses fits.
    docs/guides/measured.md says how each number is estimated.

    Parameters
    ----------
    captures:
        A capture of the sender's end (pcap, pcapng), or of both ends, the sender's first.
    """
    from lasthop.cli import fit_output

    fit_output.fit(captures, options or FitOptions())
