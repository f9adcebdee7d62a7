"""The results as tables by the claims' names: ftp.*, game.* at rest; outdoor.*, indoor.*, mobility.*, film.*."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from lasthop.claims import Table
from lasthop.papers.janevski2011.experiments import named, settings
from lasthop.papers.janevski2011.facts import VARIANTS

Array = Any
Tables = dict[str, Table]

FLOWS = {"goodput": "ftp.active_goodput", "delay": "ftp.delay"}
"""Goodputs count over a flow's own time, from its start to its stop, however long a run is."""
BESIDE = {
    "game.goodput": "game_down.active_goodput",
    "game.delay": "game_down.delay",
    "game.delay_p95": "game_down.delay.p95",
    "game.loss": "game_down.loss",
    "movie.delay_p95": "movie.delay.p95",
    "movie.loss": "movie.loss",
}
FILM = {
    "interarrival_spread": "movie.interarrival.std",
    "delay": "movie.delay",
    "delay_p95": "movie.delay.p95",
}
AT_REST_M = 50
"""Where n3 rests that is compared with one that drives past."""


def tables(found: Mapping[str, Sequence[Mapping[str, Table]]]) -> Tables:
    """Return the tables that the claims name, from each study's own: a list of parts for each study."""
    made: Tables = {}
    if "static" in found:
        made |= _renamed(found, ["static"], {f"ftp.{n}": each for n, each in FLOWS.items()})
        made |= _renamed(found, ["static"], BESIDE)
    if "outdoor" in found:
        made |= _renamed(found, ["outdoor"], {f"outdoor.{n}": each for n, each in FLOWS.items()})
    moving = [each for each in ("indoor", "pace") if each in found]
    if moving:
        made |= _renamed(found, moving, {f"indoor.{n}": each for n, each in FLOWS.items()})
    if "alone" in found:
        made |= _renamed(found, ["alone"], {f"film.{n}": each for n, each in FILM.items()})
    if {"ftp.goodput", "outdoor.goodput"} <= made.keys():
        made["mobility.goodput"] = _mobility(made["ftp.goodput"], made["outdoor.goodput"])
        made["choice.goodput"] = picked(
            [made[n] for n in ("ftp.goodput", "outdoor.goodput", "indoor.goodput") if n in made]
        )
    return made


def _renamed(
    found: Mapping[str, Sequence[Mapping[str, Table]]],
    ids: Iterable[str],
    wanted: Mapping[str, str],
) -> Tables:
    """Return metrics of some studies together, all cells in them: without values where they were not run."""
    made = {}
    for name, metric in wanted.items():
        rows: dict[tuple[Any, ...], tuple[dict[str, Any], Array]] = {}
        for id_ in ids:
            for setting in settings(id_):
                rows[tuple(setting.values())] = (setting, np.empty(0))
            for part in found[id_]:
                table = part.get(metric)
                for key, values in table.cells.items() if table else ():
                    setting = named(dict(zip(table.axes, key, strict=True))) if table else {}
                    place = tuple(setting.values())
                    if len(values) >= len(rows[place][1]):
                        rows[place] = (setting, values)
        made[name] = Table.of(name, list(rows.values()))
    return made


def _mobility(rest: Table, outdoor: Table) -> Table:
    """Return the outdoor table with n3 at rest as speed 0."""
    rows = [(_setting(outdoor, key), values) for key, values in outdoor.cells.items()]
    for key, values in rest.cells.items():
        setting = _setting(rest, key)
        if setting.pop("distance") == AT_REST_M:
            rows.append(({"speed": 0, **setting}, values))
    return Table.of("mobility.goodput", rows)


def _setting(table: Table, key: tuple[Any, ...]) -> dict[str, Any]:
    return dict(zip(table.axes, key, strict=True))


def picked(several: Sequence[Table]) -> Table:
    """Return what picking the variant in each cell gains, and each variant everywhere, as parts of the mean.

    The pick of a replication is the best mean of the others, so that luck is no gain. Cells count alike;
    those that were not run for every variant, or in which none delivered anything, are left out.
    """
    picks: list[Array] = []
    fixed: list[Array] = []
    for table in several:
        for context in table.contexts(["tcp"]):
            cells = [table.at({**context, "tcp": each}) for each in VARIANTS]
            count = min((0 if cell is None else len(cell) for cell in cells), default=0)
            if count < 2:
                continue
            values = np.array([cell[:count] for cell in cells if cell is not None])
            if not values.any():
                continue  # nothing got through with any of them
            values = values / values.mean()
            others = (values.sum(axis=1, keepdims=True) - values) / (count - 1)
            picks.append(values[others.argmax(axis=0), np.arange(count)])
            fixed.append(values)
    least = min((len(each) for each in picks), default=0)
    every = np.array([each[:least] for each in picks]).reshape(len(picks), least)
    rows = [({"pick": "per scenario"}, every.mean(axis=0) if least else np.empty(0))]
    for place, variant in enumerate(VARIANTS):
        own = np.array([each[place][:least] for each in fixed]).reshape(len(fixed), least)
        rows.append(({"pick": variant}, own.mean(axis=0) if least else np.empty(0)))
    return Table.of("choice.goodput", rows)
