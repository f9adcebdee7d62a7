"""One name for a quantity everywhere: its path in a row of ``lasthop run --json``, as ``delay_s.p95``.

A column of a table has that name, a metric of a study has it behind the name of an object
(``voice.delay_s.p95``), and a flow in Python gives it by ``run["voice"]["delay_s.p95"]``. Where a name is typed
the ending that says the unit may be left out, and ``.mean`` of times: ``goodput``, ``voice.delay.p95``,
``voice.delay``. What is printed, stored and exported has the whole name.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from lasthop.core.quantities.listed import ENDINGS, KINDS, QUANTITIES, WITHIN, Quantity

__all__ = [
    "KINDS",
    "QUANTITIES",
    "Named",
    "Quantity",
    "bare",
    "ends_of",
    "full",
    "leaves",
    "named",
    "now",
    "of_kind",
    "part_of",
    "parts_of",
    "unit_of",
]

#: Endings that combine the numbers of several objects.
ACROSS = ("sum", "mean", "min", "max", "jain", "starved", "each", "shares", "count")

#: Names of before that are no name with its unit left out, and those of now.
RENAMED = {
    "sent": "packets_sent",
    "delivered": "packets_delivered",
    "lost": "packets_lost",
    "cuts": "window_cuts",
    "ip_throughput": "throughput_bps",
    "wimax2012_goodput": "acked_goodput_bps",
    "busy": "cell_busy_share",
}


def bare(path: str) -> str:
    """Return a path without the endings that say units."""
    return re.sub(rf"({'|'.join(ENDINGS)})(?=\.|$)", "", path)


@dataclass(frozen=True)
class Named:
    """The name of a metric, taken apart.

    Attributes:
        objects: The name of an object or of several, and its kind where that is said; empty: all flows.
        path: The whole name of the quantity: ``delay_s.p95``.
        quantity: What is in the list.
        part: What of it: a statistic, a cause or a reason.
        across: What to make of several objects' numbers.
    """

    objects: str
    path: str
    quantity: Quantity
    part: str
    across: str

    @property
    def full(self) -> str:
        """The whole name."""
        return ".".join(filter(None, [self.objects, self.path, self.across]))


@cache
def _names() -> dict[str, tuple[str, Quantity, str]]:
    """Return every path as it may be typed, with the whole path, the quantity, and the part of it."""
    found: dict[str, tuple[str, Quantity, str]] = {}
    for each in QUANTITIES:
        stems = [f"handoffs.{each.name}"] if each.of == ("handoff",) else [each.name]
        stems += [f"{outer}{each.name}" for outer, kind in WITHIN if kind in each.of]
        for stem in stems:
            mean = "mean" if "mean" in each.parts else ""
            for typed in (bare(stem), stem):
                found.setdefault(typed, (f"{stem}.{mean}" if mean else stem, each, mean))
                for part in each.parts:
                    found.setdefault(f"{typed}.{part}", (f"{stem}.{part}", each, part))
    return found


@cache
def named(name: str) -> Named | None:
    """Take the name of a metric apart; None where it ends in nothing that is in the list."""
    parts = name.split(".")
    for start in range(len(parts)):
        for end in range(len(parts), start, -1):
            known, rest = _names().get(".".join(parts[start:end])), parts[end:]
            if known is None:
                continue
            path, found, part = known
            if found.by_name and rest and not _is_across(rest[0]):
                part = rest.pop(0)
                path = f"{path}.{part}"
            if found.of == ("handoff",) and not rest:
                rest = ["mean"]
            if not rest or (len(rest) == 1 and _is_across(rest[0])):
                return Named(".".join(parts[:start]), path, found, part, "".join(rest))
    return None


def full(name: str) -> str:
    """Return the whole name of a metric, of which units and ``.mean`` may have been left out; others as they are.

    >>> full("voice.delay.p95"), full("goodput"), full("call*.delay.max")
    ('voice.delay_s.p95', 'goodput_bps', 'call*.delay_s.max')
    """
    if found := named(name):
        return found.full
    # A statistic that there is not stays, behind the whole name of what it is not of.
    stem, _, last = name.rpartition(".")
    if stem and (found := named(stem)) and found.part == "mean" and not found.across:
        return f"{found.full.removesuffix('mean')}{last}"
    return name


@cache
def of_kind(kind: str) -> dict[str, Quantity]:
    """Return the quantities that objects of a kind have, by their paths in a row."""
    own = {each.name: each for each in QUANTITIES if kind in each.of}
    within = [outer for outer, of in WITHIN if of == kind]
    return own | {f"{outer}{name}": each for outer in within for name, each in own.items()}


def part_of(known: Mapping[str, Quantity], path: str) -> tuple[Quantity, str]:
    """Return the quantity at a path, and the part of it that is meant; raises KeyError where there is none."""
    if path in known:
        return known[path], ""
    whole, _, part = path.rpartition(".")
    return known[whole], part


def _is_across(word: str) -> bool:
    return word in ACROSS or bool(re.fullmatch("share[1-9][0-9]*", word))


def unit_of(path: str) -> str:
    """Return the unit of a quantity by its name; of one that is not in the list what its ending says."""
    if found := named(path):
        return found.quantity.unit
    steps = reversed(path.split("."))
    said = (unit for step in steps for end, unit in ENDINGS.items() if step.endswith(end))
    return next(said, "")


#: Combinations that are always from 0 to 1, and those without an upper end.
SHARES, ADDED = ("jain", "shares"), ("sum", "count", "starved")


def ends_of(name: str) -> tuple[float, float]:
    """Return what a metric is never under or over, in its unit; infinite where it is not known.

    >>> ends_of("voice.loss"), ends_of("goodput_bps.each"), ends_of("goodput_bps.jain")
    ((0.0, 1.0), (0.0, inf), (0.0, 1.0))
    """
    found = named(name)
    if found is None:
        return -math.inf, math.inf
    if found.across in SHARES or found.across.startswith("share"):
        return 0.0, 1.0
    low, high = found.quantity.ends
    return low, math.inf if found.across in ADDED else high


def parts_of(path: str) -> tuple[str, ...]:
    """Return what is known of times, which are null where nothing arrived; nothing of other quantities."""
    found = named(path)
    return tuple(found.quantity.parts) if found and path.endswith(found.quantity.name) else ()


def leaves(row: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every value of a row of a run by its path; null for each part of times that are null."""
    for key, value in row.items():
        path = f"{above}{key}"
        if isinstance(value, Mapping):
            yield from leaves(value, f"{path}.")
        elif value is None and (parts := parts_of(path)):
            yield from ((f"{path}.{part}", None) for part in parts)
        else:
            yield path, value


