"""Selects the cells of a paper's studies: all, those of --quick, or those of the audit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from lasthop.errors import UsageError, nearest
from lasthop.study.axes import Axis
from lasthop.study.papers import forms
from lasthop.study.papers.folder import Paper
from lasthop.study.spec import Study

MOST_REPLICATIONS = 12
"""Of quick.toml and audit.toml, where these do not say it: intervals are several times as wide below ten."""


@dataclass(frozen=True)
class Part:
    """Some cells of a study, or all.

    Attributes:
        id: The study's.
        place: The directory of its results.
        study: Only these cells.
    """

    id: str
    place: str
    study: Study


def whole(paper: Paper, wanted: tuple[str, ...], seed: int, count: int | None) -> list[Part]:
    """Return all cells of these studies."""
    return [Part(id_, id_, paper.study(id_, seed, count)) for id_ in wanted]


def quick(paper: Paper, wanted: tuple[str, ...], seed: int, count: int | None) -> list[Part]:
    """Return the cells of these studies that --quick runs."""
    return _planned(paper, "quick.toml", wanted, seed, count)


def further_runs(paper: Paper) -> int:
    """Return how many runs --quick gives to the claims that need the fewest, after all cells have theirs."""
    count: int = paper.data("quick.toml", forms.CELLS).get("further_runs", 0)
    return count


def audit(
    paper: Paper, wanted: tuple[str, ...], seed: int, count: int | None, brief: bool
) -> list[Part]:
    """Return the cells that the audit runs under every alternative; `brief`: those of --quick."""
    return _planned(paper, "audit.toml", wanted, seed, count, brief=brief)


def only(study: Study, values: Mapping[str, Any], where: str) -> Study:
    """Return a study with some values of its axes; raises UsageError for an axis that it has not.

    Axes that step together and are not named keep the values beside those of the named ones.
    """
    for key in values:
        if key not in study.keys:
            said = f"{key} is not an axis of {study.name}"
            raise UsageError(said, code="unknown-name", file=where)
    return replace(study, axes=tuple(_narrowed(group, values, where) for group in study.axes))


def _narrowed(group: tuple[Axis, ...], values: Mapping[str, Any], where: str) -> tuple[Axis, ...]:
    if all(axis.key in values for axis in group):
        return tuple(Axis(axis.key, tuple(values[axis.key])) for axis in group)
    named = [axis for axis in group if axis.key in values]
    kept = [
        step
        for step in range(len(group[0].values))
        if all(axis.values[step] in values[axis.key] for axis in named)
    ]
    if not kept:
        keys = ", ".join(axis.key for axis in named)
        raise UsageError(f"no combination has these values of {keys}", file=where)
    return tuple(Axis(axis.key, tuple(axis.values[step] for step in kept)) for axis in group)


def _planned(
    paper: Paper,
    file: str,
    wanted: tuple[str, ...],
    seed: int,
    count: int | None,
    brief: bool | None = None,
) -> list[Part]:
    held = paper.data(file, forms.CELLS)
    few = held.get("replications")
    shorter: Mapping[str, list[str]] = held.get("shorter", {})
    rows = held.get("part", [{"study": id_} for id_ in paper.ids])
    if brief is not None:
        marked = [row for row in rows if row.get("quick", False)]
        rows = (marked or rows) if brief else [row for row in rows if not row.get("quick", False)]
    found = []
    for number, row in enumerate(rows):
        if row.get("study") not in paper.ids:
            hint = nearest(str(row.get("study")), paper.ids)
            said = f"no study {row.get('study')!r}{hint}"
            at: dict[str, Any] = {"file": str(paper.path(file)), "path": ("part", number, "study")}
            raise UsageError(said, code="unknown-name", **at)
        if row["study"] not in wanted:
            continue
        own = count or row.get("replications", few)
        study = paper.study(row["study"], seed, own)
        if own is None:
            study = replace(study, replications=min(study.replications, MOST_REPLICATIONS))
        study = replace(study, changes=(*study.changes, *shorter.get(row["study"], ())))
        study = only(study, row.get("only", {}), str(paper.path(file)))
        found.append(Part(row["study"], f"{file[:-5]}.{number}.{row['study']}", study))
    return found
