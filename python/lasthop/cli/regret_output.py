"""Regret in `lasthop results`: in each condition, and on average over them; policies that are learned."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich import box
from rich import table as rich_table

from lasthop.cli.stores import directory_of
from lasthop.cli.terminal import refuse_no_directory, tell_other_engine, tell_written, terminal
from lasthop.core import safe_files as files
from lasthop.errors import UsageError
from lasthop.numbers.numerals import counted
from lasthop.study.goals import Goal
from lasthop.study.regret import Regret, has_regret, mean_regret, regrets
from lasthop.study.scores import Average, Scores, averages
from lasthop.study.swept import Results

#: Conditions that a terminal shows.
SHOWN = 40


def document(results: Results, goal: str | None) -> dict[str, Any]:
    """Return what `--json` has of regret: in each condition where the study has `auto`, on average with a goal."""
    found: dict[str, Any] = {}
    if own := _regrets(results):
        found["regret"] = [each.as_dict() for each in own]
    if goal is not None:
        scores = Scores.of(results, Goal.of(results, goal))
        found["average_regret"] = {
            "goal": scores.goal.label,
            "conditions": len(scores.conditions),
            "left_out": scores.left_out,
            "variants": [each.as_dict() for each in averages(scores)],
        }
    return found


def show(results: Results) -> None:
    """Print the regret of `auto` in each condition, by each metric; nothing where the study has no `auto`."""
    found = _regrets(results)
    console = terminal()
    for name in dict.fromkeys(each.metric for each in found):
        own = [each for each in found if each.metric == name]
        title = (
            f"Regret of auto by {name}: how much worse than the best fixed variant (95 %, paired)"
        )
        rows = [
            [each.label, each.best, *_percent((each.regret, each.low, each.high))]
            for each in own[:SHOWN]
        ]
        console.print(_table(title, ("condition", "best fixed"), ("regret %", "from", "to"), rows))
        console.print(f"mean regret by {name}: {mean_regret(own):.1%} over {len(own)} conditions")


def show_averages(results: Results, goal: str) -> None:
    """Print the regret of every variant on average over the conditions. Raises UsageError."""
    scores = Scores.of(results, Goal.of(results, goal))
    _print_averages(scores, averages(scores))
    if scores.left_out:
        more = counted(scores.left_out, "further condition")
        terminal().print(f"Variants cannot be told apart in {more}.", highlight=False)


def learn(directory: Path, out: Path, goal: str | None) -> None:
    """Learn a policy for `tcp.variant = "auto"` from a sweep and write it. Raises UsageError."""
    from lasthop.cli.bars import bar
    from lasthop.study.learning import learn_policy

    refuse_no_directory(out.parent, "--learn-policy")
    if out.is_dir():
        raise UsageError(f"--learn-policy {out}: is a directory; a file is expected")
    results = Results(directory_of(directory))
    tell_other_engine(results)
    with bar("measuring paths", terminal(stderr=True)) as fraction:
        learned = learn_policy(results, goal, fraction=fraction)
    with files.explained(out):
        files.write_text(out, learned.toml())
    console = terminal()
    console.print(learned.toml(), highlight=False, markup=False)
    best = learned.fixed[0]
    lines = [
        f"mean regret by {learned.goal.label}",
        f"  {best.variant}, the best fixed variant: {best.regret:.1%}",
        f"  the best of {', '.join(learned.team)} in each condition: {learned.of_best:.1%}",
        f"  these rules where learned: {learned.checked.regret:.1%}",
    ]
    if (left_out := learned.checked.left_out) is not None:
        lines.append(f"  on conditions left out: {left_out:.1%}")
    lines.append(f"  where learned, when they ran: {learned.tried:.1%}")
    console.print("\n".join(lines), highlight=False)
    tell_written(out)


def _regrets(results: Results) -> list[Regret]:
    """Return the regret by each metric, where the study has one."""
    if not has_regret(results):
        return []
    return [each for name in results.metrics for each in regrets(results, name)]


def _print_averages(scores: Scores, found: Sequence[Average]) -> None:
    conditions = counted(len(scores.conditions), "condition")
    title = f"Regret by {scores.goal.label}, mean of {conditions} (95 %)"
    rows = [
        [each.variant, *_percent((each.regret, each.low, each.high, each.most, each.tenth))]
        for each in found
    ]
    numbers = ("regret %", "from", "to", "at most", "a tenth above")
    console = terminal()
    console.print(_table(title, ("variant",), numbers, rows))
    if scores.values.shape[2] > 1:
        console.print(
            "The best is found in half of the runs and compared in the other half; at most: in the same runs.",
            highlight=False,
        )


def _percent(parts: Sequence[float]) -> list[str]:
    return [f"{100 * x:.1f}" if math.isfinite(x) else "-" for x in parts]


def _table(
    title: str, words: Sequence[str], numbers: Sequence[str], rows: Sequence[Sequence[str]]
) -> rich_table.Table:
    shown = rich_table.Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in words:
        shown.add_column(heading, overflow="fold")
    for heading in numbers:
        shown.add_column(heading, justify="right")
    for row in rows:
        shown.add_row(*row)
    return shown
