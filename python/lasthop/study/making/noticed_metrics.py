"""The metrics that a new study measures: what people notice of the flows of its scenario."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

Flow = Mapping[str, Any]


def metrics_of(flows: Sequence[Flow]) -> tuple[str, ...]:
    """Return the metrics of flows of a run's outline: of calls, streams and pages, and the goodput.

    Flows whose names differ by a number only are one group, of which the worst or the mean counts.
    """
    groups: dict[str, list[Flow]] = {}
    for flow in flows:
        groups.setdefault(re.sub(r"\d+", "*", flow["name"]), []).append(flow)
    found = ["goodput_bps"] if any(flow["transport"] == "tcp" for flow in flows) else []
    for pattern, group in groups.items():
        many = len(group) > 1
        found += _of_group(pattern if many else group[0]["name"], group[0], many=many)
    return tuple(found) or ("goodput_bps",)


def _of_group(name: str, flow: Flow, *, many: bool) -> list[str]:
    """Return the metrics of a flow, or of several that are like it."""
    least, most, mean = (".min", ".max", ".mean") if many else ("", "", "")
    if "unusable" in flow:
        quality = [f"{name}.mos{least}"] if "mos" in flow else []
        return [f"{name}.unusable{most}", *quality]
    for objects in ("pages", "objects"):
        if objects in flow:
            return [f"{name}.{objects}.response_time_s.mean{mean}"]
    if flow["transport"] == "tcp":
        return []
    return [f"{name}.loss", f"{name}.delay_s.p95{most}"]
