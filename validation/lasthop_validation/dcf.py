"""Saturated stations in one cell: the engine against the contention-level Monte Carlo.

Also one station against the hand calculation, and unlimited retries against Bianchi's model.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lasthop_validation import theory
from lasthop_validation.contended import contended
from lasthop_validation.dcf_monte_carlo import US, Timing
from lasthop_validation.judging import Case, Deferred

PAYLOAD = 1472
"""Bytes of UDP payload: with 28 B of UDP and IP header a packet of 1500 B."""
PSDU = PAYLOAD + 28 + 36
"""And 24 B of MAC header, 8 B of LLC/SNAP and 4 B of FCS: 1536 B on the air."""

HAND_BOUND = 0.001
BIANCHI_BOUND = 0.02

SCENARIO = """
name = "saturated"
duration = "{duration} s"
warmup = "5 s"

[[cell]]
name = "cell"
access_point = "ap"
stations = {stations}

[phy]
standard = "802.11"
rate = "2 Mbps"
control_rate = "{control} Mbps"
preamble = "long"

[mac]
rts = "{rts}"
{limits}
bystanders = "{bystanders}"

[[flow]]
name = "up"
from = "sta*"
to = "ap"
transport = "udp"
app = {{ kind = "saturated", payload = "{payload} B" }}
"""

LIMITED = "short_retry_limit = 7\nlong_retry_limit = 7"
UNLIMITED = 'short_retry_limit = "none"\nlong_retry_limit = "none"'


def frames(run: Mapping[str, Any]) -> float:
    """Return delivered frames a second, all stations together."""
    return float(sum(flow["goodput_bps"] for flow in run["flows"])) / (8 * PAYLOAD)


def _scenario(stations: int, rts: bool, bystanders: str, control: int, limits: str) -> str:
    return SCENARIO.format(
        duration=65,
        stations=stations,
        rts="always" if rts else "never",
        bystanders=bystanders,
        control=control,
        limits=limits,
        payload=PAYLOAD,
    )


def _contention(stations: int, rts: bool, bystanders: str) -> Case | Deferred:
    rules = Timing(2e6, 1e6).rules(PSDU, rts=rts, bystanders=bystanders)
    text = _scenario(stations, rts, bystanders, 1, LIMITED)
    label = f"{stations} stations, {'RTS' if rts else 'no RTS'}, bystanders {bystanders}"
    if stations == 1:
        return Case(
            "hand calculation",
            f"{label}: by hand",
            text,
            frames,
            theory.one_station(rules),
            HAND_BOUND,
            "the mean backoff is the only thing random",
        )
    return contended(label, text, frames, rules, stations, 10)


def _bianchi(stations: int) -> Case:
    # The model's ACK is sent at 2 Mbit/s (248 us), and its EIFS is built from that ACK.
    timing = Timing(2e6, 2e6)
    data, ack = timing.frame(PSDU, 2e6), timing.frame(14, 2e6)
    rules = timing.rules(PSDU, attempts=None, bystanders="difs", eifs=308 * US)
    rate = theory.bianchi(rules, stations, data, ack, timing.sifs)
    text = _scenario(stations, False, "difs", 2, UNLIMITED)
    name = f"{stations} stations, retries unlimited: Bianchi"
    reason = "the model takes slots as aligned and collisions as independent"
    return Case("Bianchi", name, text, frames, rate, BIANCHI_BOUND, reason)


def cases(quick: bool) -> list[Case | Deferred]:
    """Return the cases; quick: without RTS and with the standard's bystanders only."""
    counts = (1, 2, 5, 10, 20, 50)
    kinds = [(False, "eifs")] if quick else [(False, "eifs"), (False, "difs"), (True, "eifs")]
    found = [_contention(n, rts, bystanders) for rts, bystanders in kinds for n in counts]
    return [*found, *(_bianchi(n) for n in (5, 10, 20, 50))]
