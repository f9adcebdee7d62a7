"""What the alternatives to the unstated settings would give: which verdicts flip.

One setting is changed at a time. The runs are fewer and shorter than the study's, enough to see a
bias of a few per cent and a verdict turn over; the study's own settings are run the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lasthop.jobs import Interrupted, run_jobs
from lasthop.papers.petrovic2003.agreement import agreement
from lasthop.papers.petrovic2003.collate import Samples
from lasthop.papers.petrovic2003.design import Plan, settings
from lasthop.papers.petrovic2003.facts import choices
from lasthop.papers.petrovic2003.judge import judge

REPLICATIONS = 3
DURATION = "30 s"
WARMUP = "5 s"


def variants() -> list[tuple[str, str, tuple[str, ...]]]:
    """Return (item, name, overrides) of each alternative, the study's own settings first."""
    own = ("the study itself", "as taken", ())
    return [own] + [
        (choice.item, alternative.name, alternative.overrides)
        for choice in choices()
        for alternative in choice.alternatives
        if alternative.overrides
    ]


def runs() -> int:
    """Return how many runs the audit makes."""
    return len(variants()) * len(settings(exact_fec=False)) * REPLICATIONS


def audit(
    seed: int, threads: int | None, progress: Callable[[int, int], None] | None = None
) -> list[dict[str, Any]]:
    """Run every alternative; return its agreement with the table and its verdicts."""
    plan = Plan(tuple(settings(exact_fec=False)), REPLICATIONS, seed)
    short = (f"duration={DURATION}", f"warmup={WARMUP}")
    chosen = variants()
    jobs = [job for _, _, overrides in chosen for job in plan.jobs((*short, *overrides))]
    try:
        results = run_jobs(jobs, threads=threads, progress=progress)
    except Interrupted as stop:
        results = stop.results
    each = len(jobs) // len(chosen)
    return [
        _result(item, name, Samples.of(plan.keys(), results[i * each : (i + 1) * each]))
        for i, (item, name, _) in enumerate(chosen)
        if all(run is not None for run in results[i * each : (i + 1) * each])
    ]


def _result(item: str, name: str, samples: Samples) -> dict[str, Any]:
    found = agreement(samples)["all"]
    return {
        "item": item,
        "name": name,
        "replications": REPLICATIONS,
        "duration": DURATION,
        "geometric_mean_ratio": found.get("geometric_mean_ratio"),
        "rms_log_error": found.get("rms_log_error"),
        "verdicts": {claim["id"]: claim["verdict"] for claim in judge(samples)},
    }
