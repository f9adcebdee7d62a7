"""The alternatives to what is unstated, one at a time: which claims flip, how near the tables come.

Only some cells are run, with fewer replications than the study's, and everything is compared with the
study's own settings run the same way. Every alternative has directories of its own: after Ctrl-C the
same command goes on where it was.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lasthop.core import toml
from lasthop.core.listeners import Count
from lasthop.study.axes import Axis
from lasthop.study.claims import Table
from lasthop.study.claims.unstated import Audit, OpenChoice, audit
from lasthop.study.judgement import tables_of
from lasthop.study.papers import nearness, paper_tables, paper_verdicts, plans
from lasthop.study.papers.folder import Alternative, Paper
from lasthop.study.papers.plans import Part
from lasthop.study.spec import Study
from lasthop.study.sweeping import sweep


@dataclass(frozen=True)
class AuditOptions:
    """Options of the audit."""

    paper: Paper
    directory: Path
    studies: tuple[str, ...]
    seed: int
    workers: int | None
    quick: bool

    def parts(self) -> list[Part]:
        """Return the cells that are run."""
        return plans.audit(self.paper, self.studies, self.seed, None, self.quick)

    def alternatives(self) -> list[tuple[str, Alternative]]:
        """Return (item, alternative) of all that is tried: what can be set, and is of these studies."""
        there = {part.id for part in self.parts()}
        return [
            (choice.item, each)
            for choice in self.paper.choices
            for each in choice.alternatives
            if each.can_be_set and set(each.of) & there and (each.quick or not self.quick)
        ]


def run(how: AuditOptions, told: Count) -> dict[str, Any]:
    """Run every alternative; return the baseline, the variations and how near each is, ready for JSON."""
    planned, parts = how.alternatives(), how.parts()
    by_name = {(item, each.name): each for item, each in planned}
    near: dict[str, dict[str, Any]] = {}
    base: dict[int, dict[str, Table]] = {}

    def evaluate(changes: Mapping[str, Any]) -> dict[str, Table]:
        other = next((by_name[pair] for pair in changes.items()), None)
        found: dict[str, list[dict[str, Table]]] = {}
        for place, part in enumerate(parts):
            if other is not None and part.id not in other.of:
                found.setdefault(part.id, []).append(base[place])
                continue
            study = part.study if other is None else changed(part.study, other)
            name = "own" if other is None else slug("-".join((*changes.keys(), other.name)))
            where = how.directory / f"{name}.{place}.{part.id}"
            swept = tables_of(sweep(study, where, workers=how.workers))
            if other is None:
                base[place] = swept
            found.setdefault(part.id, []).append(swept)
        made = paper_tables.tables(how.paper, found)
        near[_key(changes)] = nearness.agreement(nearness.rows(how.paper, made))
        return made

    there = paper_tables.tables(how.paper, {part.id: [] for part in parts})
    result = audit(
        paper_verdicts.judgeable(how.paper, there),
        [OpenChoice(item, item, "", (each.name,)) for item, each in planned],
        evaluate,
        told=lambda done, of, _: told(done + 1, of + 1),
    )
    told(len(result.variations) + 1, result.planned + 1)
    return _document(result, near, max(part.study.replications for part in parts))


def changed(study: Study, other: Alternative) -> Study:
    """Return the study with one thing unstated made otherwise."""
    made = replace(study, changes=(*study.changes, *other.overrides))
    if other.flow is not None:
        scenario = tomllib.loads(study.scenario)
        scenario["flow"] = [*scenario["flow"], other.flow]
        made = replace(made, scenario=toml.written(scenario))
    groups = tuple(tuple(_other(axis, other) for axis in group) for group in study.axes)
    return replace(made, axes=groups)


def _other(axis: Axis, other: Alternative) -> Axis:
    swap = other.swap.get(axis.key, {})
    values = tuple(swap.get(str(value), value) for value in axis.values)
    return Axis(other.instead.get(axis.key, axis.key), values)


def slug(name: str) -> str:
    """Return a name as a directory can have it."""
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")[:80]


def _key(changes: Mapping[str, Any]) -> str:
    return "; ".join(f"{item}: {name}" for item, name in changes.items())


def _document(found: Audit, near: Mapping[str, Any], count: int) -> dict[str, Any]:
    rows = []
    for each in found.variations:
        ((item, name),) = each.changes.items()
        row = {**each.as_dict(), "item": item, "name": name, "agreement": near[each.name]}
        del row["changes"]
        rows.append(row)
    return {
        "replications": count,
        "claims": {each.claim.id: str(each.verdict) for each in found.base},
        "agreement": near.get("", {}),
        "flips": found.flips(),
        "variations": rows,
        "complete": found.complete,
        "false_discovery_rate": found.rate,
        "planned": found.planned,
    }
