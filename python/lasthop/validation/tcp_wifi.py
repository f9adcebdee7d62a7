"""Bulk TCP through an 802.11 access point that routes: the engine against ns-3.37.

A host behind 100 Mbit/s and 10 ms, an access point, one or five stations with a flow each, up or
down; NewReno's and CUBIC's laws with SACK, payload of 1448 B and timestamps. The queue holds Q
packets, the one in service among them, at the access point and at each station. No errors, no RTS.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from lasthop.stats import t_quantile
from lasthop.validation import oracles
from lasthop.validation.judging import Case
from lasthop.validation.saturated import bits

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


def _case(row: Mapping[str, str]) -> Case:
    up = row["dir"] == "up"
    text = SCENARIO.format(
        duration=row["sim_seconds"],
        warmup=WARMUP_S[row["sim_seconds"]],
        stations=row["nf"],
        queue=row["Q"],
        phy=PHYS[row["phy"]],
        law=LAWS[row["cc"]],
        delayed="delayed_ack = true" if row["delack"] == "2" else "",
        source="sta*" if up else "server",
        sink="server" if up else "sta*",
    )
    seeds = int(row["n_seeds"])
    delayed = ", delayed ACKs" if row["delack"] == "2" else ""
    return Case(
        f"802.11{row['phy']}",
        f"802.11{row['phy']} {row['cc']} {row['dir']}, {row['nf']} flows, queue {row['Q']}{delayed}",
        text,
        mbps,
        float(row["mean"]),
        BOUND,
        REASON,
        reference_ci95=t_quantile(0.95, seeds - 1) * float(row["std"]) / math.sqrt(seeds),
    )


def cases(quick: bool) -> list[Case]:
    """Return a case for each reference row; quick: every sixth."""
    rows = oracles.table("ns3/tcp_over_wifi.csv", metric="goodput_mbps") or []
    return [_case(row) for row in rows[:: 6 if quick else 1]]
