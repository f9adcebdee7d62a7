"""Snoop against ns-2.35's `LL/LLSnoop`: one FTP to a mobile whose link loses packets at random.

A wired link of 10 Mbit/s, a last hop of 2 Mbit/s and 2 ms, packets of 1000 B, a window of 30; Reno, NewReno
and SACK by ns-2's rules, with the agent and without. Goodput in 100 s, what the sender sends again, and what
the agent does. The numbers are in this repository, beside the scripts that made them
(`validation/references/ns2_snoop.sh`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lasthop_validation import oracles
from lasthop_validation.judging import Case

TEXT = """
name = "snoop"
duration = "110 s"
warmup = "10 s"
conventions = "ns2.35"

[[link]]
ends = ["fixed", "base"]
rate = "10 Mbps"
delay = "{delay_ms} ms"

[[link]]
ends = ["base", "mobile"]
rate = "2 Mbps"
delay = "2 ms"
loss = {loss}
reverse_loss = 0.0

[queue]
packets = 1000

[tcp]
variant = "{variant}"
mss = "1000 B"
window = "30 packets"

[[flow]]
name = "ftp"
from = "fixed"
to = "mobile"
"""

PROXY = """
[[proxy]]
kind = "snoop"
at = "base"
mobiles = ["mobile"]
dup_thresh = 2
"""
"""The agent sends again at the second duplicate, the paper's at the first."""

SHORT = 5.0
"""The wired delay, ms, of a LAN; the other is that of a WAN."""


def _goodput(run: Mapping[str, Any]) -> float:
    return float(run["flows"][0]["goodput_bps"]) / 1000


def _sender(run: Mapping[str, Any]) -> float:
    return float(run["flows"][0]["retransmits"])


def _copies(run: Mapping[str, Any]) -> float:
    return float(run["flows"][0]["snoop"]["local_retransmissions"])


QUANTITIES: dict[str, Callable[[Mapping[str, Any]], float]] = {
    "goodput": _goodput,
    "sender": _sender,
    "copies": _copies,
}
"""By quantity: how it is taken out of a run."""

BOUNDS = {"goodput": 0.05, "copies": 0.1}

REASON = "the same rules but for what decision 48 names: expected duplicates, the weights of the round trip"


def cases(quick: bool) -> list[Case]:
    """Return a case for each number; quick: Reno and SACK over the short wire, fewer runs."""
    found: list[Case] = []
    for row in oracles.kept("ns2_snoop.csv"):
        snoop, quantity = row["snoop"] == "1", row["quantity"]
        short = float(row["delay_ms"]) == SHORT
        if quick and (row["variant"] == "newreno" or not short):
            continue
        if quantity == "sender" or (quantity == "copies" and (not snoop or row["loss"] == "0")):
            continue
        mean, ci95 = row.number("mean"), row.ci95()
        with_it = "Snoop" if snoop else "no proxy"
        found.append(
            Case(
                f"{with_it}, {'LAN' if short else 'WAN'}: {quantity}",
                f"{row['variant']}, {with_it}, loss {row['loss']}, wire {row['delay_ms']} ms: {quantity}",
                TEXT.format_map(row) + (PROXY if snoop else ""),
                QUANTITIES[quantity],
                mean,
                BOUNDS[quantity],
                REASON,
                reference_ci95=ci95 / mean,
                replications=4 if quick else 12,
            )
        )
    return found
