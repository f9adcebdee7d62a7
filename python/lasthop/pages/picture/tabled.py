"""The tables of a run, for a terminal, for a page and for the playground."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lasthop.core.quantities.shown import Column
from lasthop.numbers.numerals import counted
from lasthop.pages.picture import since

FLOWS = (
    Column("goodput\n{}", "goodput_bps", 1),
    Column("effi-\nciency {}", "efficiency", 1, "known"),
    Column("sent\n{}", "packets_sent"),
    Column("arrived\n{}", "packets_delivered"),
    Column("retrans-\nmits", "retransmits"),
    Column("time-\nouts", "timeouts"),
    Column("delay mean\n{}", "delay_s.mean", 1),
    Column("delay 95 %\n{}", "delay_s.p95", 1),
    Column("deadline\n{}", "deadline_s", 0, "known"),
    Column("late\n{}", "late", 0, "known"),
    Column("unusable\n{}", "unusable", 2, "known"),
    Column("pictures\nunusable {}", "pictures.unusable", 2, "known"),
    Column("MOS", "mos", 2, "known"),
)

SPLIT = (
    Column("mean\n{}", "delay_split_s.mean", 2),
    Column("queue", "delay_split_s.queueing", 2),
    Column("access", "delay_split_s.access", 2),
    Column("retries", "delay_split_s.retries", 2),
    Column("trans-\nmission", "delay_split_s.transmission", 2),
    Column("wire", "delay_split_s.wire", 2),
    Column("handoff", "delay_split_s.handoff", 2),
)
"""The parts of a packet's delay, with `measures = ["delay_split"]`. They add up to the mean."""

RESPONSES = (
    Column("objects", "objects.finished"),
    Column("unfin-\nished", "objects.unfinished"),
    Column("object mean\n{}", "objects.response_time_s.mean", 1),
    Column("object 95 %\n{}", "objects.response_time_s.p95", 1),
    Column("pages", "pages.finished"),
    Column("page mean\n{}", "pages.response_time_s.mean", 1),
    Column("page 95 %\n{}", "pages.response_time_s.p95", 1),
)

STATIONS = (
    Column("attempts", "attempts"),
    Column("retries", "retries"),
    Column("colli-\nsions", "collisions"),
    Column("channel\nerrors", "channel_errors"),
    Column("hidden", "hidden", 0, "differs"),
    Column("out of\nrange", "out_of_range", 0, "differs"),
    Column("given\nup", "retry_drops"),
    Column("mean rate\n{}", "mean_rate_bps", 1, "differs", "Mbit/s"),
    Column("airtime\n{}", "airtime_share", 1),
)

ACCESS = (
    Column("attempts", "attempts"),
    Column("colli-\nsions", "collisions"),
    Column("MPDUs a\nPPDU", "mpdus_per_ppdu", 1),
    Column("MPDU\nretries", "mpdu_retries"),
    Column("given\nup", "retry_drops"),
    Column("expired", "expired", 0, "differs"),
    Column("queue\ndrops", "queue_drops"),
    Column("mean\nqueue", "mean_queue", 1),
    Column("airtime\n{}", "airtime_share", 1),
)

SUBSCRIBERS = (
    Column("requests", "requests.attempts"),
    Column("alone\n{}", "requests.success", 1),
    Column("time-\nouts", "requests.timeouts"),
    Column("given\nup", "requests.given_up"),
    Column("grants", "up.bursts"),
    Column("used\n{}", "up.fill", 1),
    Column("up\n{}", "up.delay_s.mean", 1),
    Column("up 95 %\n{}", "up.delay_s.p95", 1),
    Column("down\n{}", "down.delay_s.mean", 1),
)
"""Requests of 802.16's subscriber stations, and the waits of their packets."""

LANS = (
    Column("carrying\n{}", "utilisation", 1),
    Column("colliding\n{}", "collision_share", 1),
    Column("colli-\nsions", "collisions"),
    Column("mean\nrun", "mean_run", 2),
)

LAN_STATIONS = (
    Column("attempts", "attempts"),
    Column("successes", "successes"),
    Column("colli-\nsions", "collisions"),
    Column("deferred", "deferrals"),
    Column("given\nup", "given_up"),
    Column("longest\nrun", "longest_run"),
    Column("airtime\n{}", "airtime_share", 1),
)

QUEUES = (
    Column("offered", "offered"),
    Column("dropped", "drops"),
    Column("mean\n{}", "mean_packets", 2),
    Column("max\n{}", "max_packets"),
)


