"""A paper as a folder of data: what it states, prints and claims, and the studies that run it.

    paper.toml     names, what is stated, axes, measures, printed tables, figures
    claims.toml    the claims, in the words of `lasthop.claims`
    choices.toml   what the paper leaves unstated, what was taken, on what evidence, and the alternatives
    *.toml         the studies that paper.toml names, with their scenarios
    quick.toml     which cells --quick runs; audit.toml which the audit does (either may be missing)
    derive.py      at most one, for measures that are made of others

`docs/tutorial/a-paper-as-data.md` goes through one from start to end.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

from lasthop.claims import Claim, Shown, read_claims
from lasthop.errors import UsageError, nearest
from lasthop.study import reader
from lasthop.study.spec import Study

EVIDENCE = ("text", "date", "physics", "convention", "fit", "none")
"""What a choice may rest on: what the paper says, when it was written, how radio works, what its simulator or
field does by default, how near the tables come, or nothing."""


@dataclass(frozen=True)
class PaperAxis:
    """An axis as claims and tables call it: the keys of studies that it stands for, and how it is written."""

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

    `unit` is what people are shown, `scale` the factor from the metric's unit to it.
    """

    name: str
    studies: tuple[str, ...]
    metric: str
    unit: str
    scale: float


@dataclass(frozen=True)
class Printed:
    """A table as it is printed: leading columns are axes, each other one is a setting of more.

    `kind` is ``means``, or ``ranks``: then the cells are names along the axis `along`, best first.
    `fits`: whether choices may be judged by it.
    """

    id: str
    what: str
    measure: str
    keys: tuple[str, ...]
    columns: tuple[Mapping[str, Any], ...]
    where: Mapping[str, Any]
    rows: tuple[Sequence[Any], ...]
    unit: str
    scale: float
    note: str = ""
    kind: str = "means"
    along: str = ""

    def cells(self) -> list[tuple[dict[str, Any], Any]]:
        """Return every printed value with its setting."""
        count = len(self.keys)
        return [
            ({**dict(zip(self.keys, row, strict=False)), **column, **self.where}, value)
            for row in self.rows
            for column, value in zip(self.columns, row[count:], strict=True)
        ]


