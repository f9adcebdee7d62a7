"""TCP through an access point that aggregates, against ns-3.37.

A server behind 1 Gbit/s and 10 ms, an access point that routes, a flow for each station, calls at stations of
their own. The queue of the access point is one line for each access category, and what is on the air or not
acknowledged counts; with `fq` an FQ-CoDel hands it packets. Rows of BBR are left out: ns-3.37's is fragile.
Rows of four to eight seeds at other settings are in this repository, beside the program that made them
(`validation/references/ns3_wifi6_tcp.cc`), but for settings in which a seed of ns-3 delivered next to nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lasthop_validation import oracles
from lasthop_validation.judging import Case, Measure
from lasthop_validation.wifi6_scenarios import CATEGORIES, chance, phy_of

BOUND = 0.05
REASON = "the same prescriptions; ns-3's TCP has details of its own, and its runs are 4 to 9 s long"
DELAY_BOUND = 0.10
REPLICATIONS = 10

SCENARIO = """
duration = "{duration:g} s"
warmup = "3 s"
conventions = "ns3"

[[link]]
ends = ["server", "ap"]
rate = "1 Gbps"
delay = "10 ms"
queue = "100000 packets"

[[cell]]
access_point = "ap"
stations = {stations}

[phy]
{phy}

[mac]
retry_limit = {limit}

[qos]
lifetime = "{lifetime:g} s"
best_effort = {{ ampdu = "{ampdu} B" }}
voice = {{ txop = "0 s" }}
video = {{ txop = "0 s" }}
{driver}

[[node]]
name = "ap"
queue = {queue}

[[node]]
name = "sta*"
queue = {{ packets = 1000, counts = "with_service" }}

[tcp]
recovery = "sack"
law = "{law}"
mss = "1448 B"
window = "8000000 B"
timestamps = true
header = "40 B"
delayed_ack = true
sack_reduction = "prr"
dsack = false
exit_grows = true
rto_min = "1 s"
frto = false
undo = false
{own}
"""

FLOW = """
[[flow]]
name = "{name}"
from = "{source}"
to = "{sink}"
app = {app}
start = "{start:g} s"
{more}
"""

LAWS = {
    "TcpNewReno": ("reno", 'ssthresh_base = "pipe"'),
    "TcpCubic": (
        "cubic",
        'slow_start = "hystart_ns3"\nabc_limit = "unlimited"\nssthresh_base = "cwnd"\n'
        'law_options = { reno_friendly = "off", first_growth = 0.05, full_alpha = false, ahead = "least", '
        "whole = true, saved = true }",
    ),
}
"""As in `wired_ns3`: our law, and ns-3.37's parameters where they are not our defaults."""


def _named(run: Mapping[str, Any], part: str) -> list[Mapping[str, Any]]:
    return [flow for flow in run["flows"] if flow["name"].startswith(part)]


def mbps(part: str = "bulk") -> Measure:
    """Return the measure of the goodput of the flows whose name begins so, Mbit/s."""
    return lambda run: sum(flow["goodput_bps"] for flow in _named(run, part)) / 1e6


def delay_ms(part: str) -> Measure:
    """Return the measure of the mean delay of the flows whose name begins so, ms."""

    def measure(run: Mapping[str, Any]) -> float:
        flows = _named(run, part)
        return 1e3 * float(sum(flow["delay_s"]["mean"] for flow in flows)) / len(flows)

    return measure


def _flows(row: oracles.Row) -> tuple[str, int]:
    """Return the flows of a row, and the number of stations."""
    bulk, calls = row.whole("nf") if row["nf"] else 1, int(row["nc"] or 0)
    slow = int(row["slow"] or 0)
    flows = []
    for station in range(1, bulk + 1):
        name = f"bulk-{'slow' if station <= slow else 'fast'}-{station}"
        ends = (f"sta{station}", "server") if row["dir"] == "up" else ("server", f"sta{station}")
        flows.append(FLOW.format(name=name, source=ends[0], sink=ends[1], app='"bulk"',
                                 start=0.96 + 0.05 * station, more=""))  # fmt: skip
    app = '{ kind = "periodic", interval = "20 ms", payload = "172 B" }'
    for call in range(1, calls + 1):
        said = f'access_category = "{row.among("callac", CATEGORIES)}"'
        own = f"sta{bulk + call}"
        for way, ends in (("down", ("server", own)), ("up", (own, "server"))):
            flows.append(FLOW.format(name=f"call-{way}-{call}", source=ends[0], sink=ends[1], app=app,
                                     start=0.003 * call, more=said))  # fmt: skip
    return "".join(flows), bulk + calls


def scenario(row: oracles.Row) -> str:
    """Return the scenario of a row."""
    flows, stations = _flows(row)
    law, own = row.among("cc", LAWS)
    aggregates = row["ampdu"] not in ("", "0")
    is_managed = row["q"] == "fq"
    queue = (
        '{ discipline = "fq_codel" }'
        if is_managed
        else f'{{ packets = {row["q"]}, counts = "with_service" }}'
    )
    text = SCENARIO.format(
        duration=3 + row.number("sim_seconds") / row.whole("n_runs", 1),
        stations=stations,
        phy=phy_of(row),
        limit='"none"' if aggregates else "7",
        lifetime=float(row["life"] or 1000),
        ampdu=row["ampdu"] or "0",
        driver=f"driver_queue = {row.whole('mq', 1) if row['mq'] else 100}" if is_managed else "",
        queue=queue,
        law=law,
        own=own,
    )
    slow = int(row["slow"] or 0)
    nodes = [f'[[node]]\nname = "sta{i + 1}"\nmcs = {row["slowmcs"] or 0}\n' for i in range(slow)]
    return text + "".join(nodes) + flows


def _cases(rows: oracles.Metrics) -> list[Case]:
    row = rows.settings
    if row["cc"] not in LAWS:
        return []
    text = scenario(row)
    said = ("cc", "dir", "q", "mq", "nf", "nc", "callac", "slow", "ampdu")
    name = f"{row['family']}, {row['phy']}, " + ", ".join(
        f"{key} {row[key]}" for key in said if row[key]
    )

    def case(metric: str, group: str, measure: Measure, bound: float) -> list[Case]:
        if metric not in rows or not rows[metric].number("mean"):
            return []
        told = rows[metric]
        half = chance(told, rows["goodput_mbps"])
        return [
            Case(
                f"{row['family']}: {group}",
                f"{name}: {group}",
                text,
                measure,
                told.reference(),
                bound,
                REASON,
                reference_ci95=half,
                replications=REPLICATIONS,
            )
        ]

    found = case("goodput_mbps", "goodput", mbps(), BOUND)
    found += case("slow_mbps", "goodput of slow stations", mbps("bulk-slow"), 3 * BOUND)
    found += case("fast_mbps", "goodput of fast stations", mbps("bulk-fast"), 3 * BOUND)
    for way in ("down", "up"):
        found += case(
            f"call_{way}_mean_ms", f"delay of calls, {way}", delay_ms(f"call-{way}"), DELAY_BOUND
        )
    return found


def cases(quick: bool) -> list[Case]:
    """Return the cases of all rows that are there; quick: every eighth configuration."""
    rows = oracles.configurations(oracles.table("wifi6/tcp.csv"), ("id",))
    own = oracles.configurations(oracles.kept("ns3_wifi6_tcp.csv"), ("id",))
    # Last, so that the others keep their seeds.
    return oracles.each([*rows[:: 8 if quick else 1], *own[:: 8 if quick else 1]], _cases)
