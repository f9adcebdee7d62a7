"""The page of an evaluation."""

from __future__ import annotations

import math
from typing import Any

from lasthop.core.quantities import named
from lasthop.core.quantities.units import shown_unit
from lasthop.numbers.numerals import plain
from lasthop.pages import report
from lasthop.study import phrases
from lasthop.study.claims.outcomes import Outcome
from lasthop.study.evaluating.criteria import Part, unasked
from lasthop.study.evaluating.dossier import Dossier, Found, Judgement


def page(dossier: Dossier) -> str:
    """Return a dossier as one HTML file."""
    return report.render(
        "dossier.html.j2",
        law=phrases.of_law(dossier.law),
        said=dossier.said,
        replications=dossier.replications,
        tally=dossier.tally,
        rows=[_row(dossier, found) for found in dossier.found],
        unasked=unasked(),
        notes=dossier.notes,
    )


def interval(judgement: Judgement) -> str:
    """Return the bounds of a ratio, or of a value alone, as text."""
    if judgement.itself:
        return "is the reference"
    if math.isinf(judgement.low) and math.isinf(judgement.high):
        return "not bounded"
    low, high = (
        plain(each, 3) if math.isfinite(each) else "?" for each in (judgement.low, judgement.high)
    )
    return f"{low} to {high}"


def deciding(found: Found) -> Judgement:
    """Return the part that decides a verdict: one that is denied, else one that is open, else the first."""
    for outcome in (Outcome.DENIED, Outcome.OPEN):
        for each in found.judgements:
            if each.outcome is outcome:
                return each
    return found.judgements[0]


def _row(dossier: Dossier, found: Found) -> dict[str, Any]:
    criterion = found.criterion
    alone = all(each.part.rule.alone for each in found.judgements)
    beside = (
        "by itself" if alone else f"compared with {phrases.of_law(found.reference)} in its place"
    )
    return {
        "name": criterion.name,
        "section": criterion.section,
        "asks": criterion.asks,
        "verdict": str(found.verdict),
        "about": criterion.about,
        "path": criterion.path,
        "compared": f"{phrases.of_law(dossier.law)} {beside}",
        "parts": [_part(each) for each in found.judgements],
        "scenario": criterion.scenario.strip(),
        "changes": criterion.changes,
        "reasons": list(
            dict.fromkeys(f"{each.part.rule}: {each.part.rule.why}" for each in found.judgements)
        ),
    }


def _part(judgement: Judgement) -> dict[str, Any]:
    unit, factor = _unit(judgement.part)
    reference = judgement.reference
    return {
        "says": judgement.part.says,
        "measure": judgement.part.of,
        "unit": unit,
        "value": _measured(judgement.value, factor),
        "reference": "-" if reference is None else _measured(reference, factor),
        "ratio": plain(judgement.ratio, 3),
        "interval": interval(judgement),
        "rule": str(judgement.part.rule),
        "outcome": str(judgement.outcome),
        "needed": judgement.needed,
    }


def _unit(part: Part) -> tuple[str, float]:
    """Return the unit in which a measure is shown, and the factor to it; an index has none."""
    found = named(part.of)
    if part.of.endswith(".jain") or found is None:
        return "", 1.0
    return shown_unit(found.quantity.unit)


def _measured(value: float, factor: float) -> str:
    return plain(factor * value, 3) if math.isfinite(value) else "-"
