"""A mistake, and what there is of a file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

#: Between the steps of a path, as the core joins them.
SEPARATOR = "\x1f"

#: How the reader of studies calls the scenario that stands in a study.
INLINE = " [scenario]"


@dataclass(frozen=True)
class Problem:
    """A mistake: where it is (from 1; None: of the whole file), its code, and what is said of it."""

    file: str
    line: int | None
    column: int | None
    code: str
    message: str

    def as_dict(self) -> dict[str, Any]:
        """Return the fields, ready for JSON."""
        return dict(vars(self))


@dataclass(frozen=True)
class Checked:
    """What is wrong with a file; `whole` tells whether nothing else can be."""

    file: str
    problems: tuple[Problem, ...]
    whole: bool = True
