"""Shared LANs: saturated stations and TCP against ns-2.35, a formula of efficiency, and a Monte Carlo of CSMA/CA.

Saturated datagrams of 2 to 50 stations to a server, and FTP sessions (window 32, 128 B) between two hosts and from
as many stations to one. The numbers of ns-2 are in this repository, beside the scripts that made them
(`validation/references/ns2_lan.sh`). The formula is Metcalfe and Boggs's (1976): k stations, each of
which sends in a slot of contention with the best probability, 1/k, which binary backoff does not know.

CSMA/CA (`preset = "ns2-csma-ca"`): one sender in closed form, 2 to 50 saturated ones against `lan_monte_carlo`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from lasthop.numbers import stats
from lasthop_validation import lan_monte_carlo, oracles
from lasthop_validation.judging import Case, Deferred

HEAD = """
name = "lan"
duration = "5 s"
{warmup}
conventions = "{conventions}"

[queue]
packets = {queue}

[udp]
header = "0 B"

[tcp]
variant = "reno"
mss = "{payload} B"
window = "32 packets"

[[lan]]
stations = [{hosts}, "server"]
delay = "4 us"
link_layer_delay = "{link_layer}"
"""

SATURATED = """
[[flow]]
from = "host*"
to = "server"
transport = "udp"
app = {{ kind = "saturated", payload = "{payload} B" }}
"""

FTP = """
[[flow]]
from = "{source}"
to = "server"
"""

RULES = "the same rules; ns-2's stations come 0.1 ms apart, and its timers round"
TCP_REASON = "the same MAC; which of many equal sessions wins is a matter of luck"
AVOIDANCE = """
name = "lan-csma-ca"
duration = "8 s"
warmup = "0.5 s"

[udp]
header = "0 B"

[[lan]]
stations = [{hosts}, "server"]
preset = "ns2-csma-ca"
"""

SENDER = """
[[flow]]
from = "host{number}"
to = "server"
transport = "udp"
start = "{start} us"
app = {{ kind = "saturated", payload = "{payload} B" }}
"""

SAME = "the same rules"
FORMULA = "the formula's stations know how many they are, and forget who has won"


def _carried(run: Mapping[str, Any]) -> float:
    return sum(float(flow["goodput_bps"]) for flow in run["flows"]) / 1e6


def _acked(run: Mapping[str, Any]) -> float:
    return sum(float(flow["acked_goodput_bps"]) for flow in run["flows"]) / 1e6


def _text(row: Mapping[str, str], conventions: str = "ns2.35") -> str:
    scene, count = row["scene"], int(row["stations"])
    hosts = ", ".join(f'"host{i}"' for i in range(1, (1 if scene == "hosts" else count) + 1))
    udp = scene == "udp"
    filled = dict(
        row,
        conventions=conventions,
        hosts=hosts,
        warmup='warmup = "1 s"' if udp else "",
        link_layer="0 us" if udp else "10 us",
    )
    if udp:
        flows = SATURATED.format_map(filled)
    elif scene == "hosts":
        flows = FTP.format(source="host1") * count
    else:
        flows = FTP.format(source="host*")
    return HEAD.format_map(filled) + flows


def efficiency(stations: int, payload: int) -> float:
    """Return what saturated stations carry by the formula, Mbit/s of payload."""
    frame_s = (8 + max(64, payload + 18)) * 8 / 1e7
    success = (1 - 1 / stations) ** (stations - 1)
    waiting = (1 - success) / success
    # Behind each frame a gap, which the formula leaves out.
    return payload * 8 / (frame_s + 9.6e-6 + 51.2e-6 * waiting) / 1e6


def _avoiding(stations: int, payload: int) -> str:
    hosts = ", ".join(f'"host{number}"' for number in range(stations))
    # Stations that began together would collide for ever.
    starts = ((number, lan_monte_carlo.START_US * number) for number in range(stations))
    senders = (SENDER.format(number=number, start=at, payload=payload) for number, at in starts)
    return AVOIDANCE.format(hosts=hosts) + "".join(senders)


def _avoidance(quick: bool) -> Iterator[Deferred]:
    """Give the cases of CSMA/CA. A few stations of short frames lock into collisions: left out, as chance."""
    replications = 4 if quick else 8
    for payload in (1000, 128):
        for stations in (1, 2, 20) if quick else (1, 2, 10, 20, 50):
            name, text = f"CSMA/CA: {stations} of {payload} B", _avoiding(stations, payload)
            make = partial(_avoided, name, text, stations, payload, replications)
            yield Deferred(name, text, replications, make)


def _avoided(
    name: str, text: str, stations: int, payload: int, replications: int
) -> Iterator[Case]:
    drawn = [lan_monte_carlo.carried(stations, payload, seed) for seed in range(8)]
    half = 0.0 if stations == 1 else stats.half_width(drawn) or 0.0
    mean = lan_monte_carlo.alone(payload) if stations == 1 else sum(drawn) / len(drawn)
    yield Case(
        "CSMA/CA: closed form" if stations == 1 else "CSMA/CA: Monte Carlo",
        name,
        text,
        _carried,
        mean,
        # A frame more or less in the time measured.
        0.001 if stations <= 2 else 0.005,
        SAME,
        reference_ci95=half / mean,
        replications=replications,
    )


def cases(quick: bool) -> list[Case | Deferred]:
    """Return a case for each number; quick: few stations and sessions, fewer runs."""
    found = []
    for row in oracles.kept("ns2_lan.csv"):
        udp, mean = row["scene"] == "udp", row.number("mean")
        if quick and (int(row["stations"]) > 10 or row["payload"] == "512"):
            continue
        scene = f"{row['scene']}, {row['stations']} of {row['payload']} B"
        found.append(
            Case(
                "ns-2: saturated" if udp else "ns-2: TCP",
                f"ns-2: {scene}, queue {row['queue']}",
                _text(row),
                _carried if udp else _acked,
                mean,
                0.005 if udp else 0.05,
                RULES if udp else TCP_REASON,
                reference_ci95=row.ci95() / mean,
                replications=4 if quick else 8 if udp else 24,
            )
        )
    for payload in (1500, 46):
        for stations in (2, 10) if quick else (2, 5, 10, 20, 50):
            setting = {
                "scene": "udp",
                "stations": str(stations),
                "payload": str(payload),
                "queue": "50",
            }
            found.append(
                Case(
                    f"formula: {payload} B",
                    f"formula: {stations} stations, {payload} B",
                    _text(setting, "standard"),
                    _carried,
                    efficiency(stations, payload),
                    0.05,
                    FORMULA,
                    replications=4 if quick else 8,
                )
            )
    return [*found, *_avoidance(quick)]
