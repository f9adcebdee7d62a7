"""A scenario as it is run: its text and all that changes its results, in one value."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

from lasthop import _core
from lasthop.errors import ScenarioError, UsageError, offered

if TYPE_CHECKING:
    from lasthop.core.python_law import LawFactory

Handed = tuple[str, str | None, str]
"""A file that a scenario names: its name there, its text or None, and why it cannot be read."""


@dataclass(frozen=True, slots=True)
class Job:
    """One run of a scenario, or several that differ in the replication only.

    Attributes:
        text: The scenario, as TOML.
        file: What error messages call it.
        overrides: Changes to the text, each ``key=value`` with a dotted key, such as ``tcp.variant=bic``.
        seed: The root of the run's random numbers; ``None``: the scenario's own.
        replication: Which of the independent runs of this seed, from 0: the first of them.
        files: The files that the text names, as :func:`lasthop.core.source.files_of` reads them.
        count: The number of replications, from that one on.
        laws: Laws in Python that `tcp.law` may name; the same for all jobs that run together.
        law: The one of `laws` that every TCP flow uses where the scenario names none of them.
    """

    text: str
    file: str
    overrides: tuple[str, ...] = ()
    seed: int | None = 1
    replication: int = 0
    files: tuple[Handed, ...] = field(default=(), repr=False)
    count: int = 1
    laws: Mapping[str, LawFactory] = field(default_factory=dict, repr=False, hash=False)
    law: str | None = None

    def runs(self, first: int = 0, count: int = 1) -> Job:
        """Return the same with `count` replications, from `first` on."""
        return replace(self, replication=first, count=count)

    def check(self) -> None:
        """Raise ScenarioError where it is wrong."""
        _core.check(self.text, self.file, list(self.overrides), self._laws(), self._files())

    def mistakes(self) -> list[ScenarioError]:
        """Return what is wrong, with places: all that is written wrongly; else what contradicts itself."""
        changes = list(self.overrides)
        return _core.mistakes(self.text, self.file, changes, self._laws(), self._files())

    def identity(self, changes: Sequence[str] | None = None) -> str:
        """Return 32 digits that are equal for equal simulations; with other changes if given."""
        return self._outlined(self.overrides if changes is None else changes)[0]

    def resolved(self) -> str:
        """Return the whole document that is run, with the origin of each value; raises ScenarioError."""
        if self.laws or self.law is not None:
            changes = list(self.overrides)
            return _core.resolved(self.text, self.file, changes, self._laws(), self._files())
        return _resolved(self.text, self.file, tuple(self.overrides), self.files)

    def outline(self, more: Sequence[str] = ()) -> dict[str, Any]:
        """Return what runs, with more changes, and for how long; raises ScenarioError."""
        outline: dict[str, Any] = json.loads(self._outlined([*self.overrides, *more])[2])
        return outline

    def _outlined(self, changes: Sequence[str]) -> tuple[str, int, str, float, bool]:
        laws = self._laws() if self.laws else ([], None)
        return _core.outline(self.text, self.file, list(changes), self._files(), laws)

    def _laws(self) -> tuple[list[tuple[str, LawFactory]], int | None]:
        return list(self.laws.items()), place_of(self.laws, self.law)

    def _files(self) -> _core.Files:
        return _core.Files(list(self.files))


@lru_cache(maxsize=4)
def _resolved(text: str, file: str, overrides: tuple[str, ...], files: tuple[Handed, ...]) -> str:
    # A page and a terminal ask for several things of one run that are read from it.
    return _core.resolved(text, file, list(overrides), ([], None), _core.Files(list(files)))


@cache
def _own_laws() -> frozenset[str]:
    """Return the names of lasthop's laws."""
    return frozenset(row["name"] for row in json.loads(_core.catalogue())["laws"])


def place_of(laws: Mapping[str, LawFactory], law: str | None) -> int | None:
    """Return the place of `law` among `laws`, whose names must be free; raises UsageError."""
    if taken := _own_laws() & laws.keys():
        raise UsageError(f"the law {min(taken)!r} exists already; choose another name")
    if law is None:
        return None
    if law not in laws:
        there = ", ".join(laws) or "none"
        raise UsageError(f"no law {law!r} in laws{offered(law, laws, there)}")
    return list(laws).index(law)
