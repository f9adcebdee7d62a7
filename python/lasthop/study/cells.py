"""The cells of a study: a setting of every axis, checked, with a name by what its results depend on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, NamedTuple

from lasthop.core import metrics, source, threads, toml
from lasthop.core.engine import Files, engine
from lasthop.core.engine import outline as outlined
from lasthop.core.idle import owners
from lasthop.core.job import Handed, Job, place_of
from lasthop.core.quantities import full
from lasthop.errors import ScenarioError, StudyError, UsageError
from lasthop.study import axes, phrases, places
from lasthop.study.axes import Value
from lasthop.study.law_sources import Carried, carried
from lasthop.study.spec import Study

_Asked = tuple[tuple[str, int, str, float, bool], Sequence[Carried]]
"""What the core says of a cell, and the laws in Python that it may use."""


class _Wanted(NamedTuple):
    """A cell that is to be checked."""

    number: int
    settings: Mapping[str, Value]
    overrides: tuple[str, ...]


@dataclass(frozen=True)
class Cell:
    """One setting of every axis.

    Attributes:
        number: Its place in the study, from 0.
        key: Names all that its results depend on but the replication: engine, scenario however written, seed.
        settings: The value of each axis.
        overrides: What is changed in the base scenario, each ``key=value``.
        seed: The root of its random numbers, the same in all cells: common random numbers.
        metrics: What is measured.
        duration_s: How long a run is, s.
        warmup_s: When measuring begins, to go on to the end, s.
        may_draw: Whether anything in it may be random; if not, each replication is as the first.
    """

    number: int
    key: str
    settings: Mapping[str, Value]
    overrides: tuple[str, ...]
    seed: int
    metrics: metrics.Metrics
    duration_s: float = 0.0
    warmup_s: float = 0.0
    may_draw: bool = True

    @property
    def label(self) -> str:
        """The settings in a line."""
        return phrases.of_cell(self.settings)


def cells(study: Study) -> list[Cell]:
    """Check every cell of a study and name it; raises StudyError where one cannot be run.

    Two cells may have one key: an axis need not matter everywhere. They are then run once.
    """
    return list(some_cells(study, range(len(axes.settings(study.axes)))).values())


def some_cells(study: Study, numbers: Collection[int]) -> dict[int, Cell]:
    """Check these cells of a study, by number; raises StudyError."""
    found: dict[int, Cell] = {}
    shapes: dict[str, tuple[metrics.Metrics, float]] = {}
    files, known = Files(list(study.files)), carried(study.laws)
    wanted = [
        _Wanted(
            number,
            settings,
            (*study.changes, *(override(key, value) for key, value in settings.items())),
        )
        for number, settings in enumerate(axes.settings(study.axes))
        if number in numbers
    ]

    def ask(cell: _Wanted) -> _Asked:
        return _outline(study, cell.overrides, (cell.settings, files), known)

    for (number, settings, overrides), (facts, laws) in zip(
        wanted, threads.each(ask, wanted), strict=True
    ):
        identity, own_seed, outline, warmup_s, may_draw = facts
        if outline not in shapes:
            shapes[outline] = _resolve(study, outline)
        seed = own_seed if (given := study.seed_beside(overrides)) is None else given
        key = key_of(identity, seed, laws)
        measured, duration_s = shapes[outline]
        found[number] = Cell(
            number, key, settings, overrides, seed, measured, duration_s, warmup_s, may_draw
        )
    return found


def metrics_of(study: Study) -> list[str]:
    """Return the names of what the first cell measures: one that means several is each of them."""
    return [metric.name for cell in some_cells(study, [0]).values() for metric in cell.metrics.all]


def key_of(identity: str, seed: int, laws: Sequence[Carried] = ()) -> str:
    """Return the name of what has these results: 20 hexadecimal digits. `laws`: those in Python that matter."""
    named = [[law.name, law.digest] for law in laws]
    text = json.dumps([engine(), metrics.MEANING, identity, seed, *([named] if named else [])])
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def idle(study: Study, found: Sequence[Cell]) -> list[str]:
    """Return a sentence for each axis (or group of them) that changes nothing."""
    return [
        f"{' and '.join(keys)} has no effect: all its values give the same runs"
        + owners(study.scenario, keys[0])
        for keys in idle_axes(study, found)
    ]


def idle_axes(study: Study, found: Sequence[Cell]) -> list[list[str]]:
    """Return the keys of each axis, or group of them, all values of which give the same runs in every cell."""
    idle_ones = []
    said = [
        {key: json.dumps(value, default=str) for key, value in cell.settings.items()}
        for cell in found
    ]
    for group in study.axes:
        keys = [axis.key for axis in group]
        by_others: dict[tuple[str, ...], set[str]] = {}
        for cell, values in zip(found, said, strict=True):
            others = tuple(value for key, value in values.items() if key not in keys)
            by_others.setdefault(others, set()).add(cell.key)
        if len(group[0].values) > 1 and all(len(names) == 1 for names in by_others.values()):
            idle_ones.append(keys)
    return idle_ones


def override(key: str, value: Value) -> str:
    """Return a setting as a change of the scenario."""
    return f"{key}={value if isinstance(value, str) else toml.shown(value)}"


def scenario_of(study: Study, cell: Cell) -> Job:
    """Return what a cell runs."""
    files = files_of(study, cell.overrides) or study.files
    laws, law = study.laws, study.law if study.laws else None
    return Job(
        study.scenario, study.file, cell.overrides, cell.seed, files=files, laws=laws, law=law
    )


def files_of(study: Study, overrides: Sequence[str]) -> tuple[Handed, ...]:
    """Return the files of a cell that names others than the base scenario, else nothing."""
    if not any(source.may_name_files(change) for change in overrides):
        return ()
    # What the study has is not read again: it may come from a recipe, with no folder to read from.
    known = {each[0]: each for each in study.files if each[1] is not None}
    found = source.files_of(study.scenario, study.file, overrides)
    return tuple(known.get(each[0], each) for each in found)


def _outline(
    study: Study,
    overrides: Sequence[str],
    at: tuple[Mapping[str, Value], Files],
    laws: Sequence[Carried],
) -> _Asked:
    """Return what the core says of a cell (see `outlined`), and the laws in Python that it may use."""
    (settings, files), changes = at, list(overrides)
    if own := files_of(study, overrides):
        files = Files(list(own))
    text, file = study.scenario, study.file
    try:
        if laws and study.law is None:
            # What is right without them does not depend on them.
            with suppress(ScenarioError):
                return outlined(text, file, changes, files), ()
        there = list(study.laws.items()), place_of(study.laws, study.law) if laws else None
        return outlined(text, file, changes, files, there), laws
    except ScenarioError as error:
        where = ", ".join(f"{key}={phrases.written(value)}" for key, value in settings.items())
        where = f"study {study.name}, cell {where or 'without axes'}"
        raise at_setting(study, error, settings) or error.behind(where, StudyError) from None


def _resolve(study: Study, outline: str) -> tuple[metrics.Metrics, float]:
    """Return what is measured, and how long a run is, s."""
    document = json.loads(outline)
    try:
        return metrics.resolve(study.all_metrics, document), document["duration_s"]
    except UsageError:
        for name in study.all_metrics:
            check_metric(study, name, document)
        raise


def check_metric(study: Study, name: str, document: Mapping[str, Any]) -> None:
    """Raise StudyError where no run like this has a metric, with the line of the study that names it."""
    try:
        metrics.resolve((name,), document)
    except UsageError as error:
        text = places.Document(*study.source) if study.source[0] else None
        for path, value in text.walk() if text else ():
            if text and isinstance(value, str) and full(value) == name:
                raise text.at_line(path, error.said, error.code) from None
        raise error.behind(f"study {study.name}", StudyError) from None


def at_setting(
    study: Study, error: ScenarioError, settings: Mapping[str, Value]
) -> StudyError | None:
    """Return the error about a cell's setting with the line of the study that has it; None where none has."""
    if error.change is None or not study.source[0]:
        return None
    document, key = places.Document(*study.source), error.change.split("=")[0]
    said = error.said
    if key in settings:
        # A key that there is not is wrong with each of its values, which is told once.
        own = "" if error.code == "unknown-key" else f"={phrases.written(settings[key])}"
        said = f"axis {key}{own}: {error.said}"
    for path, value in document.walk():
        of_axis = path[0] == "axes" and ".".join(map(str, path[1:])) == key
        of_set = path[:2] == ("study", "set") and str(value).split("=")[0].strip() == key
        if of_axis if key in settings else of_set:
            return document.at_line(path, said, error.code, key=of_axis)
    return None
