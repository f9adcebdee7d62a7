"""The commands that simulate: `lasthop run`, `lasthop reproduce`. Each imports what it needs when it runs."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from lasthop.cli import completing
from lasthop.cli.options import Json, Laws, Many, MaybeWhole, Probes, Set, TomlFile, Whole
from lasthop.cli.terminal import refuse_no_directory, terminal


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """What `lasthop run` is asked.

    Parameters
    ----------
    changes:
        Change the scenario: key=value with a dotted key, such as tcp.variant=tahoe or link.0.rate='3 Mbps'.
    laws:
        A law in Python, FILE.py:CLASS. Every TCP flow uses the first, unless tcp.law names one: tcp.law=CLASS.
    seed:
        The seed of all random numbers. The default is the scenario's own.
    replications:
        The number of independent runs. With more than one, every number becomes a mean with its 95
        % interval.
    threads:
        How many runs go in parallel. The default is one for each core. The results do not depend
        on it.
    probe:
        Keep a time series, warm-up included: tcp (cwnd, ssthresh, srtt, flight, delivery rate, ... of every TCP
        flow), cuts (window cuts and their causes), queue (packets waiting), flows (throughput, goodput, loss,
        delay, interarrival in each step), frames (what each symbol of 802.16 frames is for), or packets (each
        packet: sent, received or lost, where its time went). Can be repeated; changes no result.
    probe_every:
        Keep at most one row of each flow or queue in this time, its last state, such as 10ms. The
        default is every change, and for flows each second.
    out:
        Where to write the probes' tables: a directory, which gets tcp.csv, cuts.csv, queue.csv, or
        a file for the table of one probe, FILE.csv or FILE.parquet. docs/model/probes.md describes
        every column and its unit.
    pcap:
        Write captures to this directory: a pcapng file for each interface (server-eth0, sta1-wlan0) and each
        channel (air-cell). With several replications, a directory for each.
    pcap_only:
        Capture only interfaces whose names match, such as 'sta1-*'. Can be repeated.
    pcap_snap:
        Keep at most this many bytes of each packet. The default is all.
    report:
        Write a page about the run, FILE.html: what came out, charts over time, who held the medium, why packets
        were late or lost. It needs no network. The first replication is run a second time for it. Without
        a name, at the end or before another option, the page is called like the scenario.
    chart:
        Also draw each flow's goodput and delay over time, each as a line of block characters.
    as_json:
        Print one JSON document; probes are in it under "probes", a list for each column.
    """

    changes: Set = ()
    laws: Laws = ()
    seed: MaybeWhole = None
    replications: Whole = 1
    threads: MaybeWhole = None
    probe: Probes = ()
    probe_every: str | None = None
    out: Path | None = None
    pcap: Path | None = None
    pcap_only: Many = ()
    pcap_snap: MaybeWhole = None
    report: Path | None = None
    chart: Annotated[bool, Parameter(negative="")] = False
    as_json: Json = False


def run(scenario: TomlFile, /, *, options: RunOptions | None = None) -> None:
    """Run a scenario and print what was measured.

    Example: lasthop run two_stations --set 'tcp.window=10 packets' --replications 10

    Example: lasthop run two_stations --report

    Example: lasthop run dumbbell --probe tcp --probe cuts --probe-every 10ms --out series

    Parameters
    ----------
    scenario:
        A TOML file, or the name of a scenario that `lasthop list scenarios` prints.
    """
    from lasthop.cli import running

    running.run(scenario, options or RunOptions())


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ReproduceOptions:
    """What `lasthop reproduce` is asked.

    Parameters
    ----------
    changes:
        Change every study: key=value, such as tcp.variant=cubic, to see whether the claims survive. The results go
        to a folder of their own.
    table:
        The paper's number of a table. The default is all tables.
    replications:
        Independent runs of each cell. The default is the study's number.
    seed:
        The seed of all random numbers.
    threads:
        How many runs go in parallel. The default is one for each core.
    out:
        The directory for the report, figures and data, in a folder named after the paper.
    audit:
        Also run the alternatives to what the paper leaves unstated, one by one, with few replications.
    quick:
        Answer in about a minute: fewer settings, and only the alternatives that matter most.
    until_decided:
        Add replications to the settings of undecided claims until all are decided or the budget is
        spent. Verdicts still hold at 95 %.
    budget:
        With --until-decided: the wall time after which no more runs begin, such as 90s or 2h. The default is
        10min.
    as_json:
        Print one JSON document.
    """

    changes: Set = ()
    table: str | None = None
    replications: MaybeWhole = None
    seed: Whole = 1
    threads: MaybeWhole = None
    out: Path = Path("out")
    audit: bool = True
    quick: bool = False
    until_decided: bool = False
    budget: str | None = None
    as_json: Json = False


def reproduce(
    paper: Annotated[str, Parameter(completer=completing.papers)],
    /,
    *,
    options: ReproduceOptions | None = None,
) -> None:
    """Run a paper's simulations again and judge its claims.

    Example: lasthop reproduce petrovic2003 --table 1

    Example: lasthop reproduce ./my-paper

    Parameters
    ----------
    paper:
        The name of a paper (`lasthop list papers` prints all), or a folder of your own, as `lasthop new paper`
        makes it.
    """
    from lasthop.cli.documents import print_document
    from lasthop.cli.terminal import seconds
    from lasthop.core.jobs import refuse_strange_numbers
    from lasthop.pages import papers

    asked = options or ReproduceOptions()
    refuse_strange_numbers(asked.seed, asked.replications, asked.threads, "--")
    refuse_no_directory(asked.out)
    document = papers.reproduce(
        paper,
        table=asked.table,
        replications=asked.replications,
        seed=asked.seed,
        threads=asked.threads,
        out=asked.out,
        console=terminal(stderr=asked.as_json),
        audit=asked.audit,
        quick=asked.quick,
        until_decided=asked.until_decided,
        budget_s=seconds(asked.budget),
        changes=asked.changes,
    )
    if asked.as_json:
        print_document(document)
    if not document.get("complete", True):
        sys.exit(130)
