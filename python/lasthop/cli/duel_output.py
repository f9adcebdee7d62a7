"""`lasthop duel`: runs, prints, and writes the page and the map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rich.markup import escape

from lasthop.cli import fitting_tables, sweep_output
from lasthop.cli.documents import print_document
from lasthop.cli.terminal import Terminal, refuse_no_directory, tell_written, terminal
from lasthop.core import shipped, source
from lasthop.extras import lacking
from lasthop.pages.duels.duel_page import row_of, share_row, title_of
from lasthop.study.dueling import Contest, Duel, duel
from lasthop.study.dueling.verdict import WORDS

if TYPE_CHECKING:
    from lasthop.cli.commands.duel import DuelOptions


def show(names: Sequence[str], options: DuelOptions) -> None:
    """Run a duel and print it; a wrong request raises LasthopError."""
    options = replace(options, over=shipped.found(options.over, "studies"))
    contest = Contest.of(names, options.over, options.laws)
    out = options.out or Path("out") / f"{contest.study.name}.duel"
    refuse_no_directory(out)
    with sweep_output.hooks_of(terminal(stderr=True), contest.study.budget_s) as hooks:
        found = duel(
            contest,
            out,
            replications=options.replications,
            workers=options.workers,
            executor=options.executor,
            hooks=hooks,
            share=options.share,
        )
    if options.as_json:
        print_document(found.as_dict())
    else:
        text = source.read(options.over)
        _print(found, shipped.typed(options.over, text))
    _write(found, options, out)


def _print(found: Duel, conditions: str) -> None:
    console = terminal()
    first = found.names[0]
    console.print(
        escape(
            f"{first} against {', '.join(found.names[1:])}: {found.conditions} conditions of {conditions}, "
            f"{found.replications} replications"
        )
    )
    rows = [row_of(each) for each in found.against]
    fitting_tables.show(
        console,
        "",
        [title_of(each) for each in found.against],
        [
            *((word.replace(" ", "\n"), [row[word] for row in rows]) for word in WORDS),
            ("on\naverage", [row["average"] for row in rows]),
            ("95 %", [row["interval"] for row in rows]),
        ],
    )
    for each in found.against:
        if each.where is not None:
            console.print(escape(f"{title_of(each)}, {each.where}."))
    _print_shares(console, found)
    for note in found.notes:
        console.print(escape(note))


def _print_shares(console: Terminal, found: Duel) -> None:
    if not found.shares:
        return
    rows = [share_row(found, place) for place in range(len(found.shares))]
    fitting_tables.show(
        console,
        "On one path",
        [f"beside {row['rival']}" for row in rows],
        [
            (f"{found.names[0]}\ntakes %", [row["share"] for row in rows]),
            ("Jain's\nindex", [row["jain"] for row in rows]),
            ("least\n%", [row["least"] for row in rows]),
            ("most\n%", [row["most"] for row in rows]),
        ],
    )


def _write(found: Duel, options: DuelOptions, out: Path) -> None:
    text = source.read(options.over)
    try:
        from lasthop.pages.duels.duel_files import write

        write(found, options.over, text, out)
    except ModuleNotFoundError as error:  # pictures are an extra; what was judged is printed
        if (missing := lacking(error)) is None:
            raise
        terminal(stderr=True).print(escape(str(missing)))
        return
    if not options.as_json:
        tell_written(f"{out / 'duel.html'} and duel.pdf")
