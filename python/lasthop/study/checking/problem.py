"""A mistake, and what there is of a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Problem:
    """A mistake: its place (from 1; None: the whole file), its code and its message.

    A warning is about what can be run, and may not be what is meant.
    """

    file: str
    line: int | None
    column: int | None
    code: str
    message: str
    is_warning: bool = False

    def as_dict(self) -> dict[str, Any]:
        """Return the fields, ready for JSON."""
        return dict(vars(self))


@dataclass(frozen=True)
class Checked:
    """The mistakes of a file; `whole` is whether there can be no others."""

    file: str
    problems: tuple[Problem, ...]
    whole: bool = True

    @property
    def is_wrong(self) -> bool:
        """Return whether there is more than warnings."""
        return any(not problem.is_warning for problem in self.problems)
