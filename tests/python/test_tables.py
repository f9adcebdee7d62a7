"""Tables: as Arrow streams for other tools, and as Parquet and CSV files that others read, and we of theirs."""

from __future__ import annotations

import html
import io
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from markdown_it import MarkdownIt

from lasthop.core import parquet
from lasthop.numbers.table import Column, Kind, Table, concatenated, csv, printed

pa = pytest.importorskip("pyarrow")
pytest.importorskip("pyarrow.parquet")

ROWS = 1000

CASES = Path(__file__).parent / "cases" / "tables"


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
    assert noticed > 0.8 * len(content)  # the rest are names, and sizes that nobody needs
    for size in range(0, len(content), 7):
        with pytest.raises(parquet.ParquetError):
            parquet.parsed(content[:size])


def renewed(content: bytes, old: bytes, new: bytes) -> bytes:
    """Return a file without its checksum, in whose footer or pages bytes are others, as a hostile writer would."""
    size = int.from_bytes(content[-8:-4], "little")
    start = len(content) - 8 - size
    pages, footer = content[:start], content[start:-8].replace(b"lasthop.crc32", b"lasthop.crc99")
    assert old in pages + footer
    if old in footer:
        footer = footer.replace(old, new)
    else:
        pages = pages.replace(old, new)
    return pages + footer + len(footer).to_bytes(4, "little") + b"PAR1"


MOST = b"\xff\xff\xff\xff\x07"  # 2^31 - 1, or -2^30 with a sign


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (b"\x19\x1c\x19\x1c", b"\x19\xfc" + MOST + b"\x19\x1c", "footer"),  # row groups
        (b"\x4c\x15\x02\x15\x00", b"\x4c\x15\xfe\xff\xff\xff\x0f\x15\x00", "page"),  # words
        (b"\x2c\x15\x02\x15\x10", b"\x2c\x15\xfe\xff\xff\xff\x0f\x15\x10", "page"),  # values
    ],
)  # fmt: skip
def test_huge_counts_take_no_memory(old: bytes, new: bytes, why: str) -> None:
    content = parquet.written(Table.of({"text": ["x"]}))
    with pytest.raises(parquet.ParquetError, match=why):
        parquet.parsed(renewed(content, old, new))


def test_files_of_earlier_versions_are_read() -> None:
    rows = [
        {"number": 1.5, "whole": None, "yes": True, "text": "wörd", "lists": ["a", "b"]},
        {"number": None, "whole": -7, "yes": None, "text": None, "lists": []},
    ]
    for name, there in (("some", rows), ("none", [])):
        table = parquet.read(CASES / f"{name}.parquet")
        assert table.to_pylist() == there
        assert table.column_names == list(rows[0])
        assert table.metadata == {"how": "so"}
        assert parquet.parsed(parquet.written(table)).equals(table)


def test_random_bytes_are_no_table() -> None:
    rng = np.random.default_rng(4)
    for size in (0, 4, 11, 12, 13, 40, 400):
        for _ in range(20):
            content = rng.bytes(size)
            for each in (content, b"PAR1" + content + b"PAR1"):
                with pytest.raises(parquet.ParquetError):
                    parquet.parsed(each)


def test_types_that_are_not_read_are_named(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pa.parquet.write_table(pa.table({"a": [1.0], "b": [{"c": 1}]}), path)
    with pytest.raises(parquet.ParquetError, match='column "b" is of a type'):
        parquet.read(path)


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
    assert table[0] == table.to_pylist()[0]
    assert table[-1] == table.to_pylist()[-1]
    with pytest.raises(IndexError):
        table[20]


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


@pytest.mark.parametrize(
    "text",
    ["<script>alert(1)</script>", "a|b", "*a* _b_ `c` ~~d~~ a_b", "[x](http://y)", "&lt;", "\\", "$x$", "a\nb",
     "![x](y)"],
)  # fmt: skip
def test_a_table_in_markdown_shows_every_character(text: str) -> None:
    table = printed.markdown([text, "n"], [["x", "1"], [text, "2"]])
    page = MarkdownIt("gfm-like", {"linkify": False}).render(table)
    assert not re.findall(r"<(?!/?(?:table|thead|tbody|tr|th|td)\b)", page)
    cells = [html.unescape(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", page)]
    shown = " ".join(text.splitlines())
    assert cells == [shown, "n", "x", "1", shown, "2"]
