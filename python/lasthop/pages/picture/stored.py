"""Tables of probes as files, as `lasthop run --probe tcp --out` writes them, read back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from lasthop.core import parquet
from lasthop.core.tidy import probe_kinds
from lasthop.errors import UsageError, offered
from lasthop.numbers.table import Table, csv
from lasthop.pages.picture.column_figure import NAMES
from lasthop.regular_files import UnreadableError, content

#: The files that probes are read from, by their ending.
ENDINGS = (".csv", ".parquet")

#: The largest table that is read, bytes.
MOST_BYTES = 2_000_000_000

#: Columns without which a table is not drawn as it is, in the order of the panels.
DRAWN = {
    "flows": ("goodput_bps", "delay_mean_s"),
    "tcp": ("snd_cwnd", "ssthresh", "srtt_s"),
    "queue": ("packets",),
}

Columns = Mapping[str, Sequence[Any]]


@dataclass(frozen=True)
class Stored:
    """Tables of one run.

    Attributes:
        title: What was run, as far as the files say it.
        tables: The columns of each, by the probe's name; a column's values are as in `Run.probes`.
        notes: What a reader should know, a sentence each.
    """

    title: str
    tables: Mapping[str, Columns]
    notes: tuple[str, ...] = ()


def is_of_probes(path: Path) -> bool:
    """Return whether a path is a table, or a directory of tables and no study's."""
    if path.is_dir():
        return not (path / "manifest.json").exists() and any(
            each.suffix in ENDINGS for each in path.iterdir()
        )
    return path.suffix in ENDINGS


def tables_in(path: Path) -> list[Path]:
    """Return the tables of a directory, or the one that a path is."""
    if not path.is_dir():
        return [path]
    return [each for each in sorted(path.iterdir()) if each.suffix in ENDINGS]


def read(path: Path, flows: Sequence[str] = ()) -> Stored:
    """Return the tables of a file or directory; of flows those that match a pattern, where there are any.

    Raises UsageError for what is no table of a probe.
    """
    tables: dict[str, Columns] = {}
    titles, notes = [], []
    for file in tables_in(path):
        table = _table(file)
        probe = _probe_of(file, table.column_names)
        if probe in tables:
            raise UsageError(f"{file}: a second table of the probe {probe}; give one of the files")
        columns, note = _of_first(table)
        notes += [note] if note and note not in notes else []
        tables[probe] = columns
        titles.append(table.metadata.get("scenario", ""))
    if flows:
        tables = _only(tables, flows, path)
    title = next(filter(None, titles), path.name)
    return Stored(title, tables, tuple(notes))


def _table(file: Path) -> Table:
    try:
        found = content(file, MOST_BYTES)
        return parquet.parsed(found) if file.suffix == ".parquet" else csv.parsed(found, NAMES)
    except UnreadableError as error:
        raise UsageError(f"{file}: {error}") from None
    except (parquet.ParquetError, csv.CsvError) as error:
        raise UsageError(f"{file}: no table that can be read: {error}") from None


def _probe_of(file: Path, names: Sequence[str]) -> str:
    """Return whose table has these columns."""
    known: dict[str, list[str]] = {
        probe: [name for name in columns if name != "replication"]
        for probe, columns in probe_kinds().items()
    }
    own = [name for name in names if name != "replication"]
    probe = max(known, key=lambda each: len(set(own) & set(known[each])))
    if "time_s" not in own or not set(own[1:]) & set(known[probe]):
        shown = ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
        raise UsageError(
            f"{file}: no table of a probe: its columns are {shown}; "
            "`lasthop run FILE --probe tcp --out tcp.csv` writes one"
        )
    has = f"the probe {probe} has: {', '.join(known[probe])}"
    for name in own:
        if name not in known[probe]:
            raise UsageError(
                f"{file}: unknown column {name!r}{offered(name, known[probe], word=f'the probe {probe} has')}"
            )
    for name in (
        "time_s",
        *(each for each in NAMES if each in known[probe]),
        *DRAWN.get(probe, ()),
    ):
        if name not in own:
            raise UsageError(f"{file}: the column {name!r} is missing; {has}")
    return probe


def _of_first(table: Table) -> tuple[Columns, str]:
    """Return the columns of the first replication, and a sentence where there are more."""
    if "replication" not in table.column_names or not table.num_rows:
        return table.to_pydict(), ""
    replications = table["replication"].to_numpy()
    first, count = replications[0], len(set(replications.tolist()))
    note = f"The first of {count} replications is drawn." if count > 1 else ""
    return table.filter(replications == first).to_pydict(), note


def _only(tables: Mapping[str, Columns], patterns: Sequence[str], path: Path) -> dict[str, Columns]:
    """Return tables with the rows of some flows; those that are not about flows as they are."""
    there = list(dict.fromkeys(name for t in tables.values() for name in t.get("flow", ())))
    if not there:
        raise UsageError(f"--flow {patterns[0]}: no table of {path} is about flows")
    for pattern in patterns:
        if not any(fnmatchcase(name, pattern) for name in there):
            hint = offered(pattern, there, ", ".join(there))
            raise UsageError(f"--flow {pattern}: no such flow{hint}")
    found = {}
    for probe, table in tables.items():
        keep = [
            row
            for row, name in enumerate(table.get("flow", ()))
            if any(fnmatchcase(name, pattern) for pattern in patterns)
        ]
        is_of_flows = "flow" in table
        found[probe] = (
            {key: [values[row] for row in keep] for key, values in table.items()}
            if is_of_flows
            else table
        )
    return found
