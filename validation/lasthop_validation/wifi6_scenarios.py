"""Scenarios of the rows of `shared/oracles/wifi6`."""

from __future__ import annotations

import math

from lasthop.numbers.stats import t_quantile
from lasthop_validation import oracles

PAYLOAD = 1472
"""Bytes of UDP payload where a row does not say."""
CALL = "call"
"""The name of the flows of calls."""

STANDARDS = {"n": "802.11n", "ac": "802.11ac", "ax": "802.11ax", "a": "802.11a", "g": "802.11g"}
CONTROLS = {"const": "fixed", "IdealWifiManager": "ideal", "MinstrelHtWifiManager": "minstrel_ht"}
"""ns-3's name of a rate manager, and lasthop's of the rate control."""
POWER_DBM = 16
CATEGORIES = {"BE": "best_effort", "BK": "background", "VI": "video", "VO": "voice"}
LIFETIME_S = 1000.0
GOLDEN = 0.618
"""Phases of calls, in parts of their interval: spread like uniform ones, however many there are."""
MEASURED_S = 20.0
"""Longer than the rows' own runs: their chance is the larger."""

HEADER = """
duration = "{duration:g} s"
warmup = "{warmup:g} s"
conventions = "ns3"
queue = "100000 packets"

[[cell]]
access_point = "ap"
stations = {stations}
{placement}
[phy]
{phy}

[mac]
{mac}
"""

FLOW = """
[[flow]]
name = "{name}"
from = "{source}"
to = "{sink}"
transport = "udp"
{category}app = {app}
"""


PROFILES = {
    "n20": {"standard": "n", "mcs": "7", "nss": "1", "width": "20", "gi": "800"},
    "n40": {"standard": "n", "mcs": "15", "nss": "2", "width": "40", "gi": "400"},
    "ac80": {"standard": "ac", "mcs": "9", "nss": "2", "width": "80", "gi": "400"},
    "ax80": {"standard": "ax", "mcs": "11", "nss": "2", "width": "80", "gi": "800"},
}
"""The modes of the rows' words for them."""


def chance(row: oracles.Row, throughput: oracles.Row) -> float:
    """Return the half width of a row's interval: its own, else that of its runs' spread.

    One run has neither: then it is as large a part of the mean as the throughput's is.
    """
    if row["ci95"]:
        return row.number("ci95")
    runs = row.whole("n_runs", 1)
    if row["std"] and runs > 1:
        return float(t_quantile(0.95, runs - 1) * row.number("std") / math.sqrt(runs))
    if not throughput["ci95"]:
        return 0.0
    return row.number("mean") * throughput.number("ci95") / throughput.reference()


def stations_of(row: oracles.Row) -> list[tuple[str, int]]:
    """Return the categories of a row, and how many stations send in each."""
    pairs = [part.split(":") for part in row["mix"].split(",")]
    return [(category, int(number)) for category, number in pairs]


def phy_of(row: oracles.Row) -> str:
    """Return the keys of the PHY of a row."""
    standard = row.among("standard", STANDARDS)
    if row["standard"] in ("a", "g"):
        return f'standard = "{standard}"\nrate = "54 Mbps"\ncontrol_rate = "24 Mbps"'
    return (
        f'standard = "{standard}"\n{_rate_of(row)}\n'
        f'streams = {row.whole("nss", 1)}\nwidth = "{row.whole("width", 20)} MHz"\n'
        f'guard_interval = "{row.whole("gi", 400)} ns"\ncontrol_rate = "24 Mbps"'
    )


def _rate_of(row: oracles.Row) -> str:
    """Return the key of the rate of a row: its MCS, or what chooses one."""
    if row.get("mgr", "const") != "const":
        return f'rate_control = "{row.among("mgr", CONTROLS)}"'
    # MCS 8 of 802.11n is MCS 0 of two streams.
    return f"mcs = {row.whole('mcs') % (8 if row['standard'] == 'n' else 16)}"


