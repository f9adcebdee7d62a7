"""Runs a scenario once more, with probes."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from lasthop.core import api, panels
from lasthop.core.how import Watching
from lasthop.core.job import Job
from lasthop.core.jobs import run_jobs
from lasthop.core.listeners import Fraction


def watch(asked: Job, workers: int | None, told: Fraction) -> dict[str, Any]:
    """Return the panels of the page of the first replication (`lasthop.core.panels`)."""
    found: list[dict[str, Any]] = []
    how = Watching(workers=workers, fraction=told, page=found.append)
    api.kept(asked.runs(), how)
    return found[0]


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
    how = {"workers": workers, "fraction": told, "probe_every": _step(asked, steps)}
    found: dict[str, Any] = once(asked, probes, panels=steps, **how)["panels"]
    return found


def _step(asked: Job, steps: int) -> str:
    return f"{panels.step_of(asked, steps)!r} s"
