"""What the paper states, prints and claims, and what was taken where it states nothing, read from data."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from lasthop.claims import Claim, read_claims

PACKAGE = "lasthop.papers.janevski2011"
NAME = "janevski2011"

VARIANTS = ("tahoe", "reno", "newreno", "vegas", "sack")
QUEUES = (25, 50, 100)
LABELS = {"tahoe": "Tahoe", "reno": "Reno", "newreno": "NewReno", "vegas": "Vegas", "sack": "SACK"}


@dataclass(frozen=True)
class Facts:
    """What is taken from the paper; the tables as they are printed."""

    name: str
    title: str
    authors: str
    year: int
    stated: list[dict[str, str]]
    contradictions: list[str]
    tables: dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Alternative:
    """Another value of something unstated.

    Attributes:
        name: Its name.
        overrides: What sets it in a scenario; nothing where nothing can.
        retry_key: The limit that the axis "MAC retransmissions" is then; None: as in the studies.
        studies: Those in which it can matter.
        quick: --quick tries it too.
    """

    name: str
    overrides: tuple[str, ...]
    retry_key: str | None
    studies: tuple[str, ...]
    quick: bool


@dataclass(frozen=True)
class Choice:
    """Something that the paper leaves unstated, what was taken, why, and what else there is."""

    item: str
    taken: str
    reason: str
    alternatives: tuple[Alternative, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return the fields, ready for JSON."""
        names = [alternative.name for alternative in self.alternatives]
        return {
            "item": self.item,
            "taken": self.taken,
            "alternatives": names,
            "reason": self.reason,
        }


def text(name: str) -> str:
    """Return the text of a data file of this paper."""
    return resources.files(PACKAGE).joinpath(name).read_text(encoding="utf-8")


def data(name: str) -> Mapping[str, Any]:
    """Return what a data file of this paper holds."""
    return tomllib.loads(text(name))


@cache
def facts() -> Facts:
    """Return what the paper states and prints."""
    held = data("paper.toml")
    return Facts(
        name=held["name"],
        title=held["title"],
        authors=held["authors"],
        year=held["year"],
        stated=held["stated"],
        contradictions=[each["text"] for each in held["contradiction"]],
        tables={number: held[f"table{number}"] for number in ("4", "5", "6")},
    )


@cache
def claims() -> tuple[Claim, ...]:
    """Return the paper's claims, J0 to J12."""
    return tuple(read_claims(data("claims.toml")["claim"], f"{NAME}/claims.toml"))


@cache
def choices() -> tuple[Choice, ...]:
    """Return what was taken for everything that the paper leaves unstated."""
    return tuple(
        Choice(
            each["item"],
            each["taken"],
            each["reason"],
            tuple(_alternative(a) for a in each.get("alternative", [])),
        )
        for each in data("choices.toml")["choice"]
    )


def _alternative(held: Mapping[str, Any]) -> Alternative:
    return Alternative(
        held["name"],
        tuple(held.get("overrides", ())),
        held.get("retry_key"),
        tuple(held.get("studies", ("static", "outdoor", "indoor", "pace"))),
        held.get("quick", False),
    )
