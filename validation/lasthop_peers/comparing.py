"""The workloads that the simulators run."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from lasthop.study.benches import workloads
from lasthop_peers import scaling
from lasthop_peers.running import Cost, Simulate, costs, komondor, lasthop, ns2, ns3, plain

REPEATS = 3

PAIRS = 32
"""Stations of the workload that Komondor runs as well."""


@dataclass(frozen=True)
class Compared:
    """A workload: what lasthop runs, what the others run, for how many simulated seconds each.

    Attributes:
        name: Its name.
        payload_bits: Of a packet.
        text: lasthop's scenario, which says its seconds itself.
        ns2, ns3: The source that they run with its arguments, and for how long; None: they do not.
        komondor: How many pairs Komondor runs, and for how long; None: it does not.
    """

    name: str
    payload_bits: int
    text: str
    ns2: tuple[tuple[str, ...], float] | None
    ns3: tuple[tuple[str, ...], float] | None
    komondor: tuple[int, float] | None = None

    def runs(self) -> dict[str, tuple[Simulate, float]]:
        """Return what is run, by simulator."""
        found = re.search(r'^duration = "([0-9.]+) s"', self.text, flags=re.M)
        assert found
        seconds = float(found[1])
        ran: dict[str, tuple[Simulate, float]] = {
            "lasthop": (lasthop(self.text), seconds),
            "plain": (lasthop(self.text, plain()), seconds),
        }
        for name, made_by, asked in (("ns-2", ns2, self.ns2), ("ns-3", ns3, self.ns3)):
            simulate = asked and made_by(*asked[0])
            if asked and simulate:
                ran[name] = (simulate, asked[1])
        if self.komondor and (simulate := komondor(self.komondor[0])):
            ran["Komondor"] = (simulate, self.komondor[1])
        return ran


def compared() -> list[Compared]:
    """Return all workloads."""
    texts = {each.name: each.text for each in workloads()}
    found = []
    # The peers' seconds: some 1 s of processor time each, or several times what building their world costs.
    for stations, ns2_s, ns3_s in ((10, 100.0, 5.0), (50, 50.0, 2.0), (200, 20.0, 1.0)):
        peers = (
            (("dcf.tcl", str(stations)), ns2_s),
            (("saturated", "802.11b", str(stations)), ns3_s),
        )
        for kind in ("dcf", "medium"):
            name = f"{kind}-{stations}"
            found.append(Compared(name, 1472 * 8, texts[name], *peers))
    found.append(
        Compared(
            f"medium-{PAIRS}",
            1472 * 8,
            scaling.stations("medium", PAIRS),
            (("dcf.tcl", str(PAIRS)), 50.0),
            (("saturated", "802.11b", str(PAIRS)), 2.0),
            (PAIRS, 2.0),
        )
    )
    name, ax = "aggregates-10", (("saturated", "802.11ax", "10"), 2.0)
    found.append(Compared(name, 1472 * 8, texts[name], None, ax))
    for name, flows, ns2_s, ns3_s in (
        ("newreno-wire", "1", 1000.0, 30.0),
        ("tcp-mixed-100", "100", 100.0, 2.0),
    ):
        ns2_, ns3_ = (("wire.tcl", flows), ns2_s), (("tcp", "wire", flows), ns3_s)
        found.append(Compared(name, 1000 * 8, texts[name], ns2_, ns3_))
    uploads = texts["tcp-uploads-10"]
    for standard, text, ns3_s in (
        ("802.11b", uploads, 5.0),
        ("802.11g", _at_54_mbps(uploads), 2.0),
    ):
        peer = (("tcp", "uploads", standard, "10"), ns3_s)
        found.append(Compared(f"tcp-uploads-10, {standard}", 1460 * 8, text, None, peer))
    return found


def _at_54_mbps(text: str) -> str:
    for old, new in (("802.11b", "802.11g"), ('"11 Mbps"', '"54 Mbps"'), ('"2 Mbps"', '"24 Mbps"')):
        assert old in text
        text = text.replace(old, new)
    return text


def compare(told: Callable[[str], None]) -> dict[str, tuple[Compared, dict[str, list[Cost]]]]:
    """Run all; `told` hears the name of what is run."""
    found = {}
    for each in compared():
        told(each.name)
        found[each.name] = (each, costs(each.runs(), REPEATS))
    return found
