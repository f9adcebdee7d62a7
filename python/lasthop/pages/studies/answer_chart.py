"""The chart of a study's answer: its metric by the settings of its axis, as numbers for the template's SVG.

Places along the x axis are in per cent of the plot, heights in pixels: one SVG fits every width and its text is
never scaled. Colours are classes, which the page's style has for light and dark.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lasthop.core.quantities import ends_of
from lasthop.numbers import stats
from lasthop.pages.figures import takeaway
from lasthop.pages.figures.inline_svg import WIDE
from lasthop.study import phrases
from lasthop.study.answering import Answer
from lasthop.study.answering.choosing import Chosen, Kind
from lasthop.study.answering.speaking import are_numbers, digits
from lasthop.study.answering.splitting import Candidate

MOST_PANELS = 12
"""With more cells of the other axes there is one panel, with the cells' means for runs."""

ROW, TOP = 42, 30
"""Height of a row, and of the middle of the first one, px: its name is above its line."""

TICKS = 4
"""Ticks of the axis, about."""

FAR = 0.7
"""From this part of the axis on values are far from its start: it then begins near them."""

MOST_RUNS = 100
"""Single runs of a setting that a panel shows; of more these, evenly from the least to the largest."""

ROOM = 1.04
"""The end of the axis over the largest value."""


@dataclass(frozen=True)
class Row:
    """A setting in a panel, in the metric's unit: its name, class, mean with bounds, and single values."""

    name: str
    colour: str
    mean: float
    bounds: tuple[float, float] | None
    runs: tuple[float, ...]


def chart(answer: Answer) -> dict[str, Any] | None:
    """Return the chart for the template; None where nothing is compared."""
    candidate, spoken = answer.found.candidate, answer.spoken
    if candidate is None or spoken is None:
        return None
    averaged = len(candidate.cells) > MOST_PANELS
    panels = [("", _over_cells(answer, candidate))] if averaged else _by_cell(answer, candidate)
    rows = [row for _, panel in panels for row in panel]
    start, end = _span(rows, ends_of(candidate.metric)[0])
    place = _Place(start, (end - start) * ROOM or 1.0)
    step = _step((end - start) * spoken.factor)
    first = math.ceil(start * spoken.factor / step)
    last = math.floor((start + place.width) * spoken.factor / step)
    ticks = [n * step for n in range(first, last + 1)]
    key = "dot and bar: mean with 95 % interval; small dots: single runs"
    if averaged:
        key = "small dots: means in the cells of the other axes; dot: the mean of these"
    colours = {row.colour for row in rows}
    if "open" in colours and len(colours) > 1:
        key += "; hollow: not shown in that cell alone"
    return {
        "head": f"{spoken.noun[:1].upper()}{spoken.noun[1:]}{spoken.unit and ',' + spoken.unit}",
        "key": key,
        "numbers": _numbers(panels, spoken.factor, spoken.unit.strip()),
        "ticks": [(place(x / spoken.factor), _tick(x, step)) for x in ticks],
        "panels": [
            {
                "title": title,
                "height": ROW * len(panel) + TOP,
                "rows": [
                    {
                        **_drawn(row, n, place),
                        "text": _told(row.mean * spoken.factor, step),
                    }
                    for n, row in enumerate(panel)
                ],
            }
            for title, panel in panels
        ],
    }


def _numbers(panels: Sequence[tuple[str, list[Row]]], factor: float, unit: str) -> dict[str, Any]:
    """Return what is drawn, in the shown unit: of each setting the mean, its bounds and the small dots."""
    lines: list[list[float | str | None]] = []
    for title, rows in panels:
        for row in rows:
            bounds = [factor * x for x in row.bounds] if row.bounds else [None, None]
            lines.append([title, row.name, "mean", factor * row.mean, *bounds])
            lines += [[title, row.name, "dot", factor * run, None, None] for run in row.runs]
    value = f"value ({unit})" if unit else "value"
    return takeaway.kept(["cell", "setting", "what", value, "low", "high"], lines, 3)


@dataclass(frozen=True)
class _Place:
    """Turns a value into its place along the axis, in per cent."""

    start: float
    width: float

    def __call__(self, value: float) -> float:
        return round(100 * (value - self.start) / self.width, 2)


def _drawn(row: Row, number: int, place: _Place) -> dict[str, Any]:
    most = max((row.mean, *row.runs, *(row.bounds or ())))
    return {
        "name": phrases.of_value(row.name),
        "colour": row.colour,
        "y": TOP + ROW * number,
        "mean": place(row.mean),
        "bounds": row.bounds and tuple(map(place, row.bounds)),
        "runs": "".join(
            f"M{WIDE * place(run) / 100:.0f} {TOP + ROW * number}h0" for run in row.runs
        ),
        "text_at": place(most),
    }


