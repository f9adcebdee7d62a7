"""Figures of a study: a metric over an axis, with 95 % intervals, and a recipe in the file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path

from lasthop.core import safe_files, shapes
from lasthop.core.command_lines import argument, typed
from lasthop.core.listeners import Fraction
from lasthop.core.quantities import ends_of, full
from lasthop.errors import UsageError, offered
from lasthop.pages.figures import style
from lasthop.pages.figures.curves import MOST_LINES, MOST_PANELS, Chart, Curve, Point, curves
from lasthop.pages.recipes.recipe import Recipe, recipe
from lasthop.pages.studies import recipes
from lasthop.study import phrases
from lasthop.study.axes import Value
from lasthop.study.charting import ChartOptions
from lasthop.study.rows import Row
from lasthop.study.swept import Results

FAR = 8.0
"""From this ratio of its ends on an axis whose steps grow is logarithmic."""

LEAST_DRAWN = 10
"""Settings from which on axes that do not rise together are taken for drawn ones."""

ENDINGS = (".pdf", ".png", ".svg")
QUANTITY = re.compile(r"\s*([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)\s*([A-Za-z%/]*)\s*")


def plot(results: Results, wish: ChartOptions, path: Path) -> Path:
    """Write a figure as a PDF, PNG or SVG file, by its ending; raises UsageError."""
    safe_files.refuse_ending(path, ENDINGS)
    style.refuse_unknown(wish.style)
    drawn = chart(results, wish)
    inputs = {**recipes.inputs_of(results), "plot": asdict(wish)}
    command = f"{recipes.command_of(results)} && {_command(results, wish, path)}"
    made = recipe("plot", command, inputs, drawn.numbers())
    return style.Sheet(partial(curves, drawn, wish.width), look=wish.style).save(path, made)


_MAYBE = shapes.maybe(shapes.text)
SHAPE = shapes.fields(
    {
        **recipes.SHAPES,
        "plot": shapes.fields(
            {
                **dict.fromkeys(("x", "by", "xlabel", "ylabel", "title", "limit"), _MAYBE),
                "y": shapes.either(_MAYBE, shapes.each(shapes.text)),
                "where": shapes.table(shapes.scalar),
                **dict.fromkeys(("width", "style"), shapes.text),
            }
        ),
    }
)
"""The form of a recipe of such a figure: its study, and a `ChartOptions`."""


def again(recipe_: Recipe, folder: Path, workers: int | None, told: Fraction) -> Path:
    """Run the study again and draw its figure."""
    results = recipes.results_again(recipe_.inputs, folder, workers, told)
    return plot(results, ChartOptions(**recipe_.inputs["plot"]), folder / Path(recipe_.file).name)


def chart(results: Results, wish: ChartOptions) -> Chart:
    """Return what a figure of these results shows; raises UsageError where it cannot be one picture."""
    metrics = _metrics(results, wish)
    rows = _rows(results, wish, metrics[0])
    x, by, panel = _roles(results, wish, rows)
    if panel is not None and len(metrics) > 1:
        raise UsageError(
            f"several metrics have a panel each: fix {panel} with {argument('--where')}"
        )
    places, unit, ordered = _places(_values(rows, x))
    lines = _values(rows, by) if by else [None]
    titles = _values(rows, panel) if panel else [None]
    for name, count, most in (
        (by, len(lines), MOST_LINES),
        (panel, len(titles), MOST_PANELS),
        (argument("--y"), len(metrics), MOST_PANELS),
    ):
        if count > most:
            raise UsageError(
                f"{name} has {count} values, a figure at most {most}: hold it with {argument('--where')}"
            )
    panels = []
    for metric in metrics:
        factor = results.scale(metric)[0]
        for title in titles:
            drawn = []
            for line in lines:
                chosen = [r for r in rows if _is(r, panel, title) and _is(r, by, line)]
                points = [_point(results, metric, r, places[r.settings[x]], factor) for r in chosen]
                known = sorted((p for p in points if p is not None), key=lambda p: p.x)
                drawn.append(Curve("" if by is None else phrases.of_setting(by, line), known))
            panels.append(("" if panel is None else phrases.of_setting(panel, title), drawn))
    ticks = sorted((place, phrases.of_value(_tick(value, unit))) for value, place in places.items())
    numbers = [place for place, _ in ticks]
    labels = [_label(results, metric) for metric in metrics]
    said = phrases.of_key(x)
    return Chart(
        panels,
        wish.xlabel or (f"{said} ({unit})" if unit else said),
        wish.ylabel or labels[0],
        ticks,
        log=ordered and len(numbers) > 2 and _grows(numbers),
        ordered=ordered,
        joined=not any(x in group and _is_drawn(results, group) for group in results.groups),
        y_labels=tuple(labels) if len(metrics) > 1 else (),
        title=wish.title or "",
        limit=_limit(results, metrics, wish.limit),
    )


def _metrics(results: Results, wish: ChartOptions) -> list[str]:
    wanted = [wish.y] if isinstance(wish.y, str) else list(wish.y or results.metrics[:1])
    return [results.measured(metric) for metric in wanted]


def _label(results: Results, metric: str) -> str:
    return phrases.titled(metric, results.shown_unit(metric))


def _limit(results: Results, metrics: Sequence[str], limit: str | None) -> tuple[float, str] | None:
    if limit is None:
        return None
    if len(metrics) > 1:
        raise UsageError(f"{argument('--limit')} is a line in a figure of one metric")
    value = phrases.limit_of(limit, results.units[metrics[0]])
    return value * results.scale(metrics[0])[0], f"limit {limit.strip()}"


def _is_drawn(results: Results, group: Sequence[str]) -> bool:
    """Return whether axes that step together go their own ways: none of them tells where the others are."""
    rows = {tuple(row.settings[key] for key in group) for row in results.rows}
    if len(group) < 2 or len(rows) < LEAST_DRAWN:
        return False
    numbers = [[_number(each) for each in column] for column in zip(*rows, strict=True)]
    known = [[each[0] for each in column if each] for column in numbers if all(column)]
    by_first = sorted(range(len(rows)), key=lambda place: known[0][place]) if known else []
    return any(
        [column[place] for place in by_first] not in (sorted(column), sorted(column, reverse=True))
        for column in known
    )


def _rows(results: Results, wish: ChartOptions, metric: str) -> list[Row]:
    for key, value in wish.where.items():
        _refuse_unknown(results, key)
        known = {str(row.settings[key]): row.settings[key] for row in results.rows}
        if str(value) not in known:
            raise UsageError(f"{key} is never {value!r}{offered(str(value), known)}")
    rows = [
        row
        for row in results.rows
        if metric in row.metrics
        and all(str(row.settings[key]) == str(value) for key, value in wish.where.items())
    ]
    if not any(results.count(row) for row in rows):
        raise UsageError("there is no replication to draw yet")
    return rows


def _refuse_unknown(results: Results, key: str) -> None:
    if key not in results.keys:
        there = ", ".join(results.keys) or "none"
        raise UsageError(f"no axis {key!r}{offered(key, results.keys, there)}")


def _roles(
    results: Results, wish: ChartOptions, rows: Sequence[Row]
) -> tuple[str, str | None, str | None]:
    """Say which axis is along, which has a line for each value, which a panel."""
    for key in (wish.x, wish.by):
        if key is not None:
            _refuse_unknown(results, key)
    # Of axes that step together one says it all.
    groups = [next((k for k in (wish.x, wish.by) if k in g), g[0]) for g in results.groups]
    varying = [key for key in groups if len(_values(rows, key)) > 1]
    x = wish.x or max(varying, key=lambda key: _rank(_values(rows, key)), default=None)
    if x is None:
        if not results.keys:
            raise UsageError("the study has no axis to draw along")
        x = results.keys[0]
    left = [key for key in varying if key not in (x, wish.by)]
    by = wish.by or (left.pop(0) if left else None)
    if len(left) > 1:
        raise UsageError(
            f"too many axes for one figure: hold one of {', '.join(left)} with {argument('--where')}"
        )
    return x, by, left[0] if left else None


def _rank(values: Sequence[Value]) -> tuple[bool, int]:
    return _places(values)[2], len(values)


def _values(rows: Sequence[Row], key: str) -> list[Value]:
    return list(dict.fromkeys(row.settings[key] for row in rows))


def _places(values: Sequence[Value]) -> tuple[dict[Value, float], str, bool]:
    """Return the positions of values on an axis, their unit, and whether they are numbers; else side by
    side."""
    found = [_number(value) for value in values]
    units = {each[1] for each in found if each is not None}
    if None not in found and len(units) == 1:
        pairs = zip(values, found, strict=True)
        return {value: each[0] for value, each in pairs if each is not None}, units.pop(), True
    return {value: float(place) for place, value in enumerate(values)}, "", False


def _number(value: Value) -> tuple[float, str] | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        return float(value), ""
    match = QUANTITY.fullmatch(value)
    try:
        return (float(match[1]), match[2]) if match else None
    except ValueError:
        return None


def _grows(numbers: Sequence[float]) -> bool:
    """Return whether steps grow like a geometric row's: then they are even on a logarithmic axis."""
    if numbers[0] <= 0 or numbers[-1] / numbers[0] < FAR:
        return False
    return numbers[-1] - numbers[-2] > 1.5 * (numbers[1] - numbers[0])


def _point(results: Results, metric: str, row: Row, x: float, factor: float) -> Point | None:
    known = results.estimate(metric, row)
    if known is None:
        return None
    half = None if known.ci95 is None else known.ci95 * factor
    low, high = ends_of(full(metric))
    return Point(x, known.mean * factor, half, (low * factor, high * factor))


def _is(row: Row, key: str | None, value: Value | None) -> bool:
    return key is None or row.settings[key] == value


def _tick(value: Value, unit: str) -> str:
    return str(value).removesuffix(unit).strip() if unit else str(value)


def _command(results: Results, wish: ChartOptions, path: Path) -> str:
    options = {"--x": wish.x, "--y": [wish.y] if isinstance(wish.y, str) else wish.y}
    names = ("by", "xlabel", "ylabel", "title", "limit")
    options |= {f"--{name}": getattr(wish, name) for name in names}
    options["--where"] = [f"{key}={held}" for key, held in wish.where.items()]
    options["--style"] = None if wish.style == "plain" else wish.style
    options |= {"--width": wish.width, "--out": path.name}
    return typed(["lasthop", "plot", f"out/{results.name}"], options)
