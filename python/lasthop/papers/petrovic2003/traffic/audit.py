"""The alternatives to what is unstated of web and voice, one at a time: which claims flip, what moves.

The runs are fewer and shorter than the study's, and everything is compared with the study's own
settings run the same way. Every alternative is a sweep with a directory of its own: after Ctrl-C
the same command goes on where it was.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from lasthop.claims import Table
from lasthop.claims.audit import Audit, OpenChoice, audit
from lasthop.listeners import Count
from lasthop.papers import audits
from lasthop.papers.petrovic2003.facts import Alternative, choices
from lasthop.papers.petrovic2003.traffic.experiments import DOWN, UP, VOICE, WEB, Experiment
from lasthop.papers.petrovic2003.traffic.traded import traded
from lasthop.study import reader
from lasthop.study.judging import tables_of
from lasthop.study.spec import Study
from lasthop.study.sweeping import sweep

LENGTHS = {"web": ("100 s", "10 s"), "voice": ("50 s", "5 s")}
"""Duration and warm-up of an audit's runs."""
REPLICATIONS, QUICK_REPLICATIONS = 12, 6


def choices_of(experiment: Experiment, quick: bool) -> list[OpenChoice]:
    """Return what is varied, with the alternatives' names as values."""
    return [
        OpenChoice(choice.item, choice.item, choice.taken, tuple(names), choice.reason)
        for choice in choices()
        if experiment.id in choice.of
        and (
            names := [
                each.name
                for each in choice.alternatives
                if (each.overrides or each.flow) and (each.quick or not quick)
            ]
        )
    ]


def run(
    experiment: Experiment,
    study: Study,
    directory: Path,
    *,
    quick: bool,
    threads: int | None,
    told: Count,
) -> dict[str, Any]:
    """Run every alternative; return the baseline, the variations and what moves, ready for JSON."""
    planned = choices_of(experiment, quick)
    short = _short(experiment, study, quick)
    effects: dict[str, dict[str, Any]] = {}
    count = QUICK_REPLICATIONS if quick else REPLICATIONS

    def evaluate(changes: Mapping[str, Any]) -> dict[str, Table]:
        varied = short
        for item, name in changes.items():
            varied = with_alternative(varied, _alternative(item, name))
        name = audits.slug(" ".join(changes.values())) or "own"
        found = tables_of(sweep(varied, directory / name, workers=threads))
        effects["; ".join(f"{i}: {n}" for i, n in changes.items())] = {
            "means": moved(experiment, found),
            "traded": traded(found) if experiment == VOICE else [],
        }
        return found

    result = audit(study.claims, planned, evaluate, told=lambda done, of, _: told(done + 1, of + 1))
    told(len(result.variations) + 1, result.planned + 1)
    return _document(experiment, result, effects, count)


def _short(experiment: Experiment, study: Study, quick: bool) -> Study:
    duration, warmup = LENGTHS[experiment.id]
    changes = (*study.changes, f"duration={duration}", f"warmup={warmup}")
    count = QUICK_REPLICATIONS if quick else REPLICATIONS
    return replace(study, changes=changes, replications=count)


def with_alternative(study: Study, alternative: Alternative) -> Study:
    """Return the study with one thing unstated made otherwise."""
    changed = replace(study, changes=(*study.changes, *alternative.overrides))
    if alternative.flow is None:
        return changed
    scenario = tomllib.loads(study.scenario)
    scenario["flow"] = [*scenario["flow"], alternative.flow]
    return replace(changed, scenario=reader.toml(scenario))


def _alternative(item: str, name: str) -> Alternative:
    choice = next(choice for choice in choices() if choice.item == item)
    return next(each for each in choice.alternatives if each.name == name)


def moved(experiment: Experiment, tables: Mapping[str, Table]) -> dict[str, float | None]:
    """Return a few means by which an alternative is seen, in the paper's unit."""
    table = tables[experiment.metric]
    if experiment == WEB:
        groups: dict[str, dict[str, Any]] = {
            f"{size}, {'RTS' if rts == 'always' else 'no RTS'}": {"tcp.mss": size, "mac.rts": rts}
            for size in ("100 B", "1000 B")
            for rts in ("never", "always")
        }
    else:
        groups = {size: {UP: size, DOWN: size} for size in ("200 B", "800 B", "1000 B")}
    found = {name: _mean(table.where(where)) for name, where in groups.items()}
    return {name: None if x is None else x * experiment.scale for name, x in found.items()}


def _mean(table: Table) -> float | None:
    """Return the mean over cells and replications."""
    values = np.concatenate(list(table.cells.values()))
    there = values[~np.isnan(values)]
    return float(there.mean()) if len(there) else None


def _document(
    experiment: Experiment, found: Audit, effects: Mapping[str, Any], count: int
) -> dict[str, Any]:
    duration, warmup = LENGTHS[experiment.id]
    return {
        "experiment": experiment.id,
        "replications": count,
        "duration": duration,
        "warmup": warmup,
        "unit": experiment.unit,
        "claims": {each.claim.id: str(each.verdict) for each in found.base},
        **effects[""],
        "flips": found.flips(),
        "variations": audits.rows(found, effects),
        "complete": found.complete,
        "planned": found.planned,
    }
