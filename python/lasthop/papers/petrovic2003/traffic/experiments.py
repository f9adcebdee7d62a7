"""The two experiments: their study files, what they measure, and what the paper prints of it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from lasthop.claims import Table
from lasthop.papers.petrovic2003.facts import Case, facts, text
from lasthop.study import reader
from lasthop.study.spec import Study

UP, DOWN = "flow.call_up.app.payload", "flow.call_down.app.payload"


@dataclass(frozen=True)
class Experiment:
    """An experiment of the paper.

    Attributes:
        id: web or voice.
        tables: The paper's numbers of its tables.
        metric: What they print.
        unit: The unit that the paper prints it in, and `scale` what makes it of the metric's.
        quick_replications: With --quick.
    """

    id: str
    tables: tuple[str, ...]
    metric: str
    unit: str
    scale: float
    quick_replications: int

    @property
    def file(self) -> str:
        """The study file."""
        return f"{self.id}.toml"

    def study(self, seed: int, replications: int | None, quick: bool) -> Study:
        """Return the study, read from its file."""
        found = reader.parse(text(self.file), f"petrovic2003/{self.file}")
        count = replications or (self.quick_replications if quick else found.replications)
        return replace(found, seed=seed, replications=count)


WEB = Experiment("web", ("3", "4"), "web*.pages.response_time.mean.mean", "s", 1.0, 12)
VOICE = Experiment("voice", ("5",), "call*.unusable.mean", "%", 100.0, 16)
BULK_BESIDE_VOICE = "bulk.goodput"


@dataclass(frozen=True)
class Place:
    """A cell of a printed table, in the paper's words and as a setting of the study's axes."""

    table: str
    keys: Mapping[str, Any]
    setting: Mapping[str, Any]
    published: float


@cache
def places(experiment: Experiment) -> tuple[Place, ...]:
    """Return every cell that the paper prints of an experiment, in its unit."""
    data = tomllib.loads(text("paper.toml"))[experiment.id]
    return tuple(_web(data) if experiment == WEB else _voice(data))


def _web(data: Mapping[str, Any]) -> list[Place]:
    cases = {case.id: case for case in facts().cases}
    windows = [int(name.removeprefix("window")) for name in data["columns"][3:]]
    return [
        Place(
            table,
            {"packet_bytes": size, "window": window, "case": case},
            web_setting(size, window, cases[case]),
            value,
        )
        for table, size, case, *values in data["rows"]
        for window, value in zip(windows, values, strict=True)
    ]


def web_setting(size: int, window: int, case: Case) -> dict[str, Any]:
    """Return a cell of tables 3 and 4 as the study's axes have it."""
    return {
        "tcp.mss": f"{size} B",
        "tcp.window": f"{window} packets",
        "mac.rts": "always" if case.rts else "never",
        "fec.enabled": case.fec,
    }


def _voice(data: Mapping[str, Any]) -> list[Place]:
    sizes = [int(name.removeprefix("udp")) for name in data["columns"][1:]]
    return [
        Place("5", {"window": window, "udp_bytes": size}, voice_setting(size, window), value)
        for window, *values in data["rows"]
        for size, value in zip(sizes, values, strict=True)
    ]


def voice_setting(size: int, window: int) -> dict[str, Any]:
    """Return a cell of table 5 as the study's axes have it."""
    return {"tcp.window": f"{window} packets", UP: f"{size} B", DOWN: f"{size} B"}


def printed(experiment: Experiment) -> dict[str, Table]:
    """Return what the paper prints as a table of the metric, one value a cell, in its unit."""
    rows = [(p.setting, [p.published / experiment.scale]) for p in places(experiment)]
    return {experiment.metric: Table.of(experiment.metric, rows)}


def what(experiment: Experiment) -> str:
    """Return what the tables print, in words."""
    return str(tomllib.loads(text("paper.toml"))[experiment.id]["what"])
