"""Runs a scenario once more, with what its page shows written down."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lasthop.core.job import Job
from lasthop.core.jobs import run_jobs
from lasthop.core.listeners import Fraction
from lasthop.core.noticing.limits import with_measures
from lasthop.core.panels import STEPS

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
) -> dict[str, Any]:
    """Return the panels of the first replication (`lasthop.core.panels`).

    Probes and measures change no result; `summary` says how many packets there are.
    """
    made = summary["packets"]["made"]
    count = made["mean"] if isinstance(made, Mapping) else made
    probes = (*PROBES, *(("packets",) if count <= MOST_PACKETS else ()))
    return drawn(with_measures(asked, MEASURES), probes, STEPS, workers, told)


def once(asked: Job, probes: Sequence[str], **how: Any) -> dict[str, Any]:
    """Run the first replication with probes, and with more that `run_jobs` takes; return what it gives."""
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
    step = _step(asked, steps)
    return once(asked, probes, workers=workers, fraction=told, probe_every=step, read=read)


def drawn(
    asked: Job, probes: Sequence[str], steps: int, workers: int | None, told: Fraction
) -> dict[str, Any]:
    """Run the first replication with probes over `steps` steps; return its panels."""
    step = _step(asked, steps)
    return once(asked, probes, workers=workers, fraction=told, probe_every=step, panels=steps)


def _step(asked: Job, steps: int) -> str:
    return f"{asked.outline()['duration_s'] / steps!r} s"