def _tick(value: float, step: float) -> str:
    """Return the value of a tick with all digits that its axis needs: it stands where it says."""
    text = f"{value:,.{_places(step)}f}"
    return "0" if not text.strip("-0.") else text.replace("-", "\N{MINUS SIGN}")


def _told(value: float, step: float) -> str:
    """Return a mean with two digits, or with those that ticks beside it have where that is more."""
    of_ticks = 10.0 ** math.floor(math.log10(step))
    return digits(value) if abs(value) < 100 * of_ticks else _tick(value, step)


def _places(step: float) -> int:
    return max(-math.floor(math.log10(step)), 0)


def _by_cell(answer: Answer, candidate: Candidate) -> list[tuple[str, list[Row]]]:
    """Return a panel for each cell of the other axes."""
    order = _order(candidate)
    panels = []
    for context, cells in candidate.cells.items():
        rows = []
        for value in order:
            if value not in cells:
                continue
            values = cells[value][~np.isnan(cells[value])]
            known = stats.estimate_of_known(values)
            assert known is not None  # a cell without a value is no candidate's
            bounds = clipped(candidate.metric, known)
            colour = _colour(answer.found, context, value)
            rows.append(Row(value, colour, known.mean, bounds, _some(values.tolist())))
        panels.append((context, rows))
    return panels


def _some(values: list[float]) -> tuple[float, ...]:
    """Return values, or of many some of each size, the ends among them."""
    if len(values) <= MOST_RUNS:
        return tuple(values)
    step = (len(values) - 1) / (MOST_RUNS - 1)
    ordered = sorted(values)
    return tuple(ordered[round(n * step)] for n in range(MOST_RUNS))


def _over_cells(answer: Answer, candidate: Candidate) -> list[Row]:
    """Return a row for each setting with its means in the cells of the other axes."""
    rows = []
    for value in _order(candidate):
        means = [here[value] for here in candidate.means.values() if value in here]
        colour = _colour(answer.found, None, value)
        rows.append(Row(value, colour, math.fsum(means) / len(means), None, _some(means)))
    return rows


def _order(candidate: Candidate) -> list[str]:
    """Return the settings: numbers in rising order, names with the best first."""
    if are_numbers(candidate.values):
        return candidate.values
    return candidate.ordered


def _colour(found: Chosen, context: str | None, value: str) -> str:
    """Return the class of a setting: better or worse where that is shown, else open."""
    candidate, split = found.candidate, found.split
    if found.kind is Kind.SAME or candidate is None:
        return "plain"
    if found.kind is Kind.DEPENDS:
        return "plain" if candidate.is_neutral else _colour_of_turn(found, context, value)
    if split is None or found.kind is Kind.UNDECIDED:
        return "open"
    if context is not None and context not in split.won:
        return "open"
    if candidate.is_neutral:
        return "plain"
    if value in split.best:
        return "good"
    return "bad" if value in split.rest else "open"


def _colour_of_turn(found: Chosen, context: str | None, value: str) -> str:
    """Return the class of a setting where the best differs: that of its own cell."""
    if context is None:
        return "plain"
    best = next((names for names, cells in (found.winners or {}).items() if context in cells), None)
    if best is None:
        return "open"
    return "good" if value in best else "bad"


def clipped(metric: str, known: stats.Estimate) -> tuple[float, float] | None:
    """Return the interval of a mean, which ends where the quantity does."""
    if known.ci95 is None:
        return None
    low, high = ends_of(metric)
    return max(known.mean - known.ci95, low), min(known.mean + known.ci95, high)


def _span(rows: Sequence[Row], least: float) -> tuple[float, float]:
    """Return the ends of the axis: from what a quantity has at least, but where all values are far from it."""
    values = [x for row in rows for x in _values(row)]
    low, high = min(values), max(values)
    if low < 0:
        return low, max(high, 0.0)
    start = least if math.isfinite(least) else 0.0
    far = low - start > FAR * (high - start)
    return (low - 0.1 * (high - low) if far else start), high


def _values(row: Row) -> Iterable[float]:
    return (row.mean, *(row.bounds or ()), *row.runs)


def _step(width: float) -> float:
    """Return the distance of ticks: 1, 2 or 5 of a power of ten."""
    if width <= 0:
        return 1.0
    unit: float = 10.0 ** math.floor(math.log10(width / TICKS))
    return next(unit * n for n in (1, 2, 5, 10) if unit * n >= width / TICKS)
