"""The content of the captures of a scenario of `handoff`."""

from __future__ import annotations

import struct
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from lasthop.core import api
from lasthop.data.pcapng import (
    ASSOCIATION_RESPONSE,
    AUTHENTICATION,
    BEACON,
    DATA,
    IN,
    OUT,
    PROBE_REQUEST,
    REASSOCIATION_RESPONSE,
    Frame,
    frames,
    identity,
    packets,
    received,
)
from lasthop_validation.handoff_scenarios import ON_OWN_CHANNEL_S, Going

NANOSECOND = 1e-9
PROBE_S = 192e-6 + 8 * 43 / 1e6
"""A probe request of 802.11b: 43 bytes at 1 Mbit/s."""
RESPONSES = (ASSOCIATION_RESPONSE, REASSOCIATION_RESPONSE)


@dataclass(frozen=True)
class Seen:
    """The last handoff in the captures of a run, s.

    `left` is when the old access point is not heard any more, `frames` what the station sent and
    decoded in the whole run.
    """

    frames: list[Frame]

    last_beacon: float
    left: float
    first_request: float
    authenticated: float
    associated: float
    last_before: float
    first_after: float

    @property
    def gap(self) -> float:
        """Between data."""
        return self.first_after - self.last_before


@contextmanager
def captures(text: str, snap: int | None = None) -> Iterator[tuple[Mapping[str, Any], Path]]:
    """Run a scenario; give its results, and the folder of its captures for as long as the block lasts."""
    with tempfile.TemporaryDirectory() as folder:
        run = api.run(
            text,
            pcap=folder,
            pcap_only=["walker-*", "west-wlan0", "east-wlan0", "server-*"],
            pcap_snap=snap,
        )
        yield run.documents[0], Path(folder)


def seen(going: Going, folder: Path) -> Seen:
    """Return the handoff that the captures in `folder` end with."""
    walker = list(frames(folder / "walker-wlan0.pcapng"))
    own = next(frame.transmitter for frame in walker if frame.way == OUT)
    joins = [f for f in walker if f.receiver == own and f.kind in RESPONSES and f.way == IN]
    join, old = joins[-1], joins[-2].transmitter
    before = [frame for frame in walker if frame.at < join.at]
    beacon, left = _contact(going, before, old)
    asked = [f for f in before if f.at > beacon.at and f.kind == AUTHENTICATION and f.way == OUT]
    answered = [f for f in before if f.receiver == own and f.kind == AUTHENTICATION]
    return Seen(
        frames=walker,
        last_beacon=beacon.at * NANOSECOND,
        left=left,
        first_request=asked[0].at * NANOSECOND,
        authenticated=answered[-1].at * NANOSECOND,
        associated=join.at * NANOSECOND,
        last_before=max(f.at for f in _data(folder, old) if f.at < join.at) * NANOSECOND,
        first_after=min(
            f.at for f in _data(folder, join.transmitter) if f.at > join.at
        ) * NANOSECOND,
    )  # fmt: skip


def _contact(going: Going, before: list[Frame], old: bytes) -> tuple[Frame, float]:
    """Return the old access point's last beacon before the search, and when it is not heard any more, s."""
    beacons = [frame for frame in before if frame.kind == BEACON and frame.transmitter == old]
    if going.leaves_s is not None:
        return beacons[-1], max(going.leaves_s, beacons[-1].at * NANOSECOND)
    # Data wait from the beacon on that shows the signal to be weak; more may come while the station scans.
    last_data = max(frame.at for frame in before if frame.kind == DATA and frame.way == OUT)
    beacon = next(frame for frame in beacons if frame.at > last_data)
    scan_begins = beacon.at * NANOSECOND
    if going.scan == "active":
        probe = next(f for f in before if f.at > beacon.at and f.kind == PROBE_REQUEST)
        scan_begins = probe.at * NANOSECOND + PROBE_S
    return beacon, scan_begins + ON_OWN_CHANNEL_S[going.scan]


def _data(folder: Path, access_point: bytes) -> list[Frame]:
    """Return the data frames that got through between the station and an access point."""
    down = list(received(folder / "walker-wlan0.pcapng"))
    up = [f for name in ("west", "east") for f in received(folder / f"{name}-wlan0.pcapng")]
    return [f for f in down + up if access_point in (f.transmitter, f.receiver)]


# What came twice.


def twice(folder: Path) -> float:
    """Return how many more packets came than were sent, either way."""
    server = list(packets(folder / "server-eth0.pcapng"))
    walker = list(frames(folder / "walker-wlan0.pcapng"))
    # Attempts with one packet follow each other: an interface queue keeps its order.
    attempts = (identity(f.packet) for f in walker if f.kind == DATA and f.way == OUT)
    up_sent = [packet for packet, _ in groupby(attempts)]
    up_came = [identity(packet.data) for packet in server if packet.way == IN]
    down_sent = [identity(packet.data) for packet in server if packet.way == OUT]
    down_came = [identity(f.packet) for f in received(folder / "walker-wlan0.pcapng")]
    return float(more(up_came, up_sent) + more(down_came, down_sent))


def more(came: Iterable[bytes], sent: Iterable[bytes]) -> int:
    """Return how many came more often than they were sent."""
    return (Counter(came) - Counter(sent)).total()


def steps(path: Path) -> tuple[list[float], list[float]]:
    """Return when the transfers get on, as the server sees it: an acknowledgement of new data, new data."""
    ahead = {"ack": 0, "data": 0}
    times: dict[str, list[float]] = {"ack": [], "data": []}
    for packet in packets(path):
        if packet.way != IN:
            continue
        sequence, acknowledged = struct.unpack_from(">II", packet.data, 24)
        headers = 20 + (packet.data[32] >> 4) * 4
        has_data = struct.unpack_from(">H", packet.data, 2)[0] > headers
        kind, number = ("data", sequence) if has_data else ("ack", acknowledged)
        if number > ahead[kind]:
            ahead[kind] = number
            times[kind].append(packet.at * NANOSECOND)
    return times["ack"], times["data"]
