"""The commands. Each imports what it needs when it runs, so that `--help` is quick."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from cyclopts import App

from lasthop._core import __version__
from lasthop.captures import Captures
from lasthop.cli.drawing import export, plot, report, rerun
from lasthop.cli.judging import advise, audit
from lasthop.cli.options import Json, Laws, MaybeWhole, Only, Probe, Set, Whole
from lasthop.cli.studying import results, sweep, worker
from lasthop.cli.terminal import refuse_no_directory, terminal
from lasthop.errors import UsageError

app = App(
    name="lasthop",
    version=f"lasthop {__version__}",
    help="Simulate transport protocols over the wireless last hop, and judge what comes out.",
    help_epilogue="""Examples:

```
lasthop run scenarios/two_stations.toml
lasthop run scenarios/dumbbell.toml --set tcp.variant=tahoe --replications 10
lasthop reproduce petrovic2003 --table 1
lasthop list laws
```
""",
    help_format="markdown",
    console=terminal(),
    error_console=terminal(stderr=True),
    suppress_keyboard_interrupt=False,  # main() says what there is to say
)


def print_document(document: Any) -> None:
    """Print JSON on standard output."""
    json.dump(document, sys.stdout, indent=2, allow_nan=False)
    sys.stdout.write("\n")


def _captures(pcap: Path | None, only: list[str], snap: int | None) -> Captures | None:
    """Give the captures asked for; raises UsageError for options that say how, without one that says where."""
    if pcap is not None:
        return Captures(pcap, tuple(only), snap)
    if only or snap is not None:
        given = "--pcap-only" if only else "--pcap-snap"
        raise UsageError(f"{given} says how to capture: give --pcap DIR as well")
    return None


@app.command
def run(
    scenario: str,
    /,
    *,
    set_: Set = None,
    law: Laws = None,
    seed: MaybeWhole = None,
    replications: Whole = 1,
    threads: MaybeWhole = None,
    probe: Probe = None,
    probe_every: str | None = None,
    out: Path | None = None,
    pcap: Path | None = None,
    pcap_only: Only = None,
    pcap_snap: MaybeWhole = None,
    json_: Json = False,
) -> None:
    """Run a scenario and print what was measured.

    Example: lasthop run scenarios/two_stations.toml --set 'tcp.window=10 packets' --replications 10

    Example: lasthop run scenarios/dumbbell.toml --probe tcp --probe cuts --probe-every 10ms --out series

    Parameters
    ----------
    scenario:
        A TOML file.
    set_:
        Change the scenario: key=value with a dotted key, such as tcp.variant=tahoe or link.0.rate='3 Mbps'.
    law:
        A law in Python, FILE.py:CLASS. Every TCP flow uses the first, unless tcp.law names one: tcp.law=CLASS.
    seed:
        The root of all random numbers; by default the scenario's own.
    replications:
        How many independent runs; with more than one, every number becomes a mean with its 95 % interval.
    threads:
        How many runs at a time; by default one for each core. The results do not depend on it.
    probe:
        Keep a time series, warm-up included: tcp (cwnd, ssthresh, srtt, flight, delivery rate, ... of every TCP
        flow), cuts (window cuts and their causes), queue (packets waiting), flows (throughput, goodput, loss,
        delay, interarrival in each step), or packets (each packet: sent, received or lost, where its time
        went). May be given several times; changes no result.
    probe_every:
        At most one row of each flow or queue in so much time, its last state, such as 10ms; by default every
        change, and of flows each second.
    out:
        Where the probes' tables go: a directory, which gets tcp.csv, cuts.csv, queue.csv, or a file for the
        table of one probe, FILE.csv or FILE.parquet. docs/model-notes.md has every column and its unit.
    pcap:
        Write captures to this directory: a pcapng file for each interface (server-eth0, sta1-wlan0) and each
        channel (air-cell). With several replications, a directory for each.
    pcap_only:
        Capture only interfaces whose names match, such as 'sta1-*'; may be given several times.
    pcap_snap:
        Keep at most so many bytes of each packet; by default all.
    json_:
        Print one JSON document; probes are in it under "probes", a list for each column.
    """
    from lasthop.cli import probing, running

    wish = probing.Wish(tuple(probe or ()), probe_every, out)
    captures = _captures(pcap, pcap_only or [], pcap_snap)
    wanted = running.Wanted(set_ or [], seed, replications, threads, law or [], wish, captures)
    running.run(scenario, wanted, as_json=json_)


@app.command
def reproduce(
    paper: str,
    /,
    *,
    table: str | None = None,
    replications: MaybeWhole = None,
    seed: Whole = 1,
    threads: MaybeWhole = None,
    out: Path = Path("out"),
    audit: bool = True,
    quick: bool = False,
    json_: Json = False,
) -> None:
    """Simulate a paper's tables anew and judge its claims.

    Example: lasthop reproduce petrovic2003 --table 1

    Parameters
    ----------
    paper:
        Which paper: `lasthop list papers` names them.
    table:
        The paper's number of a table; by default all that can be had.
    replications:
        Independent runs of each cell; by default what the study asks for.
    seed:
        The root of all random numbers.
    threads:
        How many runs at a time; by default one for each core.
    out:
        Where the report, figures and data go, in a directory named after the paper.
    audit:
        Also run the alternatives to what the paper leaves unstated, one by one, with few replications.
    quick:
        Answer in about a minute: few replications, and only the alternatives that matter most.
    json_:
        Print one JSON document.
    """
    from lasthop import papers
    from lasthop.jobs import refuse_strange_numbers

    refuse_strange_numbers(seed, replications, threads, "--")
    refuse_no_directory(out)
    console = terminal(stderr=json_)
    document = papers.reproduce(
        paper,
        table=table,
        replications=replications,
        seed=seed,
        threads=threads,
        out=out,
        console=console,
        audit=audit,
        quick=quick,
    )
    if json_:
        print_document(document)
    if not document.get("complete", True):
        sys.exit(130)


conformance = App(name="conformance")
app.command(conformance)


@conformance.default
def conformance_files(*files: Path, json_: Json = False) -> None:
    """Run cases from other people's suites against our transport: which pass, differ or fail, and why.

    Example: lasthop conformance ../shared/oracles/vectors/packetdrill_google.json

    A case differs where it comes out otherwise for a stated reason. Ends with 1 when a case fails. This needs a
    checkout of lasthop and cargo; `lasthop conformance law` needs neither.

    Parameters
    ----------
    files:
        JSON files of cases, known by their names, or by the shape of what is in them.
    json_:
        Print one JSON document.
    """
    from lasthop import checkout

    conforming = checkout.module("conforming", "lasthop conformance FILE")
    if not conforming.show(files, as_json=json_):
        sys.exit(1)


@conformance.command(name="law")
def conformance_law(law: str, /, *, json_: Json = False) -> None:
    """Put a law in Python to the checks that lasthop's own laws pass; ends with 1 when one fails.

    Example: lasthop conformance law my_law.py:MyLaw

    Parameters
    ----------
    law:
        FILE.py:CLASS.
    json_:
        Print one JSON document.
    """
    from lasthop.cli import lawful

    if not lawful.show(law, as_json=json_):
        sys.exit(1)


@app.command(name="list")
def list_(kind: str | None = None, /, *, json_: Json = False) -> None:
    """List every law, recovery, variant, channel, MAC, application and paper, a line each.

    Parameters
    ----------
    kind:
        Only this kind: laws, recoveries, variants, channels, macs, apps, papers, comparisons.
    json_:
        Print one JSON document.
    """
    from lasthop.cli import listing

    listing.show(kind, as_json=json_)


@app.command
def schema() -> None:
    """Print the JSON Schema of the scenario format, for editors."""
    from lasthop import api

    print_document(api.schema())


@app.command
def validate(
    *names: str,
    quick: bool = False,
    seed: Whole = 1,
    threads: MaybeWhole = None,
    oracles: Path | None = None,
    out: Path | None = None,
    json_: Json = False,
) -> None:
    """Hold lasthop's numbers against theory, models written apart from it, and other simulators.

    Example: lasthop validate dcf --quick

    Ends with 1 when a check is off: farther from what is expected than its bound and chance explain. This needs
    a checkout of lasthop.
    Numbers of other simulators are looked for in shared/oracles, here or further up, or in the folder
    that --oracles names; without them their comparisons are skipped.

    Parameters
    ----------
    names:
        Which comparisons, by default all: `lasthop list comparisons` names them.
    quick:
        A few cases of each only.
    seed:
        The root of all random numbers.
    threads:
        How many runs at a time; by default one for each core.
    oracles:
        The folder of reference numbers, of the form of shared/oracles.
    out:
        Write a figure of each comparison (PNG and SVG) and a table of all (results.md) to this folder.
    json_:
        Print one JSON document.
    """
    from lasthop import checkout

    showing = checkout.module("showing", "lasthop validate")
    passed = showing.show(
        names, quick=quick, threads=threads, seed=seed, oracles=oracles, out=out, as_json=json_
    )
    if not passed:
        sys.exit(1)


for command in (advise, audit, sweep, results, plot, report, rerun, export, worker):
    app.command(command)


@app.command
def bench(name: str | None = None, /, *, json_: Json = False) -> None:
    """Measure the speed on fixed workloads: packets and events in a second of processor time.

    Parameters
    ----------
    name:
        Only this workload, or those of this group: wired, dcf, cells, medium, laws, study.
    json_:
        Print one JSON document.
    """
    from lasthop.cli import benching

    benching.show(name, as_json=json_)


for each in app:
    app[each].help_epilogue = ""  # a command has examples of its own
