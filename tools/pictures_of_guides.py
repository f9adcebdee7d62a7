"""The pictures of the guides; `renew_pictures` draws them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import lasthop
from curves import (
    KBIT,
    MBIT,
    MS,
    PERCENT,
    ROOT,
    call,
    curve,
    files_of,
    over_time,
    picture,
    swept,
)
from drawing import Chart, Lanes, Row, Rows, Series
from lasthop.pages.figures import style
from lasthop.study.phrases import of_value

STATION = "cell.0.stations"


@picture
def access_point(folder: Path) -> str:
    """Draw what a call waits behind more and more stations, by the queue."""
    over: dict[str, list[Any]] = {
        "cell.0.queue.discipline": ["drop_tail", "fq_codel", "mac80211"],
        STATION: [1, 4, 16],
    }
    study = ROOT / "studies" / "access_point_queue.toml"
    text = study.read_text(encoding="utf-8").split("[scenario]\n", 1)[1].replace("[scenario.", "[")
    path = folder / "scenario.toml"
    path.write_text(text.replace("[[scenario.", "[["), encoding="utf-8")
    results = swept(path, folder, over, replications=3, metrics=["call.delay_s.p95"])
    names = {key: of_value(key) for key in ("drop_tail", "fq_codel")}
    names["mac80211"] = "Linux's mac80211"
    lines = [
        curve(results, name, "call.delay_s.p95", MS, STATION, {"cell.0.queue.discipline": key})
        for key, name in names.items()
    ]
    title = "A call beside downloads through an access point of 802.11ax"
    return Chart(
        title, "stations that download", "95 % of packets within, ms", lines, log=True
    ).svg()


@picture
def advice(folder: Path) -> str:
    """Draw a limit, and the settings that keep it."""
    limits = list(range(1, 8))
    results = swept("voice_and_bulk", folder, {"mac.retry_limit": limits}, metrics=["voice.loss"])
    line = curve(results, "voice", "voice.loss", PERCENT, "mac.retry_limit", {})
    level = (2.0, "the limit: 2 %")
    return Chart(
        "Which settings keep a limit?", "retry limit", "lost packets, %", [line], level
    ).svg()


@picture
def auto(folder: Path) -> str:
    """Draw fixed variants beside one that is picked."""
    variants = ["newreno", "linux-cubic", "westwood+", "vegas", "linux-bbr", "auto"]
    losses = [0, 0.003, 0.02]
    over: dict[str, list[Any]] = {"link.1.loss": losses, "tcp.variant": variants}
    results = swept("transfers", folder, over, metrics=["goodput_bps"])
    lines = []
    for loss in losses:
        where = {"link.1.loss": loss}
        rows = [row for row in results.rows if where.items() <= row.settings.items()]
        known = [results.estimate("goodput_bps", row) for row in rows]
        points = [(float(n), MBIT * each.mean) for n, each in enumerate(known)]
        half = [MBIT * (each.ci95 or 0.0) for each in known]
        lines.append(Series(f"{100 * loss:g} % loss", points, half, joined=False))
    title = "Fixed variants, and auto"
    return Chart(
        title, "TCP variant", "goodput, Mbit/s", lines, named=list(enumerate(variants))
    ).svg()


@picture
def captures(_: Path) -> str:
    """Draw the frames on the air in 25 ms."""
    changes = {"duration": "12 s"}
    table = lasthop.run("two_stations", overrides=changes, probes=["air"]).air
    names = ("time_s", "airtime_s", "station", "kind", "fate")
    rows = zip(*(table[name].to_pylist() for name in names), strict=True)
    spans = []
    for begin, long, station, kind, fate in rows:
        if 11.0 <= begin < 11.025:
            lost = fate not in ("answered", "none_due")
            colour = 1 if lost else 2 if kind == "ack" else 0
            spans.append((station, MS * (begin - 11), MS * (begin + long - 11), colour))
    key = ("data", "data without answer", "acknowledgement")
    title = "The frames of two_stations in 25 ms"
    return Lanes(title, "ms after 11 s", ("ap", "sta1", "sta2"), spans, key).svg()


@picture
def duel(folder: Path) -> str:
    """Draw two TCPs over a path that loses more and more."""
    files_of("guides/duel.md", folder)
    losses = [0.0001, 0.0003, 0.001, 0.003, 0.01, 0.02]
    over: dict[str, list[Any]] = {
        "tcp.variant": ["linux-bbr", "linux-cubic"],
        "link.1.loss": losses,
    }
    results = swept(folder / "path.toml", folder, over, metrics=["goodput_bps"])
    lines = []
    for variant in over["tcp.variant"]:
        line = curve(results, variant, "goodput_bps", MBIT, "link.1.loss", {"tcp.variant": variant})
        line.points = [(PERCENT * x, y) for x, y in line.points]
        lines.append(line)
    title = "A path of 10 Mbit/s that loses packets at random"
    return Chart(title, "random loss, %", "goodput, Mbit/s", lines, log=True).svg()


@picture
def evaluate(folder: Path) -> str:
    """Draw what BBR loses in short queues."""
    path = folder / "path.toml"
    files_of("guides/duel.md", folder)
    round_trip = 83  # packets of 1500 B that 10 Mbit/s and 100 ms hold
    parts = [0.25, 0.5, 1, 1.5, 2, 3]
    packets = [round(round_trip * part) for part in parts]
    variants = {"linux-bbr": "BBR", "linux-cubic": "CUBIC"}
    over: dict[str, list[Any]] = {"tcp.variant": list(variants), "link.1.queue.packets": packets}
    text = path.read_text(encoding="utf-8").replace('"20 ms"', '"50 ms"').replace("10 s", "30 s")
    flow = text.split("[[flow]]", 1)[1]
    path.write_text(f"{text}\n[[flow]]{flow.replace('upload', 'second')}", encoding="utf-8")
    results = swept(path, folder, over, replications=1, metrics=["loss"])
    lines = []
    for variant, name in variants.items():
        line = curve(
            results, name, "loss", PERCENT, "link.1.queue.packets", {"tcp.variant": variant}
        )
        line.points = [(part, y) for part, (_, y) in zip(parts, line.points, strict=True)]
        line.half = ()
        lines.append(line)
    title = "Two flows of a TCP in a queue that is short or long"
    return Chart(title, "queue, bandwidth-delay products", "lost packets, %", lines).svg()


@picture
def exports(_: Path) -> str:
    """Draw the goodput that Flent would show."""
    run = lasthop.run("dumbbell", probes=["flows"], probe_every_s=0.2)
    lines = [Series(name, over_time(run, name, "goodput_bps", MBIT)) for name in ("one", "two")]
    return Chart("dumbbell, in steps of 200 ms", "time, s", "goodput, Mbit/s", lines).svg()


@picture
def figures(folder: Path) -> str:
    """Draw a figure as `lasthop plot` does, in the colours of either page."""
    results = lasthop.sweep("retry_and_queue", out=folder / "out")
    drawn = results.plot(folder / "loss.svg", y="voice.loss", x="queue.packets")
    return style.themed(drawn.read_bytes()).decode()


@picture
def github(folder: Path) -> str:
    """Draw the badge of the claims of another guide."""
    files_of("guides/verdicts.md", folder)
    words = ["audit", "retry.toml", "--badge", "claims.svg"]
    subprocess.run(
        [sys.executable, "-m", "lasthop", *words], cwd=folder, check=True, capture_output=True
    )
    return (folder / "claims.svg").read_text(encoding="utf-8")


@picture
def measured(folder: Path) -> str:
    """Draw a measurement over runs of its path."""
    files_of("guides/measured.md", folder)
    file = ROOT / "tests" / "python" / "cases" / "measured" / "lossy1.json"
    intervals = [each["sum"] for each in json.loads(file.read_text(encoding="utf-8"))["intervals"]]
    lines = [
        Series("measured", [(each["end"], MBIT * each["bits_per_second"]) for each in intervals])
    ]
    for seed in (1, 2):
        run = lasthop.run(folder / "lossy.toml", seed=seed, probes=["flows"], probe_every_s=0.5)
        lines.append(
            Series(f"simulated, seed {seed}", over_time(run, "upload", "goodput_bps", MBIT))
        )
    title = "iperf3 over a path of 3 Mbit/s with 1 % loss, and two runs of it"
    return Chart(title, "time, s", "goodput, Mbit/s", lines).svg()


@picture
def notebooks(_: Path) -> str:
    """Draw what the slider of the notebooks changes."""
    lines = [call(f"{packets} packets", packets=packets) for packets in (20, 50, 100)]
    level = (150.0, "ITU-T G.114: 150 ms")
    return Chart(
        "The slider at three places", "time, s", "delay of the call, ms", lines, level
    ).svg()


@picture
def pictures(_: Path) -> str:
    """Draw the queue of the access point beside the goodput, as a page about a run does."""
    run = lasthop.run("two_stations", probes=["queue"], probe_every_s=0.1)
    names = ("time_s", "queue", "packets")
    rows = list(zip(*(run.probes["queue"][name].to_pylist() for name in names), strict=True))
    lines = [
        Series(
            name, [(time, float(count)) for time, queue, count in rows if queue == f"cell/{name}"]
        )
        for name in ("ap", "sta1", "sta2")
    ]
    return Chart("Queues of two_stations", "time, s", "waiting packets", lines).svg()


@picture
def playground(_: Path) -> str:
    """Draw A and B: the same stations with and without RTS/CTS."""
    lines = []
    for name, rts in (("A: as it is", "never"), ("B: RTS/CTS", "always")):
        changes = {"mac.rts": rts}
        run = lasthop.run("hidden_stations", overrides=changes, probes=["flows"], probe_every_s=0.5)
        table = run.flow_series
        sums: dict[float, float] = {}
        pairs = zip(table["time_s"].to_pylist(), table["goodput_bps"].to_pylist(), strict=True)
        for time, value in pairs:
            sums[time] = sums.get(time, 0.0) + KBIT * value
        lines.append(Series(name, list(sums.items())))
    title = "A pinned run and a changed one: hidden_stations"
    return Chart(title, "time, s", "goodput of all, kbit/s", lines).svg()


@picture
def verdicts(folder: Path) -> str:
    """Draw the comparisons of a study with their intervals and verdicts."""
    files_of("guides/verdicts.md", folder)
    words = ["audit", "variants.toml", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "lasthop", *words], cwd=folder, check=True, capture_output=True
    )
    (pairs,) = json.loads(done.stdout)["compared"].values()
    colours = {"better": 0, "worse": 1}
    rows = [
        Row(
            each["said"].partition(";")[0],
            PERCENT * each["low"],
            PERCENT * each["change"],
            PERCENT * each["high"],
            each["verdict"],
            colours.get(each["verdict"]),
        )
        for each in pairs.values()
        if each["where"] == {"queue.packets": 4}
    ]
    return Rows(
        "Pairs of variants, and their verdicts", "change of the goodput, %", rows, (-2, 2)
    ).svg()