def now(name: str, row: Mapping[str, Any]) -> str | None:
    """Return what a name of before is called now, of a row that has it; None where it was none.

    Columns had underscores for points and the unit last: ``delay_p95_s``, ``lost_queue``.
    """
    first, _, rest = name.partition(".")
    if (renamed := RENAMED.get(first)) and renamed in row:
        return f"{renamed}.{rest}" if rest else renamed
    if rest:  # no column had a point in its name
        return None
    return {_column(path): path for path, _ in leaves(row)}.get(name)


def _column(path: str) -> str:
    """Return the name of a column before columns were paths."""
    path = re.sub("^packets_lost\\.", "lost.", path)
    found = re.fullmatch(r"(.+)_s\.(\w+)", path)
    return (f"{found[1]}_{found[2]}_s" if found else path).replace(".", "_")


def listed() -> list[dict[str, str]]:
    """Return every quantity for a list: its name, and what it is."""
    kinds: dict[tuple[str, str], list[str]] = {}
    for each in QUANTITIES:
        name = f"handoffs.{each.name}" if each.of == ("handoff",) else each.name
        unit = "" if each.unit in ("", "1", "packets") else f", {each.unit}"
        parts = f" ({', '.join(each.parts)})" if each.parts else ""
        kinds.setdefault((name, f"{each.words}{parts}{unit}"), []).extend(each.of)
    found: dict[str, str] = {}
    for (name, said), of in kinds.items():
        objects = ", ".join(kind.replace("_", " ") for kind in of)
        about = said if of == ["run"] else f"{said}; of a {objects}"
        found[name] = f"{found[name]}; {about}" if name in found else about
    return [{"name": name, "about": about} for name, about in found.items()]
