"""`lasthop duel`: runs, prints, and writes the page, the figures and the tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from rich.markup import escape

from lasthop.cli import fitting_tables, sweep_output
from lasthop.cli.documents import print_document
from lasthop.cli.terminal import Terminal, refuse_no_directory, tell_written, terminal
from lasthop.core import safe_files, shipped, source
from lasthop.errors import UsageError
from lasthop.extras import lacking
from lasthop.pages.duels import duel_words
from lasthop.pages.duels.duel_words import row_of, share_row, title_of, where_said
from lasthop.study import phrases
from lasthop.study.dueling import Contest, Duel, duel
from lasthop.study.dueling.duel_answer import answer, first_of
from lasthop.study.dueling.duel_document import document
from lasthop.study.dueling.verdict import words_of

if TYPE_CHECKING:
    from lasthop.cli.commands.duel import DuelOptions


def show(names: Sequence[str], options: DuelOptions) -> None:
    """Run a duel over each set of conditions, and print it; a wrong request raises LasthopError."""
    sets = [shipped.found(Path(each), "studies") for each in options.over]
    contests = [Contest.of(names, over, options.laws) for over in sets]
    called = [contest.study.name for contest in contests]
    if len(set(called)) < len(called):
        raise UsageError(
            f"--over names each set of conditions once; there are: {', '.join(called)}"
        )
    out = options.out or Path("out") / f"{'+'.join(called)}.duel"
    refuse_no_directory(out)
    is_drawn = _tell_no_figures()
    found, fought = [], []
    for contest, over in zip(contests, sets, strict=True):
        folder = out if len(sets) == 1 else out / contest.study.name
        duelled, text = _run(contest, options, folder), source.read(over)
        found.append((contest.study.name, duelled))
        if not options.as_json:
            _print(duelled, shipped.typed(over, text))
        if is_drawn:
            fought.append(duel_files().Fought(duelled, over.name, text))
            duel_files().write(fought[-1], folder)
    if options.as_json:
        documents = [document(each) for _, each in found]
        print_document(
            documents[0] if len(found) == 1 else dict(zip(called, documents, strict=True))
        )
    _write_tables(found, out)
    if len(fought) > 1:
        duel_files().write_ratios(fought, out)
    if not options.as_json:
        tell_written(f"{out}: {_written(len(found), is_drawn)}")


def duel_files() -> ModuleType:
    """Return what writes pages and figures, which needs matplotlib."""
    from lasthop.pages.duels import duel_files

    return duel_files


def _run(contest: Contest, options: DuelOptions, folder: Path) -> Duel:
    with sweep_output.hooks_of(terminal(stderr=True), contest.study.budget_s) as hooks:
        return duel(
            contest,
            folder,
            replications=options.replications,
            workers=options.workers,
            executor=options.executor,
            hooks=hooks,
            share=options.share,
        )


def _tell_no_figures() -> bool:
    """Say before anything runs that there will be no figures; return whether there will be."""
    try:
        duel_files()
    except ModuleNotFoundError as error:
        if (missing := lacking(error)) is None:
            raise
        terminal(stderr=True).print(
            escape(f"{missing}. Without it there is no page and no figure.")
        )
        return False
    return True


def _write_tables(found: Sequence[tuple[str, Duel]], out: Path) -> None:
    for name, text in (
        ("duel.md", duel_words.markdown(found)),
        ("duel.tex", duel_words.latex(found)),
    ):
        with safe_files.explained(out / name):
            safe_files.write_text(out / name, text)


def _written(sets: int, is_drawn: bool) -> str:
    tables = "duel.md and duel.tex"
    if not is_drawn:
        return tables
    figures = "duel-ecdf.pdf, duel-ecdf-column.pdf"
    return (
        f"{figures}, {tables}; {'duel.html and duel.pdf' + (' in each folder' if sets > 1 else '')}"
    )


def _print(found: Duel, conditions: str) -> None:
    console = terminal()
    console.print(escape(" ".join(answer(found))))
    first, rivals = first_of(found), ", ".join(map(phrases.of_law, found.names[1:]))
    console.print(
        escape(
            f"{first} against {rivals}: {found.conditions} conditions of {conditions}, "
            f"{found.replications} replications"
        )
    )
    rows = [row_of(each) for each in found.against]
    fitting_tables.show(
        console,
        "",
        [title_of(found, each) for each in found.against],
        [
            *(
                (word.replace(" ", "\n"), [row[word] for row in rows])
                for word in words_of(found.against)
            ),
            ("on\naverage", [row["average"] for row in rows]),
            ("95 %", [row["interval"] for row in rows]),
        ],
    )
    for each in found.against:
        if each.where is not None:
            console.print(escape(f"{title_of(found, each)}, {where_said(each.where)}."))
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
            (f"{first_of(found)}\ntakes %", [row["share"] for row in rows]),
            ("Jain's\nindex", [row["jain"] for row in rows]),
            ("least\n%", [row["least"] for row in rows]),
            ("most\n%", [row["most"] for row in rows]),
        ],
    )
