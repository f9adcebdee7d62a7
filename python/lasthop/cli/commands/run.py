"""`lasthop run`: runs a scenario and prints what was measured."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from lasthop.cli.options import Json, Laws, Many, MaybeWhole, Probes, Set, TomlFile
from lasthop.cli.table_files import with_tables


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """The options of `lasthop run`.

    Parameters
    ----------
    changes:
        Change the scenario: key=value with a dotted key, such as tcp.variant=tahoe or link.0.rate='3 Mbps'.
    laws:
        A law of your own: FILE.py:CLASS, or a library that was compiled in Rust. Every TCP flow uses
        the first, unless tcp.law names one: tcp.law=CLASS.
    seed:
        The seed of all random numbers. The default is the scenario's own.
    replications:
        The number of independent runs. With more than one, every number becomes a mean with its 95 % interval.
        The default is 10 to 100, by the number of events: for most scenarios less than a second. It is 1 for
        a scenario of more than two million events (a law in Python counts each tenfold), with --seed, and
        where one run is asked for (--json, --probe, --pcap, --watch).
    workers:
        How many threads there are. The default is one for each core. Runs go in parallel; where there are fewer
        runs than threads, parts of a large run that never meet do too. The results do not depend on it.
    probe:
        Keep a time series, warm-up included: tcp (cwnd, ssthresh, srtt, flight, delivery rate, ... of every TCP
        flow), cuts (window cuts and their causes), queue (packets waiting), flows (throughput, goodput, loss,
        delay, interarrival in each step), frames (use of each symbol of 802.16 frames), or packets (each
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
        Write a page about the run, FILE.html: what came out, charts over time, use of the medium, why packets
        were late or lost. It needs no network. With --probe the first replication is run a second time for it.
        Without a name, at the end or before another option, the page is called like the scenario.
    watch:
        Run again whenever the file is saved, or one that it names, and print beside each number that changed the
        difference to the run before. A page of --report reloads itself in the browser. Ctrl-C ends it.
    chart:
        Also draw each flow's goodput and delay over time, each as a line of block characters.
    as_json:
        Print one JSON document; probes are in it under "probes", a list for each column.
    """

    changes: Set = ()
    laws: Laws = ()
    seed: MaybeWhole = None
    replications: MaybeWhole = None
    workers: MaybeWhole = None
    probe: Probes = ()
    probe_every: str | None = None
    out: Path | None = None
    pcap: Path | None = None
    pcap_only: Many = ()
    pcap_snap: MaybeWhole = None
    report: Path | None = None
    watch: Annotated[bool, Parameter(negative="")] = False
    chart: Annotated[bool, Parameter(negative="")] = False
    as_json: Json = False

    @property
    def asked(self) -> int | None:
        """The number of runs asked for: one by its seed, for a program, or for what one run has; None: enough."""
        wants_one = self.seed is not None or self.as_json or self.probe or self.pcap or self.watch
        return self.replications or (1 if wants_one else None)


@with_tables
def command(scenario: TomlFile, /, *, options: RunOptions | None = None) -> None:
    """Run a scenario and print what was measured.

    Example: lasthop run two_stations --set 'tcp.window=10 packets' --replications 10

    Example: lasthop run two_stations --report

    Example: lasthop run office.toml --watch --report

    Example: lasthop run dumbbell --probe tcp --probe cuts --probe-every 10ms --out series

    Parameters
    ----------
    scenario:
        A TOML file, or the name of a scenario that `lasthop list scenarios` prints.
    """
    from lasthop.cli import run_output, watch_output

    options = options or RunOptions()
    if options.watch:
        watch_output.watch(scenario, options)
    else:
        run_output.run(scenario, options)
