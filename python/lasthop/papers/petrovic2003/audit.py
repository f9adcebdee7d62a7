"""What the alternatives to the unstated settings would change: by how much, in each case.

One setting is changed at a time. The runs are fewer and shorter than the study's, enough to see an
effect of a few per cent. The study's own settings are run the same way, and everything is compared
with that baseline: its verdicts may differ from the study's for want of runs alone. One alternative
is run after the other, so that only one has its results in memory.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

from lasthop import stats
from lasthop.jobs import run_jobs
from lasthop.papers.petrovic2003.agreement import agreement
from lasthop.papers.petrovic2003.collate import Samples
from lasthop.papers.petrovic2003.design import Plan, settings
from lasthop.papers.petrovic2003.facts import Case, Cell, choices, facts
from lasthop.papers.petrovic2003.judge import judge
from lasthop.papers.petrovic2003.words import short_evidence

Totals = dict[Cell, dict[int, float]]
"""Total goodput by cell and replication, kbit/s."""

REPLICATIONS, QUICK_REPLICATIONS = 8, 4
DURATION = "30 s"
WARMUP = "3 s"


def variants(quick: bool = False) -> list[tuple[str, str, tuple[str, ...]]]:
    """Return (item, name, overrides) of each alternative; first the study's own, at this length.

    `quick`: only of those that matter most.
    """
    own = ("run length", f"{DURATION}, of which {WARMUP} are left out; all else as taken", ())
    return [own] + [
        (choice.item, alternative.name, alternative.overrides)
        for choice in choices()
        if "bulk" in choice.of
        for alternative in choice.alternatives
        if alternative.overrides and (alternative.quick or not quick)
    ]


def audit(
    seed: int, threads: int | None, progress: Callable[[int, int], None], quick: bool = False
) -> list[dict[str, Any]]:
    """Run every alternative; return its agreement, effects by case, and how it judges the claims.

    The first is the baseline. `changed` names the claims whose verdict differs from the
    baseline's. Ctrl-C ends it with those that are finished.
    """
    count = QUICK_REPLICATIONS if quick else REPLICATIONS
    plan = Plan(tuple(settings(exact_fec=False)), count, seed)
    short = (f"duration={DURATION}", f"warmup={WARMUP}")
    chosen = variants(quick)
    each = len(plan.settings) * count
    found: list[dict[str, Any]] = []
    own: Totals = {}
    for place, (item, name, overrides) in enumerate(chosen):
        shifted = partial(_shift, progress, place * each, len(chosen) * each)
        try:
            jobs = plan.jobs((*short, *overrides))
            samples = Samples.of(plan.keys(), run_jobs(jobs, threads=threads, progress=shifted))
            totals = {cell: samples.totals(cell) for cell in facts().published}
            own = own or totals
            row = _result(item, name, samples, count)
            row["effects"] = effects(totals, own) if found else {}
            base = found[0]["verdicts"] if found else row["verdicts"]
            row["changed"] = [claim for claim in base if row["verdicts"][claim] != base[claim]]
            found.append(row)
        except KeyboardInterrupt:
            break
    return found


def effects(totals: Totals, own: Totals) -> dict[str, dict[str, float | None]]:
    """Return by case how an alternative changes the total goodput: a ratio, with its interval.

    The geometric mean over the cells of the case of the alternative's total over the baseline's,
    by replication (common random numbers), then over replications: Student's 95 % interval of its
    logarithm. Cells that delivered nothing in either are left out.
    """
    found = {}
    for case in facts().cases:
        logs = [
            math.fsum(pairs) / len(pairs)
            for r in sorted(set().union(*own.values()))
            if (pairs := _log_ratios(totals, own, case, r))
        ]
        if not logs:
            continue
        middle = stats.estimate(logs)
        half = middle.ci95
        found[case.label] = {
            "ratio": math.exp(middle.mean),
            "low": None if half is None else math.exp(middle.mean - half),
            "high": None if half is None else math.exp(middle.mean + half),
        }
    return found


def _log_ratios(totals: Totals, own: Totals, case: Case, replication: int) -> list[float]:
    return [
        math.log(changed / before)
        for cell in own
        if cell.case == case
        and (changed := totals[cell].get(replication, 0.0)) > 0
        and (before := own[cell].get(replication, 0.0)) > 0
    ]


def _shift(
    progress: Callable[[int, int], None], before: int, total: int, done: int, _of: int
) -> None:
    """Report the progress of one part as that of the whole."""
    progress(before + done, total)


def _result(item: str, name: str, samples: Samples, count: int) -> dict[str, Any]:
    found = agreement(samples)["all"]
    claims = judge(samples)
    return {
        "item": item,
        "name": name,
        "replications": count,
        "duration": DURATION,
        "warmup": WARMUP,
        "geometric_mean_ratio": found.get("geometric_mean_ratio"),
        "rms_log_error": found.get("rms_log_error"),
        "verdicts": {claim["id"]: claim["verdict"] for claim in claims},
        "counts": {claim["id"]: short_evidence(claim) for claim in claims},
    }
