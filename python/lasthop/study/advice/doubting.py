"""Doubts about advice, in plain sentences: an answer may satisfy the question and be useless."""

from __future__ import annotations

import math

from lasthop.core.noticing import thresholds as at
from lasthop.core.quantities import named
from lasthop.core.quantities.units import shown_unit
from lasthop.numbers.numerals import plain
from lasthop.study.advice.advice import Advice
from lasthop.study.advice.beside import OF_SURVIVORS
from lasthop.study.advice.candidates import Candidate
from lasthop.study.advice.wishes import Bound


def doubts(advice: Advice, units: dict[str, str]) -> tuple[str, ...]:
    """Return why the answer should not be followed; nothing where there is no such reason."""
    shown = advice.recommended or (advice.candidates[0] if advice.candidates else None)
    if shown is None:
        return ()
    if advice.impossible and advice.wish.bounds:
        return _beyond(advice, units)
    found = [said for name in advice.wish.measured if (said := _doubt(name, shown, advice))]
    return tuple(dict.fromkeys(found))


def _doubt(name: str, shown: Candidate, advice: Advice) -> str | None:
    """Return what a measure of the setting says against it."""
    known = named(name)
    mean = shown.measured[name].mean if name in shown.measured else math.nan
    if known is None or math.isnan(mean):
        return None
    whose = known.objects or "all flows"
    if (
        known.quantity.name == "loss"
        and mean >= at.LOST
        and _asks_of_survivors(advice, known.objects)
    ):
        return (
            f"The delay of {whose} counts only packets that arrived, and {100 * mean:.0f} % are lost: "
            f"it is low because losses are high. Add a limit on loss, such as '{name} < 2%'."
        )
    if known.quantity.name == "unusable" and mean >= at.LOST:
        return (
            f"Of the packets of {whose} {100 * mean:.0f} % are lost or come too late to be played. "
            f"Add a limit on that, such as '{name} < 2%'."
        )
    if known.quantity.name == "mos" and mean < at.DISSATISFIED:
        return (
            f"A call of {whose} has a MOS of {mean:.2f}: nearly all its users are dissatisfied "
            f"(below {at.DISSATISFIED}, ITU-T G.107 Annex B)."
        )
    return None


def _asks_of_survivors(advice: Advice, objects: str) -> bool:
    asked = [named(metric) for metric in advice.wish.metrics]
    return any(
        each is not None and each.objects == objects and each.quantity.name in OF_SURVIVORS
        for each in asked
    )


def _beyond(advice: Advice, units: dict[str, str]) -> tuple[str, ...]:
    """Say how near the nearest setting comes to limits that none keeps to."""
    near = min(advice.candidates, key=lambda each: _excess(each, advice.wish.bounds))
    broken = [bound for bound in advice.wish.bounds if near.over(bound) > 1]
    if not broken or not math.isfinite(_excess(near, advice.wish.bounds)):
        return ()
    setting = ", ".join(f"{key}={value}" for key, value in near.setting.items())
    told = []
    for bound in broken:
        unit, factor = shown_unit(units.get(bound.metric, ""))
        mean, limit = (
            plain(factor * x, 3) for x in (near.measured[bound.metric].mean, bound.limit)
        )
        told.append(
            f"{bound.metric} of {mean} {unit}".rstrip()
            + f" (limit: {limit} {unit})".replace(" )", ")")
        )
    return (
        f"Every option is beyond the limit. The nearest, {setting}, has {' and '.join(told)}: "
        "offer other settings, or relax the limit.",
    )


def _excess(each: Candidate, bounds: tuple[Bound, ...]) -> float:
    return max((each.over(bound) for bound in bounds), default=0.0)
