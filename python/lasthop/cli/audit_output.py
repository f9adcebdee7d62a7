"""`lasthop audit`: verdicts on a study's claims, and what of them rests on what is unstated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console
from rich.table import Table

from lasthop.cli.bars import bar
from lasthop.cli.documents import print_document
from lasthop.cli.sweep_output import print_answer, with_laws
from lasthop.cli.terminal import refuse_no_directory, tell_written, terminal
from lasthop.core import safe_files
from lasthop.core.listeners import Stage
from lasthop.numbers.numerals import plain
from lasthop.pages.studies.verdict_summary import Badge, flipped_by, interval, percent, summary
from lasthop.study import phrases
from lasthop.study.answering import answer
from lasthop.study.claims import JudgedPart
from lasthop.study.claims.unstated import Audit
from lasthop.study.claims.verdicts import PairedVerdict
from lasthop.study.judgement import as_dict, audit_of
from lasthop.study.sweeping import Hooks, Status, study_of
from lasthop.study.swept import Results

if TYPE_CHECKING:
    from lasthop.cli.commands.audit import AuditOptions


def show(path: str, options: AuditOptions) -> bool:
    """Audit and print; return whether everything was run."""
    study = study_of(path, replications=options.replications, quick=options.quick)
    study = with_laws(study, options.laws)
    out = Path("out") / study.name if options.out is None else options.out
    refuse_no_directory(out)
    if options.summary:
        safe_files.refuse_ending(options.summary, (".md",), "--summary")
    for path_of_badge in options.badge:
        safe_files.refuse_ending(path_of_badge, (".svg", ".json"), "--badge")
    with _progress(terminal(stderr=True)) as (hooks, told):
        found = audit_of(
            study, out, pairs=options.pairs, workers=options.workers, hooks=hooks, told=told
        )
    results = Results(out)
    answered = answer(results, study)
    judged = as_dict(results, study, answered.tables)
    document = found.as_dict() | judged | {"answer": answered.as_dict()}
    written = safe_files.write_json(out.with_name(f"{out.name}.audit") / "audit.json", document)
    shorter = _write_short(study.name, document, options)
    if options.as_json:
        print_document(document)
        return found.complete
    print_answer(answered)
    console = terminal()
    for each in study.compare:
        name = f"{each.metric} by {each.axis}"
        notes = document["compared_notes"][name]
        title = phrases.of_comparison(name)
        _print_compared(title, document["compared"][name], notes, console)
        _print_ranks(title, document["ranks"][name], results.scale(each.metric), console)
    if document["fairness"]:
        _print_fairness(document["fairness"], console)
    if found.base:
        _print(found, console)
    for file in (written, *shorter):
        tell_written(file)
    return found.complete


def _write_short(name: str, document: Mapping[str, Any], options: AuditOptions) -> list[Path]:
    """Write the summary and the badges that were asked for; return where they are."""
    badge = Badge.of(document)
    texts = {
        each: badge.svg() if each.suffix == ".svg" else badge.endpoint() for each in options.badge
    }
    if options.summary:
        texts[options.summary] = summary(name, document)
    return [safe_files.write_text(path, text) for path, text in texts.items()]


@contextmanager
def _progress(console: Console) -> Iterator[tuple[Hooks, Stage]]:
    """Show the part of all variations that is done; each counts alike."""
    with bar("auditing", console) as fraction:
        place = [0, 1]

        def told(done: int, of: int, _name: str) -> None:
            place[:] = [done + 1, of + 1]
            fraction(place[0] / place[1])

        def moved(status: Status) -> None:
            part = status.done / status.wanted if status.wanted else 1.0
            fraction((place[0] + part) / place[1])

        yield Hooks(progress=moved), told


def _table(title: str, headings: Sequence[str]) -> Table:
    table = Table(title=title or None, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in headings:
        table.add_column(heading, overflow="fold")
    return table


def _print_compared(
    title: str, pairs: Mapping[str, Any], notes: Sequence[str], console: Console
) -> None:
    table = _table(title, ("", "verdict", "change", "interval"))
    for each in pairs.values():
        table.add_row(each["said"], each["verdict"], percent(each["change"]), interval(each))
    # "beyond 2 %" is one word, to the eye.
    table.columns[1].min_width = max((len(each["verdict"]) for each in pairs.values()), default=0)
    console.print(table)
    for note in notes:
        console.print(note, highlight=False)
    open_ = [
        each
        for each in pairs.values()
        if each["verdict"] != PairedVerdict.IDENTICAL and not each["equal"]
    ]
    if any(each["low"] is None or each["high"] is None for each in open_):
        console.print(
            "A change has no bound where there are too few runs, where too few of them differ, or where the mean "
            "that it is relative to is not shown to be above zero. More replications give one.",
            highlight=False,
        )


def _print_ranks(
    title: str, cells: Mapping[str, Any], scale: tuple[float, str], console: Console
) -> None:
    factor, unit = scale
    mean = f"mean, {unit}" if unit not in ("", "1") else "mean"
    table = _table(
        f"{title}: ranks", ("", "rank", "setting", mean, "interval", "ties", "shown alike")
    )
    for cell in cells.values():
        for place, each in enumerate(cell["settings"]):
            ends = (_number(each[end], factor) for end in ("low", "high"))
            table.add_row(
                "" if place else cell["said"],
                each["rank"],
                phrases.of_value(each["setting"]),
                _number(each["mean"], factor),
                " to ".join(ends),
                each["letters"],
                ", ".join(map(phrases.of_value, each["alike"])),
            )
    console.print(table)
    console.print(
        "Settings that share a letter tie. All ranks hold together with 95 % confidence, and so do all intervals."
    )


def _print_fairness(found: Sequence[Mapping[str, Any]], console: Console) -> None:
    table = _table("Jain's index", ("", "quantity", "averaged", "index", "interval"))
    for each in found:
        interval = f"{each['low']:.3f} to {each['high']:.3f}"
        table.add_row(
            each["cell"],
            phrases.of_metric(each["of"]),
            each["over"],
            f"{each['index']:.3f}",
            interval,
        )
    console.print(table)
    console.print("Each interval holds on its own with 95 % confidence.")


def _number(value: float | None, factor: float) -> str:
    return "?" if value is None else plain(factor * value)


def _with_test(part: JudgedPart) -> str:
    return f"{part.sentence}. Judged as: {part.judged_as}"


def _print(found: Audit, console: Console) -> None:
    table = _table("", ("claim", "verdict", "what we find", "flipped by"))
    flips = found.flips()
    for each in found.base:
        by = flipped_by(flips[each.claim.id], len(found.variations))
        name = f"{each.claim.id}  {each.claim.text}"
        single = len(each.parts) == 1
        said = _with_test(each.parts[0]) if single else each.sentence
        table.add_row(name, str(each.verdict), said, by)
        for part in () if single else each.parts:
            table.add_row(f"  {part.name}", str(part.verdict), _with_test(part), "")
    console.print(table)
    idle = {name for name in flips if all(name in v.idle for v in found.variations)}
    if idle and found.variations:
        console.print(
            f"No variation changes any number in these claims: {', '.join(sorted(idle))}."
        )
    unsure = {name for v in found.variations for name in v.changed if name not in v.flipped}
    if unsure:
        console.print(
            f"Too few replications to see whether a variation flips these claims: {', '.join(sorted(unsure))}."
        )
    if not found.complete:
        done = len(found.variations)
        console.print(f"[bold]interrupted[/]: {done} of {found.planned} variations were run")
