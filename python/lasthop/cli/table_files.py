"""`--tables FILE`: the tables that a command prints, also for a paper: Markdown, LaTeX or pictures."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from lasthop.cli.kept_tables import KEPT
from lasthop.cli.terminal import tell_written, terminal
from lasthop.errors import UsageError

OPTION = "--tables"
PICTURES = (".png", ".svg")
ENDINGS = (".md", ".tex", *PICTURES)
HELP = (
    "Also write the tables that are printed, for a paper: FILE.md, FILE.tex, or as pictures FILE.png or FILE.svg, "
    "which are numbered where there are several."
)
Tables = Annotated[Path | None, Parameter(name=OPTION, help=HELP)]

#: Rows in pictures: some ten pages of them, which take some ten seconds.
MOST_ROWS = 500

#: Ends of a command after which its tables stand: 1 is a verdict, 130 Ctrl-C.
ENDS = (None, 0, 1, 130)


def with_tables(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command with the option `--tables` beside its own."""

    @functools.wraps(command)
    def both(*given: Any, tables: Path | None = None, **named: Any) -> None:
        if tables is None:
            return command(*given, **named)
        _begin(tables, named)
        try:
            command(*given, **named)
        except SystemExit as end:
            if end.code in ENDS:
                _finish(tables)
            raise
        return _finish(tables)

    signature = inspect.signature(command)
    option = inspect.Parameter(
        "tables", inspect.Parameter.KEYWORD_ONLY, default=None, annotation=Tables
    )
    ours: Any = both
    ours.__signature__ = signature.replace(parameters=[*signature.parameters.values(), option])
    ours.__annotations__ = {**command.__annotations__, "tables": Tables}
    return both


def _begin(path: Path, named: dict[str, Any]) -> None:
    """Have tables kept; raises UsageError, before anything is run, where they could not be written."""
    if path.suffix not in ENDINGS:
        raise UsageError(f"{OPTION} {path}: allowed: a name that ends in {', '.join(ENDINGS)}")
    options = named.get("options")
    for other, given in (
        ("--json", named.get("json_") or getattr(options, "as_json", False)),
        ("--watch", getattr(options, "watch", False)),
    ):
        if given:
            raise UsageError(f"{OPTION} does not go with {other}, which prints no tables to keep")
    if not path.parent.is_dir():
        raise UsageError(f"{OPTION} {path}: there is no folder {path.parent}")
    if path.suffix in PICTURES:
        from lasthop.extras import needed

        needed("matplotlib")
    KEPT.asked = True


def _finish(path: Path) -> None:
    """Write what was printed, and say where."""
    if not KEPT.tables:
        said = f"{OPTION} {path}: nothing is written, since no table was printed"
        terminal(stderr=True).print(said, highlight=False, markup=False)
        return
    for written in _pictures(path) if path.suffix in PICTURES else [_text(path)]:
        tell_written(written)


def _text(path: Path) -> Path:
    from lasthop.core import safe_files
    from lasthop.numbers.table import printed

    texts = []
    for title, head, rows, _ in KEPT.tables:
        if path.suffix == ".tex":
            texts.append(printed.latex(head, rows, title))
        else:
            texts.append(f"{f'**{title}**' if title else ''}\n\n{printed.markdown(head, rows)}")
    all_rows = [row for table in KEPT.tables for row in table.rows]
    texts.append(printed.legend(all_rows, "% " if path.suffix == ".tex" else ""))
    return safe_files.write_text(path, "\n".join(filter(None, texts)).lstrip("\n"))


def _pictures(path: Path) -> Iterator[Path]:
    from lasthop.core import safe_files
    from lasthop.pages.figures import table_picture

    rows = sum(len(table[2]) for table in KEPT.tables)
    if rows > MOST_ROWS:
        raise UsageError(
            f"{OPTION} {path}: pictures are for at most {MOST_ROWS:,} rows, and there are {rows:,}; "
            f"{path.with_suffix('.md')} takes any number"
        )
    parts = [part for table in KEPT.tables for part in table_picture.pictures(*table, path.suffix)]
    for number, draw in enumerate(parts, 1):
        file = path.with_stem(f"{path.stem}-{number}") if len(parts) > 1 else path
        yield safe_files.write_bytes(file, draw())
