"""The pictures of the first page, the tutorials and the classroom; `renew_pictures` draws them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import lasthop
from curves import DOCS, MBIT, MS, PERCENT, call, curve, files_of, over_time, picture, swept
from drawing import Chart, Series
from lasthop.pages import classroom

BLOAT = classroom.lesson("bufferbloat").folder / "scenario.toml"
QUEUES = {"drop_tail": "one long queue", "codel": "CoDel", "fq_codel": "FQ-CoDel"}


@picture
def index(_: Path) -> str:
    """Draw what a queue does to a call."""
    title = "A call beside a download, by the queue of the access point"
    lines = [call(name, discipline=key, packets=100) for key, name in QUEUES.items()]
    limit = (150.0, "what a conversation bears (ITU-T G.114)")
    return Chart(title, "time, s", "delay of the call, ms", lines, limit).svg()


@picture
def classroom_(folder: Path) -> str:
    """Draw the curve of a lesson."""
    results = lasthop.sweep(BLOAT.with_name("study.toml"), out=folder / "out")
    lines = [
        curve(results, name, "call.delay_s.p95", MS, "queue.packets", {"queue.discipline": key})
        for key, name in QUEUES.items()
    ]
    title = "The lesson bufferbloat: the delay of a call over the size of the queue"
    return Chart(
        title, "size of the queue, packets", "95 % of packets within, ms", lines, log=True
    ).svg()


@picture
def first_run(_: Path) -> str:
    """Draw the goodput of both stations."""
    run = lasthop.run("two_stations", probes=["flows"], probe_every_s=0.5)
    lines = [
        Series(flow, over_time(run, flow, "goodput_bps", MBIT)) for flow in ("download", "upload")
    ]
    return Chart("two_stations, seed 1", "time, s", "goodput, Mbit/s", lines).svg()


@picture
def first_study(folder: Path) -> str:
    """Draw the goodput of the first study."""
    over = {"queue.packets": [5, 10, 20, 50, 100]}
    metric = "bulk.goodput_bps"
    results = swept("voice_and_bulk", folder, over, metrics=[metric])
    line = curve(results, "download", metric, MBIT, "queue.packets", {})
    return Chart(
        "The first study", "size of the queue, packets", "goodput, Mbit/s", [line], log=True
    ).svg()


@picture
def studies(folder: Path) -> str:
    """Draw what a retry limit does to a call."""
    results = lasthop.sweep("retry_and_queue", out=folder / "out")
    limits = (2, 4, 7)
    lines = [
        curve(
            results,
            f"limit {n}",
            "voice.loss",
            PERCENT,
            "queue.packets",
            {"mac.short_retry_limit": n},
        )
        for n in limits
    ]
    title = "retry_and_queue: lost packets of a call, by retry limit"
    return Chart(
        title, "size of the queue, packets", "lost packets of the call, %", lines, log=True
    ).svg()


@picture
def a_law_in_python(folder: Path) -> str:
    """Draw the windows of two laws on the same path."""
    files_of("tutorial/a-law-in-python.md", folder)
    space: dict[str, Any] = {}
    exec((folder / "gentle.py").read_text(encoding="utf-8"), space)
    lines = []
    for name in ("Reno", "Gentle"):
        laws: dict[str, Any] | None = {name: space[name]} if name in space else None
        run = lasthop.run(
            folder / "path.toml",
            overrides={"duration": "30 s"},
            probes=["tcp"],
            probe_every_s=0.1,
            laws=laws,
            law=name if laws else None,
        )
        table = run["one"].tcp
        pairs = zip(table["time_s"].to_pylist(), table["snd_cwnd"].to_pylist(), strict=True)
        lines.append(Series(name, [(time, float(value)) for time, value in pairs]))
    return Chart(
        "The window of Reno, and of a law of twenty lines", "time, s", "window, segments", lines
    ).svg()


@picture
def a_paper_as_data(folder: Path) -> str:
    """Draw the paper's claim: RTS/CTS over the size of packets."""
    results = lasthop.sweep(DOCS / "tutorial" / "jun2003" / "one_station.toml", out=folder / "out")
    lines = [
        curve(results, name, "up.goodput_bps", MBIT, "flow.up.app.payload", {"mac.rts": rts})
        for name, rts in (("without RTS/CTS", "never"), ("with RTS/CTS", "always"))
    ]
    title = "jun2003, run again: one saturated station at 11 Mbit/s"
    return Chart(title, "payload, B", "throughput, Mbit/s", lines).svg()
