"""`lasthop evaluate`: runs, prints, and writes the page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.markup import escape

from lasthop.cli import fitting_tables
from lasthop.cli.bars import bar
from lasthop.cli.documents import print_document
from lasthop.cli.terminal import refuse_no_directory, tell_written, terminal
from lasthop.numbers.numerals import counted
from lasthop.pages.dossiers.dossier_files import write
from lasthop.pages.dossiers.dossier_page import deciding, interval
from lasthop.study.evaluating import Dossier, evaluate
from lasthop.study.evaluating.casting import Cast

if TYPE_CHECKING:
    from lasthop.cli.commands.evaluate import EvaluateOptions


def show(law: str, options: EvaluateOptions) -> None:
    """Evaluate a law and print; a wrong request raises LasthopError."""
    cast = Cast.of(law)
    out = options.out or Path("out") / f"{cast.name}.evaluation"
    refuse_no_directory(out)
    with bar("evaluating", terminal(stderr=True)) as told:
        found = evaluate(
            cast, replications=options.replications, workers=options.workers, told=told
        )
    if options.as_json:
        print_document(found.as_dict())
    else:
        _print(found)
    written = write(found, out)
    if not options.as_json:
        tell_written(written)


def _print(found: Dossier) -> None:
    console = terminal()
    console.print(escape(" ".join(found.said)))
    tally = ", ".join(f"{word} {count}" for word, count in found.tally.items())
    console.print(
        escape(
            f"{found.law} by RFC 9743: {tally} of {len(found.found)} criteria, "
            f"with {counted(found.replications, 'replication')}"
        )
    )
    shown = [deciding(each) for each in found.found]
    fitting_tables.show(
        console,
        "",
        [f"{each.criterion.section} {each.criterion.name}" for each in found.found],
        [
            ("verdict", [str(each.verdict) for each in found.found]),
            ("of", [each.part.says.partition(",")[0] for each in shown]),
            ("ratio, 95 %", [interval(each) for each in shown]),
        ],
        "criterion",
    )
    for note in found.notes:
        console.print(escape(note))
