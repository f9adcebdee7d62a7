"""The table of a study's page: all metrics against all settings of an axis, with verdicts on the differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from lasthop.core.quantities import ends_of
from lasthop.numbers import stats
from lasthop.numbers.numerals import listed, plain
from lasthop.pages.figures import takeaway
from lasthop.pages.report import percent
from lasthop.pages.studies.answer_chart import clipped
from lasthop.pages.studies.verdict_summary import SIGNS
from lasthop.study import phrases
from lasthop.study.answering import Answer
from lasthop.study.answering.noticed import Noticed, Tier, noticed
from lasthop.study.answering.speaking import Spoken, begun, digits, spoken
from lasthop.study.cells import scenario_of, some_cells
from lasthop.study.claims.tables import Setting
from lasthop.study.claims.verdicts import SIGNED, Compared, PairedVerdict
from lasthop.study.judgement import Beside, beside
from lasthop.study.spec import Study
from lasthop.study.swept import Results

MOST_SETTINGS = 12
"""An axis with more has no table: its figures show it."""

MOST_CELLS = 12
"""With more cells of the other axes there is no table: the answer is about their average."""

DIGITS = 4
"""Of a mean."""

MANY = 2.0
"""From this change on it is told how many times as much."""

EVEN = {
    PairedVerdict.NO_DIFFERENCE: "same",
    PairedVerdict.IDENTICAL: "identical",
}
"""Verdicts that are told in place of a change."""

GROUPS = {
    Tier.CALLS: "Calls",
    Tier.WEB: "Pages",
    Tier.DELAY: "Delay",
    Tier.GOODPUT: "Goodput",
    Tier.FAIRNESS: "Fairness",
    Tier.OTHER: "Other",
}
"""What people notice, the first first."""

HEAD = ("cell", "metric", "unit", "setting", "mean", "low", "high", "verdict", "change")
"""Headings of the table as CSV; low and high are the bounds of the mean."""


def question(study: Study) -> str:
    """Return what a study asks: in its own words, or what its axes change."""
    if study.question or study.description:
        return study.question or study.description
    keys = [group[0].key for group in study.axes]
    if not keys:
        return study.name
    said = listed([_with_article(phrases.of_key(key)) for key in keys])
    return f"What {'does' if len(keys) == 1 else 'do'} {said} change?"


def _with_article(said: str) -> str:
    return said if said.isupper() else f"the {said}"


def overview(results: Results, study: Study, answer: Answer) -> dict[str, Any] | None:
    """Return the table for the template; None where the study has no axis that fits one."""
    axis = answer.found.candidate.axis if answer.found.candidate else None
    if axis is None:
        return None
    tables = answer.tables
    whole = max(tables.values(), key=lambda table: len(table.cells))
    cells = list(whole.contexts([axis]))
    if len(whole.values(axis)) > MOST_SETTINGS or len(cells) > MOST_CELLS:
        return None
    flows = scenario_of(study, some_cells(study, [0])[0]).outline()["flows"]
    lines = [
        _Line(side, spoken(name, results.scale(name)), noticed(name, flows))
        for name, side in beside(tables, study, axis).items()
    ]
    lines.sort(key=lambda line: line.noticed.tier)
    return _Grid(axis, whole.values(axis), cells, lines, answer).as_dict()


@dataclass(frozen=True)
class _Line:
    """A metric's row: its values, its words, and how people notice it."""

    side: Beside
    spoken: Spoken
    noticed: Noticed


