"""Cells with access categories and aggregation against ns-3.37 and a Monte Carlo of its rules.

Rows of `shared/oracles/wifi6`: saturation, access categories, MPDU errors. The settings are those of its SPEC;
a frame of L bytes of UDP payload has L + 66 bytes on the air (L + 64 without QoS). Rows of our own, with other
settings, are in this repository beside the program that made them (`validation/references/ns3_wifi6_cell.cc`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lasthop_validation import oracles
from lasthop_validation.judging import Case, Measure
from lasthop_validation.wifi6_scenarios import CALL, PROFILES, chance, scenario, stations_of

NS3_BOUND = 0.02
NS3_REASON = "the same rules; the rows' own intervals are those of a few seconds"
MODEL_BOUND = 0.015
MODEL_REASON = "the same rules, in a program of others"
SHARE_BOUND = 0.02
CALL_BOUND = 0.10
HAND_BOUND = 0.003

REPLICATIONS = 5


def _named(run: Mapping[str, Any], part: str) -> list[Mapping[str, Any]]:
    return [flow for flow in run["flows"] if flow["name"].startswith(part)]


def mbps(part: str = "") -> Measure:
    """Return the measure of the payload that arrives of the flows whose name begins so, Mbit/s."""
    return lambda run: sum(flow["goodput_bps"] for flow in _named(run, part)) / 1e6


def _sum(run: Mapping[str, Any], key: str) -> float:
    return float(sum(row[key] for row in run["access"]))


def collided(run: Mapping[str, Any]) -> float:
    """Return the share of exchanges begun that collided."""
    return _sum(run, "collisions") / _sum(run, "attempts")


def aggregated(run: Mapping[str, Any]) -> float:
    """Return the MPDUs of a PPDU."""
    return _sum(run, "mpdus") / _sum(run, "ppdus")


def sent_per_packet(run: Mapping[str, Any]) -> float:
    """Return the MPDUs sent for a packet that is acknowledged."""
    return _sum(run, "mpdus") / _sum(run, "acknowledged")


def call_delay_ms(run: Mapping[str, Any]) -> float:
    """Return the mean delay of calls, ms."""
    calls = _named(run, CALL)
    return 1e3 * float(sum(flow["delay_s"]["mean"] for flow in calls)) / len(calls)


def reordering_ms(run: Mapping[str, Any]) -> float:
    """Return how long packets waited for others before them, most of them not at all, ms."""
    held = [row for row in run["access"] if row["reordered"]]
    waited = sum(row["reordered"] * row["reordering_delay_s"] for row in held)
    return float(1e3 * waited / _sum(run, "acknowledged"))


def _name(row: oracles.Row) -> str:
    said = ("mix", "agg", "L", "dir", "rts", "life", "txop", "cbr", "per")
    words = [f"{key} {row[key]}" for key in said if row.get(key)]
    return f"{row['family']}, {row['phy']}, {', '.join(words)}"


def _metric(rows: oracles.Metrics, text: str, metric: str, group: str, measure: Measure,
            bound: float, *, absolute: bool = False) -> list[Case]:  # fmt: skip
    if metric not in rows:
        return []
    row = rows[metric]
    reference = row.number("mean") if absolute else row.reference()
    half = chance(row, rows["tput_mbps"])
    return [
        Case(
            f"{row['family']}: {group}",
            f"{_name(row)}: {group}",
            text,
            measure,
            reference,
            bound,
            NS3_REASON,
            reference_ci95=half,
            absolute=absolute,
            replications=REPLICATIONS,
        )
    ]


def _saturated(rows: oracles.Metrics) -> list[Case]:
    """Return the cases of a configuration of saturated stations."""
    text = scenario(rows.settings)
    found = _metric(rows, text, "tput_mbps", "throughput", mbps(), NS3_BOUND)
    for way in ("up", "down"):
        found += _metric(rows, text, f"tput_{way}_mbps", f"{way}", mbps(way), 3 * NS3_BOUND)
    # Of data behind a CTS none collides: the share is that of RTS frames.
    share = "p_coll_rts" if rows.settings["rts"] == "1" else "p_coll"
    found += _metric(rows, text, share, "collisions", collided, SHARE_BOUND, absolute=True)
    found += _metric(rows, text, "agg_mpdu", "MPDUs of a PPDU", aggregated, SHARE_BOUND)
    found += _metric(
        rows, text, "mpdu_tx_per_acked", "MPDUs a packet", sent_per_packet, SHARE_BOUND
    )
    return found


def _categories(rows: oracles.Metrics) -> list[Case]:
    """Return the cases of a configuration of access categories."""
    text = scenario(rows.settings)
    found = _metric(rows, text, "tput_mbps", "throughput", mbps(), NS3_BOUND)
    for category, _ in stations_of(rows.settings):
        if len(stations_of(rows.settings)) > 1:
            found += _metric(rows, text, f"tput_{category}_mbps", f"throughput of {category}",
                             mbps(f"up-{category}"), 3 * NS3_BOUND)  # fmt: skip
    found += _metric(rows, text, "p_coll", "collisions", collided, SHARE_BOUND, absolute=True)
    for category in ("VO", "BE"):
        found += _metric(rows, text, f"delay_mean_ms_{category}cbr", "delay of calls",
                         call_delay_ms, CALL_BOUND)  # fmt: skip
    return found


def _errors(rows: oracles.Metrics) -> list[Case]:
    """Return the cases of a configuration of MPDU errors."""
    text = scenario(rows.settings)
    found = _metric(rows, text, "tput_mbps", "throughput", mbps(), NS3_BOUND)
    if rows.settings["standard"] in ("a", "g"):
        return found
    found += _metric(rows, text, "agg_mpdu", "MPDUs of a PPDU", aggregated, SHARE_BOUND)
    found += _metric(
        rows, text, "mpdu_tx_per_acked", "MPDUs a packet", sent_per_packet, SHARE_BOUND
    )
    if rows.settings["mix"] == "BE:1" and rows.settings["agg"] not in ("off", "amsdu"):
        found += _metric(
            rows, text, "reo_mean_ms", "reordering delay", reordering_ms, 3 * NS3_BOUND
        )
    return found


SATURATED = {"basic": "sat_up", "rts": "sat_up_rts"}
SIZES = {
    "off": ("0", "0"),
    "amsdu": ("0", "7935"),
    "16": ("24702", "0"),
}
"""Largest A-MPDU and A-MSDU by the rows' word for them; "64" is as large as the standard allows."""


