"""Bulk TCP through one 802.11 cell, with and without channel errors: the engine against ns-2.35.

The cell is that of petrovic2003 under the conventions of ns-2; the reference runs are NewReno with
control frames at 1 Mbit/s, no FEC, and four placements of the errors.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lasthop_validation import oracles
from lasthop_validation.judging import Case

QUIET_BOUND = 0.02
"""Without errors nothing but contention and TCP is compared."""
QUIET_REASON = "the same prescriptions, and contention"
ERROR_BOUND = 0.05
"""With errors ns-2's error model and its timers, which nobody has written down, come in."""
ERROR_REASON = "and how ns-2 samples the channel and handles frames that it cannot decode"

CHANNELS = {
    "none": None,
    "shared": ("cell", "true"),
    "perlink": ("station", "true"),
    "perrx": ("receiver", "true"),
    "dataonlyperrx": ("receiver", "false"),
}
"""For each placement of the reference runs: the sharing of states, and whether control frames are lost."""

GROUPS = {
    "none": "no errors",
    "shared": "one state for the cell",
    "perlink": "one state a station",
    "perrx": "one state a receiver",
    "dataonlyperrx": "one state a receiver, data frames only",
}

FILES = ("ns2/tcp_over_dcf_noerror.csv", "ns2/petrovic_table1_a.csv", "ns2/petrovic_table1_b.csv")

SCENARIO = """
name = "wireless"
duration = "60 s"
warmup = "10 s"
conventions = "ns2.35"

[[link]]
ends = ["server", "ap"]
rate = "5 Mbps"
delay = "2 ms"

[queue]
packets = 50

[[cell]]
name = "cell"
access_point = "ap"
stations = {stations}

[phy]
standard = "802.11"
rate = "2 Mbps"
control_rate = "1 Mbps"
preamble = "long"

[mac]
rts = "{rts}"
short_retry_limit = 7
long_retry_limit = 4
{channel}
[tcp]
variant = "newreno"
mss = "{size} B"
header = "40 B"
window = "{window} packets"

[[flow]]
name = "bulk"
from = "{source}"
to = "{sink}"
transport = "tcp"
app = "bulk"
"""

CHANNEL = """
[channel]
model = "gilbert_elliott"
mean_good = "100 ms"
mean_bad = "33.3 ms"
ber_good = 1e-6
ber_bad = 1e-2
state_per = "{state}"
control_frames = {control}
sampling = "frame_start"
"""


def total_kbps(run: Mapping[str, Any]) -> float:
    """Return the goodput of all flows together, kbit/s."""
    return sum(float(flow["goodput_bps"]) for flow in run["flows"]) / 1e3


def _cases(row: oracles.Row) -> list[Case]:
    placement = row.among("err", CHANNELS)
    up = row.among("dir", {"up": True, "down": False})
    text = SCENARIO.format(
        stations=row.whole("nf", least=1),
        rts="always" if row["rts"] == "1" else "never",
        channel=CHANNEL.format(state=placement[0], control=placement[1]) if placement else "",
        size=row.whole("psize", least=1),
        window=row.whole("win", least=1),
        source="sta*" if up else "server",
        sink="server" if up else "sta*",
    )
    case = Case(
        GROUPS[row["err"]],
        f"{row['err']} {row['dir']} n {row['nf']} rts {row['rts']} "
        f"{row['psize']} B window {row['win']}",
        text,
        total_kbps,
        row.reference(),
        ERROR_BOUND if placement else QUIET_BOUND,
        ERROR_REASON if placement else QUIET_REASON,
        reference_ci95=row.ci95(),
    )
    return [case]


def cases(quick: bool) -> list[Case]:
    """Return a case for each reference row; quick: every tenth."""
    rows = [row for file in FILES for row in oracles.table(file, metric="total_kbps") or []]
    return oracles.each(rows[:: 10 if quick else 1], _cases)