@dataclass(frozen=True)
class _Grid:
    """The settings of an axis, `values`, by all metrics, in each cell of the other axes."""

    axis: str
    values: Sequence[Any]
    cells: Sequence[Setting]
    lines: Sequence[_Line]
    answer: Answer

    @property
    def reference(self) -> Any:
        """The setting that the others are compared with; a metric that was not measured there says None."""
        known = (line.side.reference for line in self.lines)
        return next(each for each in known if each is not None)

    def as_dict(self) -> dict[str, Any]:
        found = self.answer.found
        best = found.split.best if found.split and found.has_best else ()
        columns = [
            {
                "name": phrases.of_value(value),
                "is_best": str(value) in best,
                "is_reference": value == self.reference,
            }
            for value in self.values
        ]
        return {
            "axis": phrases.of_key(self.axis),
            "reference": phrases.of_setting(self.axis, self.reference),
            "columns": columns,
            "margins": sorted({line.side.beyond for line in self.lines}),
            "cells": [self._cell(where) for where in self.cells],
            "numbers": takeaway.kept(HEAD, self._numbers(), 3),
        }

    def _cell(self, where: Setting) -> dict[str, Any]:
        groups = [list(group) for _, group in groupby(self.lines, lambda line: line.noticed.tier)]
        return {
            "title": begun(phrases.of_settings(where)),
            "groups": [
                {
                    "title": GROUPS[lines[0].noticed.tier] if len(groups) > 1 else "",
                    "rows": [self._row(line, where) for line in lines],
                }
                for lines in groups
            ],
        }

    def _row(self, line: _Line, where: Setting) -> dict[str, Any]:
        return {
            "name": begun(line.spoken.noun),
            "unit": line.spoken.unit.strip(),
            "cells": [self._entry(line, where, value) for value in self.values],
        }

    def _entry(self, line: _Line, where: Setting, setting: Any) -> dict[str, Any]:
        """Return a mean with its interval, and what is shown against the reference."""
        known = self._known(line, where, setting)
        if known is None:
            return {"mean": "-", "half": "", "sign": "", "said": "", "word": ""}
        factor = line.spoken.factor

        def text(value: float) -> str:
            return plain(value * factor, DIGITS).replace("-", "\N{MINUS SIGN}")

        ends = ends_of(line.side.table.metric)
        shown = stats.shown_mean(
            known.mean, known.ci95, ends, text, lambda half: digits(half * factor)
        )
        mean, _, half = shown.removesuffix(f" {stats.EQUAL}").partition(" ")
        found = None if setting == self.reference else line.side.verdict(setting, where)
        return {"mean": mean, "half": half, **_told(found)}

    def _known(self, line: _Line, where: Setting, value: Any) -> stats.Estimate | None:
        values = line.side.table.at({**where, self.axis: value})
        return None if values is None else stats.estimate_of_known(values)

    def _numbers(self) -> list[list[Any]]:
        """Return all of it as rows of CSV."""
        rows: list[list[Any]] = []
        for where in self.cells:
            for line in self.lines:
                said, factor = line.spoken, line.spoken.factor
                for value in self.values:
                    if (known := self._known(line, where, value)) is None:
                        continue
                    bounds = clipped(line.side.table.metric, known) or (None, None)
                    means = [None if x is None else factor * x for x in (known.mean, *bounds)]
                    verdict: list[Any] = ["reference" if value == self.reference else "", None]
                    if value != self.reference and (found := line.side.verdict(value, where)):
                        verdict = [str(found), found.change]
                    lead = [phrases.of_settings(where), begun(said.noun), said.unit.strip()]
                    rows.append([*lead, phrases.of_value(value), *means, *verdict])
        return rows


def _told(found: Compared | None) -> Mapping[str, str]:
    """Return the sign, the words and the class of a verdict."""
    if found is None:
        return {"sign": "", "said": "", "word": ""}
    if found.word in EVEN:
        return {"sign": SIGNS[found.word], "said": EVEN[found.word], "word": "no-difference"}
    change = found.change
    if change is None:
        said = "" if found.word is PairedVerdict.CANNOT_TELL else str(found.word)
    else:
        said = f"× {digits(1 + change)}" if change >= MANY else percent(change)
    if found.word is PairedVerdict.CANNOT_TELL:
        return {"sign": "?", "said": said, "word": "cannot-tell"}
    if found.word in SIGNED[1]:
        return {"sign": "", "said": said, "word": "plain"}
    return {"sign": SIGNS[found.word], "said": said, "word": str(found.word)}
