"""`lasthop compare`: reads, runs, prints and draws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rich.markup import escape

from lasthop.cli import fitting_tables
from lasthop.cli.bars import bar
from lasthop.cli.documents import print_document
from lasthop.cli.terminal import Terminal, refuse_no_directory, tell_written, terminal
from lasthop.core import api, python_law
from lasthop.core.how import Watching
from lasthop.core.jobs import refuse_strange_numbers
from lasthop.data import measured
from lasthop.data.measured import simulated
from lasthop.data.measured.comparison import Comparison, Pair
from lasthop.data.measured.comparison import compare as compared
from lasthop.errors import UsageError

if TYPE_CHECKING:
    from lasthop.cli.commands.compare import CompareOptions

ENDINGS = (".html", ".pdf", ".png", ".svg")


def compare(scenario: Path, files: Sequence[Path], options: CompareOptions) -> None:
    """Compare and print; raises LasthopError."""
    if not files:
        raise UsageError("compare takes a scenario and at least one measured file")
    refuse_strange_numbers(options.seed, options.replications, options.workers, "--")
    if options.out is not None:
        check_out(options.out)
    wanted = dict(map(_named, options.pair))
    laws = dict(map(python_law.load, options.laws))
    how = Watching(
        seed=options.seed,
        replications=options.replications,
        overrides=options.changes,
        workers=options.workers,
        laws=laws,
        law=next(iter(laws), None),
    )
    asked = api.job_of(scenario, how)
    asked.check()
    there = [measured.read(file) for file in files]
    if len({each.format.split()[0] for each in there}) > 1:
        raise UsageError(
            "files compared together must be repetitions of one measurement in one format; these are: "
            + ", ".join(f"{each.file} ({each.format})" for each in there)
        )
    with bar("simulating", terminal(stderr=True)) as fraction:
        runs = simulated.like(there[0], asked, replace(how, fraction=fraction), options.at)
    found = compared(there, runs.runs, wanted)
    found = replace(found, notes=(*found.notes, *runs.notes))
    _show(found, scenario.name, runs, as_json=options.as_json)
    if options.out is not None:
        from lasthop.pages.measured.comparison_files import Asked, write

        write(Asked(asked, wanted, options.at), files, there, runs, options.out)
        if not options.as_json:
            tell_written(options.out)


def check_out(out: Path) -> None:
    """Raise UsageError where no page or figure can be written."""
    if out.suffix not in ENDINGS:
        raise UsageError(
            f"--out {out}: the ending selects the format; allowed: {', '.join(ENDINGS)}"
        )
    refuse_no_directory(out.parent)


def _named(text: str) -> tuple[str, str]:
    name, mark, other = text.partition("=")
    if not mark or not name or not other:
        raise UsageError(f"--pair {text!r}: SIMULATED=MEASURED is expected")
    return name, other


def _show(found: Comparison, scenario: str, runs: simulated.Simulated, *, as_json: bool) -> None:
    if as_json:
        print_document(found.as_dict())
        return
    from lasthop.pages.measured.comparison_page import headline

    console = terminal()
    for each in found.files:
        console.print(escape(f"{each.file}: {each.format}, {each.seconds:.4g} s"))
    console.print(escape(headline(found, scenario, runs)))
    for pair in found.pairs:
        _table(console, found, pair)
    console.print(found.said)
    for note in found.notes:
        console.print(escape(note))


def _table(console: Terminal, found: Comparison, pair: Pair) -> None:
    from lasthop.pages.measured.comparison_page import row_of

    rows = [row_of(row) for row in found.rows[pair.name]]
    several = len(found.files) > 1
    headings = {
        "measured": "measured",
        "simulated": "simulated",
        "interval": "difference\n95 %" if several else "95 % of\nsingle runs",
        "part": "simulated\nagainst it",
        "inside": "",
    }
    fitting_tables.show(
        console,
        f"{pair.name} ({pair.measured_name})",
        [row["name"] for row in rows],
        [(heading, [row[key] for row in rows]) for key, heading in headings.items()],
    )
