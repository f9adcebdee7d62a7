"""Half-duplex Ethernet: saturated stations and TCP against ns-2.35, and against a formula of efficiency.

Saturated datagrams of 2 to 50 stations to a server, and FTP sessions (window 32, 128 B) between two hosts and from
as many stations to one. The numbers of ns-2 are in this repository, beside the scripts that made them
(`validation/references/ns2_lan.sh`). The formula is Metcalfe and Boggs's (1976): k stations, each of
which sends in a slot of contention with the best probability, 1/k, which binary backoff does not know.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lasthop_validation.judging import Case

REFERENCES = Path(__file__).parents[1] / "references" / "ns2_lan.csv"

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


def cases(quick: bool) -> list[Case]:
    """Return a case for each number; quick: few stations and sessions, fewer runs."""
    found = []
    with REFERENCES.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            udp, mean = row["scene"] == "udp", float(row["mean"])
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
                    reference_ci95=float(row["ci95"]) / mean,
                    replications=4 if quick else 8 if udp else 24,
                )
            )
    for payload in (1500, 46):
        for stations in (2, 10) if quick else (2, 5, 10, 20, 50):
            row = {
                "scene": "udp",
                "stations": str(stations),
                "payload": str(payload),
                "queue": "50",
            }
            found.append(
                Case(
                    f"formula: {payload} B",
                    f"formula: {stations} stations, {payload} B",
                    _text(row, "standard"),
                    _carried,
                    efficiency(stations, payload),
                    0.05,
                    FORMULA,
                    replications=4 if quick else 8,
                )
            )
    return found
