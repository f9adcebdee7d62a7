"""Bulk TCP through an 802.11 access point that routes: the engine against ns-3.37.

A host behind 100 Mbit/s and 10 ms, an access point, one or five stations with a flow each, up or
down; NewReno's and CUBIC's laws with SACK, payload of 1448 B and timestamps. The queue holds Q
packets, the one in service among them, at the access point and at each station. No errors, no RTS.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lasthop_validation import oracles
from lasthop_validation.judging import Case
from lasthop_validation.saturated import bits

BOUND = 0.05
REASON = "the same prescriptions; ns-3 sends beacons and has TCP details of its own"

PHYS = {
    "b": 'standard = "802.11b"\nrate = "11 Mbps"\ncontrol_rate = "2 Mbps"',
    "g": 'standard = "802.11g"\nrate = "54 Mbps"\ncontrol_rate = "24 Mbps"\nsense_time = "4 us"',
}
WARMUP_S = {"40.0": 10, "15.0": 3}
"""By the length of the reference runs: what they did not count (delivered packets over goodput)."""

SCENARIO = """
name = "tcp_wifi"
duration = "{duration} s"
warmup = "{warmup} s"

[[link]]
ends = ["server", "ap"]
rate = "100 Mbps"
delay = "10 ms"
queue = "unlimited"

[[cell]]
name = "cell"
access_point = "ap"
stations = {stations}
queue = {{ packets = {queue}, counts = "with_service" }}

[phy]
{phy}

[mac]
access = "difs_from_request"
bystanders = "difs"
retry_limit = 7

[tcp]
recovery = "sack"
law = "{law}"
mss = "1448 B"
timestamps = true
header = "40 B"
{delayed}

[[flow]]
name = "bulk"
from = "{source}"
to = "{sink}"
transport = "tcp"
app = "bulk"
start_spread = "1 s"
"""

LAWS = {"TcpNewReno": "reno", "TcpCubic": "cubic"}


def mbps(run: Mapping[str, Any]) -> float:
    """Return the goodput of all flows together, Mbit/s."""
    return bits(run) / 1e6


def _cases(row: oracles.Row) -> list[Case]:
    up = row.among("dir", {"up": True, "down": False})
    text = SCENARIO.format(
        duration=row["sim_seconds"],
        warmup=row.among("sim_seconds", WARMUP_S),
        stations=row.whole("nf", least=1),
        queue=row.whole("Q", least=1),
        phy=row.among("phy", PHYS),
        law=row.among("cc", LAWS),
        delayed="delayed_ack = true" if row["delack"] == "2" else "",
        source="sta*" if up else "server",
        sink="server" if up else "sta*",
    )
    delayed = ", delayed ACKs" if row["delack"] == "2" else ""
    case = Case(
        f"802.11{row['phy']}",
        f"802.11{row['phy']} {row['cc']} {row['dir']}, {row['nf']} flows, queue {row['Q']}{delayed}",
        text,
        mbps,
        row.reference(),
        BOUND,
        REASON,
        reference_ci95=row.ci95(),
    )
    return [case]


def cases(quick: bool) -> list[Case]:
    """Return a case for each reference row; quick: every sixth."""
    rows = oracles.table("ns3/tcp_over_wifi.csv", metric="goodput_mbps") or []
    return oracles.each(rows[:: 6 if quick else 1], _cases)
