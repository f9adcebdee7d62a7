"""`lasthop advise`: a race with a progress bar, then a sentence, a table, a picture."""

from __future__ import annotations

import math
import re
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from lasthop.cli import fitting_tables, noticing
from lasthop.cli.documents import print_document
from lasthop.cli.terminal import Terminal, refuse_no_directory, seconds, tell_written, terminal
from lasthop.core import python_law
from lasthop.core.listeners import Said, Stage
from lasthop.core.quantities.units import shown_unit
from lasthop.errors import UsageError
from lasthop.extras import needed
from lasthop.numbers.numerals import plain
from lasthop.study import phrases
from lasthop.study.advice import Advice, Candidate, Measured
from lasthop.study.advice.choices import parse
from lasthop.study.advice.question import BudgetError, Question, answered

if TYPE_CHECKING:
    from lasthop.cli.commands.advise import AdviseOptions

SKEWED = 0.2
"""Bounds that differ in their distance from the mean by over this part of the interval are both printed."""

LISTED = 10
"""Settings in the table, at most, beside the recommended one."""


def show(scenario: str, options: AdviseOptions) -> bool:
    """Race and print; return whether it ran to its end."""
    out = options.out
    if out is not None:
        needed("matplotlib")  # it draws there what may have taken hours
        refuse_no_directory(out)
    if not scenario:
        raise UsageError(
            "the name of the scenario is empty; give a file or a name from lasthop list scenarios"
        )
    question = _question(options)
    try:
        with _bar(terminal(stderr=True)) as (told, said):
            asked = replace(question, told=told, said=said)
            advice, local = answered(Path(scenario), asked)
    except (KeyboardInterrupt, BudgetError) as stopped:
        is_over = isinstance(stopped, BudgetError)
        why = str(stopped) if is_over else "interrupted before there was a result"
        again = f"; its runs are kept in {out}. Run the command again to continue" if out else ""
        print(f"{why}{again}", file=sys.stderr, flush=True)
        sys.exit(130)
    files: list[Path] = []
    units = local.units
    if out is not None:
        from lasthop.pages.advice import advice_files  # matplotlib takes a second to import

        asked = replace(
            question, changes=local.scenario.overrides
        )  # with the warm-up that was found
        command = _command(Path(scenario).name, options)
        recipe = advice_files.recipe_of(advice, units, Path(scenario), asked, command)
        files = advice_files.write(advice, units, out, recipe)
    if options.as_json:
        window = local.window and {"how": local.window.how, "cut_s": local.window.cut_s}
        more = {"units": units, "window": window, "files": [str(f) for f in files]}
        print_document(advice.as_dict() | more)
    else:
        _print(advice, units, terminal(), files)
    return advice.complete


def _question(options: AdviseOptions) -> Question:
    """Return what the options say: their texts as numbers and laws."""
    names = {field.name for field in fields(Question)} & {field.name for field in fields(options)}
    same = {name: getattr(options, name) for name in names}
    laws = dict(map(python_law.load, options.laws))
    return Question(
        **same
        | {
            "indifferent": _percent(options.indifferent),
            "budget_s": seconds(options.budget),
            "laws": laws,
            "law": _everywhere(options.choose, laws),
        }
    )


def _everywhere(choose: Sequence[str], laws: Mapping[str, Any]) -> str | None:
    """Return the law that every flow uses: the first, unless one is chosen by name."""
    chosen = {str(value) for choice in map(parse, choose) for value in choice.values}
    return None if chosen & laws.keys() else next(iter(laws), None)


def _percent(text: str) -> float:
    found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*%\s*", text)
    if not found:
        raise UsageError(f"--indifferent must be a percentage such as 2%, not {text!r}")
    return float(found[1]) / 100


