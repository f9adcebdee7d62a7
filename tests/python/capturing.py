"""Runs that are captured, for tests that ask Wireshark about them."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import tshark
from lasthop import run

#: One TCP flow over a wired path with random loss; the sender's own link drops nothing.
WIRED = """
duration = "20 s"

[queue]
unlimited = true

[[link]]
ends = ["source", "router"]
rate = "100 Mbps"
delay = "1 ms"

[[link]]
ends = ["router", "sink"]
rate = "5 Mbps"
delay = "20 ms"
loss = 0.01

[tcp]
variant = "newreno"
window = "200 kB"

[[flow]]
name = "one"
from = "source"
to = "sink"
app = "bulk"
"""

#: A station sends over a channel with errors; its MAC gives up after two attempts, so TCP has something to do.
WIRELESS = """
duration = "20 s"

[queue]
unlimited = true

[[link]]
ends = ["server", "ap"]
rate = "100 Mbps"
delay = "5 ms"

[[cell]]
access_point = "ap"
stations = 2

[phy]
standard = "802.11b"
rate = "11 Mbps"

[mac]
rts = "never"
retry_limit = 2

[channel]
model = "bit_errors"
ber = 1e-5

[tcp]
variant = "newreno"
window = "60 kB"

[[flow]]
name = "up"
from = "sta1"
to = "server"
app = "bulk"

[[flow]]
name = "down"
from = "server"
to = "sta2"
app = "bulk"
"""

#: What Wireshark may call a segment that a sender sends again. A sender's own interface sees its segments in
#: the order in which they were sent, so what comes late there can only be a retransmission; Wireshark, which does
#: not know where it listens, calls it out-of-order within an initial round trip of the newest segment.
AGAIN = "(tcp.analysis.retransmission || tcp.analysis.out_of_order)"


def captured(scenario: str | Path, into: Path, **overrides: object) -> dict[str, Any]:
    """Run with captures; the result."""
    tshark.require_tshark()
    return run(scenario, overrides=overrides, pcap=into).documents[0]


def flow(document: dict[str, Any], name: str) -> dict[str, Any]:
    """Give a flow's results."""
    return next(flow for flow in document["flows"] if flow["name"] == name)


def address(document: dict[str, Any], into: Path, name: str) -> str:
    """Give a node's address, as the file's own names have it."""
    found = tshark.fields(next(into.glob(f"{name}-*.pcapng")), "ip", "ip.src_host", "ip.src")
    return next(ip for host, ip in found if host == name)


def nothing_is_wrong(into: Path) -> None:
    """Assert that Wireshark finds every packet of every file in order."""
    files = sorted(into.glob("*.pcapng"))
    assert files
    for file in files:
        times, wrong = tshark.read(file)
        assert not wrong, file.name
        assert times, file.name
        assert all(a <= b for a, b in pairwise(times)), file.name
