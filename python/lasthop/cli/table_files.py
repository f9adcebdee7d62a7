"""`--tables FILE`: the tables that a command prints, also as Markdown or LaTeX for a paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from lasthop.errors import UsageError

#: The option, which any command of these takes before or behind its own.
OPTION = "--tables"
COMMANDS = ("run", "sweep", "audit", "duel", "evaluate", "compare", "fit", "advise", "list")
HELP = f"{OPTION} FILE.md (or FILE.tex) also writes the tables that are printed, for a paper."
ENDINGS = (".md", ".tex")


@dataclass
class Kept:
    """The tables of this process as they are printed: title, heading, rows; `path` is where they will be."""

    path: Path | None = None
    tables: list[tuple[str, list[str], list[list[str]]]] = field(default_factory=list)
    paused: bool = False

    def keep(self, title: str, head: Iterable[str], rows: Iterable[Sequence[str]]) -> None:
        """Keep a table; nothing where no file was asked for."""
        if self.path is not None and not self.paused:
            told = [_flat(cell) for cell in head]
            self.tables.append((title, told, [[_flat(cell) for cell in row] for row in rows]))

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Keep nothing of what is printed meanwhile: it is part of a table that was kept."""
        before, self.paused = self.paused, True
        try:
            yield
        finally:
            self.paused = before

    def write(self) -> Path | None:
        """Write the tables; return where, or None where none were asked for or printed."""
        if self.path is None or not self.tables:
            return None
        from lasthop.core import safe_files
        from lasthop.numbers.table import printed

        texts = []
        for title, head, rows in self.tables:
            if self.path.suffix == ".tex":
                texts.append(printed.latex(head, rows, title))
            else:
                texts.append(f"{f'**{title}**' if title else ''}\n\n{printed.markdown(head, rows)}")
        return safe_files.write_text(self.path, "\n".join(texts).lstrip("\n"))


KEPT = Kept()


def taken(tokens: list[str]) -> list[str]:
    """Return what was typed without the option, and remember its file; raises UsageError where it is wrong."""
    at = next((n for n, token in enumerate(tokens) if token.split("=", 1)[0] == OPTION), None)
    if at is None or tokens[0] not in COMMANDS:
        return tokens
    name, equals, value = tokens[at].partition("=")
    rest = tokens[at + 1 :]
    if not equals:
        value, rest = (rest[0], rest[1:]) if rest else ("", [])
    path = Path(value)
    if path.suffix not in ENDINGS:
        raise UsageError(f"{name} {value}: allowed: a name that ends in {', '.join(ENDINGS)}")
    for other in ("--json", "--watch"):
        if other in rest or other in tokens[:at]:
            raise UsageError(f"{OPTION} does not go with {other}, which prints no tables to keep")
    if not path.parent.is_dir():
        raise UsageError(f"{name} {value}: there is no folder {path.parent}")
    KEPT.path = path
    return [*tokens[:at], *rest]


def _flat(cell: str) -> str:
    """Return a cell in one line; a word or a key that a heading has broken is whole again."""
    return " ".join(cell.replace("-\n", "").replace(".\n", ".").split())
