"""A study's results before the judge: tables for claims, verdicts on what it compares, its audit."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from lasthop.core import api
from lasthop.core.listeners import Stage
from lasthop.core.metrics.leaves import Array
from lasthop.core.mistakes import apart
from lasthop.core.quantities import ends_of
from lasthop.core.quantities.better import higher_is_better, is_less_better
from lasthop.core.quantities.units import said_unit
from lasthop.errors import StudyError, UsageError
from lasthop.numbers.stats.unseen import CERTAIN
from lasthop.numbers.words import MATTERS
from lasthop.study import phrases
from lasthop.study.axes import settings
from lasthop.study.cells import metrics_of, some_cells
from lasthop.study.claims import Table
from lasthop.study.claims.judging import judge_claim
from lasthop.study.claims.ranking import Ranked, rank_all
from lasthop.study.claims.tables import Setting, Shown
from lasthop.study.claims.unstated import Audit, OpenChoice, audit
from lasthop.study.claims.verdicts import Compared, compare_all, notes
from lasthop.study.fairness_of_cells import fairness
from lasthop.study.places import Document
from lasthop.study.rows import Row
from lasthop.study.spec import Comparison, Study
from lasthop.study.sweeping import Hooks, sweep
from lasthop.study.swept import Results


def judged_tables(results: Results, study: Study) -> dict[str, Table]:
    """Return a table for each metric of a study, for its claims and comparisons to be judged by.

    Of axes that step together those are in it that a claim or comparison names, or else the first that tells the
    steps apart: the others follow from it, and would keep cells from being compared.
    """
    rows = [row.settings for row in results.rows]
    axes = _told_apart_by(results.groups, rows, study)
    return tables_of(results, axes, certain(results, study))


def refuse_wrong_claims(study: Study, metrics: Iterable[str]) -> None:
    """Raise StudyError for a claim about settings or metrics that the study has not; no run is needed for it."""
    rows = settings(study.axes) if study.claims else []
    axes = _told_apart_by([[axis.key for axis in group] for group in study.axes], rows, study)
    cells: list[tuple[Setting, list[float]]] = [
        ({key: row[key] for key in axes}, []) for row in rows
    ]
    tables = {name: Table.of(name, cells) for name in metrics}
    for claim in study.claims:
        with apart():
            try:
                judge_claim(claim, tables)
            except UsageError as error:
                if not study.source[0]:
                    raise error.behind("", StudyError, study.source[1], claim.path) from None
                text = Document(*study.source)
                raise text.at_line(claim.path, error.said, error.code) from None


def certain(results: Results, study: Study) -> set[int]:
    """Return the numbers of the cells in which nothing is random: their runs are all as the first."""
    alike = [
        row.number
        for row in results.rows
        if results.count(row) and all(_is_alike(results, name, row) for name in row.metrics)
    ]
    return {number for number, cell in some_cells(study, alike).items() if not cell.may_draw}


def _is_alike(results: Results, metric: str, row: Row) -> bool:
    values = results.values(metric, row.number)
    return bool(np.all(np.isnan(values)) or np.all(values == values[0]))


def tables_of(
    results: Results, axes: Sequence[str] | None = None, known: Collection[int] = ()
) -> dict[str, Table]:
    """Return a table for each metric of a study, in the study's order, by these axes or all.

    Of cells that are `known` any number of runs is: the first of them, over and over.
    """
    axes = results.keys if axes is None else axes

    def values(name: str, number: int) -> Array:
        found = results.values(name, number)
        return np.full(CERTAIN, found[0]) if number in known else found

    return {
        name: Table.of(
            name,
            [({key: row.settings[key] for key in axes}, values(name, row.number)) for row in rows],
            _shown(results, name),
        )
        for name in results.metrics
        if (rows := [row for row in results.rows if name in row.metrics])
    }


def _shown(results: Results, metric: str) -> Shown:
    factor, unit = results.scale(metric)
    return Shown(unit=said_unit(unit), scale=factor, ends=ends_of(metric))


def _told_apart_by(
    groups: Iterable[Sequence[str]], rows: Sequence[Setting], study: Study
) -> list[str]:
    """Return the axes of the tables of these settings."""
    named = {each.axis for each in study.compare}
    for claim in study.claims:
        named |= set(claim.names())
    found: list[str] = []
    for group in groups:
        steps = len({tuple(row[key] for key in group) for row in rows})
        wanted = [key for key in group if key in named]
        single = [key for key in (wanted or group) if len({row[key] for row in rows}) == steps]
        found += wanted or single[:1] or group
        if wanted and not single:
            found += [key for key in group if key not in wanted]
    return found


@dataclass(frozen=True)
class Pair:
    """Two settings of an axis that are compared in a cell of the other axes, `where`."""

    setting: Any
    against: Any
    where: Setting

    @property
    def id(self) -> str:
        """Values as the scenario writes them: "fq_codel against drop_tail; tcp.variant=cubic"."""
        return self._named(phrases.written, cell_id)

    @property
    def said(self) -> str:
        """The pair in words: "FQ-CoDel against drop tail; CUBIC"."""
        return self._named(phrases.of_value, phrases.of_settings)

    def _named(self, value: Callable[[Any], str], cell: Callable[[Setting], str]) -> str:
        name = f"{value(self.setting)} against {value(self.against)}"
        return f"{name}; {cell(self.where)}" if self.where else name

    def as_dict(self) -> dict[str, Any]:
        """Return the words and the values, ready for JSON."""
        return {
            "said": self.said,
            "setting": self.setting,
            "against": self.against,
            "where": dict(self.where),
        }


def cell_id(where: Setting) -> str:
    """Return the id of a cell: "tcp.variant=cubic, queue.packets=50"; "" where there are no other axes."""
    return ", ".join(f"{key}={phrases.written(value)}" for key, value in where.items())


def verdicts(results: Results, study: Study) -> dict[str, dict[str, Compared]]:
    """Return the verdicts on what the study compares: by comparison, then by the id of pair and cell.

    All verdicts of one comparison are right together with 95 %.
    """
    return _verdicts(judged_tables(results, study), study)


def _verdicts(tables: Mapping[str, Table], study: Study) -> dict[str, dict[str, Compared]]:
    return {
        f"{each.metric} by {each.axis}": _compared(tables[each.metric], each)
        for each in study.compare
    }


def _compared(table: Table, comparison: Comparison) -> dict[str, Compared]:
    return compare_all(
        {pair.id: values for pair, values in _pairs(table, comparison)},
        higher_is_better=higher_is_better(comparison.metric),
        beyond=_beyond(comparison),
    )


@dataclass(frozen=True)
class Beside:
    """The settings of an axis beside one of them, by one metric.

    Attributes:
        table: The values.
        asked: The comparison, the study's own where it has one: its verdicts are then those of `verdicts`.
        reference: The setting that the others are compared with: the comparison's, else the first.
        verdicts: By the id of pair and cell.
    """

    table: Table
    asked: Comparison
    reference: Any
    verdicts: Mapping[str, Compared]

    @property
    def beyond(self) -> float:
        """A difference that matters, as a part."""
        return _beyond(self.asked)

    def verdict(self, value: Any, where: Setting) -> Compared | None:
        """Return the verdict on a setting against the reference in a cell of the other axes, if there is one."""
        return self.verdicts.get(Pair(value, self.reference, where).id)


def beside(tables: Mapping[str, Table], study: Study, axis: str) -> dict[str, Beside]:
    """Return by metric the settings of an axis beside the baseline of a comparison, else the first setting.

    A metric that was not measured at that setting has no verdicts.
    """
    own = {each.metric: each for each in study.compare if each.axis == axis}
    bases = [each.baseline for each in own.values() if each.baseline is not None]
    first = bases or next(iter(tables.values())).values(axis)
    base, found = first[0], {}
    for name, table in tables.items():
        there = next((x for x in table.values(axis) if str(x) == str(base)), None)
        asked = own.get(name) or Comparison(axis, name, baseline=there)
        if asked.baseline is not None and str(asked.baseline) != str(base):
            asked = replace(asked, baseline=there)
        found[name] = Beside(table, asked, there, {} if there is None else _compared(table, asked))
    return found


def _rankings(tables: Mapping[str, Table], study: Study) -> dict[str, dict[str, list[Ranked]]]:
    """Return ranks of what the study compares: by comparison, then by the id of a cell of the other axes.

    Settings tie unless a difference is shown, as in `verdicts`; also with a baseline, each is ranked
    against each. All places of one comparison are right together with 95 %, and so are all its
    intervals of means.
    """
    return {
        f"{each.metric} by {each.axis}": rank_all(
            {
                cell_id(where): {str(value): cell for value, cell in cells.items()}
                for where, cells in _cells(tables[each.metric], each.axis)
            },
            higher_is_better=not is_less_better(each.metric),
            beyond=_beyond(each),
            ends=ends_of(each.metric),
        )
        for each in study.compare
    }


def as_dict(results: Results, study: Study, tables: Mapping[str, Table]) -> dict[str, Any]:
    """Return verdicts, ranks and fairness by `judged_tables`, ready for JSON, in the units of the metrics.

    Pairs and cells are keyed by their ids; their words are beside them, ``said``.
    """
    compared, ranked = _verdicts(tables, study), _rankings(tables, study)
    found: dict[str, Any] = {"compared": {}, "compared_notes": {}, "ranks": {}}
    for each in study.compare:
        name, table = f"{each.metric} by {each.axis}", tables[each.metric]
        found["compared"][name] = {
            pair.id: pair.as_dict() | compared[name][pair.id].as_dict()
            for pair, _ in _pairs(table, each)
        }
        found["compared_notes"][name] = notes(compared[name].values())
        found["ranks"][name] = {
            cell_id(where): _ranks_in(where, ranked[name][cell_id(where)])
            for where, _ in _cells(table, each.axis)
        }
    fair = fairness(results, certain(results, study))
    return found | {"fairness": [each.as_dict() for each in fair]}


def _ranks_in(where: Setting, ranked: Sequence[Ranked]) -> dict[str, Any]:
    settings = [{"said": phrases.of_value(each.name), **each.as_dict()} for each in ranked]
    return {"said": phrases.of_settings(where), "where": dict(where), "settings": settings}


def _beyond(comparison: Comparison) -> float:
    return MATTERS if comparison.margin is None else comparison.margin


def settings_of(table: Table, axis: str) -> dict[str, dict[str, Any]]:
    """Return the values of each setting along an axis, by cell of the other axes in words ("" for none)."""
    return {
        phrases.of_settings(where): {str(value): cell for value, cell in cells.items()}
        for where, cells in _cells(table, axis)
    }


def _cells(table: Table, axis: str) -> Iterator[tuple[Setting, dict[Any, Any]]]:
    """Yield each cell of the other axes that has values, with those of each setting along an axis."""
    for where in table.contexts([axis]):
        cells = {value: table.at({**where, axis: value}) for value in table.values(axis)}
        if there := {value: cell for value, cell in cells.items() if cell is not None}:
            yield where, there


def _pairs(table: Table, comparison: Comparison) -> Iterator[tuple[Pair, tuple[Any, Any]]]:
    axis = comparison.axis
    base = None if comparison.baseline is None else table.find(axis, comparison.baseline)
    for where, there in _cells(table, axis):
        if base is None:
            chosen = [(b, a) for a, b in combinations(there, 2)]
        else:
            chosen = [(value, base) for value in there if value != base and base in there]
        for a, b in chosen:
            yield Pair(a, b, where), (there[a], there[b])


def audit_of(
    study: Study,
    out: Path,
    *,
    pairs: bool = False,
    workers: int | None = None,
    hooks: Hooks | None = None,
    told: Stage | None = None,
) -> Audit:
    """Run a study's audit: the study in `out`, each variation in a directory under `out`.audit.

    Every part is a sweep: it can be stopped, and goes on where it was. Raises UsageError where the
    study claims and compares nothing.
    """
    if not study.claims and not study.compare:
        where = study.source[1] or study.name
        raise UsageError(f"{where}: nothing to judge: there is no [[claim]] and no [[compare]]")
    refuse_wrong_claims(study, metrics_of(study))
    base = {each.key: each.values[0] for each in study.unstated}
    choices = [
        OpenChoice(each.name, each.key, each.values[0], each.values[1:], each.why)
        for each in study.unstated
    ]

    def evaluate(changes: Mapping[str, Any]) -> dict[str, Table]:
        made = api.as_overrides({**base, **changes})
        varied = replace(study, changes=(*study.changes, *made))
        where = out.with_name(f"{out.name}.audit") / _slug(changes) if changes else out
        return judged_tables(sweep(varied, where, workers=workers, hooks=hooks), study)

    return audit(study.claims, choices, evaluate, pairs=pairs, told=told)


def _slug(changes: Mapping[str, Any]) -> str:
    said = "_".join(f"{key}={value}" for key, value in changes.items())
    return re.sub(r"[^A-Za-z0-9.=_+-]+", "-", said)
