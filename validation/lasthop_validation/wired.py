"""One TCP flow over a wired bottleneck: the engine against ns-2.35.

The settings are those of the reference runs: 1000 B of payload and 40 B of header, initial window
2, minimum RTO 0.2 s, first RTO 3 s, clock of 10 ms, limited transmit, goodput from 20 to 120 s.

The reference rows with random loss are means of 5 or 10 runs, whose losses were by chance up to 7 %
fewer or more than the probability set. Goodput goes with a root or a power of that, so the engine
is given the probability that the reference runs met: packets lost over packets sent.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from lasthop.core import api
from lasthop_validation import oracles
from lasthop_validation.judging import Case
from lasthop_validation.wired_path import (
    SCENARIO,
    Goodput,
    Reference,
    goodput_case,
    reference,
    resent_case,
    window_case,
)

ONE_WAY = """
variant = "{variant}"
mss = "1000 B"
header = "40 B"
"""
"""Agent/TCP and its kin."""

NO_HEADER = """
variant = "{variant}"
mss = "960 B"
header = "40 B"
"""
"""Agent/TCP/Vegas puts no header on its packets of 1000 B, which count in full."""

LINUX = """
variant = "{variant}"
mss = "1000 B"
header = "50 B"
ssthresh_base = "whole_cwnd"
slow_start_at_threshold = true
detect_lost_retransmits = true
dup_thresh = 4
rto_granularity = "1 ms"
rto_max = "120 s"
frto = false
undo = false
"""
"""Agent/TCP/Linux: Linux 2.6.22's laws over SACK, in whole segments.

Slow start goes on up to cwnd = ssthresh; its clock ticks in ms; a loss is told by a SACKed segment
four on, and a lost retransmission by what was sent after it.
"""

HALVING = 'sack_reduction = "rate_halving"\n'
"""Recovery of the laws that take Reno's least window, half the threshold."""

BYTES = 'abc_limit = "unlimited"\nexit_grows = true\n'
"""Reno's avoidance, and its users', counts bytes (RFC 3465), those of a recovery too."""

RECOVERIES = {
    "linux26-reno": HALVING + BYTES,
    "linux26-vegas": HALVING + 'abc_limit = "unlimited"\n',
    "linux26-westwood": 'sack_reduction = "pipe"\n' + BYTES,
    "linux26-veno": 'sack_reduction = "threshold_halving"\n',
}
"""The amount sent in recovery; Westwood's least window is the content of the path, at once. Veno has none."""

OPTIONS = {
    "vegas": 'spread = true, diff = "counted"',
    "linux26-vegas": 'rounds = "delivery"',
    "linux26-westwood": 'interval = "srtt", least = "srtt", threshold = "half"',
    "linux26-cubic": "beta = 0.7998046875, full_alpha = false, whole = 1, ack_ratio = 1.9375",
}
"""Choices of ns-2, and of Linux 2.6.22, that are not our defaults."""

SINKS = {
    "ack": "delayed_ack = false",
    "delack": 'delayed_ack = { segments = 2, timeout = "100 ms" }',
}


@dataclass(frozen=True)
class Agent:
    """An agent of ns-2: our settings for it, and its bytes for each of ours."""

    tcp: str
    scale: float = 1.0


def known_variants() -> dict[str, str]:
    """Return the variants that there are here, by name."""
    return {each["name"]: each["name"] for each in api.catalogue()["variants"]}


def agent(variant: str) -> Agent:
    """Return the substitute of this agent; the references' Linux is 2.6.22."""
    variant = variant.replace("linux-", "linux26-")
    if variant == "vegas":
        template, scale = NO_HEADER, 1000 / 960
    else:
        template, scale = LINUX if variant.startswith("linux26-") else ONE_WAY, 1.0
    options = f"law_options = {{ {OPTIONS.get(variant, '')} }}"
    recovery = RECOVERIES.get(variant, "")
    return Agent(f"{template.format(variant=variant)}{recovery}{options}", scale)


def met(ref: Reference) -> float:
    """Return the probability of loss that the runs behind a row met."""
    if ref.settings.number("p") == 0:
        return 0.0
    return ref.mean("errloss") / (ref.scale * ref.metrics["qdep"].reference())


def scenario(ref: Reference, access: int, bottleneck: int, delayed: str = "") -> str:
    """Return the scenario of a row; delays in ms."""
    return SCENARIO.format(
        duration=120,
        warmup=20,
        conventions="ns2.35",
        access=access,
        bottleneck=bottleneck,
        queue=ref.settings.whole("Q", least=1),
        loss=met(ref),
        tcp=f'{agent(ref.settings.among("variant", known_variants())).tcp}\nwindow = "10000 packets"\n{delayed}',
    )


def steady(ref: Reference, text: str, name: str) -> list[Case]:
    """Return the cases of a row from 20 s on: goodput, mean window where it is known, sent again."""
    variant = ref.settings["variant"]
    lossy = "random loss" if ref.settings.number("p") > 0 else "queue losses only"
    goodput = replace(
        goodput_case(f"{variant}, {lossy}", name, text, ref, "ss_goodput_bps"),
        measure=Goodput(agent(variant).scale),
    )
    again = resent_case(goodput, ref, "ss_rexmt_pkts")
    if "ss_cwnd_mean" not in ref.metrics:
        return [goodput, again]
    return [goodput, window_case(goodput, ref, "ss_cwnd_mean"), again]


def _cases(ref: Reference) -> list[Case]:
    delayed = ref.settings.among("sink", SINKS)
    name = "{variant}, queue {Q}, loss {p}, {sink}".format(**ref.settings)
    return steady(ref, scenario(ref, 1, 20, delayed), name)


def cases(quick: bool) -> list[Case]:
    """Return the cases of every reference row; quick: of every sixth."""
    found = oracles.configurations(oracles.table("ns2/wired.csv"), ("variant", "Q", "p", "sink"))
    return oracles.each(found[:: 6 if quick else 1], lambda rows: _cases(reference(rows)))
