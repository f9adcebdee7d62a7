"""`lasthop run`: progress, then tables for people or one JSON document."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from lasthop import api, idle, law, stats
from lasthop.cli import choices, fitting, handoffs, noticing, picturing, probing
from lasthop.cli.progress import bar
from lasthop.cli.simulating import RunOptions
from lasthop.cli.terminal import Terminal, terminal
from lasthop.errors import UsageError
from lasthop.jobs import Interrupted, refuse_strange_numbers
from lasthop.noticing import noticed

#: A column of a table: its heading, the key in the document, the factor to its unit, digits after the point.
Column = tuple[str, str, float, int]

FLOW_COLUMNS: list[Column] = [
    ("goodput\nkbit/s", "goodput_bps", 1e-3, 1),
    ("effi-\nciency %", "efficiency", 100, 1),
    ("sent\npackets", "packets_sent", 1, 0),
    ("arrived\npackets", "packets_delivered", 1, 0),
    ("retrans-\nmits", "retransmits", 1, 0),
    ("time-\nouts", "timeouts", 1, 0),
    ("delay mean\nms", "delay_s.mean", 1e3, 1),
    ("delay 95 %\nms", "delay_s.p95", 1e3, 1),
    ("deadline\nms", "deadline_s", 1e3, 0),
    ("late\npackets", "late", 1, 0),
    ("unusable\n%", "unusable", 100, 2),
    ("pictures\nunusable %", "pictures.unusable", 100, 2),
    ("MOS", "mos", 1, 2),
]
RESPONSE_COLUMNS: list[Column] = [
    ("objects", "objects.finished", 1, 0),
    ("unfin-\nished", "objects.unfinished", 1, 0),
    ("object mean\nms", "objects.response_time_s.mean", 1e3, 1),
    ("object 95 %\nms", "objects.response_time_s.p95", 1e3, 1),
    ("pages", "pages.finished", 1, 0),
    ("page mean\nms", "pages.response_time_s.mean", 1e3, 1),
    ("page 95 %\nms", "pages.response_time_s.p95", 1e3, 1),
]
STATION_COLUMNS: list[Column] = [
    ("attempts", "attempts", 1, 0),
    ("retries", "retries", 1, 0),
    ("colli-\nsions", "collisions", 1, 0),
    ("channel\nerrors", "channel_errors", 1, 0),
    ("hidden", "hidden", 1, 0),
    ("out of\nrange", "out_of_range", 1, 0),
    ("given\nup", "retry_drops", 1, 0),
    ("mean rate\nMbit/s", "mean_rate_bps", 1e-6, 1),
    ("airtime\n%", "airtime_share", 100, 1),
]
#: Of 802.16's subscriber stations: how they asked, and how long packets waited.
SUBSCRIBER_COLUMNS: list[Column] = [
    ("requests", "requests.attempts", 1, 0),
    ("alone\n%", "requests.success", 100, 1),
    ("time-\nouts", "requests.timeouts", 1, 0),
    ("given\nup", "requests.given_up", 1, 0),
    ("grants", "up.bursts", 1, 0),
    ("used\n%", "up.fill", 100, 1),
    ("up\nms", "up.delay_s.mean", 1e3, 1),
    ("up 95 %\nms", "up.delay_s.p95", 1e3, 1),
    ("down\nms", "down.delay_s.mean", 1e3, 1),
]
#: Of shared LANs.
LAN_COLUMNS: list[Column] = [
    ("carrying\n%", "utilisation", 100, 1),
    ("colliding\n%", "collision_share", 100, 1),
    ("colli-\nsions", "collisions", 1, 0),
    ("mean\nrun", "mean_run", 1, 2),
]
#: Of their stations.
LAN_STATION_COLUMNS: list[Column] = [
    ("attempts", "attempts", 1, 0),
    ("successes", "successes", 1, 0),
    ("colli-\nsions", "collisions", 1, 0),
    ("deferred", "deferrals", 1, 0),
    ("given\nup", "given_up", 1, 0),
    ("longest\nrun", "longest_run", 1, 0),
    ("airtime\n%", "airtime_share", 100, 1),
]
#: Columns that are shown only where something is in them, or where rows differ.
AT_NEED = {"hidden", "out_of_range", "mean_rate_bps"}
#: Columns that are shown only where a row has them.
WHERE_KNOWN = {"efficiency", "deadline_s", "late", "unusable", "pictures.unusable", "mos"}

#: Where a packet's time goes, ms: with `measures = ["delay_split"]`. The parts add up to the mean.
SPLIT_COLUMNS: list[Column] = [
    (name, f"delay_split_s.{key}", 1e3, 2)
    for name, key in (
        ("mean\nms", "mean"),
        ("queue", "queueing"),
        ("access", "access"),
        ("retries", "retries"),
        ("trans-\nmission", "transmission"),
        ("wire", "wire"),
        ("handoff", "handoff"),
    )
]

QUEUE_COLUMNS: list[Column] = [
    ("offered", "offered", 1, 0),
    ("dropped", "drops", 1, 0),
    ("mean\npackets", "mean_packets", 1, 2),
    ("max\npackets", "max_packets", 1, 0),
]


def run(scenario: str, options: RunOptions) -> None:
    """Run and print; a wrong request raises LasthopError, Ctrl-C prints what had finished and ends with 130."""
    how = _running(options)
    refuse_strange_numbers(how.seed, how.replications, how.threads, "--")
    if not scenario:
        raise UsageError(
            "the name of the scenario is empty; give a file or a name from lasthop list scenarios"
        )
    wish = probing.ProbeOptions(tuple(options.probe), options.probe_every, options.out)
    wish.check()
    page = options.report and picturing.named(options.report, Path(scenario))
    if how.captures is not None:
        how.captures.check("--")
    # Before a progress bar is drawn.
    api.check(scenario, overrides=how.overrides, laws=how.laws, law=how.law)
    for said in idle.changes(how.prepared(Path(scenario))):
        print(said, file=sys.stderr)
    if how.replications == 1 or wish.probes:
        watched = replace(how, probes=wish.probes, probe_every_s=wish.step_s)
        summary = _kept(Path(scenario), watched, wish, as_json=options.as_json)
    else:
        summary = _reduced(Path(scenario), how, as_json=options.as_json)
    if options.chart and not options.as_json:
        picturing.chart(Path(scenario), how)
    if page:
        picturing.write(Path(scenario), how, summary, page, quiet=options.as_json)


def _running(options: RunOptions) -> api.Watching:
    """Return what the options say, with the laws loaded: the first is every flow's."""
    if options.pcap is None and (options.pcap_only or options.pcap_snap is not None):
        given = "--pcap-only" if options.pcap_only else "--pcap-snap"
        raise UsageError(f"{given} says how to capture: give --pcap DIR as well")
    laws = dict(map(law.load, options.laws))
    return api.Watching(
        seed=options.seed,
        replications=options.replications,
        overrides=options.changes,
        threads=options.threads,
        laws=laws,
        law=next(iter(laws), None),
        pcap=options.pcap,
        pcap_only=options.pcap_only,
        pcap_snap=options.pcap_snap,
    )


