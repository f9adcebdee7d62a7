"""The page of a duel."""

from __future__ import annotations

from typing import Any

from lasthop.pages import report
from lasthop.pages.duels import duel_ratios
from lasthop.pages.duels.duel_map import axes_of, chart
from lasthop.pages.duels.duel_words import (
    change_said,
    interval_said,
    row_of,
    share_row,
    title_of,
    where_said,
)
from lasthop.pages.figures import curve_svg
from lasthop.study import phrases
from lasthop.study.dueling.duel_answer import answer, first_of, metrics_said
from lasthop.study.dueling.verdict import Against, Duel, words_of
from lasthop.study.dueling.verdict import said as condition_said


def page(duel: Duel, conditions: str, text: str) -> str:
    """Return a duel as one HTML file."""
    first, said = first_of(duel), metrics_said(duel.alone.metrics)
    return report.render(
        "duel.html.j2",
        first=first,
        said=answer(duel),
        rivals=list(map(phrases.of_law, duel.names[1:])),
        conditions=conditions,
        count=duel.conditions,
        replications=duel.replications,
        text=text,
        words=words_of(duel.against),
        rows=[{**row_of(each), "metric": said[each.metric]} for each in duel.against],
        wheres=[
            (title_of(duel, each), where_said(each.where))
            for each in duel.against
            if each.where is not None
        ],
        shares=[share_row(duel, place) for place in range(len(duel.shares))],
        places=[
            {
                "title": title_of(duel, each),
                "rows": _places(each),
                "map": _map(duel, each) if axes_of(each) else None,
            }
            for each in duel.against
        ],
        notes=duel.notes,
        ratios=_ratios(duel),
    )


def _ratios(duel: Duel) -> list[dict[str, Any]]:
    """Return a figure of ratios for each metric."""
    found = []
    first, said = first_of(duel), metrics_said(duel.alone.metrics)
    for metric in duel.alone.metrics:
        drawn = duel_ratios.chart(duel, metric)
        if drawn is not None:
            caption = (
                f"In what share of the conditions {first} has how much of a rival's {said[metric]}"
            )
            found.append(curve_svg.figure(drawn, caption, f"ratios-{metric}"))
    return found


def _map(duel: Duel, each: Against) -> dict[str, Any]:
    drawn = chart(duel, each)
    told = "each mark is a condition, larger where the difference is larger"
    name = f"{duel.names[0]}-{each.rival}-{each.metric}"
    return curve_svg.figure(drawn, f"{title_of(duel, each)}: {told}", name)


def _places(each: Against) -> list[dict[str, str]]:
    return [
        {
            "setting": condition_said(place.setting),
            "change": change_said(place.compared),
            "interval": interval_said(place.compared),
            "word": str(place.compared.word),
        }
        for place in each.places
    ]
