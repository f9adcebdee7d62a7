"""DSDV on a chain of stations and in the cell of petrovic2003: the engine against ns-2.35.

Over the chain goes a datagram flow of 10 packets/s from the first moment; in the cell bulk TCP to each of
five stations, with and without errors (each receiver has a state of its own, and in the bad one every frame
is lost, updates too). Delivery is what arrives in 100 s, overhead the updates that are sent. The numbers are
in this repository, beside the scripts that made them (`validation/references/ns2_dsdv.sh`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lasthop_validation import oracles
from lasthop_validation.judging import Case

COMMON = """
name = "dsdv"
duration = "100 s"
conventions = "ns2.35"

[medium]

[routing]
kind = "dsdv"

[queue]
packets = 50

[phy]
standard = "802.11"
rate = "2 Mbps"

[mac]
rts = "{rts}"
"""

SCENES = {
    "chain": """
[[cell]]
name = "chain"
stations = {stations}
placement = "line 200 m"
routing_header = "20 B"

[[flow]]
name = "datagrams"
from = "sta1"
to = "sta{stations}"
app = {{ kind = "cbr", rate = "40960 bps", payload = "512 B" }}
""",
    "cell": """
[[link]]
ends = ["server", "ap"]
rate = "5 Mbps"
delay = "2 ms"

[[cell]]
name = "cell"
access_point = "ap"
stations = {stations}
placement = "circle 10 m"

[tcp]
variant = "reno"
mss = "1000 B"
window = "{window} packets"

[[flow]]
name = "bulk"
from = "server"
to = "sta*"
""",
}

ERRORS = """
[channel]
model = "gilbert_elliott"
mean_good = "100 ms"
mean_bad = "33.3 ms"
ber_good = 0.0
ber_bad = 0.5
state_per = "receiver"
control_frames = true
"""


def _arrived(run: Mapping[str, Any]) -> float:
    return float(sum(flow["packets_delivered"] for flow in run["flows"]))


def _least_share(run: Mapping[str, Any]) -> float:
    came = [flow["packets_delivered"] for flow in run["flows"]]
    return float(min(came) / max(sum(came), 1))


def _updates(run: Mapping[str, Any]) -> float:
    return float(run["dsdv"]["full_updates"] + run["dsdv"]["incremental_updates"])


QUANTITIES: dict[str, tuple[Callable[[Mapping[str, Any]], float], float, bool]] = {
    "arrived": (_arrived, 0.05, False),
    "least_share": (_least_share, 0.03, True),
    "updates": (_updates, 0.05, False),
    "update_bytes": (lambda run: float(run["dsdv"]["update_bytes"]), 0.05, False),
    "heard": (lambda run: float(run["dsdv"]["updates_heard"]), 0.05, False),
}
"""By quantity: how it is taken out of a run, the bound, and whether that is absolute."""

REASON = "the same rules; ns-2 also asks for addresses (ARP) and puts updates before what waits"


def cases(quick: bool) -> list[Case]:
    """Return a case for each number; quick: the shortest chain and the cells with errors, fewer runs."""
    found: list[Case] = []
    for row in oracles.kept("ns2_dsdv.csv"):
        scene, stations, errors = row["scene"], row["stations"], row["errors"] == "1"
        if quick and not errors and (scene, stations) != ("chain", "3"):
            continue
        quantity = row["quantity"]
        if scene == "chain" and quantity == "least_share":
            continue  # of one flow
        text = (COMMON + SCENES[scene]).format_map(row) + (ERRORS if errors else "")
        measure, bound, absolute = QUANTITIES[quantity]
        mean, ci95 = row.number("mean"), row.ci95()
        words = f"RTS {row['rts']}, window {row['window']}" if scene == "cell" else "RTS always"
        words += ", errors" if errors else ""
        found.append(
            Case(
                f"{scene}: {quantity}",
                f"{scene} of {stations}, {words}: {quantity}",
                text,
                measure,
                mean,
                bound,
                REASON,
                reference_ci95=ci95 if absolute else ci95 / mean,
                replications=10 if quick else 200 if scene == "chain" else 40,
                absolute=absolute,
            )
        )
    return found