def _medium(row: oracles.Row) -> str:
    """Return the table of a medium by which the access point receives so much power; empty where none is said."""
    if not row.get("rss"):
        return ""
    return f'[medium]\ntx_power = "{POWER_DBM} dBm"\nreference_loss_db = {POWER_DBM - float(row["rss"]):g}\n'


def _mac(row: oracles.Row) -> str:
    """Without aggregation a frame has seven attempts; neither RTS nor aggregates have a limit."""
    is_limited = row["ampdu"] in ("", "0") and row.get("rts") != "1"
    limit = "7" if is_limited else '"none"'
    rts = "always" if row.get("rts") == "1" else "never"
    return f'rts = "{rts}"\nretry_limit = {limit}\n'


def _qos(row: oracles.Row) -> str:
    """Return the tables of access categories; stations of 802.11a and 802.11g have none."""
    if row["standard"] in ("a", "g"):
        return ""
    rules = [f'lifetime = "{float(row.get("life") or LIFETIME_S):g} s"']
    if row.get("buf"):
        rules.append(f"block_ack_window = {row.whole('buf', 1)}")
    if row.get("explbar") == "0":
        rules.append("request_after_miss = false")
    lines = ["[qos]", *rules]
    said = row.get("txop") or "0"
    for short, name in CATEGORIES.items():
        if said.startswith(f"{short}:"):
            limit = f'txop = "{said.partition(":")[2]} us", '
        elif said == "def":
            limit = ""
        else:
            limit = 'txop = "0 s", '
        sizes = f'ampdu = "{row["ampdu"] or 0} B", amsdu = "{row["amsdu"] or 0} B"'
        lines.append(f"{name} = {{ {limit}{sizes} }}")
    return "\n".join(lines) + "\n"


def _channel(row: oracles.Row) -> str:
    per = float(row.get("per") or 0)
    if not per:
        return ""
    return (
        f'[channel]\nmodel = "bernoulli"\nframe_loss = {per:g}\n'
        'control_frames = false\nstate_per = "receiver"\n'
    )


def _flow(name: str, ends: tuple[str, str], category: str, app: str) -> str:
    said = f'access_category = "{CATEGORIES[category]}"\n' if category else ""
    source, sink = ends
    return FLOW.format(name=name, source=source, sink=sink, category=said, app=app)


def _flows(row: oracles.Row) -> tuple[str, int]:
    """Return the flows, and the number of stations."""
    payload = row.whole("L", 1) if row.get("L") else PAYLOAD
    app = f'{{ kind = "saturated", payload = "{payload} B" }}'
    direction = row.get("dir") or "up"
    flows: list[str] = []
    station = 0
    for category, number in stations_of(row):
        if row.get("allac") == "1":
            station = 0
        for _ in range(number):
            station += 1
            own = f"sta{station}"
            if direction in ("up", "both"):
                flows.append(_flow(f"up-{category}-{station}", (own, "ap"), category, app))
            if direction in ("down", "both"):
                flows.append(_flow(f"down-{category}-{station}", ("ap", own), category, app))
    kind, _, calls = (row.get("cbr") or "").partition(":")
    for call in range(int(calls or 0)):
        station += 1
        app = '{ kind = "periodic", interval = "20 ms", payload = "160 B" }'
        flows.append(
            _flow(f"{CALL}-{station}", (f"sta{station}", "ap"), kind, app)
            + f'start = "{20 * (call * GOLDEN % 1):g} ms"\n'
        )
    return "".join(flows), station


def scenario(row: oracles.Row) -> str:
    """Return the scenario of a row."""
    flows, stations = _flows(row)
    warmup = 0.4 if not row.get("warmx") else row.number("warmx")
    head = HEADER.format(
        duration=MEASURED_S + warmup + 0.1,
        warmup=warmup + 0.1,
        stations=stations,
        phy=phy_of(row),
        mac=_mac(row),
        placement='placement = "circle 1 m"\n' if row.get("rss") else "",
    )
    return head + _medium(row) + _qos(row) + _channel(row) + flows
