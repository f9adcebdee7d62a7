"""Rate control of 802.11n by the power of frames, against ns-3.37.

Rows of `shared/oracles/wifi6/rate.csv`: a fixed rate, ns-3's ideal rate and its Minstrel-HT, each at a fixed
received power. lasthop has its own error curves (theory; ns-3 has tables of simulated links) and the Minstrel-HT
of Linux in 2021, ns-3 that of 2010.
"""

from __future__ import annotations

from lasthop_validation import oracles
from lasthop_validation.judging import Case
from lasthop_validation.wifi6 import aggregated, mbps
from lasthop_validation.wifi6_scenarios import CONTROLS, chance, scenario

PLATEAU_BOUND = 0.01
PLATEAU_REASON = "the same rules, and next to nothing is lost"
CONTROL_BOUND = 0.03
CONTROL_REASON = "Minstrel-HT of other years, and other error curves"
CROWD_BOUND = 0.2
CROWD_REASON = (
    "both take collisions for a bad channel; what makes one lose more to it was not found"
)

REPLICATIONS = 3


def _bound(row: oracles.Row, control: str) -> tuple[float, str]:
    if control != "minstrel_ht":
        return PLATEAU_BOUND, PLATEAU_REASON
    if row["mix"] != "BE:1":
        return CROWD_BOUND, CROWD_REASON
    return CONTROL_BOUND, CONTROL_REASON


def _of(rows: oracles.Metrics) -> list[Case]:
    """Return the cases of a configuration."""
    row = rows.settings
    control = row.among("mgr", CONTROLS)
    text = scenario(row)
    words = f"{row['mgr']}, MCS {row['mcs']}, {row['mix']}, {row['rss']} dBm"
    bound, reason = _bound(row, control)
    found = []
    measures = (
        ("tput_mbps", "throughput", mbps()),
        ("agg_mpdu", "MPDUs of a PPDU", aggregated),
    )
    for metric, what, measure in measures:
        # A probe is a lone MPDU in Linux: fewer in a PPDU on average.
        if metric not in rows or (metric == "agg_mpdu" and control == "minstrel_ht"):
            continue
        of = rows[metric]
        found.append(
            Case(
                f"rate control: {what}",
                f"{words}: {what}",
                text,
                measure,
                of.reference(),
                bound,
                reason,
                reference_ci95=chance(of, rows["tput_mbps"]),
                replications=REPLICATIONS,
            )
        )
    return found


def cases(quick: bool) -> list[Case]:
    """Return a case for each configuration and measure."""
    rows = oracles.configurations(oracles.table("wifi6/rate.csv"), ("id",))
    return oracles.each(rows[:: 3 if quick else 1], _of)
