"""The page of a duel."""

from __future__ import annotations

from typing import Any

from lasthop.pages import report
from lasthop.pages.duels.duel_map import axes_of, draw
from lasthop.study.claims.verdicts import PairedVerdict
from lasthop.study.dueling.verdict import WORDS, Against, Duel, said


def page(duel: Duel, conditions: str, text: str) -> str:
    """Return a duel as one HTML file."""
    first = duel.names[0]
    figures = {
        f"{each.rival} {each.metric}": _figure(first, each)
        for each in duel.against
        if axes_of(each)
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
        rows=[row_of(each) for each in duel.against],
        wheres=[
            (f"{each.metric} against {each.rival}", str(each.where))
            for each in duel.against
            if each.where is not None
        ],
        shares=[share_row(duel, place) for place in range(len(duel.shares))],
        places=[
            {"id": f"{each.rival} {each.metric}", "title": title_of(each), "rows": _places(each)}
            for each in duel.against
        ],
        notes=duel.notes,
        figures=report.images(figures),
    )


def _figure(first: str, each: Against) -> report.Figure:
    return report.Figure(
        lambda palette: draw(first, [each], palette),
        f"{title_of(each)}: each mark is a condition, larger where the difference is larger.",
        lambda palette: draw(first, [each], palette, "one"),
    )


def title_of(each: Against) -> str:
    """Name a metric and a rival."""
    return f"{each.metric} against {each.rival}"


def row_of(each: Against) -> dict[str, Any]:
    """Return the cells of a rival and a metric, as text."""
    average = each.average
    same = average.word is PairedVerdict.IDENTICAL
    interval = "the same in all runs" if same else "-"
    if average.low is not None and average.high is not None:
        interval = f"{report.percent(average.low)} to {report.percent(average.high)}"
    return {
        "rival": each.rival,
        "metric": each.metric,
        **{word: str(each.tally.get(word, 0)) for word in WORDS},
        "average": report.percent(average.change),
        "interval": interval,
        "verdict": str(average),
    }


def share_row(duel: Duel, place: int) -> dict[str, str]:
    """Return the cells of a shared path, as text."""
    each = duel.shares[place]
    share, low, high = (100 * x for x in (each.share, each.interval.low, each.interval.high))
    return {
        "rival": "itself (the first of two)" if each.rival == duel.names[0] else each.rival,
        "share": f"{share:.1f} ({low:.0f} to {high:.0f})",
        "jain": f"{each.jain:.3f}",
        "least": f"{100 * each.least[0]:.0f}",
        "where": said(each.least[1]),
        "most": f"{100 * each.most[0]:.0f}",
    }


def _places(each: Against) -> list[dict[str, str]]:
    return [
        {
            "setting": said(place.setting),
            "change": report.percent(place.compared.change),
            "low": report.percent(place.compared.low),
            "high": report.percent(place.compared.high),
            "word": str(place.compared.word),
        }
        for place in each.places
    ]
