"""The alternatives to what is unstated, one at a time: which claims flip, what moves.

Only some cells are run, with fewer replications than the studies', and everything is compared with the
studies' own settings run the same way. Every alternative has directories of its own: after Ctrl-C the
same command goes on where it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from lasthop.claims import Table
from lasthop.claims.audit import Audit, OpenChoice, audit
from lasthop.listeners import Count
from lasthop.papers import audits
from lasthop.papers.janevski2011 import experiments
from lasthop.papers.janevski2011.collate import tables
from lasthop.papers.janevski2011.experiments import RETRIES
from lasthop.papers.janevski2011.facts import Alternative, choices, data
from lasthop.papers.janevski2011.judging import judgeable
from lasthop.study.axes import Axis
from lasthop.study.judging import tables_of
from lasthop.study.spec import Study
from lasthop.study.sweeping import sweep

REPLICATIONS = 6

MEANS = {
    "FTP at 50 m (kbit/s)": ("ftp.goodput", {"distance": 50}, 1e-3),
    "FTP at 100 m (kbit/s)": ("ftp.goodput", {"distance": 100}, 1e-3),
    "FTP moving outdoors (kbit/s)": ("outdoor.goodput", {}, 1e-3),
    "game delay at 50 m (ms)": ("game.delay", {"distance": 50}, 1e3),
}
"""Means over all cells of a kind, by which an alternative is seen: metric, cells, scale."""


@dataclass(frozen=True)
class AuditOptions:
    """How the audit is run."""

    directory: Path
    studies: tuple[str, ...]
    seed: int
    threads: int | None
    quick: bool

    def cells(self) -> list[tuple[str, Study]]:
        """Return the studies with the cells that are run."""
        return [
            (held["study"], experiments.only(self._study(held["study"]), held["only"]))
            for held in data("audit.toml")["quick" if self.quick else "full"]
            if held["study"] in self.studies
        ]

    def _study(self, id_: str) -> Study:
        whole = experiments.study(id_, self.seed, REPLICATIONS)
        return experiments.shorter(whole) if self.quick else whole

    def alternatives(self) -> list[tuple[str, Alternative]]:
        """Return (item, alternative) of all that is tried: what can be set, and matters in these studies."""
        there = {id_ for id_, _ in self.cells()}
        return [
            (choice.item, each)
            for choice in choices()
            for each in choice.alternatives
            if each.overrides and set(each.studies) & there and (each.quick or not self.quick)
        ]


def run(how: AuditOptions, told: Count) -> dict[str, Any]:
    """Run every alternative; return the baseline, the variations and what moves, ready for JSON."""
    planned = how.alternatives()
    by_name = {(item, each.name): each for item, each in planned}
    means: dict[str, dict[str, float | None]] = {}
    base: dict[str, list[dict[str, Table]]] = {}

    def evaluate(changes: Mapping[str, Any]) -> dict[str, Table]:
        alternative = next((by_name[pair] for pair in changes.items()), None)
        found: dict[str, list[dict[str, Table]]] = {}
        for place, (id_, study) in enumerate(how.cells()):
            if alternative is not None and id_ not in alternative.studies:
                found[id_] = base[id_]
                continue
            varied = study if alternative is None else changed(study, alternative)
            name = "own" if alternative is None else audits.slug(alternative.name)
            where = how.directory / f"{name}.{place}.{id_}"
            found.setdefault(id_, []).append(tables_of(sweep(varied, where, workers=how.threads)))
        if alternative is None:
            base.update(found)
        made = tables(found)
        means["; ".join(f"{item}: {name}" for item, name in changes.items())] = moved(made)
        return made

    first = tables({id_: [] for id_, _ in how.cells()})
    result = audit(
        judgeable(first),
        [OpenChoice(item, item, "", (each.name,)) for item, each in planned],
        evaluate,
        told=lambda done, of, _: told(done + 1, of + 1),
    )
    told(len(result.variations) + 1, result.planned + 1)
    return _document(result, means, REPLICATIONS)


def changed(study: Study, alternative: Alternative) -> Study:
    """Return the study with one thing unstated made otherwise."""
    made = replace(study, changes=(*study.changes, *alternative.overrides))
    if alternative.retry_key is None:
        return made
    key = alternative.retry_key
    groups = tuple(
        tuple(Axis(key if axis.key == RETRIES else axis.key, axis.values) for axis in group)
        for group in study.axes
    )
    return replace(made, axes=groups)


def moved(found: Mapping[str, Table]) -> dict[str, float | None]:
    """Return the means of `MEANS`, None where nothing was run."""
    return {
        name: _mean(found[metric].where(where), scale) if metric in found else None
        for name, (metric, where, scale) in MEANS.items()
    }


def _mean(table: Table, scale: float) -> float | None:
    values = np.concatenate([np.empty(0), *table.cells.values()])
    there = values[~np.isnan(values)]
    return float(there.mean()) * scale if len(there) else None


def _document(found: Audit, means: Mapping[str, Any], count: int) -> dict[str, Any]:
    return {
        "replications": count,
        "claims": {each.claim.id: str(each.verdict) for each in found.base},
        "means": means.get("", {}),
        "flips": found.flips(),
        "variations": audits.rows(found, {name: {"means": each} for name, each in means.items()}),
        "complete": found.complete,
        "planned": found.planned,
    }