def _as_row(model: oracles.Row, **said: str) -> oracles.Row:
    """Return the row of the reference runs that a row of a model stands for."""
    largest = "65535" if model["phy"].startswith("n") else "98814"
    if model["agg"] == "256":
        largest, said = "395262", {"buf": "256", **said}
    ampdu, amsdu = SIZES.get(model["agg"], (largest, "0"))
    profile = model.among("phy", PROFILES)
    return oracles.Row(model.where, {"phy": model["phy"], "agg": model["agg"], "ampdu": ampdu,
                                     "amsdu": amsdu, **profile, **said})  # fmt: skip


def _model(row: oracles.Row, group: str, measure: Measure, reference: float, half: float) -> Case:
    return Case(
        f"Monte Carlo: {group}",
        f"{_name(row)}: Monte Carlo, {group}",
        scenario(row),
        measure,
        reference,
        MODEL_BOUND,
        MODEL_REASON,
        reference_ci95=half,
        replications=REPLICATIONS,
    )


def _saturated_model(model: oracles.Row) -> list[Case]:
    """Return the cases of a row of the contention Monte Carlo; one station: the hand calculation."""
    rts = model["rts"]
    row = _as_row(model, family=SATURATED["rts" if rts == "1" else "basic"],
                  mix=f"BE:{model['N']}", rts=rts)  # fmt: skip
    if not model["mc_ns3rules_mbps"]:
        return []
    return [_model(row, "saturation", mbps(), model.reference("mc_ns3rules_mbps"),
                   model.number("mc_ns3rules_ci95"))]  # fmt: skip


def _error_model(model: oracles.Row) -> list[Case]:
    """Return the cases of a row of the block-ack Monte Carlo."""
    row = _as_row(model, family="err_up", mix="BE:1", per=model["per"])
    found = [
        _model(row, "MPDU errors", mbps(), model.reference("mc_tput_mbps"),
               model.number("mc_tput_ci95")),
    ]  # fmt: skip
    if model["agg"] in ("16", "64") and float(model["mc_reo_mean_ms"] or 0) > 0:
        found.append(_model(row, "reordering delay", reordering_ms, model.reference("mc_reo_mean_ms"),
                            model.number("mc_reo_mean_ci95")))  # fmt: skip
    return found


def _category_model(model: oracles.Row) -> list[Case]:
    """Return the case of a category of a row of the contention Monte Carlo."""
    if not model["mc_mbps"]:
        return []
    mix = model["mix"].replace(" ", ",")
    profile = {"phy": "n20", "agg": "off", "ampdu": "0", "amsdu": "0", **PROFILES["n20"]}
    row = oracles.Row(model.where, {**profile, "family": "edca", "mix": mix, "txop": model["txop"]})
    category = model["ac"]
    return [_model(row, f"{category}", mbps(f"up-{category}"), model.reference("mc_mbps"),
                   model.number("mc_ci95"))]  # fmt: skip


def cases(quick: bool) -> list[Case]:
    """Return the cases of all rows that are there; quick: every eighth configuration."""
    found: list[Case] = []
    makers = {"sat": _saturated, "edca": _categories, "err": _errors}
    for file, make in makers.items():
        rows = oracles.configurations(oracles.table(f"wifi6/{file}.csv"), ("id",))
        found += oracles.each(rows[:: 8 if quick else 1], make)
    for file, model in (
        ("closed_sat", _saturated_model),
        ("closed_edca", _category_model),
        ("closed_err", _error_model),
    ):
        found += oracles.each(
            (oracles.table(f"wifi6/{file}.csv") or [])[:: 8 if quick else 1], model
        )
    # Last, so that all others keep their seeds.
    own = oracles.configurations(oracles.kept("ns3_wifi6_cell.csv"), ("id",))
    for row in own[:: 8 if quick else 1]:
        found += oracles.each([row], makers[row.settings["family"].partition("_")[0]])
    return found
