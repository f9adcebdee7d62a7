"""The paper's experiments: study files of this package, and what the claims call their axes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from lasthop.papers.janevski2011.facts import NAME, data, text
from lasthop.study import axes, reader
from lasthop.study.axes import Axis
from lasthop.study.spec import Study

RETRIES = "mac.long_retry_limit"
AXES = {
    "node.n3.position": "distance",
    "node.n3.waypoints.0.speed": "speed",
    "tcp.variant": "tcp",
    "queue.packets": "ifq",
    RETRIES: "retries",
    "mac.short_retry_limit": "retries",
    "flow.ftp.start": "ftp",
}
"""The claims' names of the studies' axes."""
IDS = ("alone", "static", "indoor", "pace", "outdoor")
"""The studies, in the order in which they are run."""
TABLES = {"4": ("static",), "5": ("static",), "6": ("indoor", "pace")}
"""The studies that a printed table needs."""


@dataclass(frozen=True)
class Part:
    """Some cells of a study: all of them, or those that --quick runs.

    Attributes:
        id: The study's.
        place: The directory of its results.
        study: Only these cells.
    """

    id: str
    place: str
    study: Study


def study(id_: str, seed: int, replications: int | None) -> Study:
    """Return a study of the paper, read from its file."""
    found = reader.parse(text(f"{id_}.toml"), _file(f"{id_}.toml"))
    return replace(found, seed=seed, replications=replications or found.replications)


def _file(name: str) -> str:
    from importlib import resources

    return str(resources.files("lasthop.papers.janevski2011").joinpath(name))


def parts(wanted: tuple[str, ...], seed: int, replications: int | None, quick: bool) -> list[Part]:
    """Return what is run for these studies."""
    if not quick:
        return [Part(each, each, study(each, seed, replications)) for each in wanted]
    quickly = data("quick.toml")
    found = []
    for number, held in enumerate(quickly["part"]):
        if held["study"] in wanted:
            own = held.get("replications", quickly["replications"])
            whole = shorter(study(held["study"], seed, replications or own))
            place = f"quick.{number}.{held['study']}"
            found.append(Part(held["study"], place, only(whole, held.get("only", {}))))
    return found


def shorter(whole: Study) -> Study:
    """Return the study as --quick runs it, with shorter transfers."""
    changes = data("quick.toml")["shorter"].get(whole.name.removeprefix(f"{NAME}-"), ())
    return replace(whole, changes=(*whole.changes, *changes))


def only(whole: Study, values: Mapping[str, Any]) -> Study:
    """Return the study with some values of its axes."""
    unknown = values.keys() - set(whole.keys)
    assert not unknown, f"{NAME}: {unknown} are no axes of {whole.name}"
    groups = tuple(
        tuple(Axis(a.key, tuple(values.get(a.key, a.values))) for a in group)
        for group in whole.axes
    )
    return replace(whole, axes=groups)


def settings(id_: str) -> list[dict[str, Any]]:
    """Return all cells of a study in the claims' words, whether they are run or not."""
    return [named(each) for each in axes.settings(study(id_, 1, None).axes)]


def named(setting: Mapping[str, Any]) -> dict[str, Any]:
    """Return a cell in the claims' words: metres, km/h, packets."""
    return {AXES[key]: _value(AXES[key], value) for key, value in setting.items()}


def _value(axis: str, value: Any) -> Any:
    if axis == "ftp":
        return "with" if value == "35 s" else "without"
    if axis in ("distance", "speed"):
        match = re.search(r"\d+", str(value))
        assert match is not None, value
        return int(match[0])
    return value
