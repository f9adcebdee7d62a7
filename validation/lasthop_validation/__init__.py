"""References for lasthop's numbers: theory, models written apart from it, other simulators.

A comparison is a module here with at least one of

- `cases(quick) -> list[Case]`: scenarios to run, each with what should come out (`judging`);
- `checks(quick) -> list[Check]`: numbers that need no run of a scenario (`checking`).

Both return nothing where the reference numbers are not on this machine (`oracles`).
"""

from __future__ import annotations

from lasthop.errors import UsageError, nearest

COMPARISONS = {
    "dcf": "Saturated DCF, 2 Mbit/s, 1500 B packets (frames/s)",
    "dcf_ns3": "Saturated DCF, 802.11b and 802.11a, against ns-3 and a Monte Carlo",
    "dcf_ns2": "Saturated DCF, 802.11b, against ns-2.35",
    "edca": "Saturated access categories against a Monte Carlo of the standard's rules",
    "wifi6": "802.11n, ac and ax: saturation, access categories, MPDU errors, against ns-3.37",
    "wifi6_rates": "802.11n at a fixed received power: fixed, ideal and Minstrel-HT's rates, against ns-3.37",
    "wifi6_tcp": "Bulk TCP and calls through an access point that aggregates, against ns-3.37",
    "bianchi": "Saturated stations, retries without limit, every mode of 802.11b to ax, against Bianchi's model",
    "effects": "Known effects of 802.11 that come by themselves",
    "handoff": "Handoffs between access points, as captures show them",
    "channel": "Frame loss on channels with two states and with four",
    "wired": "TCP over a wired bottleneck against ns-2.35",
    "wired_wan": "TCP over a longer wired path against ns-2.35",
    "wired_ns3": "TCP over a wired bottleneck against ns-3.37 and 3.44",
    "kernel": "linux-* against the TCP of Linux 6.12 itself, on simulated links",
    "tcp_theory": "TCP under losses against closed forms (mean window in segments; PFTK: ratio)",
    "tcp_rest": "TCP at rest against the laws' papers",
    "tcp_wifi": "Bulk TCP through an 802.11 access point against ns-3 (Mbit/s)",
    "queues": "Queue disciplines before a wire and at an access point, against ns-3.37",
    "wimax": "One 802.16 cell: frames, delays, saturation, TCP, against a model of the same specification",
    "coverage": "Intervals, verdicts and advice: right as often as they promise",
    "mixtures": "Scenarios that mix everything, counted again from their packets (scenarios that do not add up)",
    "survival": "Sweeps that are killed (rows that differ from a serial run's)",
    "wireless": "Bulk TCP over 802.11 against ns-2.35 (kbit/s)",
    "snoop": "Snoop on a last hop that loses packets, against ns-2.35 (kbit/s, packets)",
    "dsdv": "DSDV on a chain and in a cell against ns-2.35 (packets, bytes, shares)",
    "lan": "Shared LANs: Ethernet against ns-2.35 and a formula, CSMA/CA against a Monte Carlo (Mbit/s)",
    "janevski": "A transfer beside film, game and chat over 802.11g against ns-2.35 (kbit/s)",
}
"""By name: what is compared, in the order in which they run."""


def choose(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the comparisons of these names, all where there is none; raises UsageError."""
    for name in names:
        if name not in COMPARISONS:
            hint = nearest(name, COMPARISONS)
            there = ", ".join(COMPARISONS)
            raise UsageError(f"no comparison {name!r}; there are: {there}{hint}")
    return names or tuple(COMPARISONS)