@dataclass(frozen=True)
class Alternative:
    """Another value of something unstated.

    Attributes:
        name: Its name.
        overrides: Changes of the scenario; nothing where nothing can set it.
        instead: Keys of axes that stand for others then: the paper's "retransmissions" may be another limit.
        swap: By key of an axis, values that stand for others then: the paper's "Westwood" may be another.
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
        """Whether it can be run."""
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


KEYS = {
    "": ("name", "title", "authors", "year", "studies", "axes", "measures", "stated", "contradiction",
         "table", "figures"),
    "axes": ("keys", "says", "values"),
    "measures": ("studies", "metric", "unit", "scale"),
    "table": ("id", "what", "measure", "keys", "columns", "where", "rows", "unit", "scale", "note",
              "kind", "along"),
    "figures": ("measure", "shows", "where", "x", "x_label", "log", "by", "panel", "width",
                "from_zero", "caption"),
}  # fmt: skip
"""What may stand in paper.toml, by table."""

NEEDED = {
    "table": ("id", "what", "measure", "keys", "columns", "rows"),
    "figures": ("measure", "shows", "x", "by", "caption"),
}


class Paper:
    """A folder, read. Raises UsageError, which names the file, where something in it is wrong."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        if not (folder / "paper.toml").is_file():
            raise UsageError(f"{folder} has no paper.toml: `lasthop new paper NAME` makes a folder")
        held = self.data("paper.toml")
        self._refuse_wrong(held)
        self.name: str = self._of(held, "name", str, "paper.toml")
        self.title: str = self._of(held, "title", str, "paper.toml")
        self.authors, self.year = held.get("authors", ""), held.get("year", "")
        self.stated: list[Mapping[str, str]] = held.get("stated", [])
        self.notes = [each["text"] for each in held.get("contradiction", [])]
        self.files: list[str] = self._of(held, "studies", list, "paper.toml")
        self.ids = tuple(Path(file).stem for file in self.files)
        self.axes = {name: _axis(name, each) for name, each in held.get("axes", {}).items()}
        self.measures = {n: self._measure(n, each) for n, each in held.get("measures", {}).items()}
        self.tables = tuple(self._printed(each) for each in held.get("table", []))
        self.figures: Mapping[str, Mapping[str, Any]] = held.get("figures", {})
        for name, figure in self.figures.items():
            self._known_measure(figure["measure"], f"figures {name}")

    def path(self, name: str) -> Path:
        """Return the path of one of its files."""
        return self.folder / name

    def text(self, name: str) -> str:
        """Return the text of one of its files."""
        return self.path(name).read_text(encoding="utf-8")

    def data(self, name: str) -> dict[str, Any]:
        """Return what one of its TOML files holds; nothing where there is none."""
        if not self.path(name).is_file():
            return {}
        try:
            return tomllib.loads(self.text(name))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise UsageError(f"{self.path(name)}: {error}") from None

    def study(self, id_: str, seed: int, replications: int | None = None) -> Study:
        """Return one of its studies."""
        file = self.path(self.files[self.ids.index(id_)])
        found = reader.parse(file.read_text(encoding="utf-8"), str(file))
        return replace(found, seed=seed, replications=replications or found.replications)

    def shown(self, measure: str) -> Shown:
        """Return how a measure's table is written."""
        axes = {name: axis.says for name, axis in self.axes.items()}
        held = self.measures.get(measure)
        return Shown(axes, held.unit, held.scale) if held else Shown(axes)

    def printed(self, id_: str) -> Printed:
        """Return a printed table; raises UsageError."""
        known = [table.id for table in self.tables]
        if id_ not in known:
            said = f"no table {id_!r} of {self.name} here{nearest(id_, known)}"
            raise UsageError(f"{said} (there is: {', '.join(known) or 'none'})")
        return self.tables[known.index(id_)]

    def read_all(self) -> None:
        """Read what is else read when it is needed; raises UsageError, before hours of simulation."""
        _ = self.claims, self.choices, self.derive

    @cached_property
    def claims(self) -> list[Claim]:
        """Its claims."""
        return read_claims(self.data("claims.toml").get("claim", []), str(self.path("claims.toml")))

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """What was taken for everything that it leaves unstated."""
        return tuple(self._choice(each) for each in self.data("choices.toml").get("choice", []))

    @cached_property
    def derive(self) -> ModuleType | None:
        """Its derive.py, run; None where there is none."""
        path = self.path("derive.py")
        if not path.is_file():
            return None
        from importlib import util

        spec = util.spec_from_file_location(f"lasthop_paper_{self.name}", path)
        assert spec is not None, path
        assert spec.loader is not None, path
        module = util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module

    def axis_of(self, key: str) -> PaperAxis | None:
        """Return the axis that a study's key is; None where it has no name of its own."""
        return next((axis for axis in self.axes.values() if key in axis.keys), None)

    def named(self, setting: Mapping[str, Any]) -> dict[str, Any]:
        """Return a study's cell in the paper's words."""
        found = {}
        for key, raw in setting.items():
            axis = self.axis_of(key)
            found[key if axis is None else axis.name] = raw if axis is None else axis.value(raw)
        return found

    def _refuse_wrong(self, held: Mapping[str, Any]) -> None:
        """Raise UsageError for keys that there are not, and where one is missing."""
        named = {"axes": dict, "measures": dict, "figures": dict, "table": list}
        found: list[tuple[str, str, Mapping[str, Any]]] = [("", "", held)]
        for kind, form in named.items():
            inside = held.get(kind, form())
            if not isinstance(inside, form):
                raise UsageError(f"{self.path('paper.toml')}: {kind} is no {form.__name__}")
            pairs = inside.items() if isinstance(inside, dict) else enumerate(inside, 1)
            found += [(kind, f" {kind} {name}:", each) for name, each in pairs]
        for kind, where, table in found:
            start = f"{self.path('paper.toml')}:{where}"
            if not isinstance(table, dict):
                raise UsageError(f"{start} is no table")
            for key in table:
                if key not in KEYS[kind]:
                    hint = nearest(key, KEYS[kind])
                    raise UsageError(f"{start} no key {key!r}{hint} ({', '.join(KEYS[kind])})")
            for key in NEEDED.get(kind, ()):
                if key not in table:
                    raise UsageError(f"{start} {key} is missing")

    def _of(self, table: Mapping[str, Any], key: str, kind: type, file: str) -> Any:
        if not isinstance(table.get(key), kind) or not table[key]:
            raise UsageError(f"{self.path(file)}: {key} is missing, or no {kind.__name__}")
        return table[key]

    def _measure(self, name: str, held: Mapping[str, Any]) -> Measured:
        metric = self._of(held, "metric", str, "paper.toml") if "metric" in held else ""
        studies = tuple(held.get("studies", self.ids))
        for id_ in studies:
            if id_ not in self.ids:
                said = f"measure {name}: no study {id_!r}{nearest(id_, self.ids)}"
                raise UsageError(f"{self.path('paper.toml')}: {said}")
        return Measured(name, studies, metric, held.get("unit", ""), held.get("scale", 1.0))

    def _known_measure(self, name: Any, where: str) -> str:
        if name not in self.measures:
            hint = nearest(str(name), self.measures)
            raise UsageError(f"{self.path('paper.toml')}: {where}: no measure {name!r}{hint}")
        return str(name)

    def _printed(self, held: Mapping[str, Any]) -> Printed:
        where = f"{self.path('paper.toml')}: table {held['id']}"
        measure = self._known_measure(held["measure"], f"table {held['id']}")
        keys, columns = tuple(held["keys"]), tuple(held["columns"])
        for row in held["rows"]:
            if not isinstance(row, list) or len(row) != len(keys) + len(columns):
                raise UsageError(f"{where}: {row} has not {len(keys) + len(columns)} entries")
        own = self.measures[measure]
        return Printed(
            held["id"],
            held["what"],
            measure,
            keys,
            columns,
            held.get("where", {}),
            tuple(held["rows"]),
            held.get("unit", own.unit),
            held.get("scale", own.scale),
            held.get("note", ""),
            held.get("kind", "means"),
            held.get("along", ""),
        )

    def _choice(self, held: Mapping[str, Any]) -> Choice:
        where = f"{self.path('choices.toml')}: {held.get('item', '?')}"
        for key in ("item", "taken", "reason"):
            if not held.get(key):
                raise UsageError(f"{where}: {key} is missing")
        evidence = held.get("evidence", "none")
        if evidence not in EVIDENCE:
            said = f"no evidence {evidence!r}{nearest(evidence, EVIDENCE)}"
            raise UsageError(f"{where}: {said} (there is: {', '.join(EVIDENCE)})")
        of = tuple(held.get("of", self.ids))
        others = tuple(_alternative(each, of) for each in held.get("alternative", []))
        return Choice(held["item"], held["taken"], held["reason"], evidence, of, others)


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
        tuple(held.get("of", of)),
        held.get("quick", False),
    )
