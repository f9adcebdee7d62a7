"""A paper as a folder of data: what it states, prints and claims, and the studies that run it.

    paper.toml     names, what is stated, axes, measures, printed tables, figures
    claims.toml    the claims, in the words of `lasthop.study.claims`
    choices.toml   what the paper leaves unstated, what was taken, on what evidence, and the alternatives
    *.toml         the studies that paper.toml names, with their scenarios
    quick.toml     which cells --quick runs; audit.toml which the audit does (either may be missing)
    derive.py      at most one, for measures that are made of others

`docs/tutorial/a-paper-as-data.md` goes through one from start to end.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from lasthop import regular_files
from lasthop.core import shapes, source
from lasthop.core.mistakes import apart
from lasthop.core.quantities import ends_of, full
from lasthop.core.quantities.units import said_unit
from lasthop.core.shapes import Shape
from lasthop.errors import ScenarioError, Steps, UsageError, nearest, offered
from lasthop.regular_files import UnreadableError
from lasthop.study import phrases, reader
from lasthop.study.claims import Claim, Shown, read_claims
from lasthop.study.papers import forms, printed_tables
from lasthop.study.papers.derived import Derive
from lasthop.study.papers.printed_tables import Printed
from lasthop.study.spec import Study

MOST_BYTES = 1_000_000
"""The largest file of a paper that is read."""


@dataclass(frozen=True)
class PaperAxis:
    """An axis in claims and tables: the keys of studies that it represents, and its notation."""

    name: str
    keys: tuple[str, ...]
    says: str
    values: Mapping[str, Any]

    def value(self, raw: Any) -> Any:
        """Return a study's value in the paper's words: by `values`, else its number, else itself."""
        text = str(raw).lower() if isinstance(raw, bool) else str(raw)
        if text in self.values:
            return self.values[text]
        if not isinstance(raw, str):
            return raw
        found = re.match(r"\[?\s*(-?\d+(?:\.\d+)?)", text)
        if not found:
            return raw
        number = float(found[1])
        return int(number) if number.is_integer() else number


@dataclass(frozen=True)
class Measured:
    """A measure by the name that claims and tables have for it: a metric of some studies, joined.

    `unit` is what people are shown, `scale` the factor from the metric's unit to it. `ends` are what it is never
    under or over, in the metric's unit.
    """

    name: str
    studies: tuple[str, ...]
    metric: str
    unit: str
    scale: float
    ends: tuple[float, float] | None = None


@dataclass(frozen=True)
class Alternative:
    """Another value of something unstated.

    Attributes:
        name: Its name.
        overrides: Changes of the scenario; nothing where nothing can set it.
        instead: Keys that replace axes: the paper's "retransmissions" may be another limit.
        swap: By key of an axis, replacements of its values: the paper's "Westwood" may be another.
        flow: A flow that is added.
        of: The studies in which it can matter; none: in all that the choice is of.
        quick: --quick tries it too.
    """

    name: str
    overrides: tuple[str, ...] = ()
    instead: Mapping[str, str] = field(default_factory=dict)
    swap: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    flow: Mapping[str, Any] | None = None
    of: tuple[str, ...] = ()
    quick: bool = False

    @property
    def can_be_set(self) -> bool:
        """Return whether it can be run."""
        return bool(self.overrides or self.swap or self.flow)


@dataclass(frozen=True)
class Choice:
    """Something that the paper leaves unstated, what was taken, on what evidence, and what else there is."""

    item: str
    taken: str
    reason: str
    evidence: str
    of: tuple[str, ...]
    alternatives: tuple[Alternative, ...]
    path: Steps = field(default=(), compare=False)

    def as_dict(self) -> dict[str, Any]:
        """Return the fields, ready for JSON."""
        return {
            "item": self.item,
            "taken": self.taken,
            "evidence": self.evidence,
            "reason": self.reason,
            "alternatives": [alternative.name for alternative in self.alternatives],
            "of": list(self.of),
        }


class Folder:
    """Files of a paper, as they are written. Raises UsageError, which names the file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, name: str) -> Path:
        """Return the path of one of its files."""
        return self.folder / name

    def has(self, name: str) -> bool:
        """Return whether there is such a file; a link that leads nowhere is one that cannot be read."""
        return os.path.lexists(self.path(name))

    def text(self, name: str) -> str:
        """Return the text of one of its files; raises UsageError."""
        try:
            content = regular_files.content(self.path(name), MOST_BYTES)
            return source.decoded(self.path(name), content)
        except UnreadableError as error:
            raise self._wrong(name, str(error), "no-such-file") from None
        except ScenarioError as error:
            raise error.behind("", UsageError) from None

    def data(self, name: str, form: Shape) -> dict[str, Any]:
        """Return what one of its TOML files holds; nothing where there is none. Raises UsageError."""
        if not self.has(name):
            return {}
        file = str(self.path(name))
        try:
            held = source.document(self.text(name), file)
        except ScenarioError as error:
            raise error.behind("", UsageError) from None
        found = shapes.wrong(held, form)
        for other in found[1:]:
            with apart():
                raise other.behind("", UsageError, file, other.path)
        if found:
            raise found[0].behind("", UsageError, file, found[0].path)
        return held

    def _wrong(self, name: str, what: str, code: str, path: Steps = ()) -> UsageError:
        return UsageError(what, code=code, file=str(self.path(name)), path=path)

    @cached_property
    def claims(self) -> list[Claim]:
        """Its claims."""
        return read_claims(
            self.data("claims.toml", forms.CLAIMS).get("claim", []), str(self.path("claims.toml"))
        )


