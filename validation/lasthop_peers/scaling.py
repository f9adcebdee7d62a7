"""Measures the growth of lasthop's cost: with stations, classes, cells, flows, simulated time, threads,
replications."""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import lasthop
from lasthop.pages.figures.curves import Chart, Curve, Point
from lasthop.study.benches import workloads
from lasthop_peers import running
from lasthop_peers.running import Cost, costs, middle

REPEATS = 3
ENOUGH_S = 0.2
"""Processor time of a run from which on it is long enough to be measured, s."""
MOST_SIMULATED_S = 4000.0

DECADES = 30
"""From this ratio of its ends on a chart's axis is logarithmic."""

PACKET, ATTEMPT = "ns a delivered packet", "ns an 802.11 attempt"


@dataclass(frozen=True)
class Curves:
    """A picture: its file's name, what it shows in words, and the chart."""

    name: str
    caption: str
    chart: Chart


def all_curves(told: Callable[[str], None]) -> Iterator[Curves]:
    """Measure one after the other; `told` hears its name."""
    for name, measure in (
        ("stations", _stations),
        ("classes", _classes),
        ("cells", _cells),
        ("flows", _flows),
        ("time", _time),
        ("threads", _threads),
        ("replications", _replications),
    ):
        told(name)
        caption, x_label, y_label, lines = measure()
        values = sorted({point.x for line in lines for point in line.points})
        ticks = [(value, f"{value:,.0f}") for value in values]
        log = values[-1] >= DECADES * values[0]
        chart = Chart([("", lines)], x_label, y_label, ticks, log=log, ordered=True)
        yield Curves(name, caption, chart)


Measured = tuple[str, str, str, list[Curve]]
"""The content of a picture, the labels of its axes, its lines."""


def cost(text: str, least_s: float = 0.5) -> Cost:
    """Return what a scenario costs, simulated for as long as it takes to be measured."""
    simulate, seconds = running.lasthop(text), least_s
    while simulate(seconds).cpu_s < ENOUGH_S and seconds < MOST_SIMULATED_S:
        seconds *= 2
    return middle(costs({"lasthop": (simulate, seconds)}, REPEATS)["lasthop"])


def _line(label: str, points: dict[int, float]) -> Curve:
    return Curve(label, [Point(float(x), y, None) for x, y in points.items()])


def _texts() -> dict[str, str]:
    return {each.name: each.text for each in workloads()}


def stations(kind: str, count: int) -> str:
    """Return a saturated cell: `dcf`, in which all hear all, or `medium`, on a circle."""
    text = _texts()[f"{kind}-10"]
    assert "stations = 10\n" in text
    return text.replace("stations = 10\n", f"stations = {count}\n")


def _stations() -> Measured:
    lines = [
        _line(label, {n: cost(stations(kind, n)).ns_per_attempt for n in counts})
        for label, kind, counts in (
            ("all hear all", "dcf", (1, 3, 10, 30, 100, 300, 1000)),
            ("with places", "medium", (1, 3, 10, 30, 100, 300)),
        )
    ]
    return "saturated stations in one cell of 802.11b", "stations", ATTEMPT, lines


def _medium(cells: list[tuple[str, list[str], list[tuple[str, float, float]]]]) -> str:
    """Return cells (name of the access point, stations, places), whose stations are saturated upwards."""
    parts = [
        'name = "places"\nduration = "1 s"\n\n[medium]\n\n[phy]\nstandard = "802.11b"\n'
        'rate = "11 Mbps"\ncontrol_rate = "2 Mbps"\n'
    ]
    for number, (access_point, members, places) in enumerate(cells):
        parts.append(
            f'[[cell]]\nname = "cell{number}"\naccess_point = "{access_point}"\n'
            f'stations = {json.dumps(members)}\nplacement = "circle 5 m"\n'
        )
        parts += [
            f'[[node]]\nname = "{name}"\nposition = [{x:.1f}, {y:.1f}]\n' for name, x, y in places
        ]
        parts += [
            f'[[flow]]\nfrom = "{member}"\nto = "{access_point}"\ntransport = "udp"\n'
            'app = { kind = "saturated", payload = "1472 B" }\n'
            for member in members
        ]
    return "\n".join(parts)


def classes(count: int) -> str:
    """Return 100 stations on `count` spots, drawn in a square of 120 m around the access point."""
    draw = random.Random(1)
    spots = [(draw.uniform(-60, 60), draw.uniform(-60, 60)) for _ in range(count)]
    members = [f"s{i}" for i in range(100)]
    places = [(name, *spots[i % count]) for i, name in enumerate(members)]
    return _medium([("ap", members, [("ap", 0.0, 0.0), *places])])


