"""The ledger of known differences, `validation/known.toml`: rows that are off, how far, and why.

A validation passes where nothing is off that the ledger does not have, and nothing is in the ledger that
is no longer off. A row *differs* where its cause was shown by a run that removes it; the ledger says by
which. All others are off.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from lasthop.core import safe_files, toml
from lasthop.errors import Steps, UsageError, nearest
from lasthop_validation.checking import Check, Outcome
from lasthop_validation.running import Compared

FILE = Path(__file__).resolve().parents[1] / "known.toml"

NOT_FOUND = "not found"

Key = tuple[str, str, str]
"""Comparison, group, name; the name of a row of the ledger may be a pattern for several (fnmatch)."""

HEAD = """\
# Rows of `lasthop validate` that are off, and by how much: relative to the reference, or absolute.
#
# `make validate` fails where a row is off that is not here, and where a row here is no longer off. It writes
# the sizes; the rows and causes are written by hand. A cause has a run that removes it (`shown_by`), else it
# is "not found". What is only suspected stands in `suspected`.
"""


@dataclass(frozen=True)
class Known:
    """A row of the ledger; `cause` is a name of its causes, or NOT_FOUND; `difference` None until measured."""

    key: Key
    cause: str
    difference: float | None = None
    suspected: str = ""


@dataclass(frozen=True)
class Ledger:
    """Known differences by key, and their causes by name: what is the cause, and which run shows it."""

    rows: Mapping[Key, Known]
    causes: Mapping[str, Mapping[str, str]]

    def explained(self, compared: Compared) -> Compared:
        """Return a comparison whose rows have the causes that were shown."""
        checks = [
            replace(check, explained=self._cause(self.of(compared, check)))
            for check in compared.checks
        ]
        return replace(compared, checks=checks)

    def of(self, compared: Compared, check: Check) -> Known | None:
        """Return the row of a check: its own, or the first whose pattern is its name."""
        place = (compared.name, check.group)
        own = self.rows.get((*place, check.name))
        fits = (
            known
            for known in self.rows.values()
            if known.key[:2] == place and fnmatchcase(check.name, known.key[2])
        )
        return own or next(fits, None)

    def _cause(self, known: Known | None) -> str:
        if known is None or known.cause == NOT_FOUND:
            return ""
        cause = self.causes[known.cause]
        return f"{cause['text']} (shown by: {cause['shown_by']})"

    def unknown(self, compared: Compared) -> list[Check]:
        """Return the checks that are off and not in the ledger."""
        checks = (check for check in compared.all_checks() if check.outcome is Outcome.OFF)
        return [check for check in checks if self.of(compared, check) is None]

    def mended(self, compared: Compared, *, whole: bool = True) -> list[Known]:
        """Return the rows that were played and of which nothing is off any more.

        Where not all rows were played, another row of the pattern may be off.
        """
        names = {check.name for check in compared.all_checks()}
        return [
            known
            for known, checks in self._played(compared)
            if (whole or known.key[2] in names) and not any(map(_is_off, checks))
        ]

    def measured(self, ran: Iterable[Compared]) -> Ledger:
        """Return it with the sizes that were measured now; of a pattern, the largest."""
        rows = dict(self.rows)
        for compared in ran:
            for known, checks in self._played(compared):
                size = max((check.difference for check in checks), key=abs)
                rows[known.key] = replace(known, difference=size)
        return replace(self, rows=rows)

    def _played(self, compared: Compared) -> Iterator[tuple[Known, list[Check]]]:
        found: dict[Key, list[Check]] = {}
        for check in compared.all_checks():
            if known := self.of(compared, check):
                found.setdefault(known.key, []).append(check)
        return ((self.rows[key], checks) for key, checks in found.items())

    def text(self) -> str:
        """Return it as TOML."""
        parts = [HEAD]
        for name, cause in self.causes.items():
            lines = [f"[causes.{name}]", *(f"{key} = {toml.shown(cause[key])}" for key in CAUSE)]
            parts.append("\n".join(lines) + "\n")
        for known in self.rows.values():
            comparison, group, name = known.key
            lines = [
                "[[row]]",
                f"comparison = {toml.shown(comparison)}",
                f"group = {toml.shown(group)}",
                f"name = {toml.shown(name)}",
                *([] if known.difference is None else [f"difference = {known.difference:.4g}"]),
                f"cause = {toml.shown(known.cause)}",
                *([f"suspected = {toml.shown(known.suspected)}"] if known.suspected else []),
            ]
            parts.append("\n".join(lines) + "\n")
        return "\n".join(parts)


CAUSE = ("text", "shown_by")


def _is_off(check: Check) -> bool:
    return check.outcome in (Outcome.OFF, Outcome.DIFFERS)


def read(file: Path = FILE) -> Ledger:
    """Return the ledger of a file; raises UsageError for a row without a key or with a cause that is none."""
    document: dict[str, Any] = tomllib.loads(file.read_text("utf-8"))
    causes = document.get("causes", {})
    for name, cause in causes.items():
        if set(cause) != set(CAUSE):
            said = f"the cause {name} needs {' and '.join(CAUSE)}"
            path: Steps = ("causes", name)
            raise UsageError(said, code="missing-key", file=file.name, path=path)
    rows = [
        _row(file, causes, row, ("row", number))
        for number, row in enumerate(document.get("row", []))
    ]
    return Ledger({row.key: row for row in rows}, causes)


def _row(file: Path, causes: Mapping[str, Any], row: Mapping[str, Any], path: Steps) -> Known:
    try:
        key, cause = (row["comparison"], row["group"], row["name"]), row["cause"]
    except KeyError as missing:
        said = f"a row without {missing}"
        raise UsageError(said, code="missing-key", file=file.name, path=path) from None
    if cause != NOT_FOUND and cause not in causes:
        hint = nearest(cause, causes)
        said = f"{key[2]}: no cause {cause!r}, nor is it {NOT_FOUND!r}{hint}"
        raise UsageError(said, code="unknown-name", file=file.name, path=(*path, "cause"))
    return Known(key, cause, row.get("difference"), row.get("suspected", ""))


def write(ran: Sequence[Compared], file: Path = FILE) -> None:
    """Write the sizes that were measured now into the ledger."""
    safe_files.write_text(file, read(file).measured(ran).text())
