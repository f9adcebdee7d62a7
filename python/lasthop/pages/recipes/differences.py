"""Differences between a file and the one that its recipe makes now."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from lasthop.extras import needed
from lasthop.numbers.numerals import counted
from lasthop.pages.recipes.embedding import bare
from lasthop.pages.recipes.recipe import Recipe

LISTED = 5
"""Numbers that differ which are written out."""


def of_data(before: Recipe, now: Recipe) -> list[str]:
    """Say what differs in the numbers shown, to the last bit; nothing where all are the same."""
    if before.data["sha256"] == now.data["sha256"]:
        return []
    if "values" not in before.data or "values" not in now.data:
        return ["the numbers differ; there are too many for the recipe to hold, so not known which"]
    found = list(_differences("", before.data["values"], now.data["values"]))
    more = len(found) - LISTED
    lines = [f"{place}: {then!r} then, {value!r} now" for place, then, value in found[:LISTED]]
    return [*lines, f"and {counted(more, 'number')} more"] if more > 0 else lines


def of_pictures(before: bytes, now: bytes, kind: str) -> list[str]:
    """Say what differs in what is seen: pixels of a PNG, else the file without its recipe."""
    if kind != "png":
        return [] if bare(before, kind) == bare(now, kind) else [f"the {kind} is drawn differently"]
    image = needed("matplotlib.image")
    one, two = (image.imread(io.BytesIO(content), format="png") for content in (before, now))
    if one.shape != two.shape:
        sizes = (f"{each.shape[1]} x {each.shape[0]}" for each in (one, two))
        return ["the picture has another size: {} then, {} pixels now".format(*sizes)]
    off = np.any(one != two, axis=-1)
    if not off.any():
        return []
    most = 100 * float(np.abs(one - two).max())
    count = int(off.sum())
    return [f"{count:,} of {off.size:,} pixels differ, by {most:.2g} % of full scale at most"]


def _differences(place: str, a: Any, b: Any) -> Iterator[tuple[str, Any, Any]]:
    """Yield where two values of JSON differ, and both."""
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        for key in dict.fromkeys([*a, *b]):
            yield from _differences(f"{place}.{key}" if place else key, a.get(key), b.get(key))
    elif _is_list(a) and _is_list(b):
        for number in range(max(len(a), len(b))):
            one, two = (each[number] if number < len(each) else None for each in (a, b))
            yield from _differences(f"{place}[{number}]", one, two)
    elif type(a) is not type(b) or a != b:
        yield place, a, b


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)
