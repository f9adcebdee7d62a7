"""One TCP flow over a wired bottleneck: the engine against ns-2.35.

The settings are those of the reference runs: 1000 B of payload and 40 B of header, initial window
2, minimum RTO 0.2 s, first RTO 3 s, clock of 10 ms, limited transmit, goodput from 20 to 120 s.

The reference rows with random loss are means of 5 or 10 runs, whose losses were by chance up to 7 %
fewer or more than the probability set. Goodput goes with the square root of that, so the engine is
given the probability that the reference runs met: packets lost over packets sent.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from lasthop.stats import t_quantile
from lasthop.validation import oracles
from lasthop.validation.judging import Case

BOUND = 0.02
VARIANTS = ("tahoe", "reno", "newreno")

SCENARIO = """
name = "wired"
duration = "120 s"
warmup = "20 s"
conventions = "ns2"

[[link]]
ends = ["s", "r"]
rate = "100 Mbps"
delay = "1 ms"
queue = "100000 packets"

[[link]]
ends = ["r", "d"]
rate = "10 Mbps"
delay = "20 ms"
queue = "{queue} packets"
loss = {loss}
loss_at = "leaving"
loss_direction = "forward"

[tcp]
variant = "{variant}"
mss = "1000 B"
header = "40 B"
window = "10000 packets"
initial_window = 2
{delayed}

[[flow]]
name = "bulk"
from = "s"
to = "d"
transport = "tcp"
app = "bulk"
"""

DELAYED = 'delayed_ack = { segments = 2, timeout = "100 ms" }'


def goodput(run: Mapping[str, Any]) -> float:
    """Return the goodput in bit/s."""
    (flow,) = run["flows"]
    return float(flow["goodput_bps"])


KEYS = ("scenario", "variant", "Q", "p", "sink", "window")


def _met(row: Mapping[str, str], rows: Sequence[Mapping[str, str]]) -> float:
    """Return the probability of loss that the runs behind a row met."""
    same = {r["metric"]: float(r["mean"]) for r in rows if all(r[k] == row[k] for k in KEYS)}
    return same["errloss"] / same["qdep"]


def _case(row: Mapping[str, str], rows: Sequence[Mapping[str, str]]) -> Case:
    text = SCENARIO.format(
        queue=row["Q"],
        loss=_met(row, rows) if float(row["p"]) > 0 else 0,
        variant=row["variant"],
        delayed=DELAYED if row["sink"] == "delack" else "delayed_ack = false",
    )
    seeds, deviation = int(row["n_seeds"]), float(row["std"])
    chance = t_quantile(0.95, seeds - 1) * deviation / math.sqrt(seeds) if seeds > 1 else 0.0
    return Case(
        "random loss" if float(row["p"]) > 0 else "queue losses only",
        f"{row['variant']}, queue {row['Q']}, loss {row['p']}, {row['sink']}",
        text,
        goodput,
        float(row["mean"]),
        BOUND,
        "the same prescriptions; the order of events at equal times and timers' ticks are free",
        reference_ci95=chance,
        replications=100 if float(row["p"]) > 0 else 1,
    )


def cases(quick: bool) -> list[Case]:
    """Return a case for each reference row of Tahoe, Reno and NewReno; quick: every third."""
    rows = [r for r in oracles.table("ns2/wired.csv") or [] if r["variant"] in VARIANTS]
    found = [_case(row, rows) for row in rows if row["metric"] == "ss_goodput_bps"]
    return found[::3] if quick else found
