"""A transfer beside film, game and chat over 802.11g with shadowing: the engine against ns-2.35.

The scenario is that of the paper janevski2011 at rest, as this package reproduces it, with what the
reference runs have otherwise: ns-2 knows no signal extension of 802.11g (6 us behind each frame), so
the frames here are those of 802.11a. It counts segments of 512 B over 75 s (one that delivers nothing
shows -1 segment); so does the measure here. The reference's film is lognormal pictures at 25/s, its chat
has constant rates; here
both are drawn with their traces' statistics. Together they take a tenth of the transfer's airtime.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from typing import Any

from lasthop.core import toml
from lasthop.study.papers import folder_of
from lasthop_validation import oracles
from lasthop_validation.judging import Case

BOUND = 0.05
REASON = "the same prescriptions; films of other statistics beside it"
REPLICATIONS = 5

VARIANTS = {
    "Tahoe": "tahoe",
    "Reno": "reno",
    "Newreno": "newreno",
    "Sack1": "sack",
    "Vegas": "vegas",
}
OWN = {"Vegas": {"law_options": {"spread": "on", "diff": "counted"}}}
"""ns-2's Vegas adds 1/W an acknowledgement, and counts the segments that wait in its own way."""
GROUPS = {
    "D_static": "as the paper is reproduced",
    "D_norts": "without RTS",
    "D_win20": "window of 20 segments",
    "D_2.4GHz": "2.4 GHz",
}
"""The families of the reference runs that are compared: those whose settings are stated."""
LEAST_KBPS = 1.0
"""Below it nothing is compared: at 2.4 GHz and 100 m the reference delivers nothing at all."""

TRANSFER_S = 75.0


def ftp_kbps(run: Mapping[str, Any]) -> float:
    """Return the payload delivered over 35 to 110 s, kbit/s."""
    (flow,) = (flow for flow in run["flows"] if flow["name"] == "ftp")
    return float(flow["goodput_bps"]) * float(run["measured_s"]) / TRANSFER_S / 1e3


def _scenario(row: oracles.Row) -> str:
    held = tomllib.loads((folder_of("janevski2011") / "scene.static.toml").read_text())
    rts = row["rts"] == "1"
    limit = row.whole("L", least=1)
    held["queue"]["packets"] = row.whole("ifq", least=1)
    held["phy"]["standard"] = "802.11a"
    held["medium"]["frequency"] = f"{row.number('freq') / 1e6:g} MHz"
    held["mac"]["rts"] = "always" if rts else "never"
    # A data frame after an RTS has the long limit, one without the short (IEEE 802.11-1999, 9.2.5.3).
    held["mac"]["long_retry_limit" if rts else "short_retry_limit"] = limit
    held["tcp"]["variant"] = row.among("tcp", VARIANTS)
    held["tcp"].update(OWN.get(row["tcp"], {}))
    held["tcp"]["window"] = f"{row.whole('win', least=1)} packets"
    (node,) = (node for node in held["node"] if node["name"] == "n3")
    node["position"] = [row.number("d"), 0]
    return toml.written(held)


def _cases(row: oracles.Row) -> list[Case]:
    seeds = row.whole("n_seeds", least=1)
    group = "Vegas" if row["tcp"] == "Vegas" else GROUPS[row["scenario"]]
    said = f"{row['tcp']}, {row['d']} m, queue {row['ifq']}, limit {row['L']}, {seeds} seeds"
    case = Case(
        group,
        said if row["scenario"] == "D_static" else f"{GROUPS[row['scenario']]}: {said}",
        _scenario(row),
        ftp_kbps,
        row.reference(),
        BOUND,
        REASON,
        reference_ci95=row.ci95(),
        replications=REPLICATIONS,
    )
    return [case]


def cases(quick: bool) -> list[Case]:
    """Return a case for each reference row that delivers something; quick: every tenth."""
    rows = [
        row
        for row in oracles.table("ns2/janevski_static.csv", metric="ftp_kbps") or []
        if row["scenario"] in GROUPS and row.number("mean") >= LEAST_KBPS
    ]
    return oracles.each(rows[:: 10 if quick else 1], _cases)
