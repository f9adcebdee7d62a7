"""The commands. Each imports what it needs when it runs, so that `--help` is quick."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from lasthop.cli import completing
from lasthop.cli.checking import check
from lasthop.cli.drawing import export, plot, report, rerun
from lasthop.cli.dueling import duel
from lasthop.cli.judging import advise, audit
from lasthop.cli.making import new
from lasthop.cli.measuring import compare, fit
from lasthop.cli.options import Json, MaybeWhole, Whole
from lasthop.cli.simulating import reproduce, run
from lasthop.cli.studying import results, sweep, worker
from lasthop.cli.teaching import demo
from lasthop.cli.terminal import terminal
from lasthop.core.engine import version

app = App(
    name="lasthop",
    version=f"lasthop {version()}",
    help="Simulate transport protocols over the wireless last hop, and judge what comes out.",
    help_epilogue="""Examples:

  lasthop run two_stations
  lasthop run dumbbell --set tcp.variant=tahoe --replications 10
  lasthop reproduce petrovic2003 --table 1
  lasthop list laws
""",
    help_format="plaintext",  # what reads markdown takes a fifth of the time of `lasthop --help`
    console=terminal(),
    error_console=terminal(stderr=True),
    suppress_keyboard_interrupt=False,  # main() says what there is to say
)


conformance = App(name="conformance")
app.command(conformance)


@conformance.default
def conformance_files(*files: Path, json_: Json = False) -> None:
    """Run test cases of other projects on lasthop's transport, and say which pass, differ or fail,
    and why.

    Example: lasthop conformance ../shared/oracles/vectors/packetdrill_google.json

    A case differs when its result is another one for a stated reason. The command ends with 1 when
    a case fails. It needs a checkout of lasthop and cargo; ``lasthop conformance law`` needs
    neither.

    Parameters
    ----------
    files:
        JSON files of cases, recognised by their names or by their contents.
    json_:
        Print one JSON document.
    """
    from lasthop.core import checkout

    conforming = checkout.module("conforming", "lasthop conformance FILE")
    if not conforming.show(files, as_json=json_):
        sys.exit(1)


@conformance.command(name="law")
def conformance_law(law: str, /, *, json_: Json = False) -> None:
    """Run the checks that lasthop's own laws pass on a law in Python. Ends with 1 when a check
    fails.

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
def list_(
    kind: Annotated[str | None, Parameter(completer=completing.kinds)] = None,
    /,
    *,
    json_: Json = False,
) -> None:
    """List what is available: variants, laws, queues, applications, probes, papers and more.

    Parameters
    ----------
    kind:
        List only this kind, by its heading in the full list: ``lasthop list probes``.
    json_:
        Print one JSON document.
    """
    from lasthop.cli import listing

    listing.show(kind, as_json=json_)


@app.command
def schema() -> None:
    """Print the JSON Schema of the scenario format, for editors."""
    from lasthop.cli.documents import print_document
    from lasthop.core import api

    print_document(api.schema())


@app.command
def validate(
    *names: Annotated[str, Parameter(completer=completing.comparisons)],
    quick: bool = False,
    tenth: MaybeWhole = None,
    seed: Whole = 1,
    threads: MaybeWhole = None,
    oracles: Path | None = None,
    out: Path | None = None,
    write: bool = False,
    json_: Json = False,
) -> None:
    """Compare lasthop's numbers with theory, independent models and other simulators.

    Example: lasthop validate dcf --quick

    The command ends with 1 when a number is farther from its reference than its bound and chance
    explain and validation/known.toml does not list it, and when a number listed there is no longer
    off. It needs a checkout of lasthop. Numbers of other simulators are read from
    shared/oracles, here or further up, or from the folder that --oracles names. Without them their
    comparisons are skipped.

    Parameters
    ----------
    names:
        Which comparisons to run. The default is all; ``lasthop list comparisons`` names them.
    quick:
        Run only a few cases of each.
    tenth:
        Run every tenth case, from this one on (0 to 9), with the random numbers that it has among all.
    seed:
        The seed of all random numbers.
    threads:
        How many runs go in parallel. The default is one for each core.
    oracles:
        The folder of reference numbers, of the form of shared/oracles.
    out:
        Write a figure of each comparison (PNG and SVG) and a table of all (results.md) to this folder.
    write:
        Write what was measured into validation/ and into the tables of the documents.
    json_:
        Print one JSON document.
    """
    from lasthop.core import checkout

    showing = checkout.module("showing", "lasthop validate")
    how = checkout.module("running", "lasthop validate").How(quick, tenth, seed, threads)
    passed = showing.show(names, how=how, oracles=oracles, out=out, write=write, as_json=json_)
    if not passed:
        sys.exit(1)


for command in (
    run,
    check,
    demo,
    reproduce,
    advise,
    audit,
    sweep,
    results,
    plot,
    report,
    rerun,
    export,
    compare,
    fit,
    duel,
    worker,
):
    app.command(command)


app.command(new)


@app.command
def bench(
    name: Annotated[str | None, Parameter(completer=completing.workloads)] = None,
    /,
    *,
    json_: Json = False,
) -> None:
    """Measure the speed on fixed workloads, in packets and events for each second of processor
    time.

    Parameters
    ----------
    name:
        Run only this workload, or the workloads of this group: wired, dcf, cells, medium, laws,
        study.
    json_:
        Print one JSON document.
    """
    from lasthop.cli import benching

    benching.show(name, as_json=json_)


@app.command
def completion(shell: completing.Shell | None = None, /, *, install: bool = False) -> None:
    """Print or install the script that lets a shell complete commands, options, keys and names.

    Example: lasthop completion --install

    Example: lasthop completion zsh > ~/.zfunc/_lasthop

    Parameters
    ----------
    shell:
        The default is the shell that is running.
    install:
        Write the script to the place where the shell looks for it, and add the necessary lines to
        the shell's start-up file.
    """
    if install:
        where = completing.install(app, shell)
        terminal().print(f"wrote {where}: it serves each new shell", highlight=False)
    else:
        sys.stdout.write(completing.script(app, shell))


for each in app:
    app[each].help_epilogue = ""  # a command has examples of its own
    app[each].help_format = "markdown"