class Paper(Folder):
    """A folder, read. Raises UsageError, which names the file, where something in it is wrong.

    Attributes:
        changes: What every study has otherwise than the folder says, each ``key=value``.
        place: What the folder of its results is called: as its own, with what is changed.
    """

    def __init__(self, folder: Path, changes: Sequence[str] = ()) -> None:
        super().__init__(folder)
        self.changes = tuple(changes)
        said = [re.sub(r"[^\w.=+-]+", "_", change) for change in self.changes]
        self.place = ",".join([folder.resolve().name, *said])
        if not self.has("paper.toml"):
            why = f"{folder} has no paper.toml: `lasthop new paper NAME` makes a folder"
            raise UsageError(why, code="no-such-file")
        held = self.data("paper.toml", forms.PAPER)
        self.name: str = held["name"]
        self.title: str = held["title"]
        self.authors, self.year = held.get("authors", ""), held.get("year", "")
        self.published: str = held.get("published", "")
        self.stated: list[Mapping[str, str]] = held.get("stated", [])
        self.notes = [each["text"] for each in held.get("contradiction", [])]
        self.files: list[str] = held["studies"]
        self.ids = tuple(Path(file).stem for file in self.files)
        for id_ in self.ids:
            if self.ids.count(id_) > 1:
                why = f"studies: two have the id {id_!r}"
                raise self._wrong("paper.toml", why, "out-of-range", ("studies",))
        self.axes = {name: _axis(name, each) for name, each in held.get("axes", {}).items()}
        self.measures: dict[str, Measured] = {}
        for name, each in held.get("measures", {}).items():
            with apart():
                self.measures[name] = self._measure(name, each)
        tables: list[Printed] = []
        every = held.get("table", [])
        for number in range(len(every)):
            with apart():
                tables.append(self._printed(every, number))
        self.tables = tuple(tables)
        self.figures: Mapping[str, Mapping[str, Any]] = held.get("figures", {})
        for name, figure in self.figures.items():
            with apart():
                self._known_measure(figure["measure"], f"figures {name}", ("figures", name))

    def study(self, id_: str, seed: int, replications: int | None = None) -> Study:
        """Return one of its studies."""
        found = reader.read(self.path(self.files[self.ids.index(id_)]))
        found = found.changed(self.changes)
        return replace(found, seed=seed, replications=replications or found.replications)

    def shown(self, measure: str) -> Shown:
        """Return how a measure's table is written."""
        axes = {name: axis.says for name, axis in self.axes.items()}
        if (held := self.measures.get(measure)) is None:
            return Shown(axes)
        says = phrases.of_measure(measure, held.metric)
        return Shown(axes, held.unit, held.scale, held.ends, says)

    def printed(self, id_: str) -> Printed:
        """Return a printed table; raises UsageError."""
        known = [table.id for table in self.tables]
        if id_ not in known:
            raise UsageError(f"no table {id_!r} of {self.name} here{offered(id_, known)}")
        return self.tables[known.index(id_)]

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """The choices for everything that it leaves unstated."""
        held = self.data("choices.toml", forms.CHOICES)
        found: list[Choice] = []
        for number, each in enumerate(held.get("choice", [])):
            with apart():
                found.append(self._choice(each, ("choice", number)))
        return tuple(found)

    @cached_property
    def derive(self) -> Derive | None:
        """Its derive.py, run; None where there is none."""
        return Derive(self.path("derive.py"), self.name) if self.has("derive.py") else None

    def axis_of(self, key: str) -> PaperAxis | None:
        """Return the axis that a study's key is; None where it has no name of its own."""
        return next((axis for axis in self.axes.values() if key in axis.keys), None)

    def named(self, setting: Mapping[str, Any]) -> dict[str, Any]:
        """Return a study's cell in the paper's words."""
        known = [(self.axis_of(key), key, raw) for key, raw in setting.items()]
        return {(a.name if a else key): (a.value(raw) if a else raw) for a, key, raw in known}

    def _measure(self, name: str, held: Mapping[str, Any]) -> Measured:
        at: Steps = ("measures", name)
        studies = self._known_studies(held.get("studies"), "paper.toml", f"measure {name}", at)
        scale, metric = held.get("scale", 1.0), full(held.get("metric", ""))
        low, high = held.get("ends", ends_of(metric))
        return Measured(name, studies, metric, said_unit(held.get("unit", "")), scale, (low, high))

    def _known_studies(
        self, said: Sequence[str] | None, file: str, where: str, path: Steps
    ) -> tuple[str, ...]:
        """Return the studies that are named, all where none is; raises UsageError."""
        for id_ in said or ():
            if id_ not in self.ids:
                what = f"{where}: no study {id_!r}{offered(id_, self.ids)}"
                raise self._wrong(file, what, "unknown-name", path)
        return self.ids if said is None else tuple(said)

    def _known_measure(self, name: str, where: str, path: Steps) -> str:
        if name not in self.measures:
            hint = nearest(name, self.measures)
            what = f"{where}: no measure {name!r}{hint}"
            raise self._wrong("paper.toml", what, "unknown-name", path)
        return name

    def _printed(self, every: Sequence[Mapping[str, Any]], number: int) -> Printed:
        path: Steps = ("table", number)

        def wrong(what: str, code: str) -> UsageError:
            return self._wrong("paper.toml", what, code, path)

        held = printed_tables.completed(every[number], every, wrong)
        measure = self._known_measure(held["measure"], f"table {held['id']}", path)
        own = self.measures[measure]
        return printed_tables.read(held, own.unit, own.scale, wrong, path)

    def _choice(self, held: Mapping[str, Any], path: Steps) -> Choice:
        where = f"choice {held['item']!r}"
        of = self._known_studies(held.get("of"), "choices.toml", where, path)
        others = []
        for each in held.get("alternative", []):
            alternative = f"{where}: {each['name']!r}"
            own = self._known_studies(each.get("of", of), "choices.toml", alternative, path)
            others.append(_alternative(each, own))
        evidence = held.get("evidence", "none")
        taken, reason = held["taken"], held["reason"]
        return Choice(held["item"], taken, reason, evidence, of, tuple(others), path)


def _axis(name: str, held: Mapping[str, Any]) -> PaperAxis:
    says = held.get("says", f"{name} {{}}")
    return PaperAxis(name, tuple(held.get("keys", ())), says, held.get("values", {}))


def _alternative(held: Mapping[str, Any], of: tuple[str, ...]) -> Alternative:
    return Alternative(
        held["name"],
        tuple(held.get("overrides", ())),
        held.get("instead", {}),
        held.get("swap", {}),
        held.get("flow"),
        of,
        held.get("quick", False),
    )
