"""Handoffs between networks: the gap in the captures against the parts, Mobile IP's among them (RFC 5944).

A home agent and two foreign agents on a wire; a node with a call goes from one's cell into the other's. The gap is
read from the captures of the radio interfaces: the longer of the holes over the node's link, to it and from it.
"""

from __future__ import annotations

import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

from lasthop.core import api
from lasthop.data.pcapng import DATA, IN, LLC, OUT, Frame, frames, received
from lasthop_validation.checking import Check
from lasthop_validation.handoff_scenarios import CALLS, NETWORK

NANOSECOND = 1e-9
ROUNDING_S = 5e-9
"""Seven parts and two readings, each to a nanosecond."""
ACCESS_S = 0.001
"""A frame of another station, a DIFS and a first backoff: a request waits for the medium."""
PARTS = (
    "detection", "scan", "authentication", "association", "discovery", "registration", "resumption",
)  # fmt: skip
PORT = bytes([1, 0xB2])
"""434: RFC 5944, section 3.3."""

AGENTS = """
[mobile_ip]
preset = "rfc5944"
home_agent = "home"
mobile_nodes = ["walker"]
link_trigger = {trigger}

[[link]]
ends = ["switch", "home"]
rate = "100 Mbps"
delay = "10 ms"
"""
GROUPS = (
    "Mobile IP: gap in the captures against the parts",
    "Mobile IP: request to reply in the captures",
)
GOINGS = {
    "walks": ("60", "20", 'roam_below = "-75 dBm"', "velocity = [2.5, 0]"),
    "leaves at once": ("300", "10", "", 'waypoints = [{ at = "4.15 s", to = [295, 0], speed = "100000 m/s" }]'),
}  # fmt: skip


def checks(quick: bool) -> list[Check]:
    """Return the checks of every way to go, with and without a hint from the link (RFC 4957)."""
    found = []
    for scan in ("active",) if quick else ("active", "passive"):
        for name in GOINGS:
            for trigger in (True, False):
                found += _of_one(name, scan, trigger)
    return found


def scenario(name: str, scan: str, trigger: bool) -> str:
    """Return the scenario of a way to go."""
    apart, duration, rules, motion = GOINGS[name]
    text = NETWORK.format(
        duration=duration, scan=scan, rules=rules, rate=100, apart=apart, motion=motion
    )
    return text + AGENTS.format(trigger=str(trigger).lower()) + CALLS


def _of_one(name: str, scan: str, trigger: bool) -> list[Check]:
    told = f"{name}, {scan} scan, {'told by the link' if trigger else 'by advertisements'}"
    with tempfile.TemporaryDirectory() as at:
        folder = Path(at)
        run = api.run(scenario(name, scan, trigger), pcap=folder, pcap_only=["*-wlan0"])
        moves = [each for each in run.documents[0]["handoffs"] if _is_move(each)]
        parts = moves[-1]
        gap = longest_hole(folder, "walker", ("west", "east"), parts["at_s"])
        asked = answer_s(folder / "walker-wlan0.pcapng", parts["at_s"])
    whole = sum(parts[f"{part}_s"] for part in PARTS)
    return [
        Check(GROUPS[0], told, gap, whole, ROUNDING_S, "the same frames, to a nanosecond each",
              absolute=True),
        Check(GROUPS[1], told, asked, parts["registration_s"], ACCESS_S,
              "the request waits for the medium", absolute=True),
    ]  # fmt: skip


def _is_move(handoff: dict[str, Any]) -> bool:
    ends = (handoff["from"], handoff["to"])
    return handoff["station"] == "walker" and ends == ("west", "east")


def longest_hole(folder: Path, node: str, agents: tuple[str, ...], at_s: float) -> float:
    """Return the longer of the holes around a moment in what the node gets, and in what it gets through, s."""
    down = list(received(folder / f"{node}-wlan0.pcapng"))
    up = [frame for agent in agents for frame in received(folder / f"{agent}-wlan0.pcapng")]
    return max(hole_at(at_s, way) for way in (down, up))


def hole_at(at_s: float, got: list[Frame]) -> float:
    """Return the time between the last packet of a flow before a moment and the first after it, s."""
    times = sorted(frame.at * NANOSECOND for frame in got if not is_message(frame.packet))
    return next(after - before for before, after in pairwise(times) if after > at_s)


def answer_s(capture: Path, at_s: float) -> float:
    """Return the time from the last request before a moment to the first reply after that request, s."""
    messages = [f for f in frames(capture) if f.kind == DATA and is_message(f.body[LLC:])]
    asked = [f.at * NANOSECOND for f in messages if f.way == OUT]
    answered = [f.at * NANOSECOND for f in messages if f.way == IN]
    request = max(time for time in asked if time < at_s)
    return min(time for time in answered if time > request) - request


def is_message(packet: bytes) -> bool:
    """Return whether an IPv4 packet holds a message of Mobile IP: UDP from and to port 434."""
    return packet[9] == 17 and packet[20:24] == PORT + PORT
