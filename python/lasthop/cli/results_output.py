"""`lasthop results`: list, filter and export what a study has given."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lasthop.cli import fitting_tables, regret_output
from lasthop.cli.documents import print_document
from lasthop.cli.kept_tables import KEPT
from lasthop.cli.stores import directory_of
from lasthop.cli.terminal import tell_other_engine, terminal
from lasthop.core import parquet
from lasthop.core import safe_files as files
from lasthop.core.quantities import full
from lasthop.core.quantities.units import said_unit
from lasthop.errors import UsageError, offered
from lasthop.extras import needed
from lasthop.numbers.numerals import counted
from lasthop.numbers.table import Column, Kind, Table, csv
from lasthop.study import phrases
from lasthop.study.swept import Results

if TYPE_CHECKING:
    from lasthop.cli.commands.results import ResultsOptions

#: Rows that a terminal shows.
SHOWN = 40

ENDINGS = (".csv", ".parquet", ".feather", ".md", ".tex")

#: Of these the means are written, as people read them; of the others all values.
FOR_PAPERS = (".md", ".tex")

#: Options that say which values are shown, or where they go.
SELECTING = ("--where", "--columns", "--values", "--export")

COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def show(directory: Path, options: ResultsOptions) -> None:
    """Print means by cell, or all values; or write all values to a file, or learn. Raises UsageError."""
    export = options.export
    if options.learn_policy is not None:
        _refuse(options, (*SELECTING, "--json"), "--learn-policy learns from all of a study")
        return regret_output.learn(directory, options.learn_policy, options.goal)
    if options.goal is not None:
        _refuse(options, SELECTING, "--goal averages over all conditions")
    if export is not None and export.suffix not in ENDINGS:
        raise UsageError(f"--export {export}: allowed: a name that ends in {', '.join(ENDINGS)}")
    results = Results(directory_of(directory))
    tell_other_engine(results)
    if export is not None and export.suffix in FOR_PAPERS:
        return _write_means(results, export, options)
    for name, why in results.store.broken.items():
        terminal(stderr=True).print(f"{name} is broken ({why}) and left out below")
    table = results.table() if options.values or export else results.summary()
    table = chosen(filtered(table, options.where), options.columns)
    if export is not None:
        with files.explained(export):
            files.write(export, lambda file: _write(table, file, export.suffix))
        terminal(stderr=True).print(f"{counted(table.num_rows, 'row')}: {export}", highlight=False)
    elif options.as_json:
        print_document(
            {
                "study": results.name,
                "engine": results.manifest["engine"],
                "rows": table.to_pylist(),
                **regret_output.document(results, options.goal),
            }
        )
    elif options.goal is not None:
        regret_output.show_averages(results, options.goal)
    else:
        _print(results, table)
        regret_output.show(results)
    return None


def _write_means(results: Results, export: Path, options: ResultsOptions) -> None:
    _refuse(options, ("--where", "--columns"), "a table for a paper has all means")
    text = results.markdown() if export.suffix == ".md" else results.latex()
    with files.explained(export):
        files.write_text(export, text)
    terminal(stderr=True).print(f"{counted(len(results.rows), 'row')}: {export}", highlight=False)


def _refuse(options: ResultsOptions, names: Sequence[str], why: str) -> None:
    """Raise UsageError where an option of these is given, which would change nothing."""
    given = {
        "--where": options.where,
        "--columns": options.columns,
        "--values": options.values,
        "--export": options.export,
        "--json": options.as_json,
    }
    for name in names:
        if given[name]:
            raise UsageError(f"{why}: leave {name} out")


def filtered(table: Table, where: Sequence[str]) -> Table:
    """Return the rows for which all conditions hold, each ``column=value`` or with another comparison."""
    for condition in where:
        match = re.fullmatch(r"\s*(.+?)\s*(<=|>=|!=|=|<|>)\s*(.*?)\s*", condition)
        if match is None:
            raise UsageError(
                f"--where {condition!r}: allowed: column=value, with =, !=, <, <=, >, >="
            )
        name, sign, text = match.groups()
        _refuse_unknown(table, [name], "--where")
        column = table.column(name)
        text = full(text) if name == "metric" else text
        wanted = _wanted(condition, text, column.kind)
        if sign == "=" and column.kind is Kind.TEXT:
            _refuse_absent(condition, text, column)
        keeps = COMPARE[sign]
        mask = [value is not None and keeps(value, wanted) for value in column.to_pylist()]
        table = table.filter(np.array(mask, dtype=bool))
    return table


def _wanted(condition: str, text: str, kind: Kind) -> str | float | bool:
    """Return what a condition compares with, as the column has it."""
    try:
        if kind is Kind.BOOL:
            return {"true": True, "false": False}[text.lower()]
        return float(text) if kind is Kind.NUMBER else int(text) if kind is Kind.WHOLE else text
    except (KeyError, ValueError):
        what = {Kind.NUMBER: "a number", Kind.WHOLE: "a whole number"}.get(kind, "true or false")
        raise UsageError(f"--where {condition!r}: {text!r} is not {what}") from None


def chosen(table: Table, columns: Sequence[str]) -> Table:
    """Return these columns; all where none is named."""
    names = [name for each in columns for name in each.split(",")]
    _refuse_unknown(table, names, "--columns")
    return table.select(names) if names else table


def _refuse_absent(condition: str, text: str, column: Column) -> None:
    there = [str(value) for value in dict.fromkeys(column.to_pylist())]
    if there and text not in there:
        listed = ", ".join(there[:SHOWN])
        raise UsageError(
            f"--where {condition!r}: there is no {text!r}{offered(text, there, listed)}"
        )


def _refuse_unknown(table: Table, names: Sequence[str], option: str) -> None:
    for name in names:
        if name not in table.column_names:
            there = ", ".join(table.column_names)
            hint = offered(name, table.column_names, there)
            raise UsageError(f"{option}: no column {name!r}{hint}")


def _write(table: Table, file: Any, ending: str) -> None:
    if ending == ".csv":
        csv.write(table, file)
    elif ending == ".parquet":
        file.write(parquet.written(table))
    else:
        needed("pyarrow.feather").write_feather(table.pyarrow(), file)


def _print(results: Results, table: Table) -> None:
    console = terminal()
    manifest = results.manifest
    state = "complete" if results.complete else "not complete"
    said = f"{manifest['study']}: {counted(len(results.rows), 'cell')}, {state}, engine {manifest['engine']}"
    console.print(said, highlight=False)
    console.print(results.window, highlight=False)
    if manifest["description"]:
        console.print(manifest["description"], highlight=False)
    count = table.num_rows
    table = _humane(results, table if KEPT.asked else table.slice(0, SHOWN))
    whole = {name: [*map(_shown, column)] for name, column in table.to_pydict().items()}
    if KEPT.asked:
        _keep(results, whole)
    first, *rest = [(_broken(name), cells[:SHOWN]) for name, cells in whole.items()]
    with KEPT.pause():
        fitting_tables.show(console, "", first[1], rest, corner=first[0])
    if count > SHOWN:
        console.print(f"{counted(count - SHOWN, 'row')} more: --export FILE.csv", highlight=False)


def _humane(results: Results, table: Table) -> Table:
    """Return means in units that people read: kbit/s where they are thousands of bit/s."""
    if not {"metric", "unit"} <= set(table.column_names):
        return table
    rows = table.to_pylist()
    for row in rows:
        factor, row["unit"] = results.scale(row["metric"])
        for key in row.keys() & {"mean", "ci95"}:
            row[key] = None if row[key] is None else row[key] * factor
    return Table.of_rows(rows) if rows else table


def _keep(results: Results, whole: dict[str, list[str]]) -> None:
    """Keep all rows for `--tables`, in words: the names on the screen are those that --where takes."""
    told: dict[str, Callable[[str], str]] = {
        "ci95": lambda _: "± (95 %)",
        **dict.fromkeys(results.keys, phrases.of_key),
    }
    head = [told.get(name, str)(name) for name in whole]
    cells: dict[str, Callable[[str], str]] = {
        **dict.fromkeys(results.keys, phrases.of_value),
        "metric": phrases.of_metric,
        "unit": said_unit,
    }
    columns = [[*map(cells.get(name, str), column)] for name, column in whole.items()]
    axes = [place for place, name in enumerate(whole) if name in (*results.keys, "metric")]
    KEPT.keep(results.name, head, zip(*columns, strict=True), lead=max(axes, default=0) + 1)


def _broken(name: str) -> str:
    """Break the name of an axis into lines, which leaves room for the numbers."""
    return re.sub(r"([._])", r"\1\n", name)


def _shown(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else "-" if value is None else str(value)
