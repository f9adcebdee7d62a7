"""Effects that are known of 802.11, and that nobody has put into the engine: they come by themselves."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from itertools import pairwise
from typing import Any

from lasthop.core.job import Job
from lasthop.core.jobs import run_jobs
from lasthop.numbers import stats
from lasthop_validation import theory
from lasthop_validation.checking import Check
from lasthop_validation.dcf_monte_carlo import Timing
from lasthop_validation.dcf_monte_carlo import simulate as monte_carlo
from lasthop_validation.effects_scenarios import ALONE, ANOMALY, HIDDEN, NEAR_AND_FAR, TWO_WAYS
from lasthop_validation.hidden_pair import simulate
from lasthop_validation.judging import Case, Deferred
from lasthop_validation.saturated import bits


def goodput(run: Mapping[str, Any], sender: str) -> float:
    """Return the goodput of the flows from `sender`, bit/s."""
    return math.fsum(flow["goodput_bps"] for flow in run["flows"] if flow["from"] == sender)


# The performance anomaly. Frames that collide are lost: by SINR one at 1 Mbit/s outlives a collision with
# one at 11 Mbit/s, and slow stations get more than fast ones.

PAYLOAD = 1472
PSDU = PAYLOAD + 28 + 36


def _fast(run: Mapping[str, Any], stations: int) -> float:
    """Return the mean goodput of the fast stations, bit/s."""
    fast = [f"sta{i}" for i in range(2, stations + 1)]
    return math.fsum(goodput(run, sender) for sender in fast) / len(fast)


def _anomaly(stations: int) -> Case:
    rate = theory.heusse(stations, 8 * PSDU, 11e6, 1e6)
    return Case(
        "one slow station",
        f"{stations} stations, one at 1 Mbit/s: goodput of a fast one",
        ANOMALY.format(duration=105, stations=stations, payload=PAYLOAD),
        lambda run: _fast(run, stations),
        rate * PAYLOAD / PSDU,
        0.05,
        "Heusse's formula (INFOCOM 2003) knows no doubled windows and no idle slots that overlap",
    )


TURNS_REPLICATIONS = 40


def _anomaly_by_turns(stations: int) -> Deferred:
    """Return what a fast and the slow station carry, by a Monte Carlo; a collision loses all frames for everybody.

    By default a station hears a neighbour's frame through a weaker one and then waits no EIFS.
    """
    text = ANOMALY.format(duration=105, stations=stations, payload=PAYLOAD)
    deaf = text.replace("[medium]\n", "[medium]\ncapture_db = 60\n")
    name = f"{stations} stations, one at 1 Mbit/s: goodput of"
    return Deferred(name, deaf, TURNS_REPLICATIONS, partial(_by_turns, name, deaf, stations))


def _by_turns(name: str, deaf: str, stations: int) -> list[Case]:
    timing = Timing(11e6, 1e6)
    longer = timing.frame(PSDU, 1e6) - timing.frame(PSDU, 11e6)
    found = monte_carlo(timing.rules(PSDU, longer=longer), stations, turns=2_000_000)
    fast = (found.frames_per_s - found.first_per_s) / (stations - 1)
    why = "the same rules on both sides: what remains is chance"
    return [
        Case("one slow station, by turns", f"{name} a fast one", deaf,
             lambda run: _fast(run, stations), 8 * PAYLOAD * fast, 0.01, why,
             replications=TURNS_REPLICATIONS),
        Case("one slow station, by turns", f"{name} the slow one", deaf,
             lambda run: goodput(run, "sta1"), 8 * PAYLOAD * found.first_per_s, 0.02, why,
             replications=TURNS_REPLICATIONS),
    ]  # fmt: skip


def _shares(stations: int) -> Case:
    return Case(
        "one slow station, shares",
        f"{stations} stations, one at 1 Mbit/s: a fast one's goodput over the slow one's",
        ANOMALY.format(duration=105, stations=stations, payload=PAYLOAD),
        lambda run: _fast(run, stations) / goodput(run, "sta1"),
        1.0,
        0.1,
        "DCF gives each as many frames; but after a collision of both the slow one's timeout still "
        "runs (11 slots) when the fast one's is over",
    )


# Hidden stations.

HIDDEN_REPLICATIONS = 10


def _hidden(payload: int) -> Deferred:
    text = HIDDEN.format(duration=205, rts="never", apart=140, payload=payload)
    name = f"two hidden stations, {payload} B"
    return Deferred(name, text, HIDDEN_REPLICATIONS, partial(_two_hidden, name, text, payload))


def _two_hidden(name: str, text: str, payload: int) -> list[Case]:
    timing, psdu = Timing(2e6, 1e6), payload + 28 + 36
    found = simulate(timing.rules(psdu), timing.frame(psdu, 2e6), timing.sifs)

    def frames(run: Mapping[str, Any]) -> float:
        return bits(run) / (8 * payload)

    def failed(run: Mapping[str, Any]) -> float:
        attempts = math.fsum(station["attempts"] for station in run["stations"])
        return 1 - math.fsum(station["successes"] for station in run["stations"]) / attempts

    return [
        Case("hidden stations", f"{name}: frames a second", text, frames, found.frames_per_s, 0.02,
             "the same rules on both sides: what remains is chance",
             replications=HIDDEN_REPLICATIONS),
        Case("hidden stations, attempts that fail", name, text, failed, found.failed, 0.01,
             "the same", absolute=True, replications=HIDDEN_REPLICATIONS),
    ]  # fmt: skip


# Capture.


def _near_over_far(run: Mapping[str, Any]) -> float:
    far = [goodput(run, f"sta{i}") for i in range(2, 11)]
    return goodput(run, "sta1") / (math.fsum(far) / len(far))


# TCP's two directions at a small queue.


def _up_over_down(run: Mapping[str, Any]) -> float:
    return goodput(run, "sta1") / goodput(run, "server")


# Shadowing and distance.

RECEIVE_W = 3.652e-10
SPACED = '{ kind = "cbr", payload = "500 B", rate = "400 kbps" }'
SATURATED = '{ kind = "saturated", payload = "1000 B" }'


def _shadowed(distance: int) -> Case:
    text = ALONE.format(
        duration=105,
        reception="thresholds",
        thresholds=f'rx_threshold = "{RECEIVE_W} W"\ncs_threshold = "1.559e-11 W"',
        rate=6,
        limit=1,
        distance=distance,
        app=SPACED,
    )

    def received(run: Mapping[str, Any]) -> float:
        (flow,) = run["flows"]
        return float(flow["packets_delivered"]) / float(flow["packets_sent"])

    return Case(
        "shadowing",
        f"{distance} m: share of frames received, janevski2011's radio",
        text,
        received,
        theory.shadowed_share(distance, 0.28183815, RECEIVE_W, 914e6, 2.7, 4),
        0.0,
        "the closed form is exact: chance alone, and packets on the way when the run ends",
        absolute=True,
        resolution=0.01,
    )


DISTANCES = range(20, 401, 20)


def _largest_rise(rate: int, quick: bool) -> Check:
    """Check that a lone station farther away never gets more, beyond what chance explains."""
    replications = 5 if quick else 10
    jobs = [
        Job(
            text=ALONE.format(
                duration=15, reception="sinr", thresholds="", rate=rate, limit=7,
                distance=distance, app=SATURATED,
            ),
            file=f"{distance} m.toml",
            seed=distance,
            replication=replication,
        )
        for distance in DISTANCES
        for replication in range(replications)
    ]  # fmt: skip
    results = iter(run_jobs(jobs))
    means, halves = [], []
    level = stats.bonferroni(len(DISTANCES))
    for _ in DISTANCES:
        values = [bits(run) for run in (next(results) for _ in range(replications)) if run]
        means.append(stats.estimate(values).mean)
        halves.append(stats.half_width(values, level) or 0.0)
    rises = [
        (after - before, math.hypot(*halves[i : i + 2]))
        for i, (before, after) in enumerate(pairwise(means))
    ]
    rise, chance = max(rises, key=lambda rise: rise[0] - rise[1])
    return Check(
        "throughput over distance",
        f"{rate} Mbit/s, 20 to 400 m, shadowing: largest rise of a step, of what 20 m gives",
        max(rise, 0.0) / means[0],
        0.0,
        0.0,
        "what is farther is weaker, and nothing else changes",
        absolute=True,
        chance=chance / means[0],
        resolution=0.05,
    )


def _at_least(group: str, name: str, measured: float, least: float, reason: str) -> Check:
    """Return a check of a number that must not be under `least`."""
    return Check(group, name, measured, least, 0.0, reason, at_least=True)


def _orderings() -> list[Check]:
    """Return what has no formula: orderings, and by how much."""

    def ratio(text: str, measure: Any) -> float:
        runs = run_jobs(
            [Job(text=text, file="effect.toml", seed=1, replication=r) for r in range(4)]
        )
        return stats.estimate([measure(run) for run in runs if run]).mean

    def total(rts: str, apart: int) -> float:
        text = HIDDEN.format(duration=65, rts=rts, apart=apart, payload=1472)
        return ratio(text, bits)

    def capture(db: int) -> float:
        return ratio(NEAR_AND_FAR.format(duration=65, capture=db, payload=1000), _near_over_far)

    def ways(queue: int) -> float:
        return ratio(TWO_WAYS.format(duration=65, queue=queue), _up_over_down)

    plain, rts, together = total("never", 140), total("always", 140), total("never", 100)
    small, middle, large = ways(6), ways(40), ways(100)
    return [
        _at_least("hidden stations collapse", "1472 B: heard over hidden, no RTS", together / plain,
                  2.0, "every frame is open to the other for twice its length"),
        _at_least("RTS/CTS mends it", "1472 B, hidden: RTS over none", rts / plain, 2.0,
                  "only the RTS is open to the other"),
        _at_least("RTS/CTS mends it", "1472 B: hidden with RTS over heard without", rts / together,
                  0.7, "what is left is the RTS that collide, and their cost"),
        _at_least("capture", "10 stations, 10 dB: near over far", capture(10), 1.3,
                  "18 dB nearer: it survives every collision with a single far one"),
        Check("capture", "10 stations, 100 dB: near over far", capture(100), 1.0, 0.03,
              "without capture where one stands is nothing"),
        _at_least("two ways of TCP", "queue 6: up over down", small, 4.0,
                  "lost ACKs do not stop an upload (Pilosof et al., INFOCOM 2003)"),
        _at_least("two ways of TCP", "queue 40: up over down", middle, 4.0, "the same"),
        Check("two ways of TCP", "queue 100: up over down", large, 1.0, 0.1,
              "both windows of 42 fit: nothing is lost, ACKs and data take turns"),
    ]  # fmt: skip


def checks(quick: bool) -> list[Check]:
    """Return orderings and rises; quick: one rate only."""
    rates = (54,) if quick else (6, 24, 54)
    return [*_orderings(), *(_largest_rise(rate, quick) for rate in rates)]


def cases(quick: bool) -> list[Case | Deferred]:
    """Return what has a formula or a model."""
    found: list[Case | Deferred] = []
    for stations in (2, 5) if quick else (2, 3, 5, 10):
        found += [_anomaly(stations), _shares(stations)]
    for stations in (5,) if quick else (2, 5, 10, 20):
        found.append(_anomaly_by_turns(stations))
    for payload in (500,) if quick else (100, 500, 1472):
        found.append(_hidden(payload))
    return [*found, *(_shadowed(distance) for distance in (50, 100, 150))]
