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
from lasthop.core.command_lines import typed
from lasthop.core.listeners import Said, Stage
from lasthop.core.quantities.units import shown_unit
from lasthop.errors import UsageError
from lasthop.extras import needed
from lasthop.numbers import stats
from lasthop.numbers.numerals import counted, plain
from lasthop.numbers.stats.unseen import runs_alike
from lasthop.study import phrases
from lasthop.study.advice import Advice, Candidate, Measured
from lasthop.study.advice.around import lines, named
from lasthop.study.advice.choices import overrides, parse
from lasthop.study.advice.question import BudgetError, Question, answered
from lasthop.study.cells import override

if TYPE_CHECKING:
    from lasthop.cli.commands.advise import AdviseOptions

SKEWED = 0.2
"""Bounds that differ in their distance from the mean by over this part of the interval are both printed."""

LISTED = 5
"""Rows of the table, at most, beside that of the recommended setting."""

HEADING = 10
"""Letters of a line of a choice's heading: several choices stand in each part of the table."""


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
    for text in (advice.said, *advice.reservations):
        console.print(f"[bold]{escape(text)}[/]", highlight=False)
    if advice.recommended is not None and not advice.doubts:
        setting = overrides(advice.recommended.setting).items()
        words = typed((), {"--set": [override(key, value) for key, value in setting]})
        console.print(f"To use it: {words}", highlight=False, markup=False, soft_wrap=True)
    if said := lines(advice.around, console.width):
        console.print("\n" + said[0], markup=False)
        for line in said[1:]:
            console.print(line, highlight=False, markup=False)
    if advice.candidates:
        _show(advice, units, console)
    _print_reach(advice, console)
    noticing.show(console, advice.noticed, "Findings about the recommended setting")
    for file in files:
        tell_written(file)


def _print_reach(advice: Advice, console: Terminal) -> None:
    """Print what the answer covers, and by how many runs."""
    if advice.unseen is not None:
        console.print(str(advice.unseen), highlight=False, markup=False)
    sure = f"all statements hold together with {100 * (1 - advice.error):g} % confidence"
    part = 100 * advice.runs / advice.full_grid_runs
    console.print(
        f"{advice.runs:,} runs ({part:.3g} % of a full grid with as many each); {sure}",
        highlight=False,
    )
    if advice.recommended is not None and not advice.decided:
        much = 100 * advice.wish.indifferent
        console.print(f"undecided: another setting may be better by more than {much:g} %")


def _show(advice: Advice, units: dict[str, str], console: Terminal) -> None:
    """Print the first settings."""
    sharing = _sharing(advice.candidates)
    rows = sharing[: LISTED + 1]
    shown = [each for each, *_ in rows]
    chosen = [
        (phrases.headed_axis(key, HEADING), [_values(row, key) for row in rows])
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
    columns.append(("", [_words(each, each is advice.recommended) for each in shown]))
    fitting_tables.show(console, "", names, columns, corner, axes)
    if any(cell.endswith(f" {stats.EQUAL}") for _, cells in columns for cell in cells):
        least = min(each.replications for each in shown)
        console.print(f"{stats.EQUAL} equal {runs_alike(least)}", highlight=False)
    if len(sharing) > len(shown):
        more = len(advice.candidates) - sum(map(len, rows))
        console.print(f"and {counted(more, 'more setting')}", highlight=False)


def _sharing(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    """Return the settings by row: those with the same runs that differ in one choice share one.

    That choice is the one with most values among all with these runs. A row of several values of two choices would
    name combinations that were not tried.
    """
    same: dict[int, list[Candidate]] = {}
    for each in candidates:
        same.setdefault(each.same_as, []).append(each)
    rows: dict[tuple[str, ...], list[Candidate]] = {}
    for each in candidates:
        group = same[each.same_as]
        along = max(each.setting, key=lambda key: len({str(one.setting[key]) for one in group}))
        others = (f"{key}={value}" for key, value in each.setting.items() if key != along)
        rows.setdefault((str(each.same_as), *others), []).append(each)
    return list(rows.values())


def _values(row: Sequence[Candidate], key: str) -> str:
    """Return the values of a choice in the settings of a row."""
    values = dict.fromkeys(each.setting[key] for each in row)
    ordered = sorted(values) if all(isinstance(v, int | float) for v in values) else list(values)
    return named(ordered)


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
    if abs(half) <= stats.SAME * abs(factor * measured.mean):
        return f"{mean} {stats.EQUAL}"
    low, high = factor * measured.low, factor * measured.high
    if not math.isfinite(low + high):
        return mean
    if abs(high + low - 2 * factor * measured.mean) > SKEWED * (high - low):
        # With no more places than the mean has: the lower bound of a rare loss is 0, not 0.00000000005.
        places = len(mean.partition(".")[2])
        ends = (plain(round(end, places), 4, ",") for end in (low, high))
        return f"{mean} ({' to '.join(ends)})"
    return f"{mean} ± {plain(half, 2, ',')}"
