"""Saturated stations that never give up, in every mode: the engine against Bianchi's model.

The model's numbers are ns-3's tables: PSDU of 1536 B, answers at the rate that the standard gives.
A sample of modes is also held against the contention-level Monte Carlo, which leaves out nothing
that the model does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lasthop_validation import bianchi_modern, oracles
from lasthop_validation.contended import contended
from lasthop_validation.dcf_monte_carlo import US, OfdmTiming, Rules, Timing
from lasthop_validation.judging import Case, Deferred
from lasthop_validation.saturated import bits, frames, scenario

PAYLOAD = 1472
"""UDP payload of a packet of 1500 B."""
PSDU = PAYLOAD + 28 + 36

BOUNDS = {"Dsss": 0.02, "Ofdm": 0.05, "ErpOfdm": 0.05}
MODEL_REASON = "the model takes slots as aligned and collisions as independent"

STANDARDS = {"Dsss": "802.11b", "Ofdm": "802.11a", "ErpOfdm": "802.11g"}
TIMES = {"Dsss": (60, 20), "Ofdm": (12, 2), "ErpOfdm": (12, 2)}
"""Duration and warm-up, s: at 50 stations the windows need a thousand frames to settle."""

MONTE_CARLO = (("Dsss", 11.0), ("Ofdm", 6.0), ("Ofdm", 54.0), ("ErpOfdm", 24.0))


def packets_mbps(run: Any) -> float:
    """Return what the model counts: whole packets of 1500 B, Mbit/s."""
    return bits(run) / PAYLOAD * 1500 / 1e6


def _split(mode: str) -> tuple[str, float] | None:
    """Return the family and the Mbit/s of a mode's name; None for 802.11ax, which `bianchi_modern` has."""
    family, found, rest = mode.partition("Rate")
    if not found or family not in BOUNDS:
        return None
    return family, float(rest.removesuffix("Mbps").replace("_", "."))


def _text(family: str, mbps: float, stations: int, bystanders: str) -> str:
    duration, warmup = TIMES[family]
    return scenario(
        stations=stations,
        standard=STANDARDS[family],
        rate=mbps,
        payload=PAYLOAD,
        limits=(None, None),
        duration=duration,
        warmup=warmup,
        mac=f"bystanders = '{bystanders}'",
    )


def _model_cases(quick: bool) -> Iterator[Case]:
    document = oracles.document("vectors/bianchi_ns3_tables.json")
    if document is None:
        return
    for row in document["cases"][:: 29 if quick else 1]:
        split = _split(row["in"]["mode"])
        if split is None:
            continue
        family, mbps = split
        stations, bystanders = row["in"]["stations"], row["in"]["after_collision_wait"]
        yield Case(
            f"Bianchi, {STANDARDS[family]}",
            f"{STANDARDS[family]} {mbps:g} Mbit/s, {stations} stations, {bystanders}",
            _text(family, mbps, stations, bystanders),
            packets_mbps,
            float(row["expect"]["saturation_throughput_mbps"]),
            BOUNDS[family],
            MODEL_REASON,
            replications=5,
        )


ANSWERS = {("Dsss", 11.0): 2, ("Ofdm", 6.0): 6, ("Ofdm", 54.0): 24, ("ErpOfdm", 24.0): 24}
"""Mbit/s of the ACK: the fastest basic rate not above (802.11-2020, 10.6.6.5)."""


def rules(family: str, mbps: float, bystanders: str) -> Rules:
    """Return the Monte Carlo's rules for a mode, worked out apart from the engine."""
    answer = ANSWERS[family, mbps] * 1e6
    timing: Timing
    if family == "Dsss":
        timing = Timing(mbps * 1e6, answer)
        slowest, window = timing.frame(14, 1e6), 31
    else:
        erp = family == "ErpOfdm"
        timing = OfdmTiming(mbps * 1e6, answer, extension=6 * US if erp else 0,
                            sifs=10 * US if erp else 16 * US, difs=28 * US if erp else 34 * US)  # fmt: skip
        slowest, window = timing.frame(14, 6e6), 15
    return timing.rules(
        PSDU,
        attempts=None,
        cw_min=window,
        bystanders=bystanders,
        eifs=timing.sifs + timing.difs + slowest,
    )


def _monte_carlo_cases(quick: bool) -> Iterator[Deferred]:
    for family, mbps in MONTE_CARLO[:: 3 if quick else 1]:
        for stations in (10,) if quick else (5, 20, 50):
            for bystanders in ("eifs",) if quick else ("eifs", "difs"):
                text = _text(family, mbps, stations, bystanders)
                where = f"{STANDARDS[family]} {mbps:g} Mbit/s, {stations} stations, {bystanders}"
                timed = rules(family, mbps, bystanders)
                yield contended(where, text, frames(PAYLOAD), timed, stations, 20)


def cases(quick: bool) -> list[Case | Deferred]:
    """Return a case for each mode, number of stations and rule; quick: a sample."""
    modern = (*bianchi_modern.closed_form(quick), *bianchi_modern.table(quick))
    return [*_model_cases(quick), *_monte_carlo_cases(quick), *modern]