def _kept(
    path: Path, how: api.Watching, wish: probing.ProbeOptions, *, as_json: bool
) -> dict[str, Any]:
    """Run and print where whole documents are wanted: of one replication, or with the tables of probes."""
    try:
        with bar("simulating", terminal(stderr=True)) as fraction:
            result = api.kept(path, replace(how, fraction=fraction))
    except Interrupted as stopped:
        finished = [document for document in stopped.results if document]
        _tell_interrupted(len(finished), how.replications)
        if finished:
            # Several were asked for, so one that finished has the shape of several.
            result = api.Run(finished)
            _print_part(result.summary_of_several, how.replications, as_json=as_json)
            wish.write(result, quiet=True)
        sys.exit(130)
    _print(result.summary, how.replications, as_json=as_json)
    wish.write(result, quiet=as_json)
    return result.summary


def _reduced(path: Path, how: api.Running, *, as_json: bool) -> dict[str, Any]:
    """Run and print means, however many replications there are: none is kept."""
    summary = stats.Summary()
    try:
        with bar("simulating", terminal(stderr=True)) as fraction:
            api.reduced(summary, path, replace(how, fraction=fraction))
    except KeyboardInterrupt:
        _tell_interrupted(summary.runs, how.replications)
        if summary.runs:
            _print_part(summary.document(), how.replications, as_json=as_json)
        sys.exit(130)
    document = summary.document()
    _print(document, how.replications, as_json=as_json)
    return document


