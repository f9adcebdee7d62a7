"""Laws in their steady state on a path without random loss: the engine against what their papers say.

Reno's sawtooth, Vegas' backlog, Westwood's window after a loss, LEDBAT's delay, BBR's cycle,
DCTCP's sawtooth.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from lasthop.core.job import Job
from lasthop.core.jobs import run_jobs
from lasthop_validation import tcp_formulas as formulas
from lasthop_validation.checking import Check
from lasthop_validation.judging import Case

WIRE = 1040
"""Bytes of a segment of 1000 B on the wire."""
BDP = 100
"""Segments that fill the path, of the sawtooth and of Westwood."""

SCENARIO = """
name = "rest"
duration = "{duration} s"
warmup = "{warmup} s"

[[link]]
ends = ["s", "d"]
rate = "{rate} bps"
delay = "{delay} us"
queue = {{ packets = {queue}, counts = "with_service"{marks} }}
reverse_queue = "unlimited"

[tcp]
variant = "{variant}"
mss = "1000 B"
window = "1000000 packets"
{tcp}

[[flow]]
name = "bulk"
from = "s"
to = "d"
"""


@dataclass(frozen=True)
class Path:
    """One link: rate in bit/s, round-trip time in s without any queue or transmission."""

    rate: float
    rtt: float

    @property
    def segment(self) -> float:
        """Return the time that a segment takes on the wire, s."""
        return WIRE * 8 / self.rate

    @property
    def base(self) -> float:
        """Return the round-trip time of a segment that waits nowhere, s."""
        return self.rtt + self.segment + 40 * 8 / self.rate

    @property
    def bdp(self) -> float:
        """Return how many segments the path holds without a queue."""
        return self.base / self.segment

    def scenario(
        self,
        variant: str,
        queue: int,
        duration: float,
        warmup: float,
        *,
        tcp: str = "",
        marks: str = "",
    ) -> str:
        """Return the scenario of one bulk flow."""
        return SCENARIO.format(
            duration=duration,
            warmup=warmup,
            rate=round(self.rate),
            delay=round(self.rtt / 2 * 1e6),
            queue=queue,
            marks=marks,
            variant=variant,
            tcp=tcp,
        )


def utilisation(run: Mapping[str, Any]) -> float:
    """Return the share of time for which the link sent."""
    return next(float(link["utilisation"]) for link in run["links"] if link["name"] == "s>d")


def waiting(run: Mapping[str, Any]) -> float:
    """Return the mean number of packets that wait for the link."""
    return next(float(queue["mean_packets"]) for queue in run["queues"] if queue["name"] == "s>d")


def threshold(run: Mapping[str, Any]) -> float:
    """Return the mean slow-start threshold of the measured time, in segments."""
    rows = run["probes"]["tcp"]
    begin = run["duration_s"] - run["measured_s"]
    pairs = zip(rows["time_s"], rows["ssthresh"], strict=True)
    return float(np.mean([limit for time, limit in pairs if time >= begin and limit is not None]))


@dataclass(frozen=True)
class Waiting:
    """The mean time that a packet waits before the link, s."""

    path: Path

    def __call__(self, run: Mapping[str, Any]) -> float:
        """Return the time, s."""
        (flow,) = run["flows"]
        return float(flow["delay_s"]["mean"]) - self.path.rtt / 2 - self.path.segment


def _sawtooth() -> list[Case]:
    path = Path(10e6, BDP * WIRE * 8 / 10e6 - (WIRE + 40) * 8 / 10e6)
    return [
        Case(
            "Reno's sawtooth: utilisation",
            f"buffer of {share:g} bandwidth-delay products",
            path.scenario("sack", max(2, round(share * BDP) + 1), 700, 100),
            utilisation,
            formulas.sawtooth_utilisation(share),
            0.03,
            "the fluid model leaves out the round of a recovery and whole segments: 2 of 100",
            replications=1,
        )
        for share in (0.1, 0.25, 0.5, 0.75, 1.0)
    ]


def _vegas() -> list[Case]:
    path = Path(500 * WIRE * 8, 0.1)
    reason = "between alpha and beta segments wait (Brakmo and Peterson 1995, section 4.2)"
    return [
        Case(
            "Vegas at rest: segments waiting",
            f"{variant}, alpha {alpha}, beta {beta}",
            path.scenario(variant, 1000, 300, 100),
            waiting,
            (alpha + beta) / 2,
            (beta - alpha) / 2 + below,
            reason if below == 0 else f"{reason}; Linux judges by the least round trip of a round",
            replications=1,
            absolute=True,
        )
        for variant, alpha, beta, below in (("vegas", 1, 3, 0), ("linux-vegas", 2, 4, 1))
    ]


def _westwood() -> list[Case]:
    path = Path(10e6, BDP * WIRE * 8 / 10e6 - (WIRE + 40) * 8 / 10e6)
    return [
        Case(
            "Westwood after a loss: threshold in segments",
            variant,
            path.scenario(variant, BDP + 1, 400, 100),
            threshold,
            path.bdp,
            0.05,
            "BWE RTTmin is the path's content (Mascolo et al. 2001); the filter lags",
            replications=1,
            probes=("tcp",),
        )
        for variant in ("westwood", "westwood+", "linux-westwood")
    ]


def _ledbat() -> list[Case]:
    path = Path(10e6, 0.04)
    return [
        Case(
            "LEDBAT at rest: waiting, s",
            f"target {target} ms",
            path.scenario(
                "ledbat", 1000, 400, 200, tcp=f"law_options = {{ target = {target / 1000} }}"
            ),
            Waiting(path),
            target / 1000,
            0.05,
            "the queue rests at the target (RFC 6817 section 2.4.2)",
            replications=1,
        )
        for target in (25, 60, 100)
    ]


def cases(quick: bool) -> list[Case]:
    """Return the cases whose runs need no fine time series."""
    del quick  # they take a second
    return _sawtooth() + _vegas() + _westwood() + _ledbat()


def _series(text: str, step: str | None) -> tuple[Mapping[str, Any], dict[str, Any]]:
    """Run a scenario; return its document, and its TCP probe's columns of the measured time."""
    (run,) = run_jobs([Job(text, "rest.toml")], probes=["tcp"], probe_every=step)
    assert run is not None
    columns = {name: np.array(column) for name, column in run["probes"]["tcp"].items()}
    kept = columns["time_s"] >= run["duration_s"] - run["measured_s"]
    return run, {name: column[kept] for name, column in columns.items()}


