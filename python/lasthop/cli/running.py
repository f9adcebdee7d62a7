"""`lasthop run`: progress, then tables for people or one JSON document."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from lasthop import api
from lasthop.cli import probing
from lasthop.errors import UsageError
from lasthop.jobs import Interrupted

#: A column of a table: its heading, the key in the document, the factor to its unit, digits after the point.
Column = tuple[str, str, float, int]

FLOW_COLUMNS: list[Column] = [
    ("goodput\nkbit/s", "goodput_bps", 1e-3, 1),
    ("sent\npackets", "packets_sent", 1, 0),
    ("arrived\npackets", "packets_delivered", 1, 0),
    ("retrans-\nmits", "retransmits", 1, 0),
    ("time-\nouts", "timeouts", 1, 0),
    ("delay mean\nms", "delay_s.mean", 1e3, 1),
    ("delay 95 %\nms", "delay_s.p95", 1e3, 1),
]
STATION_COLUMNS: list[Column] = [
    ("attempts", "attempts", 1, 0),
    ("retries", "retries", 1, 0),
    ("collisions", "collisions", 1, 0),
    ("channel\nerrors", "channel_errors", 1, 0),
    ("given up", "retry_drops", 1, 0),
    ("airtime\n%", "airtime_share", 100, 1),
]
QUEUE_COLUMNS: list[Column] = [
    ("offered", "offered", 1, 0),
    ("dropped", "drops", 1, 0),
    ("mean\npackets", "mean_packets", 1, 2),
    ("max\npackets", "max_packets", 1, 0),
]


def run(
    scenario: Path,
    changes: Sequence[str],
    seed: int | None,
    replications: int,
    threads: int | None,
    wish: probing.Wish,
    *,
    as_json: bool,
) -> None:
    """Run and print; a wrong request raises LasthopError, Ctrl-C prints what had finished and is raised again."""
    if replications < 1:
        raise UsageError(f"--replications must be at least 1, not {replications}")
    wish.check()
    api.check(scenario, overrides=changes)  # before a progress bar is drawn
    try:
        result = _with_progress(scenario, changes, seed, replications, threads, wish)
    except Interrupted as stopped:
        finished = [document for document in stopped.results if document]
        if finished:
            _print(api.Run(finished), as_json=as_json)
            wish.write(api.Run(finished), quiet=True)
        raise
    _print(result, as_json=as_json)
    wish.write(result, quiet=as_json)


def _with_progress(
    scenario: Path,
    changes: Sequence[str],
    seed: int | None,
    replications: int,
    threads: int | None,
    wish: probing.Wish,
) -> api.Run:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    hidden = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as progress:
        task = progress.add_task("simulating", total=1.0)
        return api.run(
            scenario,
            seed=seed,
            replications=replications,
            overrides=changes,
            threads=threads,
            fraction=lambda done: progress.update(task, completed=done),
            probes=wish.probes,
            probe_step_s=wish.step_s,
        )


def _print(result: api.Run, *, as_json: bool) -> None:
    summary = result.summary
    if as_json:
        from lasthop.cli.commands import print_document

        print_document(summary)
        return
    console = Console()
    console.print(_headline(summary, result.replications))
    for title, what, columns in (
        ("Flows", "flows", FLOW_COLUMNS),
        ("Stations", "stations", STATION_COLUMNS),
        ("Queues", "queues", QUEUE_COLUMNS),
    ):
        if summary[what]:
            console.print(_table(title, summary[what], columns))


def _headline(summary: dict[str, Any], replications: int) -> str:
    measured = summary["measured_s"]
    seconds = measured["mean"] if isinstance(measured, dict) else measured
    runs = "1 run" if replications == 1 else f"{replications} replications, mean ± 95 % interval"
    jain = _shown(summary["jain"], 1, 3)
    return f"seed {summary['seed']}, {seconds:g} s measured, {runs}; Jain's index {jain}"


def _table(title: str, rows: Sequence[dict[str, Any]], columns: Sequence[Column]) -> Table:
    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("", overflow="fold", min_width=max(len(row["name"]) for row in rows[:20]))
    for heading, *_ in columns:
        table.add_column(heading, justify="right")
    for row in rows:
        cells = [_shown(_find(row, key), factor, digits) for _, key, factor, digits in columns]
        table.add_row(row["name"], *cells)
    return table


def _find(row: dict[str, Any], key: str) -> Any:
    value: Any = row
    for part in key.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    return value


def _shown(value: Any, factor: float, digits: int) -> str:
    """Show a number, or a mean with its interval; a dash where there is none."""
    if value is None:
        return "-"
    if not isinstance(value, dict):
        return f"{value * factor:,.{digits}f}"
    if value.get("mean") is None:
        return "-"
    width = value["ci95"]
    shown = f"{value['mean'] * factor:,.{digits}f}"
    return shown if width is None else f"{shown} ± {width * factor:,.{max(digits, 1)}f}"
