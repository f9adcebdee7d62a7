"""The tables that a command prints, kept for the file of `--tables`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple


class Whole(NamedTuple):
    """A table as it is before it is fitted to a screen; the first `lead` columns say what a row is of."""

    title: str
    head: list[str]
    rows: list[list[str]]
    lead: int = 1


@dataclass
class Kept:
    """The tables of this process in the order in which they were printed; none where none were `asked` for."""

    asked: bool = False
    tables: list[Whole] = field(default_factory=list)
    paused: bool = False

    def keep(
        self, title: str, head: Iterable[str], rows: Iterable[Sequence[str]], lead: int = 1
    ) -> None:
        """Keep a table; nothing where no file was asked for."""
        if self.asked and not self.paused:
            told = [_flat(cell) for cell in head]
            self.tables.append(Whole(title, told, [[*map(_flat, row)] for row in rows], lead))

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Keep nothing of what is printed meanwhile: it is part of a table that was kept."""
        before, self.paused = self.paused, True
        try:
            yield
        finally:
            self.paused = before


KEPT = Kept()


def _flat(cell: str) -> str:
    """Return a cell in one line; a word or a key that a heading has broken is whole again."""
    return " ".join(cell.replace("-\n", "").replace(".\n", ".").split())
