"""What the alternatives to the unstated settings would give: which verdicts flip.

One setting is changed at a time. The runs are fewer and shorter than the study's, enough to see a
bias of a few per cent and the balance of a claim turn over; the study's own settings are run the
same way. One alternative is run after the other, so that only one has its results in memory.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from lasthop.jobs import Interrupted, run_jobs
from lasthop.papers.petrovic2003.agreement import agreement
from lasthop.papers.petrovic2003.collate import Samples
from lasthop.papers.petrovic2003.design import Plan, settings
from lasthop.papers.petrovic2003.facts import choices
from lasthop.papers.petrovic2003.judge import judge
from lasthop.papers.petrovic2003.words import short_evidence

REPLICATIONS = 6
DURATION = "12 s"
WARMUP = "2 s"


def variants() -> list[tuple[str, str, tuple[str, ...]]]:
    """Return (item, name, overrides) of each alternative; first the study's own, at this length."""
    own = ("run length", f"{DURATION}, of which {WARMUP} are left out; all else as taken", ())
    return [own] + [
        (choice.item, alternative.name, alternative.overrides)
        for choice in choices()
        for alternative in choice.alternatives
        if alternative.overrides
    ]


def audit(
    seed: int, threads: int | None, progress: Callable[[int, int], None]
) -> list[dict[str, Any]]:
    """Run every alternative; return its agreement with the table and how it judges the claims.

    Ctrl-C ends it with those that are finished.
    """
    plan = Plan(tuple(settings(exact_fec=False)), REPLICATIONS, seed)
    short = (f"duration={DURATION}", f"warmup={WARMUP}")
    chosen = variants()
    each = len(plan.settings) * REPLICATIONS
    found = []
    for place, (item, name, overrides) in enumerate(chosen):
        shifted = partial(_shift, progress, place * each, len(chosen) * each)
        try:
            jobs = plan.jobs((*short, *overrides))
            results = run_jobs(jobs, threads=threads, progress=shifted)
        except Interrupted:
            break
        found.append(_result(item, name, Samples.of(plan.keys(), results)))
    return found


def _shift(
    progress: Callable[[int, int], None], before: int, total: int, done: int, _of: int
) -> None:
    """Report the progress of one part as that of the whole."""
    progress(before + done, total)


def _result(item: str, name: str, samples: Samples) -> dict[str, Any]:
    found = agreement(samples)["all"]
    claims = judge(samples)
    return {
        "item": item,
        "name": name,
        "replications": REPLICATIONS,
        "duration": DURATION,
        "warmup": WARMUP,
        "geometric_mean_ratio": found.get("geometric_mean_ratio"),
        "rms_log_error": found.get("rms_log_error"),
        "verdicts": {claim["id"]: claim["verdict"] for claim in claims},
        "counts": {claim["id"]: short_evidence(claim) for claim in claims},
    }
