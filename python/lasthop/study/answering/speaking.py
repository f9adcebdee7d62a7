"""Metrics, settings and ranges as sentences have them: two significant digits, names in place of keys."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lasthop.core.quantities import Named, named
from lasthop.core.quantities.phrasing import of_part, statistic
from lasthop.numbers.numerals import listed
from lasthop.study import phrases
from lasthop.study.answering.splitting import Candidate, Split
from lasthop.study.claims.tables import quantity

DIGITS = 2

TWICE = 2.0
"""From this ratio on it is told how many times, under it how many per cent."""

SOME = 1.5
"""From this ratio on it is told how many times where the other end is over `TWICE`."""

PLAIN = re.compile(r"[A-Za-z0-9_.+-]+( [A-Za-z%/µ]+)?")
"""Settings that need no quotation marks: a name, a number, a number with its unit."""

FEW, SHORT = 3, 60
"""At most this many names, and letters, are told one by one."""

LOSES = ("loss", "unusable")
"""Shares of packets: a clause has the packets in it, and "none" of them for 0 %."""


AFTER = re.compile(" (?:of|that|without|at|by|with|from|for|in|on|after|while|until) ")
BEHIND = "not|together|again|down|up|on|out|back|sent|held|heard|lost|made|given|[a-z]+ed"
SEVERAL = re.compile(rf"[^s]s(?: (?:{BEHIND}))*$")
"""What ends the head of a quantity's words, what may be behind its noun, and a head that is several things."""


@dataclass(frozen=True)
class Spoken:
    """A metric in words.

    Attributes:
        noun: What it is: "the 95th percentile of delay of call".
        clause: A clause with ``{}`` in the place of the number: "voice loses {} of its packets".
        factor: From the metric's unit to that of the sentence.
        unit: That unit, with a space before it.
        of_packets: Whether the clause has a part of packets for its number.
        verb: What goes with the noun: "packets sent are", "goodput is".
    """

    noun: str
    clause: str
    factor: float
    unit: str
    of_packets: bool = False
    verb: str = "is"

    def numbers(self, values: Iterable[float]) -> str:
        """Return the range of values of the metric: "0.77 to 3.9 %"."""
        scaled = [value * self.factor for value in values]
        return f"{_range(min(scaled), max(scaled))}{self.unit}"

    def told(self, values: Sequence[float]) -> str:
        """Return the clause with the range of values in it."""
        is_none = self.of_packets and not any(values)
        return self.clause.format("none" if is_none else self.numbers(values))


def spoken(metric: str, scale: tuple[float, str]) -> Spoken:
    """Return a metric in words; `scale`: the factor to the unit in which it is shown, and that unit."""
    found = named(metric)
    factor, unit = scale
    if found is not None and found.quantity.unit == "1" and not _is_index(found):
        factor, unit = 100.0, "%"
    shown = f" {unit}" if unit not in ("", "1") else ""
    if found is None:
        noun = phrases.of_metric(metric)
        return Spoken(noun, f"{noun} is {{}}", factor, shown)
    who, is_many = _who(found)
    noun = _noun(found, who, is_many)
    is_several = not found.part and not found.across and _is_plural(found.quantity.words)
    verb = "are" if is_several else "is"
    clause = f"{noun} {verb} {{}}"
    name, whose = found.quantity.name, f"{who}'" if is_many else f"{who}'s"
    if name == "loss":
        does, its = ("lose", "their") if is_many else ("loses", "its")
        clause = f"{who} {does} {{}} of {its} packets"
    elif name == "unusable":
        clause = f"{{}} of {whose} packets are lost or late"
    elif name == "mos":
        clause = f"{who} {'reach' if is_many else 'reaches'} MOS {{}}"
    return Spoken(noun, clause, factor, shown, name in LOSES, verb)


def _is_plural(words: str) -> bool:
    """Return whether a quantity is several things: "packets sent", "drops at an interface"."""
    return bool(SEVERAL.search(AFTER.split(words)[0]))


def _noun(found: Named, who: str, is_many: bool) -> str:
    """Return a quantity and whose it is: "the 95th percentile of voice's delay"."""
    if not found.objects:
        said = phrases.in_words(found)
        return f"the {said}" if found.part or found.across else said
    form = statistic(found.part) or ""
    if form.endswith(" of {}"):
        whose = f"{who}'" if is_many else f"{who}'s"
        return f"the {form.format(f'{whose} {found.quantity.words}')}"
    said = of_part(found.quantity, found.part)
    return f"{'the ' if found.part else ''}{said} of {who}"


def _is_index(found: Named) -> bool:
    return found.quantity.name in ("jain", "efficiency") or found.across in ("jain", "starved")