@contextmanager
def _bar(console: Console) -> Iterator[tuple[Stage, Said]]:
    """Show the progress of the race with an estimate of the time left; yield its listeners."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:.0f} of about {task.total:.0f} runs"),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    hidden = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as progress:
        task = progress.add_task("racing", total=1.0)

        def told(done: int, of: int, words: str) -> None:
            progress.update(task, completed=done, total=of, description=words)

        yield told, lambda text: console.print(text, highlight=False)


def _command(scenario: str, options: AdviseOptions) -> str:
    """Return what a person would type for the same advice."""
    words = ["lasthop", "advise", scenario]
    for option, values in (
        ("--choose", options.choose),
        ("--subject-to", options.subject_to),
        ("--set", options.changes),
        ("--law", options.laws),
    ):
        words += [word for value in values for word in (option, value)]
    for name, value in (
        ("--maximise", options.maximise),
        ("--minimise", options.minimise),
        ("--kind", options.kind if options.kind == "steady" else None),
        ("--seed", options.seed),
    ):
        words += [] if value is None else [name, str(value)]
    words += ["--error", str(options.error), "--indifferent", options.indifferent]
    return shlex.join([*words, "--most", str(options.most)])


def _print(advice: Advice, units: dict[str, str], console: Terminal, files: Sequence[Path]) -> None:
    if not advice.complete:
        console.print("[bold]stopped early[/]: results so far")
    console.print(f"[bold]{escape(str(advice))}[/]", highlight=False)
    if advice.candidates:
        _show(advice, units, console)
    sure = f"all statements hold together with {100 * (1 - advice.error):g} % confidence"
    part = 100 * advice.runs / advice.full_grid_runs
    console.print(
        f"{advice.runs:,} runs ({part:.3g} % of a full grid with as many each); {sure}",
        highlight=False,
    )
    if advice.recommended is not None and not advice.decided:
        much = 100 * advice.wish.indifferent
        console.print(f"undecided: another setting may be better by more than {much:g} %")
    noticing.show(console, advice.noticed, "Findings about the recommended setting")
    for file in files:
        tell_written(file)


def _show(advice: Advice, units: dict[str, str], console: Terminal) -> None:
    shown = advice.candidates[: LISTED + 1]
    chosen = [
        (phrases.headed_axis(key), [phrases.of_value(each.setting[key]) for each in shown])
        for key in shown[0].setting
    ]
    marks = ["*" if each is advice.recommended else " " for each in shown]
    axes = [("", marks), *chosen]
    corner, names = fitting_tables.joined(axes)
    columns = []
    for name in advice.wish.measured:
        own = units.get(name, "")
        heading = f"{phrases.headed(name)}\n{shown_unit(own)[0]}".rstrip()
        columns.append((heading, [_number(each.measured[name], own) for each in shown]))
    columns.append(("runs", [str(each.replications) for each in shown]))
    columns.append(("", [_words(each, each is advice.recommended) for each in shown]))
    fitting_tables.show(console, "", names, columns, corner, axes)
    if len(advice.candidates) > len(shown):
        console.print(f"and {len(advice.candidates) - len(shown)} more")


def _words(each: Candidate, best: bool) -> str:
    if best:
        return "recommended"
    if each.state in ("racing", "alike"):
        return each.state if each.keeps else f"{each.state}, limits open"
    return f"breaks {each.because}" if each.state == "breaks a limit" else each.state


def _number(measured: Measured, unit: str) -> str:
    factor = shown_unit(unit)[1]
    if not math.isfinite(measured.mean):
        return "-"
    mean = plain(factor * measured.mean, 4, ",")
    half = factor * (measured.high - measured.mean)
    if half == 0:
        return f"{mean} in all"
    low, high = factor * measured.low, factor * measured.high
    if not math.isfinite(low + high):
        return mean
    if abs(high + low - 2 * factor * measured.mean) > SKEWED * (high - low):
        return f"{mean} ({plain(low, 3, ',')} to {plain(high, 3, ',')})"
    return f"{mean} ± {plain(half, 2, ',')}"