def _bbr() -> list[Check]:
    path = Path(10e6, 0.1)
    _, rows = _series(path.scenario("bbr", 2000, 100, 20), "5 ms")
    probing = rows["law_state"] == "PROBE_BW"
    pacing = rows["pacing_rate_bps"][probing].astype(float)
    cruise = float(np.median(pacing))
    up = pacing > 1.1 * cruise
    begins = rows["time_s"][probing][1:][up[1:] & ~up[:-1]]
    cycle = float(np.mean(np.diff(begins))) / path.base
    flight = rows["flight_bytes"][probing].astype(float) / 1000 / path.bdp
    cite = "Cardwell et al., ACM Queue 14(5), 2016"
    phases = "eight phases of RTprop; each ends with the acknowledgement after it"
    clocked = "one product, and what an acknowledgement clocks"
    most, least = float(pacing.max()) / cruise, float(pacing.min()) / cruise
    products = "in bandwidth-delay products"
    checks = [
        ("pacing of the phase up, over cruising", most, 1.25, 0.02, f"gain 5/4 ({cite})"),
        ("pacing of the phase down, over cruising", least, 0.75, 0.02, f"gain 3/4 ({cite})"),
        ("cycle, round trips", cycle, 8.0, 0.10, phases),
        (
            "cruising rate, bit/s",
            cruise,
            path.rate * 1000 / WIRE,
            0.02,
            "the bottleneck's rate, payload",
        ),
        (f"in flight while cruising, {products}", float(np.median(flight)), 1.0, 0.10, clocked),
        (
            f"most in flight, {products}",
            float(flight.max()),
            1.25,
            0.10,
            "the phase up adds a quarter; cwnd allows 2",
        ),
    ]
    return [Check("BBR at rest", *check) for check in checks]


def _dctcp() -> list[Check]:
    path, above = Path(100e6, 0.01), 40
    marks = f", mark_above = {above}"
    run, rows = _series(path.scenario("dctcp", 1000, 20, 5, marks=marks), None)
    cwnd = rows["snd_cwnd"].astype(float)
    cut = cwnd[1:] < 0.995 * cwnd[:-1]
    depth = 1 - cwnd[1:][cut] / cwnd[:-1][cut]
    full = path.bdp + above
    group, cite = "DCTCP at rest", "Alizadeh et al., SIGCOMM 2010, section 3.3"
    swing = math.sqrt(2 * full) / 2
    return [
        Check(
            group,
            "alpha, from the depth of the cuts",
            2 * float(depth.mean()),
            math.sqrt(2 / full),
            0.15,
            f"sqrt(2/W) for small alpha ({cite}); marks come in whole rounds",
        ),
        Check(
            group,
            "mean queue, packets",
            waiting(run),
            above + 1 - swing / 2,
            0.10,
            f"K + 1 less half a swing of sqrt(2 W)/2 ({cite})",
        ),
    ]


def checks(quick: bool) -> list[Check]:
    """Return what is read from fine time series."""
    del quick
    return _bbr() + _dctcp()