def _who(found: Named) -> tuple[str, bool]:
    """Return whose quantity it is, and whether these are several: "the worst call"."""
    name = found.objects.rpartition(".")[2] or "all flows"
    if not any(sign in name for sign in "*?["):
        return name, not found.objects
    name = re.sub(r"[-_]*[*?]+", "", name) or "flow"
    worst = "min" if found.quantity.name in ("mos", "r_factor") or "bps" in found.path else "max"
    if found.across in ("min", "max"):
        return f"the {'worst' if found.across == worst else 'best'} {name}", False
    if found.across == "mean":
        return f"the average {name}", False
    return f"all {name}s", True


def digits(value: float) -> str:
    """Return a number with two significant digits, never with an exponent.

    >>> digits(941.5), digits(0.00766), digits(3.0), digits(0), digits(16600)
    ('940', '0.0077', '3', '0', '17,000')
    """
    if not math.isfinite(value):
        return "endless"
    if value == 0:
        return "0"
    places = DIGITS - 1 - math.floor(math.log10(abs(value)))
    text = f"{round(value, places):,.{max(places, 0)}f}"
    text = text.rstrip("0").rstrip(".") if "." in text else text
    return text.replace("-", "\N{MINUS SIGN}")


def change(ratios: Sequence[float]) -> str:
    """Return how much higher or lower something is: "12 to 30 % lower", "1.9 to 8 times as high"."""
    low, high = min(ratios), max(ratios)
    down, up = 100 * (1 - low), 100 * (high - 1)
    if high > TWICE and low >= SOME:
        return f"{_range(low, high)} times as high"
    if high > TWICE and low >= 1:
        return f"{digits(-down)} % higher to {digits(high)} times as high"
    if down > 0 and up > 0:
        return f"{digits(down)} % lower to {digits(up)} % higher"
    parts = sorted((abs(down), abs(up)))
    return f"{_range(*parts)} % {'lower' if up <= 0 else 'higher'}"


def against(ratios: Sequence[float], rest: str) -> str:
    """Return `change` with what it is against: "12 to 30 % lower than with reno"."""
    said = change(ratios)
    return f"{said} {'as' if said.endswith('as high') else 'than'} with {rest}"


def _range(low: float, high: float) -> str:
    first, last = digits(low), digits(high)
    return first if first == last else f"{first} to {last}"


def settings(values: Sequence[str], last: str = "or") -> str:
    """Return settings as a sentence lists them: "2 or 4"."""
    said = [phrases.of_value(x) if PLAIN.fullmatch(x) else f"“{x}”" for x in values]
    return listed(said, last)


def group(candidate: Candidate, values: Sequence[str]) -> str:
    """Return settings of an axis: many numbers in a row as "5 to 40"."""
    first = candidate.values.index(values[0])
    is_row = list(values) == candidate.values[first : first + len(values)]
    if len(values) > FEW and is_row and are_numbers(values):
        return f"{values[0]} to {values[-1]}"
    return settings(values)


def are_numbers(values: Sequence[str]) -> bool:
    """Return whether settings are numbers, or numbers with a unit."""
    return all(quantity(value) is not None for value in values)


def others(candidate: Candidate, split: Split) -> str:
    """Return the rest of a split: "2 or 4", or "any other queue discipline"."""
    said = group(candidate, split.rest)
    if len(said) <= SHORT and (len(split.rest) <= FEW or said != settings(split.rest)):
        return said
    if left_out(candidate, split):
        return said
    return f"any other {axis_words(candidate.axis)}"


def left_out(candidate: Candidate, split: Split) -> list[str]:
    """Return the settings that are neither among the best nor among the rest."""
    return [value for value in candidate.values if value not in (*split.best, *split.rest)]


def axis_words(axis: str) -> str:
    """Return an axis in words."""
    return phrases.of_key(axis)


SWITCHES = frozenset({"always", "never", "on", "off", "true", "false", "none"})


def lead(candidate: Candidate, best: Sequence[str]) -> str:
    """Return the best settings as a sentence: a number, a list or a switch says nothing without its axis."""
    said = group(candidate, best)
    if are_numbers(best) or best[0].startswith(("[", "{")) or SWITCHES.issuperset(best):
        return begun(f"{axis_words(candidate.axis)} {said}")
    # A name with signs or digits in it is written as it is: linux-cubic.
    return begun(said) if said.split(" ")[0].isalpha() else said


def begun(said: str) -> str:
    """Return words as a sentence begins."""
    is_small = any(re.match(rf"{name}\b", said) for name in phrases.SMALL)
    return said if is_small else said[:1].upper() + said[1:]
