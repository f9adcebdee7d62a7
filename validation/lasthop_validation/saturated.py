"""A saturated cell as a scenario, and what is read from its runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lasthop_validation.judging import Measure

SCENARIO = """
name = "saturated"
duration = "{duration} s"
warmup = "{warmup} s"
conventions = "{conventions}"

[[cell]]
name = "cell"
access_point = "ap"
stations = {stations}
routing_header = "0 B"

[phy]
standard = "{standard}"
rate = "{rate} Mbps"
{phy}

[mac]
rts = "{rts}"
short_retry_limit = {short}
long_retry_limit = {long}
{mac}

[[flow]]
name = "up"
from = "sta*"
to = "ap"
transport = "udp"
app = {{ kind = "saturated", payload = "{payload} B" }}
"""

MODERN = """
duration = "{duration} s"
warmup = "{warmup} s"

[[cell]]
access_point = "ap"
stations = {stations}

[phy]
standard = "{standard}"
mcs = {mcs}
streams = 1
width = "{width} MHz"
guard_interval = "800 ns"
{phy}

[mac]
bystanders = "{bystanders}"
retry_limit = {attempts}

[qos]
{categories}
lifetime = "1000 s"
"""
"""A cell of 802.11n, ac or ax without aggregation, whose flows come behind it."""


def category(name: str, aifsn: int, windows: tuple[int, int], txop_us: int = 0) -> str:
    """Return the key of an access category that aggregates nothing, by its windows in slots."""
    least, most = windows
    return (
        f'{name} = {{ aifsn = {aifsn}, cw_min = {least}, cw_max = {most}, txop = "{txop_us} us", '
        'ampdu = "0 B", amsdu = "0 B" }'
    )


def scenario(
    *,
    stations: int,
    standard: str,
    rate: float | str,
    payload: int,
    rts: bool = False,
    limits: tuple[int | None, int | None] = (7, 7),
    duration: float = 65,
    warmup: float = 5,
    conventions: str = "standard",
    phy: str = "",
    mac: str = "",
) -> str:
    """Return a scenario in which all stations always have a datagram for the access point.

    `limits` are those of attempts, short and long; None: no limit. `phy` and `mac` are further
    lines of those tables.
    """
    short, long = ('"none"' if limit is None else limit for limit in limits)
    return SCENARIO.format(
        stations=stations,
        standard=standard,
        rate=rate,
        payload=payload,
        rts="always" if rts else "never",
        short=short,
        long=long,
        duration=duration,
        warmup=warmup,
        conventions=conventions,
        phy=phy,
        mac=mac,
    )


def bits(run: Mapping[str, Any]) -> float:
    """Return the payload that arrives, bit/s, of all stations together."""
    return float(sum(flow["goodput_bps"] for flow in run["flows"]))


def frames(payload: int) -> Measure:
    """Return the measure of frames of `payload` bytes that arrive in a second."""
    return lambda run: bits(run) / (8 * payload)


def collided(run: Mapping[str, Any]) -> float:
    """Return the part of all attempts that collided."""
    attempts = float(sum(station["attempts"] for station in run["stations"]))
    return float(sum(station["collisions"] for station in run["stations"])) / attempts


def jain(run: Mapping[str, Any]) -> float:
    """Return Jain's index of what the stations delivered in the measured time."""
    return float(run["jain"])
