"""Figures of web and voice: samples in the shapes that `lasthop.figures` draws."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from lasthop.figures import voice, web
from lasthop.papers.petrovic2003.facts import facts
from lasthop.papers.petrovic2003.traffic import rows, traded
from lasthop.papers.petrovic2003.traffic.experiments import VOICE, WEB, Experiment
from lasthop.papers.sweeps import Samples
from lasthop.report import Figure

FIGURES = {"web": ("response",), "voice": ("voice", "trade", "settings")}
"""The names of the figures of each experiment."""


def pictures(
    experiment: Experiment, samples: Samples, audit: Mapping[str, Any] | None
) -> dict[str, Figure]:
    """Return the figures of an experiment by name; one of them needs the audit."""
    tables = rows.tables(experiment, samples)
    if experiment == WEB:
        panels = [_panel(table["rows"]) for table in tables]
        caption = (
            "Response time of a page over the TCP window, by packet size and case: simulated "
            "(filled, solid, with 95 % intervals) and published (open, dotted)."
        )
        return {"response": Figure(partial(web.response, panels), caption)}
    assert experiment == VOICE
    drawn = _of_voice(tables[0]["rows"])
    lines = {} if audit is None else _by_setting(audit)
    if len(lines) > 1:
        drawn["settings"] = Figure(
            partial(voice.trade, lines),
            f"The same at {traded.SIZE} a voice packet, with RTS/CTS and FEC on or off beside it: "
            "runs of the audit, fewer and shorter.",
        )
    return drawn


def _of_voice(table: list[dict[str, Any]]) -> dict[str, Figure]:
    calls = {
        (row["udp_bytes"], row["window"]): voice.Call(row["published"], row["mean"], row["ci95"])
        for row in table
    }
    lines: dict[str, list[voice.Paid]] = {}
    for row in sorted(table, key=lambda row: (row["udp_bytes"], row["window"])):
        paid = (row["mean"], row["ci95"], row["bulk_kbps"], row["bulk_kbps_ci95"])
        lines.setdefault(f"voice of {row['udp_bytes']} B", []).append(
            voice.Paid(row["window"], *paid)
        )
    return {
        "voice": Figure(
            partial(voice.loss, calls),
            "Voice packets lost or later than 0.5 s over their size, for each window of the bulk "
            "transfer: simulated on the left, published on the right.",
        ),
        "trade": Figure(
            partial(voice.trade, lines),
            "What voice pays for bulk throughput: each line is a size of voice packets, along it "
            "the window of the bulk transfer grows from 1 to 32 packets, written at its ends. Best "
            "is the lower right corner. Below 0.5 % the axis is linear. "
            "The paper prints no bulk throughput beside voice.",
        ),
    }


def _by_setting(audit: Mapping[str, Any]) -> dict[str, list[voice.Paid]]:
    """Return what an operator of the cell can choose: a line for what was taken and for each change."""
    found = {"as taken: no RTS, no FEC": audit["traded"]}
    for row in audit["variations"]:
        if row["item"] in traded.SETTINGS:
            what, state = row["item"].split()[0], row["name"]
            found[f"{what} {state}"] = row["traded"]
    return {name: [voice.Paid(**point) for point in points] for name, points in found.items()}


def _panel(table: list[dict[str, Any]]) -> web.Panel:
    labels = {case.id: case.label for case in facts().cases}
    times = {
        (labels[row["case"]], row["window"]): web.Time(row["published"], row["mean"], row["ci95"])
        for row in table
    }
    return web.Panel(f"{table[0]['packet_bytes']} B packets", times)
