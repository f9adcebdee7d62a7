"""Saturated stations in one cell: the engine against ns-3.37 and a contention-level Monte Carlo.

The settings are those of the reference runs: ad hoc stations at equal power, a frame of payload +
64 B, 7 attempts, control frames at the rate that the row says, the same measured time. The Monte
Carlo has them at 1 Mbit/s (802.11b) and 24 Mbit/s (802.11a). ns-3.37 does not count RTS attempts;
the Monte Carlo has a column with that and one without.
"""

from __future__ import annotations

from collections.abc import Mapping

from lasthop_validation import oracles
from lasthop_validation.judging import Case, Measure
from lasthop_validation.saturated import bits, collided, jain, scenario

NS3_BOUND, NS3_REASON = 0.02, "the same rules; ns-3's stations take turns to join"
MONTE_CARLO_BOUND, MONTE_CARLO_REASON = 0.01, "the same rules, and 0.2 % of its own chance"
COLLISION_BOUND, COLLISION_REASON = 0.01, "the same contention"
JAIN_BOUND, JAIN_REASON = 0.02, "over a window as long as the reference's"

PHYS = {
    "b": ("802.11b", ""),
    # Both references hold stations that begin less than 4 us apart (aCCATime) for colliders.
    "a": ("802.11a", "sense_time = '4 us'"),
}
MODELLED_ACK = {"b": "1", "a": "24"}
"""The control rate of the Monte Carlo's runs, Mbit/s."""
WARMUP_S = 1.0
"""Of the reference runs; of `sim_seconds` the rest is measured."""


def mbps(run: Mapping[str, object]) -> float:
    """Return the payload that arrives, Mbit/s."""
    return bits(run) / 1e6


def _text(row: oracles.Row, bystanders: str, limit: int | None) -> str:
    standard, phy = row.among("phy", PHYS)
    return scenario(
        stations=row.whole("N", least=1),
        standard=standard,
        rate=f"{row.number('rate'):g}",
        payload=row.whole("L", least=1),
        rts=row["rts"] == "1",
        limits=(limit, 7),
        duration=row.number("sim_seconds"),
        warmup=WARMUP_S,
        phy=f"control_rate = '{row.number('ack'):g} Mbps'\n{phy}",
        mac=f"bystanders = '{bystanders}'",
    )


def _name(row: oracles.Row) -> str:
    rts = "RTS" if row["rts"] == "1" else "no RTS"
    usual = row["ack"] == MODELLED_ACK[row["phy"]]
    control = "" if usual else f", control frames at {row['ack']} Mbit/s"
    return f"802.11{row['phy']} {row['rate']} Mbit/s, {row['N']} stations, {row['L']} B, {rts}{control}"


def _as_ns3(rows: oracles.Metrics, model: oracles.Row | None) -> list[Case]:
    """Return the cases of one configuration that keep ns-3's rules: DIFS, RTS without limit."""
    row = rows["tput_mbps"]
    rts = row["rts"] == "1"
    text = _text(row, "difs", None if rts else 7)
    name = _name(row)

    def case(group: str, measure: Measure, reference: float, bound: float, reason: str,
             chance: float = 0.0, *, absolute: bool = True) -> Case:  # fmt: skip
        return Case(group, f"{name}: {group}", text, measure, reference, bound, reason,
                    reference_ci95=chance, absolute=absolute)  # fmt: skip

    first = Case("throughput, ns-3", f"{name}: throughput, ns-3", text, mbps, row.reference(),
                 NS3_BOUND, NS3_REASON, reference_ci95=row.ci95())  # fmt: skip
    found = [first]
    for metric, group, measure, bound, reason in (
        ("p_coll", "collisions, ns-3", collided, COLLISION_BOUND, COLLISION_REASON),
        ("jain", "Jain's index, ns-3", jain, JAIN_BOUND, JAIN_REASON),
    ):
        if metric in rows:
            told = rows[metric]
            found.append(case(group, measure, told.number("mean"), bound, reason, told.ci95()))
    if model and model["mc_mbps"]:
        found.append(case("throughput, Monte Carlo", mbps, model.reference("mc_mbps"),
                          MONTE_CARLO_BOUND, MONTE_CARLO_REASON, absolute=False))  # fmt: skip
        found.append(case("collisions, Monte Carlo", collided, model.number("mc_p"),
                          COLLISION_BOUND, COLLISION_REASON))  # fmt: skip
    return found


def _by_the_standard(row: oracles.Row, model: oracles.Row) -> list[Case]:
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
            model.reference(column),
            MONTE_CARLO_BOUND,
            MONTE_CARLO_REASON,
        )
        for bystanders, column in columns.items()
        if model[column]
    ]


KEY = ("scenario", "N", "L", "rts")


def _key(row: oracles.Row, seconds: str) -> tuple[str, ...]:
    return (*(row[column] for column in KEY), f"{row.number(seconds):g}")


def _models() -> dict[tuple[str, ...], oracles.Row]:
    """Return the table of models by configuration."""
    table = oracles.table("ns3/dcf_vs_models.csv") or []
    return dict(oracles.each(table, lambda row: [(_key(row, "sim_s"), row)]))


def _of_models_alone(model: oracles.Row) -> oracles.Metrics:
    """Return the rows of a run that only the table of models has: 802.11b at 11 Mbit/s."""
    same = {
        "phy": "b",
        "rate": "11",
        "ack": "1",
        "n_seeds": model["n"],
        "sim_seconds": model["sim_s"],
    }
    same |= {column: model[column] for column in KEY}
    throughput = same | {"mean": model["ns3_mbps"], "std": model["ns3_std"]}
    index = same | {"mean": model["jain"], "std": "0"}
    return oracles.Metrics(
        tput_mbps=oracles.Row(model.where, throughput), jain=oracles.Row(model.where, index)
    )


def _cases(rows: oracles.Metrics, models: Mapping[tuple[str, ...], oracles.Row]) -> list[Case]:
    row = rows["tput_mbps"]
    model = models.get(_key(row, "sim_seconds"))
    if row["ack"] != MODELLED_ACK.get(row["phy"]):
        model = None
    return _as_ns3(rows, model) + (_by_the_standard(row, model) if model else [])


def cases(quick: bool) -> list[Case]:
    """Return the cases of each configuration of the reference runs; quick: every twelfth."""
    models = _models()
    columns = (*KEY, "phy", "rate", "ack", "sim_seconds")
    found = oracles.configurations(oracles.table("ns3/dcf.csv"), columns)
    there = {
        key for (key,) in oracles.each(found, lambda rows: [(_key(rows.settings, "sim_seconds"),)])
    }
    found += [_of_models_alone(model) for key, model in models.items() if key not in there]
    return oracles.each(found[:: 12 if quick else 1], lambda rows: _cases(rows, models))
