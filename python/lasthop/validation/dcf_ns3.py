"""Saturated stations in one cell: the engine against ns-3.37 and a contention-level Monte Carlo.

The settings are those of the reference runs: ad hoc stations at equal power, a frame of payload +
64 B, 7 attempts, control frames at 1 Mbit/s (802.11b) or 24 Mbit/s (802.11a), the same measured
time. ns-3.37 does not count RTS attempts; the Monte Carlo has a column with that and one without.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from lasthop.stats import t_quantile
from lasthop.validation import oracles
from lasthop.validation.judging import Case, Measure
from lasthop.validation.saturated import bits, collided, jain, scenario

NS3_BOUND, NS3_REASON = 0.02, "the same rules; ns-3's stations take turns to join"
MONTE_CARLO_BOUND, MONTE_CARLO_REASON = 0.01, "the same rules, and 0.2 % of its own chance"
COLLISION_BOUND, COLLISION_REASON = 0.01, "the same contention"
JAIN_BOUND, JAIN_REASON = 0.02, "over a window as long as the reference's"

PHYS = {
    "b": ("802.11b", "control_rate = '1 Mbps'"),
    # Both references hold stations that begin less than 4 us apart (aCCATime) for colliders.
    "a": ("802.11a", "control_rate = '24 Mbps'\nsense_time = '4 us'"),
}
WARMUP_S = 1.0
"""Of the reference runs; of `sim_seconds` the rest is measured."""


def mbps(run: Mapping[str, object]) -> float:
    """Return the payload that arrives, Mbit/s."""
    return bits(run) / 1e6


def _text(row: Mapping[str, str], bystanders: str, limit: int | None) -> str:
    standard, phy = PHYS[row["phy"]]
    return scenario(
        stations=int(row["N"]),
        standard=standard,
        rate=row["rate"],
        payload=int(row["L"]),
        rts=row["rts"] == "1",
        limits=(limit, 7),
        duration=float(row["sim_seconds"]),
        warmup=WARMUP_S,
        phy=phy,
        mac=f"bystanders = '{bystanders}'",
    )


def _chance(row: Mapping[str, str]) -> float:
    seeds = int(row["n_seeds"])
    return t_quantile(0.95, seeds - 1) * float(row["std"]) / math.sqrt(seeds)


def _name(row: Mapping[str, str]) -> str:
    rts = "RTS" if row["rts"] == "1" else "no RTS"
    return f"802.11{row['phy']} {row['rate']} Mbit/s, {row['N']} stations, {row['L']} B, {rts}"


Rows = Mapping[str, Mapping[str, str]]


def _as_ns3(rows: Rows, model: Mapping[str, str] | None) -> list[Case]:
    """Return the cases of one configuration that keep ns-3's rules: DIFS, RTS without limit."""
    row = rows["tput_mbps"]
    name, rts = _name(row), row["rts"] == "1"
    text = _text(row, "difs", None if rts else 7)

    def case(group: str, measure: Measure, reference: float, bound: float, reason: str,
             chance: float = 0.0, *, absolute: bool = True) -> Case:  # fmt: skip
        return Case(group, f"{name}: {group}", text, measure, reference, bound, reason,
                    reference_ci95=chance, absolute=absolute, same_runs=True)  # fmt: skip

    of = {metric: float(rows[metric]["mean"]) for metric in rows}
    first = Case("throughput, ns-3", f"{name}: throughput, ns-3", text, mbps, of["tput_mbps"],
                 NS3_BOUND, NS3_REASON, reference_ci95=_chance(row))  # fmt: skip
    found = [first]
    for metric, group, measure, bound, reason in (
        ("p_coll", "collisions, ns-3", collided, COLLISION_BOUND, COLLISION_REASON),
        ("jain", "Jain's index, ns-3", jain, JAIN_BOUND, JAIN_REASON),
    ):
        if metric in rows:
            found.append(case(group, measure, of[metric], bound, reason, _chance(rows[metric])))
    if model and model["mc_mbps"]:
        found.append(case("throughput, Monte Carlo", mbps, float(model["mc_mbps"]),
                          MONTE_CARLO_BOUND, MONTE_CARLO_REASON, absolute=False))  # fmt: skip
        found.append(case("collisions, Monte Carlo", collided, float(model["mc_p"]),
                          COLLISION_BOUND, COLLISION_REASON))  # fmt: skip
    return found


def _by_the_standard(row: Mapping[str, str], model: Mapping[str, str]) -> list[Case]:
    """Return the cases with a limit of RTS attempts, and with EIFS for bystanders."""
    columns = {"difs": "mc_R7_mbps", "eifs": "mc_eifs_mbps"}
    if row["rts"] == "0":
        del columns["difs"]  # the same as without that limit
    return [
        Case(
            f"throughput, Monte Carlo, {bystanders.upper()}, RTS attempts limited",
            f"{_name(row)}: Monte Carlo, bystanders {bystanders}",
            _text(row, bystanders, 7),
            mbps,
            float(model[column]),
            MONTE_CARLO_BOUND,
            MONTE_CARLO_REASON,
        )
        for bystanders, column in columns.items()
        if model[column]
    ]


KEY = ("scenario", "N", "L", "rts")


def _key(row: Mapping[str, str], seconds: str) -> tuple[str, ...]:
    return (*(row[column] for column in KEY), f"{float(seconds):g}")


def _configurations() -> dict[tuple[str, ...], dict[str, dict[str, str]]]:
    """Return ns-3's rows by metric, by configuration and time simulated."""
    found: dict[tuple[str, ...], dict[str, dict[str, str]]] = {}
    for row in oracles.table("ns3/dcf.csv") or []:
        found.setdefault(_key(row, row["sim_seconds"]), {})[row["metric"]] = row
    return found


def _models() -> dict[tuple[str, ...], dict[str, str]]:
    table = oracles.table("ns3/dcf_vs_models.csv") or []
    return {_key(row, row["sim_s"]): row for row in table}


def _of_models_alone(model: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return the rows of a run that only the table of models has: 802.11b at 11 Mbit/s."""
    same = {"phy": "b", "rate": "11", "n_seeds": model["n"], "sim_seconds": model["sim_s"]}
    same |= {column: model[column] for column in KEY}
    return {
        "tput_mbps": same | {"mean": model["ns3_mbps"], "std": model["ns3_std"]},
        "jain": same | {"mean": model["jain"], "std": "0"},
    }


def cases(quick: bool) -> list[Case]:
    """Return the cases of each configuration of the reference runs; quick: every twelfth."""
    configurations, models = _configurations(), _models()
    for key, model in models.items():
        if key not in configurations:
            configurations[key] = _of_models_alone(model)
    found = []
    for key in list(configurations)[:: 12 if quick else 1]:
        rows = configurations[key]
        found += _as_ns3(rows, models.get(key))
        if key in models:
            found += _by_the_standard(rows["tput_mbps"], models[key])
    return found