@dataclass(frozen=True)
class Layout:
    """A table of a run.

    Attributes:
        title: What it is about.
        rows: The key of its rows.
        columns: The quantities.
        needs: A key without which a row is left out.
        if_idle: What the title says of rows that have nothing but zeros, which are then left out beside others;
            empty where they stay.
    """

    title: str
    rows: str
    columns: Sequence[Column]
    needs: str = "name"
    if_idle: str = ""


TABLES = (
    Layout("Flows", "flows", FLOWS),
    Layout("Delay by cause", "flows", SPLIT, "delay_split_s"),
    Layout("Responses", "flows", RESPONSES, "objects"),
    Layout("Stations", "stations", STATIONS, if_idle="sent nothing"),
    Layout("Access categories", "access", ACCESS, "attempts", if_idle="had nothing to send"),
    Layout("Subscriber stations", "subscribers", SUBSCRIBERS),
    Layout("Shared LANs", "lans", LANS),
    Layout("Stations of LANs", "lan_stations", LAN_STATIONS, if_idle="sent nothing"),
    Layout("Queues", "queues", QUEUES, if_idle="took no packets"),
)

Filled = list[tuple[str, list[str]]]
"""Columns that say something, each a heading and its cells as they are shown."""


def tables_of(
    summary: Mapping[str, Any], before: since.Since | None = None
) -> Iterator[tuple[str, since.Rows, Sequence[Column], since.Rows | None]]:
    """Yield the tables of a summary that have rows: a title, rows, columns, and the rows of the run before."""
    for each in TABLES:
        rows = _rows(each, summary)
        earlier = None if before is None else _rows(each, before.summary)
        title = each.title
        if idle := _idle(each, rows, earlier or ()):
            title += f" ({len(idle):,} more {each.if_idle})"
            rows = [row for row in rows if row["name"] not in idle]
            earlier = earlier and [row for row in earlier if row["name"] not in idle]
        if rows:
            yield since.title(title, rows, each.columns, earlier), rows, each.columns, earlier


def _rows(layout: Layout, summary: Mapping[str, Any]) -> since.Rows:
    return [row for row in summary.get(layout.rows, ()) if row.get(layout.needs)]


def _idle(layout: Layout, rows: since.Rows, before: since.Rows) -> set[str]:
    """Return the names of rows that have only zeros, and had `before`; none where the table keeps them."""
    busy = {row["name"] for row in (*rows, *before) if not _is_idle(row, layout.columns)}
    idle = {row["name"] for row in rows} - busy
    return idle if layout.if_idle and len(idle) < len(rows) else set()


def _is_idle(row: Mapping[str, Any], columns: Sequence[Column]) -> bool:
    values = (column.value(row) for column in columns)
    return not any(v.get("mean") if isinstance(v, Mapping) else v for v in values)


def filled(
    rows: Sequence[Mapping[str, Any]],
    columns: Sequence[Column],
    *,
    one_line: bool = False,
    before: since.Rows | None = None,
) -> Filled:
    """Return the columns that say something, each a heading and its cells as they are shown.

    With the rows of a run `before`, what has changed has the difference beside it.
    """
    return [
        (column.heading(one_line=one_line), [since.cell(column, row, before) for row in rows])
        for column in columns
        if column.tells(rows)
    ]


def headline(
    summary: Mapping[str, Any], replications: int, before: since.Since | None = None
) -> str:
    """Return a line about the run: its seed, its length, how often, how fair, and by which law in Python."""
    measured = summary["measured_s"]
    is_mean = isinstance(measured, Mapping)
    seconds = measured["mean"] if is_mean else measured
    shown = ", mean ± 95 %" if is_mean else ", all equal"
    runs = counted(replications, "run") + (shown if replications > 1 else "")
    column = Column("", "jain", 3, shown_in="")
    jain = column.cell(summary)
    if before is not None:
        jain += since.difference(column, summary, before.summary)
    line = f"seed {summary['seed']}, {seconds:g} s measured, {runs}; Jain's index {jain}"
    variants = [str(flow.get("variant", "")) for flow in summary["flows"]]
    # RECOVERY+LAW; but Westwood+ ends with the sign, and has no law beside it.
    laws = sorted({name.partition("+")[2] for name in variants} - {""})
    return "; ".join([line, *(f"law {name}" for name in laws)])
