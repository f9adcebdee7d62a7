"""A scenario as it is run: its text and all that changes what comes out, in one value."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lasthop import _core
from lasthop.jobs import Handed, Job, place_of
from lasthop.law import LawFactory


@dataclass(frozen=True)
class Prepared:
    """A scenario with changes.

    Attributes:
        text: The scenario, as TOML.
        file: What messages call it.
        changes: Changes to the text, each ``key=value`` with a dotted key.
        files: The files that it names.
        seed: The root of all random numbers; None: the scenario's own.
        laws: Laws in Python that `tcp.law` may name.
        law: The one of `laws` that every TCP flow uses where the scenario names none of them.
    """

    text: str
    file: str
    changes: tuple[str, ...] = ()
    files: tuple[Handed, ...] = field(default=(), repr=False)
    seed: int | None = None
    laws: Mapping[str, LawFactory] = field(default_factory=dict, repr=False)
    law: str | None = None

    def job(self, first: int = 0, count: int = 1) -> Job:
        """Return so many replications, from that one on."""
        return Job(self.text, self.file, self.changes, self.seed, first, self.files, count)

    def check(self) -> None:
        """Raise ScenarioError where it is wrong."""
        there = list(self.laws.items()), place_of(self.laws, self.law)
        files = _core.Files(list(self.files))
        _core.check(self.text, self.file, list(self.changes), there, files)

    def mistakes(self) -> list[str]:
        """Return what is wrong, with places: all that is written wrongly; else what contradicts itself."""
        there = list(self.laws.items()), place_of(self.laws, self.law)
        files = _core.Files(list(self.files))
        return _core.mistakes(self.text, self.file, list(self.changes), there, files)

    def identity(self, changes: Sequence[str] | None = None) -> str:
        """Return what is simulated in 32 digits, the same however it is written; with other changes if given."""
        there = list(self.laws.items()), place_of(self.laws, self.law) if self.laws else None
        held = list(self.changes if changes is None else changes)
        return _core.outline(self.text, self.file, held, _core.Files(list(self.files)), there)[0]

    def outline(self, more: Sequence[str] = ()) -> dict[str, Any]:
        """Return what runs, with more changes, and for how long; raises ScenarioError."""
        there = list(self.laws.items()), place_of(self.laws, self.law) if self.laws else None
        changes, files = [*self.changes, *more], _core.Files(list(self.files))
        outline: dict[str, Any] = json.loads(
            _core.outline(self.text, self.file, changes, files, there)[2]
        )
        return outline
