"""Quantities in words: their statistics, causes and what is made of several objects' numbers."""

from __future__ import annotations

from lasthop.core.quantities.listed import Quantity
from lasthop.numbers.numerals import ordinal

STATISTICS = {
    "mean": "mean {}",
    "p50": "median {}",
    "max": "largest {}",
    "min": "smallest {}",
    "sum": "total {}",
    "std": "standard deviation of {}",
    "jain": "Jain's index of {}",
    "count": "number of {}",
    "shares": "shares of {}",
    "starved": "probability of starvation in {}",
}

CAUSES = {
    "air": "bit errors on the air",
    "aqm": "AQM",
    "clusterhead": "errors of clusterheads",
    "ecn_mark": "ECN mark",
    "queue": "full queue",
    "request_retries": "bandwidth requests failed",
    "retry_limit_channel": "retry limit after bit errors",
    "retry_limit_collision": "retry limit after collisions",
    "retry_limit_hidden": "retry limit after hidden stations",
    "ttl": "TTL",
}
"""Reasons of losses and causes of cuts whose name is not what a reader would say."""


def statistic(part: str) -> str | None:
    """Return a statistic in words, with ``{}`` in the place of the quantity; None where it is none."""
    if part in STATISTICS:
        return STATISTICS[part]
    if _is_percentile(part):
        return f"{ordinal(int(part[1:]))} percentile of {{}}"
    return None


def of_several(how: str, said: str) -> str:
    """Return what is made of several objects' numbers in words; the mean of their means is the average."""
    if how == "mean" and said.startswith("mean "):
        return f"average {said}"
    return (statistic(how) or f"{{}} {how}".rstrip()).format(said)


def of_part(quantity: Quantity, part: str) -> str:
    """Return a part of a quantity in words."""
    if not part:
        return quantity.words
    cause = CAUSES.get(part, part.replace("_", " "))
    return (statistic(part) or f"{{}} ({cause})").format(quantity.words)


def short(quantity: Quantity, part: str) -> str:
    """Return a part of a quantity in the words of a narrow heading."""
    return f"{quantity.words} {part[1:]} %" if _is_percentile(part) else of_part(quantity, part)


def _is_percentile(part: str) -> bool:
    return part[:1] == "p" and part[1:].isdecimal()
