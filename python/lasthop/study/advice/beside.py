"""Metrics to read with a delay: the loss, and for a call its unusable share and its MOS."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lasthop.core import metrics
from lasthop.core.quantities import named
from lasthop.errors import UsageError
from lasthop.study.advice.wishes import Wish

#: Quantities of the packets that arrived: they fall as losses rise.
OF_SURVIVORS = ("delay_s", "delay_split_s", "jitter_s", "interarrival_s")

#: Their names where they exist, for one flow and for the worst of several.
BESIDE = (("loss",), ("unusable", "unusable.max"), ("mos", "mos.min"))


def beside(wish: Wish, outline: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the measures that are shown beside those that are wanted."""
    found: list[str] = []
    for metric in wish.metrics:
        known = named(metric)
        if known is None or known.quantity.name not in OF_SURVIVORS:
            continue
        for names in BESIDE:
            asked = [f"{known.objects}.{name}" if known.objects else name for name in names]
            found += [name for name in asked if _is_there(name, outline)][:1]
    return tuple(name for name in dict.fromkeys(found) if name not in wish.metrics)


def _is_there(name: str, outline: Mapping[str, Any]) -> bool:
    try:
        return len(metrics.resolve([name], outline).all) == 1
    except UsageError:
        return False
