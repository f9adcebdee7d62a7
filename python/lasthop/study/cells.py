"""The cells of a study: a setting of every axis, checked, with a name by what its results depend on."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from lasthop import _core, metrics, source
from lasthop.errors import ScenarioError, StudyError, UsageError
from lasthop.idle import owners
from lasthop.jobs import Handed, place_of
from lasthop.prepared import Prepared
from lasthop.quantities import full
from lasthop.study import axes
from lasthop.study.axes import Value
from lasthop.study.laws import Carried, carried
from lasthop.study.reader import toml
from lasthop.study.spec import Study


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
    """

    number: int
    key: str
    settings: Mapping[str, Value]
    overrides: tuple[str, ...]
    seed: int
    metrics: metrics.Metrics
    duration_s: float = 0.0
    warmup_s: float = 0.0

    @property
    def label(self) -> str:
        """The settings in a line."""
        return ", ".join(f"{key}={value}" for key, value in self.settings.items()) or "the scenario"


def cells(study: Study) -> list[Cell]:
    """Check every cell of a study and name it; raises StudyError where one cannot be run.

    Two cells may have one key: an axis need not matter everywhere. They are then run once.
    """
    return list(some_cells(study, range(len(axes.settings(study.axes)))).values())


def some_cells(study: Study, numbers: Collection[int]) -> dict[int, Cell]:
    """Check these cells of a study, by number; raises StudyError."""
    found: dict[int, Cell] = {}
    shapes: dict[str, tuple[metrics.Metrics, float]] = {}
    files, known = _core.Files(list(study.files)), carried(study.laws)
    for number, settings in enumerate(axes.settings(study.axes)):
        if number not in numbers:
            continue
        overrides = (*study.changes, *(override(key, value) for key, value in settings.items()))
        identity, own_seed, outline, warmup_s, laws = _outline(
            study, overrides, (settings, files), known
        )
        if outline not in shapes:
            shapes[outline] = _resolve(study, outline)
        seed = own_seed if study.seed is None else study.seed
        key = key_of(identity, seed, laws)
        found[number] = Cell(number, key, settings, overrides, seed, *shapes[outline], warmup_s)
    return found


def key_of(identity: str, seed: int, laws: Sequence[Carried] = ()) -> str:
    """Return the name of what has these results: 20 hexadecimal digits. `laws`: those in Python that matter."""
    named = [[law.name, law.digest] for law in laws]
    text = json.dumps(
        [_core.__engine__, metrics.MEANING, identity, seed, *([named] if named else [])]
    )
    return hashlib.sha256(text.encode()).hexdigest()[:20]


def idle(study: Study, found: Sequence[Cell]) -> list[str]:
    """Return a sentence for each axis (or group of them) all values of which give the same runs in every cell."""
    said = []
    for group in study.axes:
        keys = [axis.key for axis in group]
        by_others: dict[str, set[str]] = {}
        for cell in found:
            others = {key: value for key, value in cell.settings.items() if key not in keys}
            by_others.setdefault(json.dumps(others, default=str), set()).add(cell.key)
        if len(group[0].values) > 1 and all(len(names) == 1 for names in by_others.values()):
            why = owners(study.scenario, keys[0])
            said.append(
                f"{' and '.join(keys)} changes nothing: all its values give the same runs{why}"
            )
    return said


def override(key: str, value: Value) -> str:
    """Return a setting as a change of the scenario."""
    if isinstance(value, str):
        return f"{key}={value}"
    return f"{key}={toml({'v': value})[6:].strip()}"


def scenario_of(study: Study, cell: Cell) -> Prepared:
    """Return what a cell runs."""
    files = files_of(study, cell.overrides) or study.files
    laws, law = study.laws, study.law if study.laws else None
    return Prepared(study.scenario, study.file, cell.overrides, files, cell.seed, laws, law)


def files_of(study: Study, overrides: Sequence[str]) -> tuple[Handed, ...]:
    """Return the files of a cell that names others than the base scenario, else nothing."""
    if not any(key in change for change in overrides for key in source.NAMING):
        return ()
    # What the study has is not read again: it may come from a recipe, with no folder to read from.
    known = {each[0]: each for each in study.files if each[1] is not None}
    found = source.files_of(study.scenario, study.file, overrides)
    return tuple(known.get(each[0], each) for each in found)


def _outline(
    study: Study,
    overrides: Sequence[str],
    at: tuple[Mapping[str, Value], _core.Files],
    laws: Sequence[Carried],
) -> tuple[str, int, str, float, Sequence[Carried]]:
    """Return a cell's identity, seed, outline, warm-up in seconds, and the laws in Python that it may use."""
    (settings, files), changes = at, list(overrides)
    if own := files_of(study, overrides):
        files = _core.Files(list(own))
    text, file = study.scenario, study.file
    try:
        if laws and study.law is None:
            # What is right without them does not depend on them.
            with suppress(ScenarioError):
                return *_core.outline(text, file, changes, files), ()
        there = list(study.laws.items()), place_of(study.laws, study.law) if laws else None
        return *_core.outline(text, file, changes, files, there), laws
    except ScenarioError as error:
        where = ", ".join(f"{key}={value}" for key, value in settings.items())
        message = f"study {study.name}, cell {where or 'without axes'}: {error}"
        raise StudyError(at_setting(study, str(error), settings) or message) from None


def _resolve(study: Study, outline: str) -> tuple[metrics.Metrics, float]:
    """Return what is measured, and how long a run is, s."""
    document = json.loads(outline)
    try:
        return metrics.resolve(study.all_metrics, document), document["duration_s"]
    except UsageError as error:
        raise StudyError(placed(study, str(error))) from None


def at_setting(study: Study, message: str, settings: Mapping[str, Value]) -> str:
    """Return a message about a cell's setting with the line of the study that has it; empty where none has."""
    text, file = study.source
    found = re.match(r"--set (?P<key>[^=]+)=(?P<value>.*): error: (?P<what>.*)", message)
    if found is None or not text:
        return ""
    key, what = found["key"], found["what"]
    if key in settings:
        # Where the axis stands in a table of its own, [axes.tcp], the line has the end of the key only.
        ends = (re.escape(name) for name in (key, key.rpartition(".")[2]))
        patterns = [rf"\s*()[\"']?{end}[\"']?\s*=" for end in ends]
        what = f"axis {key}={settings[key]}: {what}"
    else:
        patterns = [rf".*?()[\"']\s*{re.escape(key)}\s*="]  # of set = [...]
    for pattern in patterns:
        for number, line in enumerate(text.splitlines(), 1):
            if at := re.match(pattern, line):
                return f"{file}:{number}:{at.start(1) + 1}: error: {what}\n {number} | {line}"
    return ""


def placed(study: Study, message: str) -> str:
    """Return a message about a metric with the line of the study that names it."""
    text, file = study.source
    name = message.split("'")[1] if "'" in message else ""
    for number, line in enumerate(text.splitlines(), 1):
        quoted = (at for at in re.finditer(r"([\"'])(.*?)\1", line) if full(at[2]) == name)
        if name and (at := next(quoted, None)):
            return f"{file}:{number}:{at.start() + 1}: error: {message}\n {number} | {line}"
    return f"study {study.name}: {message}"
