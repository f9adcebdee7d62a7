"""The scenarios of `handoff`: two access points on a wire, and a station that goes from one to the other."""

from __future__ import annotations

from dataclasses import dataclass

FRAME_INTERVAL_S = 0.02
"""Between two packets of a call."""

BEACON_S = 0.1024
"""Between two beacons of an access point; the first one's begin at zero."""

ON_OWN_CHANNEL_S = {"passive": 0.11264, "active": 0.040}
"""The time of a scan on a channel: the dwell time; counted from the end of the probe request, where there
is an answer."""

NETWORK = """
name = "handoff"
duration = "{duration} s"

[medium]
exponent = 3.5
reception = "thresholds"
rx_threshold = "-82 dBm"

[phy]
standard = "802.11b"

[association]
scan = "{scan}"
{rules}

[[link]]
ends = ["server", "switch"]
rate = "{rate} Mbps"
delay = "5 ms"

[[link]]
ends = ["switch", "west"]
rate = "100 Mbps"
delay = "10 us"

[[link]]
ends = ["switch", "east"]
rate = "100 Mbps"
delay = "10 us"

[[cell]]
name = "first"
access_point = "west"
stations = ["walker"]

[[cell]]
name = "second"
access_point = "east"
stations = ["desk"]
channel_number = 6

[[node]]
name = "west"
position = [0, 0]

[[node]]
name = "east"
position = [{apart}, 0]

[[node]]
name = "desk"
position = [{apart}, 5]

[[node]]
name = "walker"
position = [5, 0]
{motion}
"""

CALLS = """
[[flow]]
name = "down"
from = "server"
to = "walker"
transport = "udp"
app = { kind = "cbr", rate = "64 kbps", payload = "160 B" }
start = "6 ms"

[[flow]]
name = "up"
from = "walker"
to = "server"
transport = "udp"
app = { kind = "cbr", rate = "64 kbps", payload = "160 B" }
start = "3 ms"
"""

TRANSFERS = """
[tcp]
variant = "sack"
window = "60 kB"

[[flow]]
name = "down"
from = "server"
to = "walker"
app = "bulk"

[[flow]]
name = "up"
from = "walker"
to = "server"
app = "bulk"
"""


def leaving(scan: str, rules: str, leaves_s: float) -> str:
    """Return a scenario in which a station with a call leaves for the other access point, 300 m away, in 3 ms."""
    motion = f'waypoints = [{{ at = "{leaves_s:.6f} s", to = [295, 0], speed = "100000 m/s" }}]'
    text = NETWORK.format(duration=8, scan=scan, rules=rules, rate=100, apart=300, motion=motion)
    return text + CALLS


def walking(scan: str) -> str:
    """Return a scenario in which a station with a call walks over; it scans its own channel first."""
    rules = 'roam_below = "-75 dBm"'
    text = NETWORK.format(
        duration=20, scan=scan, rules=rules, rate=100, apart=60, motion="velocity = [2.5, 0]"
    )
    return text + CALLS


def bouncing(times: int) -> str:
    """Return a scenario in which a station with two transfers goes to and fro, so often, 50 m in 5 s."""
    places = ", ".join(
        f'{{ to = [{5 if turn % 2 else 55}, 0], speed = "10 m/s" }}' for turn in range(times)
    )
    rules = 'roam_below = "-70 dBm"\nrescan_interval = "300 ms"'
    text = NETWORK.format(
        duration=5 * times, scan="active", rules=rules, rate=2, apart=60,
        motion=f"waypoints = [{places}]",
    )  # fmt: skip
    return text + TRANSFERS


@dataclass(frozen=True)
class Going:
    """A way to change the access point.

    Attributes:
        name: For the check.
        text: The scenario; the last handoff is from one access point to the other.
        scan: Its kind.
        leaves_s: When the station is out of the old one's reach at once; None: it walks, and notices
            that the signal is weak.
    """

    name: str
    text: str
    scan: str
    leaves_s: float | None = None


def goings(quick: bool) -> list[Going]:
    """Return ways to go: three triggers, two kinds of scan, early and late in a beacon interval."""
    found = []
    for scan in ("active", "passive"):
        for trigger, rules in (("missed beacons", ""), ("failed packets", "failed_packets = 3")):
            for late in (0.05,) if quick else (0.01, 0.026, 0.05, 0.073, 0.097):
                leaves = 40 * BEACON_S + late
                name = f"{scan}, {trigger}, {1000 * late:.0f} ms after a beacon is due"
                found.append(Going(name, leaving(scan, rules, leaves), scan, leaves))
        found.append(Going(f"{scan}, weak signal", walking(scan), scan))
    return found


def shown() -> Going:
    """Return the one that the figure shows."""
    leaves = 40 * BEACON_S + 0.05
    text = leaving("active", "failed_packets = 3\nchannels = [1, 6, 11]", leaves)
    return Going("shown", text, "active", leaves)