def _classes() -> Measured:
    points = {n: cost(classes(n), 0.1).ns_per_attempt for n in (1, 2, 5, 10, 20, 50, 100)}
    return "100 stations on 100 spots", "spots", ATTEMPT, [_line("", points)]


def cells(count: int) -> str:
    """Return cells of 20 stations, 3 km apart on one channel."""
    return _medium(
        [
            (
                f"ap{i}",
                [f"s{i}-{k}" for k in range(20)],
                [(f"ap{i}", 3000.0 * (i % 10), 3000.0 * (i // 10))],
            )
            for i in range(count)
        ]
    )


def _cells() -> Measured:
    points = {n: cost(cells(n), 0.1).ns_per_attempt for n in (1, 3, 10, 30, 50)}
    return (
        "cells of 20 saturated stations, 3 km apart on one channel",
        "cells",
        ATTEMPT,
        [_line("", points)],
    )


def flows(count: int) -> str:
    """Return NewReno flows of 100 round-trip times, with 1 Mbit/s and 5 packets of the queue for each."""
    parts = [
        'name = "flows"\nduration = "10 s"\n\n[queue]\nunlimited = true\n\n[tcp]\nvariant = "newreno"\n'
        'mss = "1000 B"\nwindow = "1 MB"\n\n[[link]]\nends = ["left", "right"]\n'
        f'rate = "{count} Mbps"\ndelay = "1 ms"\nqueue = {{ packets = {5 * count} }}\n\n'
        '[[flow]]\nname = "bulk"\nfrom = "s*"\nto = "right"\nstart_spread = "1 s"\napp = "bulk"\n'
    ]
    parts += [
        f'[[link]]\nends = ["s{i}", "left"]\nrate = "1 Gbps"\ndelay = "{1000 + 500 * (i % 100)} us"\n'
        for i in range(count)
    ]
    return "\n".join(parts)


def _flows() -> Measured:
    points = {n: cost(flows(n), 4.0).ns_per_packet for n in (1, 10, 100, 1000, 10_000)}
    caption = "NewReno flows that share a link, 1 Mbit/s and 5 packets of its queue for each"
    return caption, "flows", PACKET, [_line("", points)]


def _time() -> Measured:
    simulate, points = running.lasthop(stations("dcf", 10)), {}
    for seconds in (10, 100, 1000, 10_000):
        found = costs({"": (simulate, float(seconds))}, REPEATS)[""]
        points[seconds] = middle(found).ns_per_packet
    return "ten saturated stations", "simulated seconds", PACKET, [_line("", points)]


def _replicate(replications: int, threads: int) -> tuple[float, float]:
    """Return the time that replications of ten stations over 20 s take: on the wall, of processors, s."""
    wall, cpu = time.perf_counter(), time.process_time()
    text = stations("dcf", 10).replace('duration = "400 s"', 'duration = "20 s"')
    lasthop.run(text, replications=replications, workers=threads)
    return time.perf_counter() - wall, time.process_time() - cpu


def _threads() -> Measured:
    _replicate(1, 1)  # once for what is imported
    counts = range(1, (os.cpu_count() or 1) + 1)
    points = {n: 200 / min(_replicate(200, n)[0] for _ in range(REPEATS)) for n in counts}
    return (
        "replications of ten saturated stations over 20 s",
        "threads",
        "runs a second",
        [_line("", points)],
    )


def _replications() -> Measured:
    points = {
        n: min(_replicate(n, 1)[1] for _ in range(REPEATS)) / n * 1e3 for n in (1, 10, 100, 1000)
    }
    caption = "ten saturated stations over 20 s, by `lasthop.run`"
    return caption, "replications", "ms of processor time a run", [_line("", points)]


def memory() -> dict[str, float]:
    """Return the growth of the process's memory by a station and by a flow, bytes."""

    def grown(make: Callable[[int], str], few: int, many: int, seconds: float) -> float:
        first, last = (running.memory(running.lasting(make(n), seconds)) for n in (few, many))
        return (last - first) / (many - few)

    return {
        "a station where all hear all": grown(lambda n: stations("dcf", n), 100, 1000, 4.0),
        "a station with a place": grown(lambda n: stations("medium", n), 100, 1000, 0.1),
        "a TCP flow with its link": grown(flows, 100, 10_000, 4.0),
    }
