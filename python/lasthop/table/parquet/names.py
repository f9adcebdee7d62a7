"""Numbers by which Parquet names types, encodings and kinds of pages (its parquet.thrift), and zstd."""

from __future__ import annotations

import sys

from lasthop.table.columns import Kind

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

__all__ = ["zstd"]

MAGIC = b"PAR1"

BOOLEAN, INT64, DOUBLE, BYTE_ARRAY = 0, 2, 5, 6
PHYSICAL = {
    Kind.BOOL: BOOLEAN,
    Kind.WHOLE: INT64,
    Kind.NUMBER: DOUBLE,
    Kind.TEXT: BYTE_ARRAY,
    Kind.TEXTS: BYTE_ARRAY,
}
REQUIRED, OPTIONAL, REPEATED = range(3)
PLAIN, PLAIN_DICTIONARY, RLE, RLE_DICTIONARY = 0, 2, 3, 8
DATA_PAGE, DICTIONARY_PAGE, DATA_PAGE_2 = 0, 2, 3
UNCOMPRESSED, SNAPPY, ZSTD = 0, 1, 6
UTF8, CONVERTED_LIST = 0, 3
