"""The settings that a word compares: those that stay when all others are averaged over."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from lasthop.study.claims.tables import Setting, Table

Given = Mapping[str, Any]
"""The values of a word's keys in a claim, checked and read."""


def wanted(word: str, table: Table, given: Given) -> list[Setting]:
    """Return the settings of the axes that a word names which it takes in each context; [{}]: each cell itself."""
    if word == "more_often":
        return []
    axes: dict[str, list[Any]] = {}
    for key in ("effect", "along"):
        if key in given:
            monotone = word == "monotone"
            axes[given[key]] = table.run(given[key]) if monotone else _taken(table, given, key)
    crossed: list[Setting] = [
        dict(zip(axes, each, strict=True)) for each in product(*axes.values())
    ]
    if "a" in given and "b" in given:
        pair = [table.own(given[which]) for which in ("a", "b")]
        crossed = [{**each, **own} for each in crossed for own in pair]
    return crossed


def _taken(table: Table, given: Given, key: str) -> list[Any]:
    """Return the values of an axis that a word compares."""
    axis = given[key]
    if "effect" in given:
        ends = ("from", "to") if key == "effect" else ("low", "high")
        return list(table.ends(axis, *(given.get(end) for end in ends)))
    if "order" in given:
        return [table.find(axis, value) for value in given["order"]]
    but = [table.find(axis, value) for value in given.get("but", ())]
    return [value for value in table.values(axis) if value not in but]
