"""`lasthop compare`: compares a scenario with a measurement."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from cyclopts import Parameter

from lasthop.cli.options import Json, Laws, Many, MaybeWhole, Set, Whole
from lasthop.cli.table_files import with_tables


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class CompareOptions:
    """The options of `lasthop compare`.

    Parameters
    ----------
    replications:
        How many runs of the scenario give the simulated interval.
    changes:
        Change the scenario: key=value with a dotted key, such as tcp.variant=cubic.
    laws:
        A law of your own: FILE.py:CLASS, or a library that was compiled in Rust. Every TCP flow uses
        the first, unless tcp.law names one.
    seed:
        The seed of all random numbers. The default is the scenario's own.
    workers:
        How many runs go in parallel. The default is one for each core. The results do not depend
        on it.
    pair:
        Which measured flow belongs to a simulated one, SIMULATED=MEASURED. Can be repeated. By
        default flows are paired in their order, TCP with TCP.
    at:
        The interface of the scenario at which runs are captured where the file is a capture, such as ap-eth0 or
        'sta1-*'; by default that of the first flow's source, of captured frames the channel.
    out:
        A page with tables and figures, FILE.html, or a figure, FILE.pdf, FILE.png or FILE.svg.
    as_json:
        Print one JSON document.
    """

    replications: Whole = 10
    changes: Set = ()
    laws: Laws = ()
    seed: MaybeWhole = None
    workers: MaybeWhole = None
    pair: Many = ()
    at: str | None = None
    out: Path | None = None
    as_json: Json = False


@with_tables
def command(scenario: Path, /, *files: Path, options: CompareOptions | None = None) -> None:
    """Set a simulation beside a measurement.

    Example: lasthop compare path.toml iperf3.json --set 'duration=10 s' --out compare.html

    It prints differences with their intervals, and series over time.

    The command reads iperf3's JSON (iperf3 -J), Flent's data files, logs of ss -ti with times, and
    captures (pcap, pcapng; TCP, UDP and radiotap). A measurement is one random sample: the table
    says whether it lies where 95 % of single runs of the scenario would. docs/guides/measured.md
    says how each quantity is read.

    Parameters
    ----------
    scenario:
        A TOML file, or the name of a scenario that `lasthop list scenarios` prints.
    files:
        One measured file, or several of the same format that repeat one measurement.
    """
    from lasthop.cli import comparison_output

    comparison_output.compare(scenario, files, options or CompareOptions())
