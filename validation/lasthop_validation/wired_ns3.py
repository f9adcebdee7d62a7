"""One TCP flow over a wired bottleneck: the engine against ns-3.37 and 3.44.

ns-3's TCP has SACK everywhere, PRR or RFC 6675's recovery, timestamps (or not), no F-RTO and no
undo; 1000 B of payload, 54 B of headers with timestamps and PPP's two; initial window 10, RTO 1 s
at least. Whole runs of 100 s, and goodput from 10 s on too.
"""

from __future__ import annotations

from dataclasses import replace

from lasthop_validation import oracles
from lasthop_validation.judging import Case
from lasthop_validation.wired_path import (
    SCENARIO,
    Reference,
    goodput_case,
    reference,
    resent_case,
    window_case,
)

KEYS = ("scenario", "cc", "rec", "Q", "delack", "ts", "p", "minrto")

PIPE = 'ssthresh_base = "pipe"\n'
"""A loss halves what is in the network, without what was SACKed or lost."""

EXIT = "exit_grows = true\n"
"""The acknowledgement that ends a recovery grows the window, as one that covers all it advances by."""

LAWS = {
    "TcpNewReno": f'law = "reno"\n{PIPE}{EXIT}',
    "TcpLinuxReno": f'law = "reno"\nssthresh_base = "cwnd"\nabc_limit = "unlimited"\n{EXIT}',
    "TcpVegas": 'law = "vegas"\nlaw_options = { alpha = 2, beta = 4, double_every = 1, exit = 1, '
    'base = "every", rtt = 1, min_samples = 2, at_loss = "threshold", keep = 0.75 }',
    "TcpVeno": f'law = "veno"\nlaw_options = {{ growth = "reno" }}\n{PIPE}{EXIT}',
    "TcpWestwoodPlus": 'law = "westwood+"\nlaw_options = { filter = "tustin", min_interval = 0, '
    f'least = "srtt", interval = "timer", count = "twice", exit = "threshold" }}\n{EXIT}',
    "TcpBic": 'law = "bic"\nssthresh_base = "cwnd"\n'
    "law_options = { smooth_part = 5, beta = 0.8, fast_convergence = 0.8 }",
    "TcpCubic": 'law = "cubic"\nslow_start = "hystart"\nssthresh_base = "cwnd"\n'
    "law_options = { first_growth = 0.05, full_alpha = false, "
    f'ahead = "least", whole = true, saved = true }}\n{EXIT}',
    "TcpBbr": 'law = "bbr"',
}
"""Our law, and ns-3's parameters where they are not our defaults."""

RECOVERIES = {"TcpPrrRecovery": "prr", "TcpClassicRecovery": "pipe"}
RECOVERIES_344 = {**RECOVERIES, "TcpPrrRecovery": "prr_ns3"}
"""Since 3.43 a duplicate counts as a segment besides what it SACKs."""

TCP = """
recovery = "sack"
{law}
sack_reduction = "{reduction}"
mss = "1000 B"
header = "42 B"
window = "100000 packets"
timestamps = {timestamps}
rto_min = "{rto_min} s"
dsack = false
frto = false
undo = false
delayed_ack = {delayed}
"""

DELAYED = '{ segments = 2, timeout = "200 ms" }'


def _text(ref: Reference, warmup: int) -> str:
    settings = ref.settings
    lossy = settings.number("p") > 0
    lost = ref.mean("errdrops") / (ref.mean("data_tx") - ref.mean("qdrops")) if lossy else 0
    tcp = TCP.format(
        law=settings.among("cc", LAWS),
        reduction=settings.among("rec", RECOVERIES_344 if _is_344(settings) else RECOVERIES),
        timestamps="true" if settings["ts"] == "1" else "false",
        rto_min=settings["minrto"] or "1",
        delayed=DELAYED if settings["delack"] == "2" else "false",
    )
    return SCENARIO.format(
        duration=100,
        warmup=warmup,
        conventions="standard",
        access=1,
        bottleneck=20,
        queue=settings.whole("Q", least=1),
        loss=lost,
        tcp=tcp,
    )


def _is_344(settings: oracles.Row) -> bool:
    return settings["scenario"].startswith("A344")


def _cases(ref: Reference) -> list[Case]:
    settings = ref.settings
    lossy = "random loss" if settings.number("p") > 0 else "queue losses only"
    group = f"{settings['cc']}, {lossy}"
    name = "{cc}, {rec}, queue {Q}, loss {p}".format(**settings)
    name += "".join(
        text
        for said, text in (
            (settings["delack"] == "2", ", delayed ACKs"),
            (settings["ts"] == "0", ", no timestamps"),
            (settings["minrto"] != "", f", RTO {settings['minrto']} s"),
            (_is_344(settings), ", ns-3.44"),
        )
        if said
    )
    metric = "goodput_after10s_mbps"
    steady = goodput_case(group, name, _text(ref, 10), replace(ref, scale=1e6), metric)
    metric = "goodput_mbps"
    whole = goodput_case(
        f"{group}: from the start",
        f"{name}: from the start",
        _text(ref, 0),
        replace(ref, scale=1e6),
        metric,
    )
    return [
        steady,
        whole,
        window_case(replace(whole, group=group, name=name), ref, "cwnd_mean_seg"),
        resent_case(replace(whole, group=group, name=name), ref, "retx"),
    ]


def cases(quick: bool) -> list[Case]:
    """Return the cases of every reference row; quick: of every sixth.

    Single runs with random loss are left out: nobody knows how far they scatter.
    """
    every = oracles.configurations(oracles.table("ns3/wired.csv"), KEYS)
    found = oracles.each(every, _scattered)
    return oracles.each(found[:: 6 if quick else 1], _cases)


def _scattered(rows: oracles.Metrics) -> list[Reference]:
    ref = reference(rows)
    return [ref] if ref.runs > 1 or ref.settings.number("p") == 0 else []
