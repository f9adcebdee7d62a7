"""Queue disciplines: a bulk download and a call through a bottleneck, against ns-3.37's own.

A server behind 100 Mbit/s and 10 ms; then a wire of 10 Mbit/s and 5 ms, or an access point of
802.11a at 12 Mbit/s. NewReno's law with SACK, 1448 B and timestamps, beside 172 B every 20 ms. The
discipline stands before the slow hop. The numbers are in this repository, beside the program that
made them (`validation/references/ns3_queues.cc`): device queues and MAC queues there hold one packet.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lasthop_validation import oracles
from lasthop_validation.judging import Case, Measure

BOUND = 0.05
REASON = "the same documents; ns-3 keeps a packet more, in the device's queue"

QUEUES = {
    "drop_tail": '"100 packets"',
    "codel": '{ discipline = "codel", packets = 1000 }',
    "fq_codel": '"fq_codel"',
    # CAKE without its shaper, tins and hosts is a queue for each flow with COBALT.
    "fq_cobalt": '{ discipline = "cake", isolation = "flows", tins = "besteffort" }',
    "pie": '{ discipline = "pie", packets = 1000 }',
    "red": '{ discipline = "red", packets = 1000 }',
}

HOPS = {
    "wire": """
[[link]]
ends = ["ap", "sta"]
rate = "10 Mbps"
delay = "5 ms"
queue = {queue}
""",
    "wifi": """
[[cell]]
name = "cell"
access_point = "ap"
stations = ["sta"]

[[node]]
name = "ap"
queue = {queue}

[phy]
standard = "802.11a"
rate = "12 Mbps"

[mac]
access = "difs_from_request"
bystanders = "difs"
retry_limit = 7
""",
}

SCENARIO = """
name = "queues"
duration = "65 s"
warmup = "5 s"

[tcp]
variant = "sack"
mss = "1448 B"
header = "40 B"
timestamps = true

[[link]]
ends = ["server", "ap"]
rate = "100 Mbps"
delay = "10 ms"
queue = "1000 packets"

[[flow]]
name = "bulk"
from = "server"
to = "sta"
transport = "tcp"
app = "bulk"
start = "1 s"

[[flow]]
name = "call"
from = "server"
to = "sta"
transport = "udp"
app = {{ kind = "periodic", payload = "172 B", interval = "20 ms" }}
start = "1.003 s"
"""


def _delay_ms(flow: int) -> Measure:
    return lambda run: float(run["flows"][flow]["delay_s"]["mean"]) * 1e3


def _goodput(run: Mapping[str, Any]) -> float:
    return float(run["flows"][0]["goodput_bps"]) / 1e6


QUANTITIES: dict[str, Callable[[Mapping[str, Any]], float]] = {
    "goodput_mbps": _goodput,
    "bulk_ms": _delay_ms(0),
    "call_ms": _delay_ms(1),
}


def cases(quick: bool) -> list[Case]:
    """Return a case for each number; quick: on the wire only, with fewer replications."""
    found: list[Case] = []
    for row in oracles.kept("ns3_queues.csv"):
        device, discipline, quantity = row["device"], row["discipline"], row["quantity"]
        if quick and device != "wire":
            continue
        text = (SCENARIO + HOPS[device]).format(queue=QUEUES[discipline])
        mean = row.number("mean")
        found.append(
            Case(
                f"{device}: {quantity}",
                f"{discipline} before a {device}: {quantity}",
                text,
                QUANTITIES[quantity],
                mean,
                BOUND,
                REASON,
                reference_ci95=row.ci95() / mean,
                replications=3 if quick else 10,
            )
        )
    return found
