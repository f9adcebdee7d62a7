"""The page of a duel."""

from __future__ import annotations

from collections.abc import Sequence

from lasthop.pages import report
from lasthop.pages.duels import duel_ratios
from lasthop.pages.duels.duel_map import axes_of, draw
from lasthop.pages.duels.duel_words import (
    change_said,
    interval_said,
    metrics_said,
    row_of,
    share_row,
    title_of,
    where_said,
)
from lasthop.study.dueling.verdict import WORDS, Against, Duel
from lasthop.study.dueling.verdict import said as condition_said


def page(duel: Duel, conditions: str, text: str) -> str:
    """Return a duel as one HTML file."""
    first, said = duel.names[0], metrics_said(duel.alone.metrics)
    figures = {
        f"{each.rival} {each.metric}": _figure(duel, each) for each in duel.against if axes_of(each)
    }
    return report.render(
        "duel.html.j2",
        first=first,
        rivals=duel.names[1:],
        conditions=conditions,
        count=duel.conditions,
        replications=duel.replications,
        text=text,
        words=WORDS,
        rows=[{**row_of(each), "metric": said[each.metric]} for each in duel.against],
        wheres=[
            (title_of(duel, each), where_said(each.where))
            for each in duel.against
            if each.where is not None
        ],
        shares=[share_row(duel, place) for place in range(len(duel.shares))],
        places=[
            {
                "id": f"{each.rival} {each.metric}",
                "title": title_of(duel, each),
                "rows": _places(each),
            }
            for each in duel.against
        ],
        notes=duel.notes,
        figures=report.images(
            figures | {"ratios": _ratios([(conditions, duel)])} if duel.against else figures
        ),
    )


def _ratios(sets: Sequence[tuple[str, Duel]]) -> report.Figure:
    first = sets[0][1].names[0]
    return report.Figure(
        lambda palette: duel_ratios.draw(sets, palette),
        f"How much {first} has of a rival's, as the share of the conditions in which it has no more.",
        lambda palette: duel_ratios.draw(sets, palette, "one"),
    )


def _figure(duel: Duel, each: Against) -> report.Figure:
    return report.Figure(
        lambda palette: draw(duel, [each], palette),
        f"{title_of(duel, each)}: each mark is a condition, larger where the difference is larger.",
        lambda palette: draw(duel, [each], palette, "one"),
    )


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
