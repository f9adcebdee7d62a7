"""Forest plots: every tested comparison of a claim with its interval, the claimed side shaded, on one axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from lasthop.numbers.numerals import plain
from lasthop.pages.figures import inline_svg as draw
from lasthop.pages.figures import takeaway
from lasthop.pages.figures.inline_svg import Scale
from lasthop.study.claims.saying import PRACTICAL

RATIOS = Scale(0.45, 2.2, log=True)
"""The axis of all ratios of a page."""

TICKS = (0.5, 0.75, 1.0, 1.5, 2.0)

KINDS = {"shown": "good", "denied": "bad", "open": "und"}
"""Classes by outcome."""

MOST_ROWS = 16
"""Settings that have a row each; more are dots in one row."""

ROW, TOP, LEAST = 8, 14, 34
"""Heights, pixels: of a setting's row, of the row of the average, of the whole."""

Each = Mapping[str, Any]
"""A judged comparison."""


def axis() -> Markup:
    """Draw the axis of the ratios, which is once on a page."""
    said = [f"{tick:g}{' ×' if tick == TICKS[-1] else ''}" for tick in TICKS]
    marks = [draw.text(s, RATIOS.at(t), 16) for s, t in zip(said, TICKS, strict=True)]
    return draw.svg(marks, 24, "")


def forest(part: Each) -> Markup | None:
    """Draw a part of a claim; None where nothing was run or no mean has a ratio."""
    run = [each for each in part["details"] if each["was_run"] and each["ratio"] is not None]
    if not run:
        return None
    alone = run[0]["alone"]
    factor = part["scale"] if alone else 1.0
    run.sort(key=lambda each: float(each["ratio"]))
    whole = part["effect"]
    if whole is not None and whole["ratio"] is None:
        whole = None
    if whole is not None and len(run) == 1:
        run = [{**whole, "printed": run[0].get("printed")}]  # the setting is what is tested
        whole = None
    scale = _means([*run, *([whole] if whole else [])], factor) if alone else RATIOS
    rows = [] if len(run) > MOST_ROWS else run
    start = TOP if whole else 0
    height = max(LEAST, start + (ROW * len(rows) if rows else 20) + 10)
    ticks = [tick for tick in draw.steps(scale) if scale.shows(tick)] if alone else list(TICKS)
    first = start + (LEAST / 2 if len(rows) == 1 and not whole else 10)
    paths = [draw.path("g", "".join(f"M{_at(scale, tick)} 0V{height:g}" for tick in ticks))]
    if not alone:
        paths.append(draw.path("ax", f"M{_at(scale, 1.0)} 0V{height:g}"))
    if len(rows) > 1:
        placed = [(each, first + ROW * n) for n, each in enumerate(rows)]
        paths += _paths(placed, scale, factor)
    if not rows:
        paths += _paths([(each, start + 12.0) for each in run], scale, factor, "small ")
    marks = [_claimed(run[0], scale, factor, height), draw.stretched(paths, 0, height)]
    if whole:
        marks.append(_mark(whole, scale, factor, TOP, 4.5))
    if len(rows) == 1:
        marks.append(_mark(rows[0], scale, factor, first, 4.5))
    elif rows:
        marks += [_beside(each, scale, factor, y) for each, y in placed]
    if alone:
        unit = f" {part['unit']}" if part["unit"] else ""
        marks += [
            draw.text(f"{t:g}{unit if t == ticks[-1] else ''}", scale.at(t), height + 14)
            for t in ticks
        ]
    return draw.svg(
        marks, height + (18 if alone else 0), ""
    )  # the words beside it say what it shows


def numbers(parts: Sequence[Each], words: dict[str, int]) -> dict[str, Any]:
    """Return what the charts of a claim show: of each part the average that is tested, and each setting.

    Settings are places among the `words` of the page.
    """
    rows: list[list[takeaway.Cell]] = []
    for part in parts:
        whole = [{**part["effect"], "label": "average"}] if part["effect"] else []
        run = [each for each in part["details"] if each["was_run"]]
        rows += [_row(part, each) for each in whole]
        rows += sorted(
            (_row(part, each) for each in run), key=lambda row: (str(row[2]), str(row[3]))
        )
    head = ("part", "unit", "compared", "outcome", "setting", "value", "low", "high", "printed")
    return takeaway.kept(head, rows, 4, digits=4, words=words)


def _row(part: Each, each: Each) -> list[takeaway.Cell]:
    compared, _, setting = each["label"].rpartition("; ")
    factor = part["scale"] if each["alone"] else 1.0
    unit = (part["unit"] or "1") if each["alone"] else "ratio"
    values = (each.get(key) for key in ("ratio", "low", "high", "printed"))
    scaled = [None if value is None else factor * value for value in values]
    return [part["name"], unit, compared, each["outcome"], setting, *scaled]


def _means(every: Sequence[Each], factor: float) -> Scale:
    ends = [every[0][end] for end in ("above", "below")]
    values = [
        each[key] for each in every for key in ("ratio", "low", "high", "printed") if key in each
    ]
    known = [factor * float(x) for x in (*ends, *values) if x is not None]
    middle = sorted(factor * float(each["ratio"]) for each in every)
    reach = 1.5 * (middle[-1] - middle[0] or abs(middle[-1]) or 1.0)
    bounds = [factor * end for end in ends if end is not None]
    inside = [x for x in known if x in bounds or middle[0] - reach <= x <= middle[-1] + reach]
    return draw.even(inside)


