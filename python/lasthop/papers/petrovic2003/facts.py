"""What the paper states and prints, and what was taken where it states nothing, read from data."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

PACKAGE = "lasthop.papers.petrovic2003"

EXPERIMENTS = ("bulk", "web", "voice")
"""What the paper runs: tables 1 and 2, tables 3 and 4, table 5."""


@dataclass(frozen=True, order=True)
class Case:
    """A column of table 1: RTS/CTS and FEC on or off."""

    id: str
    label: str
    rts: bool
    fec: bool


@dataclass(frozen=True, order=True)
class Cell:
    """A cell of table 1: payload of a packet in bytes, window in packets, and the case."""

    packet_bytes: int
    window: int
    case: Case

    @property
    def label(self) -> str:
        """Its name for people."""
        return f"{self.packet_bytes} B, window {self.window}, {self.case.label}"


@dataclass(frozen=True)
class Shares:
    """A row of table 2: the throughput of each station in a cell, kbit/s."""

    cell: Cell
    kbps: tuple[float, ...]


@dataclass(frozen=True)
class Facts:
    """All that is taken from the paper. `published` is table 1, kbit/s."""

    name: str
    title: str
    authors: str
    year: int
    stated: list[dict[str, str]]
    cases: tuple[Case, ...]
    published: dict[Cell, float]
    shares: tuple[Shares, ...]
    notes: dict[str, str]
    claims: dict[str, str]

    @property
    def sizes(self) -> list[int]:
        """The packet sizes in bytes, rising."""
        return sorted({cell.packet_bytes for cell in self.published})

    @property
    def windows(self) -> list[int]:
        """The windows in packets, rising."""
        return sorted({cell.window for cell in self.published})


def text(name: str) -> str:
    """Return the text of a data file of this paper."""
    return resources.files(PACKAGE).joinpath(name).read_text(encoding="utf-8")


@cache
def facts() -> Facts:
    """Return what the paper states and prints."""
    data = tomllib.loads(text("paper.toml"))
    cases = tuple(Case(**case) for case in data["case"])
    return Facts(
        name=data["name"],
        title=data["title"],
        authors=data["authors"],
        year=data["year"],
        stated=data["stated"],
        cases=cases,
        published=_table1(data["table1"], {case.id: case for case in cases}),
        shares=_table2(data["table2"], {case.id: case for case in cases}),
        notes={"2": data["table2"]["note"]},
        claims={claim["id"]: claim["text"] for claim in data["claim"]},
    )


def _table1(table: dict[str, Any], cases: dict[str, Case]) -> dict[Cell, float]:
    columns = [cases[name] for name in table["columns"][2:]]
    return {
        Cell(row[0], row[1], case): value
        for row in table["rows"]
        for case, value in zip(columns, row[2:], strict=True)
    }


def _table2(table: dict[str, Any], cases: dict[str, Case]) -> tuple[Shares, ...]:
    return tuple(
        Shares(Cell(row[0], row[1], cases[row[2]]), tuple(row[3:])) for row in table["rows"]
    )


@dataclass(frozen=True)
class Alternative:
    """Another value of something unstated, and what sets it: nothing where nothing can.

    `overrides` are changes of the scenario, `flow` a flow added to it; `quick`: --quick tries it too.
    """

    name: str
    overrides: tuple[str, ...]
    flow: dict[str, Any] | None = None
    quick: bool = False


@dataclass(frozen=True)
class Choice:
    """Something that the paper leaves unstated, what was taken, why, and what else there is.

    `of` are the experiments that it is of: bulk (tables 1 and 2), web (3 and 4), voice (5).
    """

    item: str
    taken: str
    reason: str
    alternatives: tuple[Alternative, ...]
    of: tuple[str, ...] = EXPERIMENTS

    def as_dict(self) -> dict[str, Any]:
        """Return the fields, ready for JSON."""
        return {
            "item": self.item,
            "taken": self.taken,
            "alternatives": [alternative.name for alternative in self.alternatives],
            "reason": self.reason,
            "of": list(self.of),
        }


@cache
def choices() -> tuple[Choice, ...]:
    """Return what was taken for everything that the paper leaves unstated."""
    return tuple(
        Choice(
            item=each["item"],
            taken=each["taken"],
            reason=each["reason"],
            alternatives=tuple(
                Alternative(
                    a["name"], tuple(a.get("overrides", ())), a.get("flow"), a.get("quick", False)
                )
                for a in each.get("alternative", [])
            ),
            of=tuple(each.get("of", EXPERIMENTS)),
        )
        for each in tomllib.loads(text("choices.toml"))["choice"]
    )
