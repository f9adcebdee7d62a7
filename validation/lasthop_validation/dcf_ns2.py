"""Saturated stations in one cell: the engine under ns-2's conventions against ns-2.35.

The settings are those of the reference runs: 802.11b timing, 7 short and 4 long attempts, a frame
of payload + 34 B without IP and UDP headers, 30 s after 1 s; collisions come from traced runs of
10 s, one for each row.
"""

from __future__ import annotations

import math

from lasthop_validation import oracles
from lasthop_validation.judging import Case
from lasthop_validation.saturated import bits, collided, jain, scenario

BOUND, REASON = 0.02, "the same prescriptions; ns-2 rounds durations and NAV to microseconds"
COLLISION_BOUND, COLLISION_REASON = 0.01, "the same contention"
JAIN_BOUND, JAIN_REASON = 0.02, "over a window as long as the reference's"

KEY = ("N", "payload", "rts", "dataRate", "basicRate")
TRACED_S = 10.0
"""The duration of a traced run."""


def _cases(rows: oracles.Metrics) -> list[Case]:
    row = rows["thr_bps"]
    rts = row["rts"] == "1"
    text = scenario(
        stations=row.whole("N", least=1),
        standard="802.11b",
        rate=row["dataRate"].removesuffix("Mb"),
        payload=row.whole("payload", least=1),
        rts=rts,
        limits=(7, 4),
        duration=row.number("sim_seconds") + 1,
        warmup=1,
        conventions="ns2.35",
        phy=f"control_rate = '{row['basicRate'].removesuffix('Mb')} Mbps'",
    )
    name = (
        f"{row['N']} stations, {row['payload']} B, {'RTS' if rts else 'no RTS'}, "
        f"{row['dataRate']}it/s, basic {row['basicRate']}it/s"
    )
    share = rows["fail_prob_per_attempt"].number("mean")
    attempts = rows["att_per_success"].reference() * rows["pkts_per_s"].reference() * TRACED_S

    return [
        Case("throughput", f"{name}: throughput", text, bits, row.reference(), BOUND, REASON,
             reference_ci95=row.ci95()),
        Case("collisions", f"{name}: collisions", text, collided, share,
             COLLISION_BOUND, COLLISION_REASON, absolute=True,
             reference_ci95=1.96 * math.sqrt(max(share * (1 - share), 0.0) / attempts)),
        Case("Jain's index", f"{name}: Jain's index", text, jain, rows["jain"].number("mean"),
             JAIN_BOUND, JAIN_REASON, absolute=True, reference_ci95=rows["jain"].ci95()),
    ]  # fmt: skip


def cases(quick: bool) -> list[Case]:
    """Return the cases of each configuration of the reference runs; quick: every twelfth."""
    table = oracles.table("ns2/dcf.csv") or []
    runs = (row for row in table if row["scenario"] != "B_analytic")
    found = oracles.configurations(runs, KEY)
    return oracles.each(found[:: 12 if quick else 1], _cases)