def _claimed(each: Each, scale: Scale, factor: float, height: float) -> str:
    """Shade the claimed side."""
    low, high = each["above"], each["below"]
    left = 0.0 if low is None else scale.at(factor * low)
    right = 100.0 if high is None else scale.at(factor * high)
    return f'<rect class="claimed" x="{left:.4g}%" y="0" width="{right - left:.4g}%" height="{height:g}"/>'


def _mark(each: Each, scale: Scale, factor: float, y: float, radius: float) -> str:
    """Draw a comparison with its interval, and what is printed; a value beyond the axis as a text."""
    value = factor * each["ratio"]
    kind = KINDS[each["outcome"]]
    marks = []
    if (ends := _ends(each, scale, factor)) is not None:
        marks.append(draw.line(f"ci {kind}", scale, *ends, y))
    if scale.shows(value):
        marks.append(draw.dot(f"dot {kind}", scale, value, y, radius))
    else:
        marks.append(_beyond(value, scale, kind, y, named=radius > 4))
    return "".join(marks) + _ring(each, scale, factor, y, radius)


def _at(scale: Scale, value: float) -> str:
    """Return where a value is in a stretched box."""
    return f"{draw.WIDE * scale.at(value) / 100:.0f}"


def _paths(
    placed: Sequence[tuple[Each, float]], scale: Scale, factor: float, size: str = ""
) -> list[str]:
    """Return settings, each at its height, as a path of intervals and one of dots for each outcome."""
    found = []
    for outcome, kind in KINDS.items():
        own = [(each, y) for each, y in placed if each["outcome"] == outcome]
        shown = [(each, y) for each, y in own if size or scale.shows(factor * each["ratio"])]
        lines = "" if size else "".join(_reach(each, scale, factor, y) for each, y in own)
        places = [f"M{_at(scale, factor * each['ratio'])} {y:g}h0" for each, y in shown]
        dots = "".join(dict.fromkeys(places))  # of dots at one place, one
        found += [draw.path(f"ci {kind}", lines)] if lines else []
        found += [draw.path(f"dots {size}{kind}", dots)] if dots else []
        if dots and kind == "und" and not size:
            found.append(draw.path("dots hole", dots))
    return found


def _ends(each: Each, scale: Scale, factor: float) -> tuple[float, float] | None:
    """Return the ends of an interval on the axis; None where it has none there."""
    if each["low"] is None and each["high"] is None:
        return None
    low = scale.low if each["low"] is None else factor * each["low"]
    high = scale.high if each["high"] is None else factor * each["high"]
    return (low, high) if high >= scale.low and low <= scale.high else None


def _reach(each: Each, scale: Scale, factor: float, y: float) -> str:
    ends = _ends(each, scale, factor)
    return "" if ends is None else f"M{_at(scale, ends[0])} {y:g}H{_at(scale, ends[1])}"


def _beside(each: Each, scale: Scale, factor: float, y: float) -> str:
    """Draw what is printed of a setting, and a value that is beyond the axis as a text."""
    value = factor * each["ratio"]
    far = (
        "" if scale.shows(value) else _beyond(value, scale, KINDS[each["outcome"]], y, named=False)
    )
    return far + _ring(each, scale, factor, y, 2.5)


def _ring(each: Each, scale: Scale, factor: float, y: float, radius: float) -> str:
    printed = each.get("printed")
    if printed is None or not scale.shows(factor * printed):
        return ""
    return draw.dot("ring", scale, factor * printed, y, radius + 1)


def _beyond(value: float, scale: Scale, kind: str, y: float, *, named: bool) -> str:
    """Point to a value beyond the axis, `named`: with its number."""
    if value > scale.high:
        said = f"{plain(value, 2)} ▶" if named else "▸"
        return draw.text(said, 100.0, y + 4, f"off {kind}", "end", -4)
    said = f"◀ {plain(value, 2)}" if named else "◂"
    return draw.text(said, 0.0, y + 4, f"off {kind}", "start", 4)


def outcome(part: Each) -> str:
    """Return what came out of a part in a few words: its ratio or mean, or how many settings show it."""
    run = [each for each in part["details"] if each["was_run"]]
    not_run = len(part["details"]) - len(run)
    more = []
    if len(run) > 1 and part["effect"] is None:
        shown = sum(each["outcome"] == "shown" for each in run)
        more.append(f"{shown} of {len(run)} {part['counted']} show it")
    elif run:
        more.append(_value(part["effect"] or run[0], part))
    if (needed := part["replications_needed"]) is not None:
        many = f"about {needed:,}" if needed <= PRACTICAL else f"over {PRACTICAL:,}"
        more.append(f"{many} replications would settle it")
    if not_run:
        more.append(f"{not_run} of {len(part['details'])} {part['counted']} not run")
    return "; ".join(each for each in more if each)


def _value(each: Each, part: Each) -> str:
    factor = part["scale"] if each["alone"] else 1.0
    if each["ratio"] is None:
        return ""
    unit = f" {part['unit']}" if each["alone"] and part["unit"] else ""
    values = [each["ratio"], each["low"], each["high"]]
    known = [factor * value for value in values if value is not None]
    digits = _digits(known, [factor * end for end in (each["above"], each["below"]) if end])
    said = f"{plain(known[0], digits)}{unit}"
    if len(known) < len(values):
        return said
    return f"{said} ({plain(known[1], digits)} to {plain(known[2], digits)})"


def _digits(values: Sequence[float], bounds: Sequence[float]) -> int:
    """Return with how many digits values that differ from each other, and from bounds, are written differently."""
    every = {*values, *bounds}
    return next((n for n in (3, 4) if len({plain(x, n) for x in every}) == len(every)), 5)
