"""A scenario of saturated stations against the Monte Carlo of their contention."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from lasthop_validation.dcf_monte_carlo import Rules, simulate
from lasthop_validation.judging import Case, Deferred, Measure

BOUND = 0.005
REASON = "the same rules on both sides: what remains is chance"
TURNS = 1_000_000
"""Transmissions and collisions of the Monte Carlo, which take seconds."""


def contended(
    label: str, text: str, measure: Measure, rules: Rules, stations: int, replications: int
) -> Deferred:
    """Return the case of a scenario whose `measure` is frames a second, all stations together."""
    name = f"{label}: Monte Carlo"
    make = partial(_judged, name, text, measure, rules, stations, replications)
    return Deferred(name, text, replications, make)


def _judged(
    name: str, text: str, measure: Measure, rules: Rules, stations: int, replications: int
) -> Iterator[Case]:
    found = simulate(rules, stations, turns=TURNS)
    yield Case(
        "Monte Carlo",
        name,
        text,
        measure,
        found.frames_per_s,
        BOUND,
        REASON,
        reference_ci95=1.96 * found.standard_error,
        replications=replications,
    )
