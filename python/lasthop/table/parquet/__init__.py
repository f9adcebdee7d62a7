"""Parquet files of plain tables, written and read without pyarrow; see docs/decisions/0053-a-light-install.md."""

from lasthop.table.parquet.reading import ParquetError, parsed, read
from lasthop.table.parquet.writing import written

__all__ = ["ParquetError", "parsed", "read", "written"]
