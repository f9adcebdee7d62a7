"""Figures 2 to 15, and the trade-off that the paper does not draw: tables as `lasthop.figures` draws them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from lasthop.claims import Table
from lasthop.figures import beside
from lasthop.figures.curves import Chart, Curve, Point, curves
from lasthop.papers.janevski2011.facts import LABELS, data
from lasthop.papers.janevski2011.tables import estimate
from lasthop.papers.janevski2011.timeline import Timeline
from lasthop.report import Figure

AXIS_LABELS = {
    "retries": "MAC retransmissions (transmissions of a frame at most)",
    "ifq": "interface queue (packets)",
    "distance": "distance of n3 from BS1 (m)",
    "speed": "speed of n3 (km/h)",
}
UNITS = {"goodput": ("kbit/s", 1e-3), "delay": ("ms", 1e3)}
SHOWN = {"tcp": lambda v: LABELS[v], "ifq": lambda v: f"queue {v}", "retries": lambda v: f"limit {v}",
         "distance": lambda v: f"{v} m", "speed": lambda v: f"{v} km/h"}  # fmt: skip


WINDOW_CAPTION = (
    "Figure 2: the transfer's congestion window and the interarrival times of the film's packets at n0, one "
    "run. NewReno, n3 at 50 m, limit 4, queue 50."
)
TRADE_CAPTION = (
    "What game and film pay for the transfer's throughput, n3 at 50 m: each line is a variant. On the left "
    "the queue grows along it from 25 to 100 packets (limit 3), on the right the limit from 1 to 4 (queue 50); "
    "SACK's ends are labelled. "
    "The paper does not draw this. Beside n0 and n1, 5 m from their base station, packets hardly ever fall."
)


def figures(tables: Mapping[str, Table], seen: Timeline | None) -> dict[str, Figure]:
    """Return the figures of which there are results, by file name."""
    drawn: dict[str, Figure] = {}
    if seen is not None:
        caption = WINDOW_CAPTION
        drawn["figure02"] = Figure(partial(beside.timeline, seen.window, seen.gaps), caption)
    for number, held in data("figures.toml").items():
        if held["metric"] in tables:
            chart, caption = (
                _chart(tables[held["metric"]], held),
                f"Figure {int(number[6:])}: {held['caption']}",
            )
            if any(len(curve.points) > 1 for _, lines in chart.panels for curve in lines):
                draw = partial(
                    curves, chart, held.get("width", "two"), from_zero=held.get("from_zero", True)
                )
                drawn[number] = Figure(draw, caption)
    if "game.loss" in tables:
        caption = TRADE_CAPTION
        drawn["trade"] = Figure(partial(beside.trade, _trade(tables)), caption)
    return drawn


def _chart(table: Table, held: Mapping[str, Any]) -> Chart:
    chosen = table.where(held.get("where", {}))
    x, by, panel = held["x"], held["by"], held.get("panel")
    unit, scale = UNITS[table.metric.split(".")[-1]]
    panels = []
    for title in _titles(chosen, panel):
        inside = chosen.where(title)
        lines = [
            Curve(SHOWN[by](value), _points(inside.where({by: value}), x, scale))
            for value in inside.values(by)
        ]
        if any(line.points for line in lines):
            panels.append((", ".join(SHOWN[a](v) for a, v in title.items()), lines))
    ticks = [(float(value), str(value)) for value in chosen.values(x)]
    label = f"{held['shows']} ({unit})"
    return Chart(panels, AXIS_LABELS[x], label, ticks, log=False, ordered=True)


def _titles(table: Table, panel: Any) -> list[dict[str, Any]]:
    if panel is None:
        return [{}]
    names = panel if isinstance(panel, list) else [panel]
    found: list[dict[str, Any]] = [{}]
    for name in names:
        found = [{**each, name: value} for each in found for value in table.values(name)]
    return found


def _points(table: Table, x: str, scale: float) -> list[Point]:
    found = []
    place = table.place(x)
    for key, values in table.cells.items():
        known = estimate(values, scale)
        if known["mean"] is not None:
            found.append(Point(float(key[place]), known["mean"], known["ci95"]))
    return sorted(found, key=lambda point: point.x)


COSTS = (
    ("game.delay", 1e3, "game: mean delay (ms)"),
    ("movie.delay_p95", 1e3, "film: 95 % of delays under (ms)"),
)
WAYS = (
    ("along the queue, limit 3", "ifq", {"distance": 50, "retries": 3}),
    ("along the limit, queue 50", "retries", {"distance": 50, "ifq": 50}),
)


def _trade(tables: Mapping[str, Table]) -> list[list[beside.Panel]]:
    return [
        [
            beside.Panel(
                title,
                label,
                {
                    LABELS[tcp]: _along(tables, metric, scale, along, {**where, "tcp": tcp})
                    for tcp in LABELS
                },
            )
            for title, along, where in WAYS
        ]
        for metric, scale, label in COSTS
    ]


def _along(
    tables: Mapping[str, Table], metric: str, scale: float, along: str, where: Mapping[str, Any]
) -> list[beside.Place]:
    found = []
    for value in tables[metric].values(along):
        cell = {**where, along: value}
        goodput = estimate(tables["ftp.goodput"].at(cell), 1e-3)
        cost = estimate(tables[metric].at(cell), scale)
        if goodput["mean"] is not None and cost["mean"] is not None:
            found.append(
                beside.Place(
                    str(value), goodput["mean"], goodput["ci95"], cost["mean"], cost["ci95"]
                )
            )
    return found
