"""Who is shown where there are more flows or queues than a chart has room for."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MOST = 6
"""So many lines a chart has: each has a colour that the eye can tell from the others."""


@dataclass(frozen=True)
class Role:
    """A line of a chart: a flow, or the mean of several that do the same; `colour` is its place in the palette."""

    name: str
    flows: tuple[str, ...]
    colour: int


def roles(flows: Sequence[Mapping[str, Any]]) -> tuple[list[Role], str]:
    """Return the lines of charts about flows, and a sentence on what is not shown as it is.

    Up to :data:`MOST` flows are shown one by one. Of more, those whose names differ in a number
    only are one role: its mean is shown, and its best and its worst flow by goodput.
    """
    if len(flows) <= MOST:
        return [Role(flow["name"], (flow["name"],), i) for i, flow in enumerate(flows)], ""
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for flow in flows:
        groups.setdefault(stem(flow["name"]), []).append(flow)
    found: list[Role] = []
    for name, members in sorted(groups.items(), key=lambda each: -len(each[1])):
        found += _of_group(name, members, len(found))
    shown = found[:MOST]
    said = f"The charts show these of {len(flows)} flows: {', '.join(role.name for role in shown)}."
    return shown, said


def stem(name: str) -> str:
    """Return a name without the number at its end."""
    return re.sub(r"[-_ .]?\d+$", "", name) or name


def _of_group(name: str, members: Sequence[Mapping[str, Any]], first: int) -> list[Role]:
    if len(members) == 1:
        only = str(members[0]["name"])
        return [Role(only, (only,), first)]
    ranked = [str(each["name"]) for each in sorted(members, key=lambda each: -_goodput(each))]
    mean = Role(f"{name}, mean of {len(members)}", tuple(ranked), first)
    best = Role(f"{ranked[0]} (most goodput)", (ranked[0],), first + 1)
    worst = Role(f"{ranked[-1]} (least goodput)", (ranked[-1],), first + 2)
    return [mean, best, worst]


def _goodput(flow: Mapping[str, Any]) -> float:
    return float(flow.get("goodput_bps") or 0.0)
