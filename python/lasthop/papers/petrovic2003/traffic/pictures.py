"""Figures of web and voice: samples in the shapes that `lasthop.figures` draws."""

from __future__ import annotations

from functools import partial
from typing import Any

from lasthop.figures import voice, web
from lasthop.papers.petrovic2003.facts import facts
from lasthop.papers.petrovic2003.traffic import rows
from lasthop.papers.petrovic2003.traffic.experiments import VOICE, WEB, Experiment
from lasthop.papers.sweeps import Samples
from lasthop.report import Figure

FIGURES = {"web": ("response",), "voice": ("voice", "trade")}
"""The names of the figures of each experiment."""


def pictures(experiment: Experiment, samples: Samples) -> dict[str, Figure]:
    """Return the figures of an experiment by name."""
    tables = rows.tables(experiment, samples)
    if experiment == WEB:
        panels = [_panel(table["rows"]) for table in tables]
        caption = (
            "Response time of a page over the TCP window, by packet size and case: simulated "
            "(filled, solid, with 95 % intervals) and published (open, dotted)."
        )
        return {"response": Figure(partial(web.response, panels), caption)}
    assert experiment == VOICE
    calls = {(row["udp_bytes"], row["window"]): _call(row) for row in tables[0]["rows"]}
    return {
        "voice": Figure(
            partial(voice.loss, calls),
            "Voice packets lost or later than 0.5 s over their size, for each window of the bulk "
            "transfer: simulated on the left, published on the right.",
        ),
        "trade": Figure(
            partial(voice.trade, calls),
            "What voice pays for bulk throughput: each line is a size of voice packets, along it "
            "the window of the bulk transfer grows from 1 to 32 packets. The paper prints no bulk "
            "throughput beside voice.",
        ),
    }


def _panel(table: list[dict[str, Any]]) -> web.Panel:
    labels = {case.id: case.label for case in facts().cases}
    times = {
        (labels[row["case"]], row["window"]): web.Time(row["published"], row["mean"], row["ci95"])
        for row in table
    }
    return web.Panel(f"{table[0]['packet_bytes']} B packets", times)


def _call(row: dict[str, Any]) -> voice.Call:
    return voice.Call(
        row["published"], row["mean"], row["ci95"], row["bulk_kbps"], row["bulk_kbps_ci95"]
    )
