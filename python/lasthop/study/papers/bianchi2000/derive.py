"""The simulated saturation throughput over that of Bianchi's model, at the same times."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from lasthop.claims import Table

# IEEE 802.11-2020, clause 16: times in us, with a slot of 20 us.
SLOT, SIFS, DIFS = 20.0, 10.0, 50.0
PREAMBLE = 192.0
"""The long preamble and the PLCP header."""
PACKET, HEADERS, ANSWER, REQUEST = 1500, 36, 14, 20
"""Bytes: the packet, its MAC and LLC headers with the FCS, CTS and ACK, RTS."""
BASIC = {1: 1.0, 11: 2.0}
"""Mbit/s of control frames by the data's (10.6.6.5)."""


def tables(made: Mapping[str, Table]) -> dict[str, Table]:
    """Return simulated over modelled throughput of every setting of the study."""
    simulated = made.get("throughput")
    if simulated is None:
        return {}
    found = []
    for key, values in simulated.cells.items():
        setting = dict(zip(simulated.axes, key, strict=True))
        found.append((setting, values / (1472 / PACKET * 1e6 * modelled(setting))))
    return {"over_model": Table.of("over_model", found)} if found else {}


def modelled(setting: Mapping[str, Any]) -> float:
    """Return the model's throughput in packets of 1500 B, Mbit/s.

    The paper's equations for tau, p, S and, for basic access, the times busy, as BianchiPy states them, without
    propagation delay. For RTS/CTS they were not read: the medium is busy for the standard's
    exchange, or for one RTS.
    """
    n: int = setting["stations"]
    window, stages = map(int, re.findall(r"\d+", setting["window"]))
    rate: int = setting["rate"]
    tau = attempts(n, window, stages)
    busy = 1 - (1 - tau) ** n
    success = n * tau * (1 - tau) ** (n - 1)
    answer = PREAMBLE + 8 * ANSWER / BASIC[rate]
    data = PREAMBLE + 8 * (PACKET + HEADERS) / rate
    if setting["rts"] == "on":
        request = PREAMBLE + 8 * REQUEST / BASIC[rate]
        good = request + answer + data + answer + 3 * SIFS + DIFS
        bad = request + DIFS
    else:
        good, bad = data + SIFS + answer + DIFS, data + DIFS
    return success * 8 * PACKET / ((1 - busy) * SLOT + success * good + (busy - success) * bad)


def attempts(n: int, window: int, stages: int) -> float:
    """Return tau, the probability that a station sends in a slot: the fixed point by bisection.

    With the sum of (2p)^i, as BianchiPy has it, it has no pole at p = 1/2.
    """
    low, high = 0.0, 1.0
    for _ in range(60):
        tau = (low + high) / 2
        p = 1 - (1 - tau) ** (n - 1)
        said = 2 / (1 + window + p * window * sum((2 * p) ** i for i in range(stages)))
        low, high = (tau, high) if said > tau else (low, tau)
    return (low + high) / 2
