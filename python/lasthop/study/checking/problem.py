"""A mistake, and what there is of a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Problem:
    """A mistake: where it is (from 1; None: of the whole file), its code, and what is said of it.

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
    """What is wrong with a file; `whole` tells whether nothing else can be."""

    file: str
    problems: tuple[Problem, ...]
    whole: bool = True

    @property
    def is_wrong(self) -> bool:
        """Whether there is more than warnings."""
        return any(not problem.is_warning for problem in self.problems)
