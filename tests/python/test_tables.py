"""Tables: as Arrow streams for other tools, and as Parquet and CSV files that others read, and we of theirs."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lasthop.table import Column, Kind, Table, concatenated, csv, parquet

pa = pytest.importorskip("pyarrow")
pytest.importorskip("pyarrow.parquet")

ROWS = 1000


def mixed(rows: int = ROWS) -> Table:
    rng = np.random.default_rng(1)
    number = rng.normal(size=rows)
    whole: list[Any] = rng.integers(-(2**62), 2**62, rows).tolist()
    return Table.of(
        {
            "number": np.where(rng.random(rows) < 0.2, np.nan, number),
            "all": number,
            "whole": [None if place % 7 == 0 else each for place, each in enumerate(whole)],
            "yes": [None if place % 5 == 3 else place % 3 == 0 for place in range(rows)],
            "text": [None if place % 11 == 0 else f"wörd{place % 37}" for place in range(rows)],
            "alike": ["same"] * rows,
            "nothing": [None] * rows,
            "lists": [[f"m{k}" for k in range(place % 4)] for place in range(rows)],
        }
    )


@pytest.mark.parametrize("rows", [0, 1, 8, ROWS])
def test_pyarrow_reads_what_we_write_and_we_what_it_writes(tmp_path: Path, rows: int) -> None:
    table = mixed(rows).with_metadata({"how": "so"}) if rows else mixed(1).slice(0, 0)
    path = tmp_path / "a.parquet"
    path.write_bytes(parquet.written(table))
    theirs = pa.parquet.read_table(path, page_checksum_verification=True)
    assert theirs.to_pydict() == table.to_pydict()
    assert theirs.equals(pa.table(table))
    assert parquet.read(path).equals(table)
    assert parquet.read(path).metadata == table.metadata
    for how in (
        {},
        {"use_dictionary": False, "compression": "snappy"},
        {"compression": "none"},
        {"row_group_size": 300},
        {"data_page_size": 512},
    ):
        pa.parquet.write_table(
            pa.table(table), path, **{"compression": "zstd", "write_page_checksum": True} | how
        )
        assert parquet.read(path).to_pydict() == table.to_pydict(), how


def test_duckdb_and_polars_read_our_files(tmp_path: Path) -> None:
    duckdb, polars = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    path = tmp_path / "a.parquet"
    path.write_bytes(parquet.written(mixed()))
    assert polars.read_parquet(path).to_dicts() == mixed().to_pylist()
    assert duckdb.sql(f"select count(*), sum(whole > 0) from '{path}'").fetchall()[0][0] == ROWS


def test_any_changed_byte_is_noticed_or_changes_nothing_of_the_rows(tmp_path: Path) -> None:
    table = mixed(20)
    content = parquet.written(table)
    noticed = 0
    for place in range(len(content)):
        damaged = bytearray(content)
        damaged[place] ^= 0x41
        try:
            parquet.parsed(bytes(damaged))
        except parquet.ParquetError:
            noticed += 1
    assert noticed > 0.8 * len(content)  # what is left are names, and sizes that nobody needs
    for size in range(0, len(content), 7):
        with pytest.raises(parquet.ParquetError):
            parquet.parsed(content[:size])


def test_others_take_a_table_as_it_is() -> None:
    polars, duckdb = pytest.importorskip("polars"), pytest.importorskip("duckdb")
    pandas = pytest.importorskip("pandas")
    table = mixed()
    assert pa.table(table).to_pydict() == table.to_pydict()
    assert pa.schema(table).names == table.column_names
    assert polars.DataFrame(table).to_dicts() == table.to_pylist()
    assert table.polars().equals(polars.DataFrame(table))
    found = table  # noqa: F841  # DuckDB finds it by its name
    assert duckdb.sql("select count(text) from found").fetchall()
    frame = table.pandas()
    assert frame["number"].isna().sum() == table["number"].null_count
    assert pandas.DataFrame.from_arrow(table)["alike"].unique().tolist() == ["same"]
    empty = Table({})
    assert pa.table(empty).num_columns == 0


def test_columns_are_sequences_and_arrays() -> None:
    table = mixed(20)
    assert table["whole"][1] == table["whole"].to_pylist()[1]
    assert table["text"][-1] == table["text"].to_pylist()[-1]
    assert table["text"][2:4].to_pylist() == table["text"].to_pylist()[2:4]
    assert np.asarray(table["all"]).dtype == float
    assert np.isnan(np.asarray(table["number"])).sum() == table["number"].null_count
    assert (
        table.filter(np.asarray(table["all"]) > 0).num_rows == (np.asarray(table["all"]) > 0).sum()
    )
    both = concatenated([table, table])
    assert both.to_pydict() == {name: 2 * list(each) for name, each in table.items()}
    assert Column.of([1, 2.5]).kind is Kind.NUMBER
    assert Column.of([2**63]).to_pylist() == [str(2**63)]
    with pytest.raises(Exception, match="did you mean 'number'"):
        table["numbr"]


def test_a_table_is_shown_in_a_screen() -> None:
    said = repr(mixed())
    assert len(said.splitlines()) < 25
    assert "1,000 rows" in said
    assert mixed()._repr_html_().count("<tr>") == 21


def test_floats_in_csv_are_those_of_pyarrow() -> None:
    from pyarrow import csv as theirs_csv

    rng = np.random.default_rng(2)
    values = np.concatenate(
        [
            rng.normal(size=500) * 10.0 ** rng.integers(-25, 25, 500),
            [0.0, 1.0, -3.0, 1e15, 1e16, 1e21],
        ]
    )
    table = Table.of({"x": values, "text": ["a,b"] * len(values)})
    ours, theirs = io.BytesIO(), io.BytesIO()
    csv.write(table, ours)
    theirs_csv.write_csv(pa.table(table), theirs)
    assert ours.getvalue() == theirs.getvalue()
