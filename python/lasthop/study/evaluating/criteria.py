"""The tables of criteria, read."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from lasthop.numbers import words

SECTIONS = ("single", "mixed", "general", "special")
"""The tables with criteria: sections 5.1, 5.2, 6 and 7."""


@dataclass(frozen=True)
class Rule:
    """A rule for a ratio to the reference, or for a value alone.

    Attributes:
        name: Its name in the table.
        least: The bound below, without a unit; None: there is none.
        most: The bound above, without a unit; None: there is none.
        alone: Whether it is of the value itself, an index from 0 to 1, and not of a ratio.
        why: The reason for the bound.
    """

    name: str
    least: float | None
    most: float | None
    alone: bool
    why: str

    def __str__(self) -> str:
        """Say it in a few words."""
        side = "at least" if self.least is not None else "at most"
        bound = self.least if self.least is not None else self.most
        return f"{side} {bound:.3g}" + ("" if self.alone else " times the reference's")


@dataclass(frozen=True)
class Part:
    """A measure of a criterion, named as in studies, with its rule; `says` is what a reader calls it."""

    of: str
    rule: Rule
    says: str


@dataclass(frozen=True)
class Criterion:
    """A criterion.

    Attributes:
        name: What it is called.
        section: The section of RFC 9743.
        asks: ``must`` where the section says MUST, else ``should``.
        about: The flows and what happens to them.
        path: The path, in words.
        scenario: The whole scenario, as TOML.
        changes: Changes to it, each ``key=value``.
        against: The reference: ``cubic`` or ``reno``.
        beside: The TCP of the flow `other`; None: there is none.
        parts: What is judged; the criterion holds where all of them do.
    """

    name: str
    section: str
    asks: str
    about: str
    path: str
    scenario: str
    changes: tuple[str, ...]
    against: str
    beside: str | None
    parts: tuple[Part, ...]


@cache
def criteria() -> tuple[Criterion, ...]:
    """Return all criteria, in the order of the sections."""
    table = _table()
    rules = {name: _rule(name, row) for name, row in table["rules"].items()}
    return tuple(_criterion(row, table, rules) for row in table["criterion"])


def unasked() -> Mapping[str, str]:
    """Return the sections of which nothing is asked, with the reasons."""
    held: Mapping[str, str] = _table()["unasked"]
    return held


@cache
def _table() -> dict[str, Any]:
    """Return what criteria share, and under `criterion` all of them."""
    parts = [_read(name) for name in SECTIONS]
    return _read("shared") | {"criterion": [row for part in parts for row in part["criterion"]]}


def _read(name: str) -> dict[str, Any]:
    place = files("lasthop.study.evaluating").joinpath("tables", f"{name}.toml")
    return tomllib.loads(place.read_text("utf-8"))


def _rule(name: str, row: Mapping[str, Any]) -> Rule:
    return Rule(
        name,
        _bound(row.get("least"), 0),
        _bound(row.get("most"), 1),
        row.get("alone", False),
        row["why"],
    )


def _bound(held: str | float | None, side: int) -> float | None:
    """Return a number, or the constant of `words` of this name: of a pair the end of this side."""
    if not isinstance(held, str):
        return held
    found: float | Sequence[float] = getattr(words, held)
    return found if isinstance(found, float) else found[side]


def _criterion(
    row: Mapping[str, Any], table: Mapping[str, Any], rules: Mapping[str, Rule]
) -> Criterion:
    path = table["paths"][row["path"]]
    flows = table["flows"][row["flows"]] if "flows" in row else ""
    return Criterion(
        row["name"],
        row["section"],
        row["asks"],
        row["about"],
        path["about"],
        path["text"] + row.get("more", "") + flows,
        tuple(row.get("set", ())),
        row.get("against", "cubic"),
        row.get("beside"),
        tuple(Part(part["of"], rules[part["rule"]], part["says"]) for part in row["parts"]),
    )
