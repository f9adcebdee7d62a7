"""Random designs: settings drawn from ranges and distributions, in a Latin hypercube or each on its own.

In a Latin hypercube of n settings (McKay, Beckman and Conover 1979) each axis has one value in every n-th of its
distribution. An axis draws by the study's seed and its own key: another axis more changes none of the others.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from statistics import NormalDist
from typing import Any

from lasthop.errors import Steps
from lasthop.study.places import Document

DESIGNS = ("latin hypercube", "independent")
DISTRIBUTIONS: dict[str, tuple[str, ...]] = {
    "uniform": ("from", "to"),
    "log-uniform": ("from", "to"),
    "normal": ("mean", "sd"),
    "lognormal": ("median", "sigma"),
    "exponential": ("mean",),
}
"""Parameters of each distribution; `least` and `most` truncate any of them, which keeps the shape
between."""

DIGITS = 6
"""Of a drawn number: enough to be another, few enough to be read."""

Value = str | int | float | bool
Quantile = Callable[[float], float]


def is_leaf(table: Mapping[str, Any]) -> bool:
    """Return whether a table says what is drawn, and is none of deeper keys."""
    return isinstance(table.get("distribution"), str) or isinstance(table.get("any"), list)


def is_drawn(value: Any) -> bool:
    """Return whether an axis is drawn at random: a distribution, a choice, or a range without steps."""
    return isinstance(value, Mapping) and (is_leaf(value) or "steps" not in value)


def draw(
    document: Document, path: Steps, table: Mapping[str, Any], asked: tuple[int, str, int]
) -> tuple[Value, ...]:
    """Draw the values of an axis; `asked` is how many, the design, and the study's seed. Raises StudyError."""
    count, design, seed = asked
    numbers = random.Random(f"{seed} {'.'.join(map(str, path[1:]))}")
    parts = [numbers.random() for _ in range(count)]
    if design == DESIGNS[0]:
        order = list(range(count))
        for place in range(count - 1, 0, -1):  # `shuffle` may change with Python, this does not
            other = int(numbers.random() * (place + 1))
            order[place], order[other] = order[other], order[place]
        parts = [(each + part) / count for each, part in zip(order, parts, strict=True)]
    if "any" in table:
        return _chosen(document, path, table, parts)
    quantile, whole = _quantile(document, path, table)
    unit = document.get((*path, "unit"), table, str, "")
    values: list[Value] = []
    for part in parts:
        value = quantile(min(max(part, 1e-12), 1 - 1e-12))
        number: Value = math.floor(value) if whole else float(f"{value:.{DIGITS}g}")
        values.append(f"{number} {unit}" if unit else number)
    return tuple(values)


def _chosen(
    document: Document, path: Steps, table: Mapping[str, Any], parts: list[float]
) -> tuple[Value, ...]:
    document.only(path, table, ("any",))
    choices = table["any"]
    if not choices:
        document.fail((*path, "any"), "a choice is a list of one value or more", "wrong-kind")
    for place, each in enumerate(choices):
        if not isinstance(each, (str, int, float, bool)):
            document.fail(
                (*path, "any", place),
                "a value of an axis is a string, a number, true or false",
                "wrong-kind",
            )
    return tuple(choices[int(part * len(choices))] for part in parts)


def _quantile(document: Document, path: Steps, table: Mapping[str, Any]) -> tuple[Quantile, bool]:
    """Return what a part of the distribution ends at, and whether values are whole numbers."""
    scale = document.get((*path, "scale"), table, str, "linear")
    if scale not in ("linear", "log"):
        document.fail(
            (*path, "scale"), f'unknown scale "{scale}"; allowed: linear, log', "unknown-name"
        )
    usual = "log-uniform" if scale == "log" else "uniform"
    name = document.get((*path, "distribution"), table, str, usual)
    if name not in DISTRIBUTIONS:
        allowed = ", ".join(DISTRIBUTIONS)
        document.fail(
            (*path, "distribution"),
            f'unknown distribution "{name}"; allowed: {allowed}',
            "unknown-name",
        )
    told = DISTRIBUTIONS[name]
    document.only(path, table, ("distribution", "scale", "unit", "least", "most", *told))
    given = [document.get((*path, key), table, float) for key in told]
    if not all(map(math.isfinite, given)):
        document.fail(path, "a distribution is of finite numbers", "out-of-range")
    whole = told == ("from", "to") and all(type(table[key]) is int for key in told)
    return _cut(document, path, table, _plain(document, path, name, given, whole)), whole


def _plain(
    document: Document, path: Steps, name: str, given: list[float], whole: bool
) -> tuple[Quantile, Quantile]:
    """Return the quantile function and the distribution function."""
    if name in ("uniform", "log-uniform"):
        low, high = given
        if low >= high or (name == "log-uniform" and low <= 0):
            document.fail(
                path,
                "a range goes from a number to a larger one, on a log scale above zero",
                "out-of-range",
            )
        high += whole  # each whole number has the same part
        if name == "uniform":
            return (lambda p: low + p * (high - low)), (lambda x: (x - low) / (high - low))
        ratio = math.log(high / low)
        return (lambda p: low * math.exp(p * ratio)), (
            lambda x: math.log(max(x, low) / low) / ratio
        )
    if given[-1] <= 0 or (name == "lognormal" and given[0] <= 0):
        document.fail(
            path, f"{', '.join(DISTRIBUTIONS[name])} of {name}: above zero", "out-of-range"
        )
    if name == "exponential":
        (mean,) = given
        return (lambda p: -mean * math.log1p(-p)), (lambda x: -math.expm1(-max(x, 0.0) / mean))
    if name == "normal":
        normal = NormalDist(*given)
        return normal.inv_cdf, normal.cdf
    normal = NormalDist(math.log(given[0]), given[1])
    return (lambda p: math.exp(normal.inv_cdf(p))), (
        lambda x: normal.cdf(math.log(x)) if x > 0 else 0.0
    )


def _cut(
    document: Document, path: Steps, table: Mapping[str, Any], plain: tuple[Quantile, Quantile]
) -> Quantile:
    """Return the quantile function of what lies from `least` to `most`."""
    quantile, part = plain
    least = document.get((*path, "least"), table, float, -math.inf)
    most = document.get((*path, "most"), table, float, math.inf)
    low = part(least) if math.isfinite(least) else 0.0
    high = part(most) if math.isfinite(most) else 1.0
    low, high = max(low, 0.0), min(high, 1.0)
    if low >= high:
        document.fail(
            path, "the distribution has no values between `least` and `most`", "out-of-range"
        )
    return lambda p: quantile(min(max(low + p * (high - low), 1e-12), 1 - 1e-12))
