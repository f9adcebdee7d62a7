"""Runs a scenario once more, with what its page shows written down."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lasthop.core.job import Job
from lasthop.core.jobs import run_jobs
from lasthop.core.listeners import Fraction
from lasthop.core.noticing.limits import with_measures
from lasthop.core.panels import STEPS, panels

PROBES = ("tcp", "queue", "flows", "air", "airtime", "frames", "symbols", "requests")

MEASURES = ("delay_split", "limits")
"""Measures of every page, beside those that the scenario asks for."""

MOST_PACKETS = 400_000
"""Of more packets there is no row each: they would take more memory than a page is worth."""


def watch(
    asked: Job,
    summary: Mapping[str, Any],
    workers: int | None,
    told: Fraction,
    read: Callable[[str], dict[str, Any]] = panels,
) -> dict[str, Any]:
    """Return the panels of the first replication, or what `read` makes of its result with its probes.

    Probes and measures change no result; `summary` says how many packets there are.
    """
    made = summary["packets"]["made"]
    count = made["mean"] if isinstance(made, Mapping) else made
    probes = (*PROBES, *(("packets",) if count <= MOST_PACKETS else ()))
    return with_probes(with_measures(asked, MEASURES), probes, STEPS, workers, told, read)


def once(asked: Job, probes: Sequence[str], **how: Any) -> dict[str, Any]:
    """Run the first replication with probes, and with more of what `run_jobs` takes; return its document."""
    (document,) = run_jobs([asked.runs()], probes=probes, **how)
    assert document is not None  # there is one job, and it was not interrupted
    return document


def with_probes(
    asked: Job,
    probes: Sequence[str],
    steps: int,
    workers: int | None,
    told: Fraction,
    read: Callable[[str], dict[str, Any]] = json.loads,
) -> dict[str, Any]:
    """Run the first replication with probes over `steps` steps; return the result of `read`."""
    step = f"{asked.outline()['duration_s'] / steps!r} s"
    return once(asked, probes, workers=workers, fraction=told, probe_every=step, read=read)
