"""A duel in words, and its tables for papers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lasthop.numbers.table import printed
from lasthop.pages.report import percent
from lasthop.study import phrases
from lasthop.study.claims.verdicts import Compared, PairedVerdict
from lasthop.study.dueling.duel_answer import first_of, metrics_said
from lasthop.study.dueling.verdict import Against, Duel, Where, words_of
from lasthop.study.dueling.verdict import said as condition_said


def set_said(name: str) -> str:
    """Name a set of conditions: abbreviations as they are written."""
    return {"wifi": "Wi-Fi", "aqm": "AQM"}.get(name, name.replace("_", " "))


def title_of(duel: Duel, each: Against) -> str:
    """Name a metric and a rival."""
    return f"{metrics_said(duel.alone.metrics)[each.metric]} against {phrases.of_law(each.rival)}"


def where_said(where: Where) -> str:
    """Say where the first wins, the axis in words."""
    return str(where).replace(where.key, phrases.of_key(where.key), 1)


def change_said(compared: Compared) -> str:
    """Say a difference; of runs that are all equal that there is none."""
    if compared.word is PairedVerdict.IDENTICAL:
        return "0 %"
    return "not known" if compared.change is None else percent(compared.change)


def interval_said(compared: Compared) -> str:
    """Say the interval of a difference."""
    if compared.word is PairedVerdict.IDENTICAL:
        return "the same in all runs"
    if compared.low is None or compared.high is None:
        return "equal in all runs" if compared.equal else "not known"
    return f"{percent(compared.low)} to {percent(compared.high)}"


def row_of(each: Against) -> dict[str, Any]:
    """Return the cells of a rival and a metric, as text."""
    average = each.average
    return {
        "rival": phrases.of_law(each.rival),
        "metric": each.metric,
        **{str(word): str(each.tally.get(word, 0)) for word in PairedVerdict},
        "average": change_said(average),
        "interval": interval_said(average),
        "verdict": str(average),
    }


def share_row(duel: Duel, place: int) -> dict[str, str]:
    """Return the cells of a shared path, as text."""
    each = duel.shares[place]
    share, low, high = (100 * x for x in (each.share, each.interval.low, each.interval.high))
    return {
        "rival": "itself (the first of two)"
        if each.rival == duel.names[0]
        else phrases.of_law(each.rival),
        "share": f"{share:.1f} ({low:.0f} to {high:.0f})",
        "jain": f"{each.jain:.3f}",
        "least": f"{100 * each.least[0]:.0f}",
        "where": condition_said(each.least[1]),
        "most": f"{100 * each.most[0]:.0f}",
    }


def tables(sets: Sequence[tuple[str, Duel]]) -> tuple[list[str], list[list[str]], list[list[str]]]:
    """Return headings and rows of wins, and the rows of shares (conditions, rival, share, Jain's index)."""
    wins, shares = [], []
    words = words_of([each for _, duel in sets for each in duel.against])
    for name, duel in sets:
        said = metrics_said(duel.alone.metrics)
        for each in duel.against:
            row = row_of(each)
            counts = [row[word] for word in words]
            wins.append(
                [
                    set_said(name),
                    row["rival"],
                    said[each.metric],
                    *counts,
                    row["average"],
                    row["interval"],
                ]
            )
        for place in range(len(duel.shares)):
            row = share_row(duel, place)
            shares.append([set_said(name), row["rival"], row["share"], row["jain"]])
    head = ["conditions", "against", "by", *words, "on average", "95 % interval"]
    return head, wins, shares


def markdown(sets: Sequence[tuple[str, Duel]]) -> str:
    """Return the tables of duels in Markdown."""
    head, wins, shares = tables(sets)
    first = first_of(sets[0][1])
    text = printed.markdown(head, wins)
    return f"{text}\n{printed.markdown(_shared(first), shares)}" if shares else text


def latex(sets: Sequence[tuple[str, Duel]]) -> str:
    r"""Return the tables of duels in LaTeX, by ``\usepackage{booktabs}``."""
    head, wins, shares = tables(sets)
    first = first_of(sets[0][1])
    text = printed.latex(head, wins, f"{first} against others: numbers of conditions by verdict")
    if not shares:
        return text
    caption = f"What {first} takes of the goodput of both on one path, per cent"
    return f"{text}\n{printed.latex(_shared(first), shares, caption)}"


def _shared(first: str) -> list[str]:
    return ["conditions", "beside", f"share of {first} (%)", "Jain's index"]
