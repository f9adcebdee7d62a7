"""Verdicts in words: what came out of a part of a claim, and of the claim."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lasthop.numbers.numerals import listed, plain
from lasthop.numbers.words import ABOVE
from lasthop.study.claims.judged import Judged
from lasthop.study.claims.outcomes import Outcome, Verdict

if TYPE_CHECKING:
    from lasthop.study.claims.parts import JudgedPart
    from lasthop.study.claims.statements import JudgedStatement

MANY = 3.0
"""Ratios from this one on are printed as a factor, not in per cent."""


SAME = 5e-4
"""Ratios nearer to 1 than this are printed as the same."""

PRACTICAL = 10_000
"""Largest number of replications that is printed."""


def change(ratio: float) -> str:
    """Say a ratio: ``12 % more``, ``12 % less``, ``4.1 times as much``, ``the same``."""
    if abs(ratio - 1) < SAME:
        return "the same"
    if ratio >= MANY:
        return f"{times(ratio)} times as much"
    return f"{percents(ratio)} % {'more' if ratio >= 1 else 'less'}"


def times(ratio: float) -> str:
    """Write a ratio with two digits."""
    return f"{ratio:.2g}" if ratio < 100 else f"{ratio:.0f}"


def percents(ratio: float) -> str:
    """Return by how many per cent a ratio differs from 1, to two digits, without its sign."""
    apart = 100 * abs(ratio - 1)
    return f"{apart:.1f}" if apart < 9.95 else f"{apart:.0f}"


def between(low: float, high: float) -> str:
    """Say two ratios: ``12 to 68 % less``, ``3 % less to 5 % more``."""
    if max(abs(low - 1), abs(high - 1)) < SAME:
        return "the same"
    if min(low, high) >= MANY:
        return f"{times(low)} to {times(high)} times as much"
    if change(low) == change(high):
        return change(low)
    if max(low, high) < MANY and (low >= 1) is (high >= 1):
        first, last = (high, low) if high < 1 else (low, high)
        way = "more" if low >= 1 else "less"
        return f"{percents(first)} to {percents(last)} % {way}"
    return f"{change(low)} to {change(high)}"


def of_part(part: JudgedPart) -> str:
    """Say in sentences, of which the last has no full stop: the effect, where it is seen, what would settle it."""
    if part.test is None:
        return "not run"
    leaf = part.test.leaf
    said = [_effect(leaf, part)]
    if part.share.of > 1:
        said.append(_settings(part))
    if part.verdict is Verdict.UNDECIDED:
        said.append(_open_step(part.test, leaf))
        said.append(_more(part, leaf))
    if part.share.not_run:
        were = "was" if part.share.not_run == 1 else "were"
        every = part.share.of + part.share.not_run
        said.append(f"{part.share.not_run} of {every} {part.counted} {were} not run")
    return ". ".join(text for text in said if text)


def _open_step(test: JudgedStatement, told: Judged) -> str:
    """Name the comparison that leaves a statement of several open, where it is not the one already named."""
    steps = [
        each for each in test.leaves() if each.outcome is Outcome.OPEN and each.ratio is not None
    ]
    if told.outcome is Outcome.OPEN or not steps or any(x.alone or x.strength for x in steps):
        return ""
    step = min(steps, key=Judged.room)
    what = step.label.split("; ")[0]
    effect = f"{change(step.ratio or 1.0)}{_interval(step)}"
    return f"What is open is {what}: {effect}, where the claim {asked(step.above, step.below)}"


def asked(above: float | None, below: float | None) -> str:
    """Say what a claim asks of a ratio: ``asks for at least 2.0 % more``, ``allows at most 2.0 % less``."""
    if above and below:
        return f"{'allows' if above < 1 < below else 'asks for'} {between(above, below)}"
    if above:
        return f"{'asks for at least' if above >= 1 else 'allows at most'} {change(above)}"
    return f"{'allows at most' if below and below >= 1 else 'asks for at least'} {change(below or 1.0)}"


def _more(part: JudgedPart, leaf: Judged) -> str:
    if leaf.identical and part.needed:
        return f"{part.needed} identical ones would show that fewer than a tenth of all differ"
    if part.needed is None:
        return "The number of replications that would settle it is unknown"
    if part.needed > PRACTICAL:
        return f"It is so near the threshold that it takes over {PRACTICAL:,} replications to settle it"
    return f"About {part.needed:,} replications would settle it"


def _effect(leaf: Judged, part: JudgedPart) -> str:
    """Describe the tested effect with its interval; for a part about all settings, the effects in its
    settings."""
    single = part.reading != "general" and part.share.of == 1
    what = leaf.label if single else leaf.label.split("; ")[0]
    if leaf.ratio is None:
        return (
            what if leaf.strength or leaf.alone else f"{what}: no ratio, since the second mean is 0"
        )
    if leaf.alone:
        return _alone(leaf, part, what)
    if leaf.strength:
        return (
            what
            if leaf.low is None and ": " in what
            else f"{what}: {change(leaf.ratio)} in strength"
        )
    if part.reading != "general" and part.share.of > 1:
        return what
    average = " on average" if part.share.of > 1 else ""
    if leaf.identical:
        return f"{what}: identical in all {leaf.count} replications"
    return f"{what}: {change(leaf.ratio)}{average}{_interval(leaf)}"


def _interval(leaf: Judged) -> str:
    if leaf.low is None or leaf.high is None:
        return ""
    low, high = max(leaf.low, 0.0), leaf.high
    if max(abs(low - 1), abs(high - 1)) < SAME:
        return ""
    if low >= MANY:
        ends = times(low), times(high)
        return "" if ends[0] == ends[1] else f" ({ends[0]} to {ends[1]} times)"
    ratio = leaf.ratio or 1.0
    if ratio < MANY and high < MANY and (low >= 1) is (high >= 1) is (ratio >= 1):
        first, last = sorted((percents(low), percents(high)), key=float)
        return "" if first == last else f" ({first} to {last} %)"
    return f" ({between(low, high)})"


def _alone(leaf: Judged, part: JudgedPart, what: str) -> str:
    if part.reading != "general" and part.share.of > 1:
        return _spread(part)
    unit = f" {part.unit}" if part.unit else ""
    shown = [None if x is None else x * part.scale for x in (leaf.ratio, leaf.low, leaf.high)]
    ends = ["?" if x is None or math.isinf(x) else plain(x, 3) for x in shown]
    average = " on average" if part.share.of > 1 else ""
    interval = "" if leaf.interval is None else f" ({ends[1]} to {ends[2]})"
    return f"{ends[0]}{unit}{average}{interval}"


def _spread(part: JudgedPart) -> str:
    values = [x.leaf.ratio for x in part.settings if x.was_run and x.leaf.ratio is not None]
    unit = f" {part.unit}" if part.unit else ""
    low, high = (part.scale * end for end in (min(values), max(values)))
    return f"{plain(low, 3)} to {plain(high, 3)}{unit}"


def _settings(part: JudgedPart) -> str:
    """Say what the settings range over, and in how many the direction holds."""
    share = part.share
    leaves = [each.leaf for each in part.settings if each.was_run]
    ratios = [leaf.ratio for leaf in leaves if leaf.ratio is not None]
    plain = all(not (leaf.alone or leaf.strength) for leaf in leaves)
    ranges = f"In single {part.counted} it is {between(min(ratios), max(ratios))}" if ratios else ""
    said = [ranges] if ranges and plain else []
    if part.reading != "general":
        return ". ".join([*said, _outcomes(part)])
    every = f"{share.of} {part.counted}"
    several = {share.of: f"all {every}", 0: f"none of {every}"}.get(
        share.count, f"{share.count} of {every}"
    )
    shown = (
        ""
        if share.least == share.most == share.count
        else f" ({share.least} to {share.most} with 95 % confidence)"
    )
    what = "The direction" if all(map(_has_direction, leaves)) else "It"
    return ". ".join([*said, f"{what} is as claimed in {several}{shown}"])


def _has_direction(leaf: Judged) -> bool:
    """Return whether a claim says no more than that something is above or below something else."""
    return (leaf.above, leaf.below) in ((ABOVE, None), (None, 1 / ABOVE))


def _outcomes(part: JudgedPart) -> str:
    """Count the settings in which the claim is shown, those in which it is shown not to hold, and the open
    ones."""
    found = [each.outcome for each in part.settings if each.was_run]
    words = {
        Outcome.SHOWN: ("shows it", "show it"),
        Outcome.DENIED: ("shows that it does not hold", "show that it does not hold"),
        Outcome.OPEN: ("is open", "are open"),
    }
    counts = [
        f"{found.count(outcome)} {one if found.count(outcome) == 1 else many}"
        for outcome, (one, many) in words.items()
        if outcome in found
    ]
    return f"Of {part.share.of} {part.counted} {listed(counts)}"


def of_claim(parts: Sequence[JudgedPart]) -> str:
    """Say what came out of a claim in a sentence: of one part its own, else what each does."""
    if len(parts) == 1:
        return parts[0].sentence
    groups: dict[Verdict, list[str]] = {}
    for part in parts:
        groups.setdefault(part.verdict, []).append(part.name)
    order = [v for v in Verdict if v in groups]
    return "; ".join(f"{verdict}: {_listed(groups[verdict])}" for verdict in order)


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f"“{name}”" for name in names)