def _tell_interrupted(finished: int, asked: int) -> None:
    said = f"interrupted: {finished} of {asked} replications finished"
    print(said, file=sys.stderr, flush=True)


def _print_part(summary: dict[str, Any], asked: int, *, as_json: bool) -> None:
    """Print what there is of more replications."""
    part = {"complete": False, "replications_asked": asked}
    _print(part | summary, summary["replications"], as_json=as_json)


def _print(summary: dict[str, Any], replications: int, *, as_json: bool) -> None:
    if as_json:
        from lasthop.cli.commands import print_document

        print_document(summary)
        return
    console = terminal()
    console.print(headline(summary, replications))
    for title, rows, columns in tables_of(summary):
        if rows:
            _show(console, title, rows, columns)
    choices.show(console, summary)
    if changes := handoffs.rows(summary):
        heading, shown = handoffs.title(len(changes)), changes[: handoffs.MOST]
        _show(console, heading, shown, handoffs.COLUMNS)
    noticing.show(console, noticed(summary))


def tables_of(
    summary: dict[str, Any],
) -> list[tuple[str, Sequence[dict[str, Any]], list[Column]]]:
    """Return the tables of a summary: a title, rows and columns; those without rows too."""
    asking = [flow for flow in summary["flows"] if "objects" in flow]
    split = [flow for flow in summary["flows"] if flow.get("delay_split_s")]
    return [
        ("Flows", summary["flows"], FLOW_COLUMNS),
        ("Delay by cause", split, SPLIT_COLUMNS),
        ("Responses", asking, RESPONSE_COLUMNS),
        ("Stations", summary["stations"], STATION_COLUMNS),
        ("Subscriber stations", summary.get("subscribers", []), SUBSCRIBER_COLUMNS),
        ("Shared LANs", summary.get("lans", []), LAN_COLUMNS),
        ("Stations of LANs", summary.get("lan_stations", []), LAN_STATION_COLUMNS),
        ("Queues", summary["queues"], QUEUE_COLUMNS),
    ]


def filled(
    rows: Sequence[dict[str, Any]], columns: Sequence[Column], *, one_line: bool = False
) -> list[tuple[str, list[str]]]:
    """Return the columns that say something, each a heading and its cells as they are shown."""
    return [
        (
            heading.replace("-\n", "").replace("\n", " ") if one_line else heading,
            [_shown(_find(row, key), factor, digits) for row in rows],
        )
        for heading, key, factor, digits in columns
        if _matters(rows, (heading, key, factor, digits))
    ]


def _matters(rows: Sequence[dict[str, Any]], column: Column) -> bool:
    """Return whether a column is shown."""
    if column[1] in handoffs.IF_ANY:
        return any(row.get(column[1]) for row in rows)
    return _tells(rows, column)


def _tells(rows: Sequence[dict[str, Any]], column: Column) -> bool:
    """Return whether a column says something that is not the same everywhere, or nowhere there."""
    _, key, factor, digits = column
    shown = {_shown(_find(row, key), factor, digits) for row in rows} - {_shown(None, 1, 0)}
    if key in WHERE_KNOWN:
        return bool(shown)
    return key not in AT_NEED or len(shown) > 1


def headline(summary: dict[str, Any], replications: int) -> str:
    """Return a line about the run: its seed, its length, how often, how fair, and by which law in Python."""
    measured = summary["measured_s"]
    seconds = measured["mean"] if isinstance(measured, dict) else measured
    runs = "1 run" if replications == 1 else f"{replications} runs, mean ± 95 %"
    jain = _shown(summary["jain"], 1, 3)
    line = f"seed {summary['seed']}, {seconds:g} s measured, {runs}; Jain's index {jain}"
    variants = [str(flow.get("variant", "")) for flow in summary["flows"]]
    laws = sorted({name.split("+")[1] for name in variants if "+" in name})
    return "; ".join([line, *(f"law {name}" for name in laws)])


def _show(
    console: Terminal, title: str, rows: Sequence[dict[str, Any]], columns: Sequence[Column]
) -> None:
    fitting.show(console, title, [row["name"] for row in rows], filled(rows, columns))


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
